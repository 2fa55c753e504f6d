// The parts of JSTS that we use. Its own types are generated from JavaScript and have no constructor arguments.
declare module 'jsts/org/locationtech/jts/geom/Coordinate.js' {
  export default class Coordinate {
    constructor(x: number, y: number)
    x: number
    y: number
  }
}
declare module 'jsts/org/locationtech/jts/geom/Geometry.js' {
  export default class Geometry {
    isEmpty(): boolean
    getArea(): number
    getNumGeometries(): number
    getGeometryN(n: number): Geometry
  }
}
declare module 'jsts/org/locationtech/jts/geom/LinearRing.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  export default class LinearRing extends Geometry {
    getCoordinates(): Coordinate[]
  }
}
declare module 'jsts/org/locationtech/jts/geom/Polygon.js' {
  import Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  import type LinearRing from 'jsts/org/locationtech/jts/geom/LinearRing.js'

  export default class Polygon extends Geometry {
    getExteriorRing(): LinearRing
    getNumInteriorRing(): number
    getInteriorRingN(n: number): LinearRing
  }
}
declare module 'jsts/org/locationtech/jts/geom/MultiPolygon.js' {
  import Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  export default class MultiPolygon extends Geometry {}
}
declare module 'jsts/org/locationtech/jts/geom/GeometryFactory.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  import type LinearRing from 'jsts/org/locationtech/jts/geom/LinearRing.js'
  import type MultiPolygon from 'jsts/org/locationtech/jts/geom/MultiPolygon.js'
  import type Polygon from 'jsts/org/locationtech/jts/geom/Polygon.js'

  export default class GeometryFactory {
    createPoint(at: Coordinate): Geometry
    createLinearRing(coordinates: Coordinate[]): LinearRing
    createPolygon(shell: LinearRing, holes: LinearRing[]): Polygon
    createMultiPolygon(polygons: Polygon[]): MultiPolygon
  }
}
declare module 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  const DistanceOp: { distance(a: Geometry, b: Geometry): number }
  export default DistanceOp
}
declare module 'jsts/org/locationtech/jts/index/strtree/STRtree.js' {
  import type Envelope from 'jsts/org/locationtech/jts/geom/Envelope.js'

  export default class STRtree {
    insert(box: Envelope, item: unknown): void
    query(box: Envelope): { toArray(): unknown[] }
  }
}
declare module 'jsts/org/locationtech/jts/geom/Envelope.js' {
  export default class Envelope {
    constructor(west: number, east: number, south: number, north: number)
  }
}
declare module 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  export default class IsValidOp {
    constructor(geometry: Geometry)
    isValid(): boolean
    getValidationError(): { getErrorType(): number; getCoordinate(): Coordinate | null } | null
  }
}
declare module 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  type Overlay = (a: Geometry, b: Geometry) => Geometry
  const SnapIfNeededOverlayOp: { intersection: Overlay; difference: Overlay; union: Overlay }
  export default SnapIfNeededOverlayOp
}
declare module 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  const BufferOp: { bufferOp(geometry: Geometry, distance: number, segments_a_quadrant?: number): Geometry }
  export default BufferOp
}
declare module 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'

  const InteriorPointArea: { getInteriorPoint(geometry: Geometry): Coordinate | null }
  export default InteriorPointArea
}
