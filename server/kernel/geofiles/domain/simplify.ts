// Leaves out the positions of lines and rings that matter least (Douglas and Peucker).
import { lonLat, type Position, planeAt } from '../../../../shared/geometry/plane.ts'
import { pointsThatStay } from '../../../../shared/geometry/simplify.ts'
import type { Shape } from './shapes.ts'

function simpler(line: Position[], tolerance: number, ring: boolean): Position[] {
  const [first] = line
  if (first === undefined || line.length < 3) return line
  const plane = planeAt(lonLat(first))
  const stays = pointsThatStay(line.map(plane.metres), tolerance)
  const left = line.filter((_, i) => stays[i])
  return ring && left.length < 4 ? line : left
}

/** Returns a geometry whose lines are at most this many metres away from those that were surveyed. */
export function simplified(shape: Shape, tolerance: number): Shape {
  switch (shape.type) {
    case 'LineString':
      return { type: 'LineString', coordinates: simpler(shape.coordinates, tolerance, false) }
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: shape.coordinates.map(line => simpler(line, tolerance, false)) }
    case 'Polygon':
      return { type: 'Polygon', coordinates: shape.coordinates.map(ring => simpler(ring, tolerance, true)) }
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: shape.coordinates.map(rings => rings.map(ring => simpler(ring, tolerance, true))) }
    case 'GeometryCollection':
      return { type: 'GeometryCollection', geometries: shape.geometries.map(one => simplified(one, tolerance)) }
    default:
      return shape
  }
}
