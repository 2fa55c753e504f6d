// Geometry in metres: a tangent plane at a centre, distances, points in polygons. No dependency, so that the server and the browser get the same results.
import { at } from '../narrow.ts'
import type { Box } from './box.ts'

export type { Box } from './box.ts'

/** Degrees east and degrees north, as in GeoJSON (WGS84). */
export type Position = [number, number]
/** A single point as the API writes it. */
export type LonLat = { lon: number; lat: number }
export type Point = { type: 'Point'; coordinates: Position }
export type LineString = { type: 'LineString'; coordinates: Position[] }
/** Rings: the outer one first, then holes; each closed. */
export type Polygon = { type: 'Polygon'; coordinates: Position[][] }
export type MultiPolygon = { type: 'MultiPolygon'; coordinates: Position[][][] }
/** An area on the ground. */
export type Areal = Polygon | MultiPolygon
export type Geometry = Point | LineString | Areal
/** Metres east and metres north of a centre. */
export type Metres = [number, number]

/**
 * A local plane: metres east and north of its centre. At 5 km, a length in it is off by less than a millionth; beyond some hundred km it is too distorted to
 * use.
 */
export type Plane = { centre: LonLat; metres(position: Position): Metres; degrees(metres: Metres): Position }

// WGS84: the semi-major axis in metres, and the eccentricity squared.
const A = 6_378_137
const E2 = 0.006694379990141316
const B = A * Math.sqrt(1 - E2)
const RADIANS = Math.PI / 180

/** Earth-centred coordinates of a point on the ellipsoid, metres. */
function earthCentred(lon: number, lat: number): [number, number, number] {
  const sin = Math.sin(lat * RADIANS)
  const cos = Math.cos(lat * RADIANS)
  const n = A / Math.sqrt(1 - E2 * sin * sin)
  return [n * cos * Math.cos(lon * RADIANS), n * cos * Math.sin(lon * RADIANS), n * (1 - E2) * sin]
}

/** Makes the tangent plane at a centre: WGS84 → earth-centred → east and north. */
export function planeAt(centre: LonLat): Plane {
  const [x0, y0, z0] = earthCentred(centre.lon, centre.lat)
  const sinLon = Math.sin(centre.lon * RADIANS)
  const cosLon = Math.cos(centre.lon * RADIANS)
  const sinLat = Math.sin(centre.lat * RADIANS)
  const cosLat = Math.cos(centre.lat * RADIANS)
  const up = [cosLat * cosLon, cosLat * sinLon, sinLat] as const
  return {
    centre,
    metres([lon, lat]) {
      const [x, y, z] = earthCentred(lon, lat)
      const [dx, dy, dz] = [x - x0, y - y0, z - z0]
      return [-sinLon * dx + cosLon * dy, -sinLat * (cosLon * dx + sinLon * dy) + cosLat * dz]
    },
    degrees([east, north]) {
      const x = x0 - sinLon * east - sinLat * cosLon * north
      const y = y0 + cosLon * east - sinLat * sinLon * north
      const z = z0 + cosLat * north
      // Projects from the plane straight down to the ellipsoid: the nearer root of a quadratic.
      const a = (up[0] * up[0] + up[1] * up[1]) / (A * A) + (up[2] * up[2]) / (B * B)
      const b = 2 * ((x * up[0] + y * up[1]) / (A * A) + (z * up[2]) / (B * B))
      const c = (x * x + y * y) / (A * A) + (z * z) / (B * B) - 1
      const height = (-2 * c) / (b + Math.sqrt(b * b - 4 * a * c))
      const px = x + height * up[0]
      const py = y + height * up[1]
      const pz = z + height * up[2]
      return [Math.atan2(py, px) / RADIANS, Math.atan2(pz, (1 - E2) * Math.sqrt(px * px + py * py)) / RADIANS]
    },
  }
}

/** Returns the distance in metres on the ground between any two points: to a millionth at 10 km, to half a percent around the globe. */
export function metresBetween(a: LonLat, b: LonLat): number {
  const [ax, ay, az] = earthCentred(a.lon, a.lat)
  const [bx, by, bz] = earthCentred(b.lon, b.lat)
  const chord = Math.hypot(ax - bx, ay - by, az - bz)
  const radius = (Math.hypot(ax, ay, az) + Math.hypot(bx, by, bz)) / 2
  return 2 * radius * Math.asin(Math.min(1, chord / (2 * radius)))
}

/** Returns the polygons of an area, each a list of rings. */
export const polygonsOf = (geometry: Areal): Position[][][] => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates)

/** Lists every position of a geometry, in order. */
export function positionsOf(geometry: Geometry): Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates]
    case 'LineString':
      return geometry.coordinates
    case 'Polygon':
    case 'MultiPolygon':
      return polygonsOf(geometry).flat(2)
  }
}

/** Returns the smallest box around positions, in their own unit; a box that meets nothing if there are none. */
export function boundsOfAll(positions: readonly (readonly [number, number])[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of positions) {
    if (x < box[0]) box[0] = x
    if (y < box[1]) box[1] = y
    if (x > box[2]) box[2] = x
    if (y > box[3]) box[3] = y
  }
  return box
}

/** Returns the smallest box of degrees around a geometry. */
export const boundsOf = (geometry: Geometry): Box => boundsOfAll(positionsOf(geometry))

/** Returns a box that reaches this many metres further on every side. */
export function widened([west, south, east, north]: Box, metres: number): Box {
  // A degree of latitude is 110.57 km at its shortest; one of longitude shrinks by the cosine of the latitude.
  const up = metres / 110_574
  const side = up / Math.max(0.05, Math.cos(Math.min(87, Math.max(Math.abs(south), Math.abs(north))) * RADIANS))
  return [west - side, south - up, east + side, north + up]
}

/** Returns whether two boxes share a point. */
export const boxesMeet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]

/** Returns whether a ring in metres surrounds a point (even-odd rule; on the line itself, either result is possible). */
export function ringHolds(ring: readonly Metres[], [x, y]: Metres): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = at(ring, i)
    const [bx, by] = at(ring, j)
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/** Returns the distance in metres from a point to a line segment, both in a plane. */
export function metresToStretch([x, y]: Metres, [ax, ay]: Metres, [bx, by]: Metres): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

const FAR = 500_000

/** Returns the distance in metres from a point to a line, both in a plane. */
export function metresToLine(line: readonly Metres[], from: Metres): number {
  let least = Infinity
  for (let i = 0; i < line.length; i++) {
    const a = at(line, Math.max(0, i - 1))
    const b = at(line, i)
    const d = metresToStretch(from, a, b)
    if (d < least) least = d
  }
  return least
}

/** Returns the distance in metres on the ground from a point to a geometry; 0 inside a polygon. */
export function metresTo(geometry: Geometry, at: LonLat): number {
  if (geometry.type === 'Point') return metresBetween(at, lonLat(geometry.coordinates))
  const [first] = positionsOf(geometry)
  if (first !== undefined && metresBetween(at, lonLat(first)) > FAR) {
    // At this distance the plane is too distorted, and centimetres don't matter.
    return positionsOf(geometry).reduce((least, p) => Math.min(least, metresBetween(at, lonLat(p))), Infinity)
  }
  const plane = planeAt(at)
  const lines = (rings: readonly Position[][]) => rings.map(ring => ring.map(plane.metres))
  if (geometry.type === 'LineString') return metresToLine(geometry.coordinates.map(plane.metres), [0, 0])
  let least = Infinity
  for (const rings of polygonsOf(geometry).map(lines)) {
    // A point is inside when it is in an odd number of rings: in the outer one and in no hole.
    if (rings.filter(ring => ringHolds(ring, [0, 0])).length % 2 === 1) return 0
    for (const ring of rings) least = Math.min(least, metresToLine(ring, [0, 0]))
  }
  return least
}

const MILLIMETRE = 0.001

/** Returns whether a polygon contains a point. The edge counts as inside. */
export const holds = (geometry: Areal, at: LonLat): boolean => metresTo(geometry, at) <= MILLIMETRE

/** Returns the area inside a ring in metres, in m²; positive when the ring runs anticlockwise. */
export function ringArea(ring: readonly Metres[]): number {
  const [x0, y0] = ring[0] ?? [0, 0]
  let twice = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = at(ring, i - 1)
    const [bx, by] = at(ring, i)
    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
  }
  return twice / 2
}

/** Returns the middle of a box. */
export const middleOf = ([west, south, east, north]: Box): LonLat => ({ lon: (west + east) / 2, lat: (south + north) / 2 })

/** Returns the geodesic area in m², measured in the shape's own tangent plane, which is right to a millionth at 25 km². */
export function areaOf(geometry: Areal): number {
  const plane = planeAt(middleOf(boundsOf(geometry)))
  const area = (ring: Position[]) => Math.abs(ringArea(ring.map(plane.metres)))
  return polygonsOf(geometry).reduce(
    (sum, rings) => sum + rings.reduce((part, ring, i) => (i === 0 ? area(ring) : part - area(ring)), 0),
    0,
  )
}

/** Returns the centroid of an area. For a concave shape it can be outside the shape. */
export function centreOf(geometry: Areal): LonLat {
  const middle = middleOf(boundsOf(geometry))
  const plane = planeAt(middle)
  let [weight, east, north] = [0, 0, 0]
  for (const rings of polygonsOf(geometry)) {
    for (const [i, ring] of rings.entries()) {
      const line = ring.map(plane.metres)
      const sign = ringArea(line) > 0 === (i === 0) ? 1 : -1
      const [x0, y0] = line[0] ?? [0, 0]
      for (let k = 1; k < line.length; k++) {
        const [ax, ay] = at(line, k - 1)
        const [bx, by] = at(line, k)
        const cross = sign * ((ax - x0) * (by - y0) - (bx - x0) * (ay - y0))
        weight += cross
        east += (cross * (x0 + ax + bx)) / 3
        north += (cross * (y0 + ay + by)) / 3
      }
    }
  }
  return weight === 0 ? middle : lonLat(plane.degrees([east / weight, north / weight]))
}

/** Returns a position as the API writes a single point. */
export const lonLat = ([lon, lat]: Readonly<Position>): LonLat => ({ lon, lat })
/** Returns a point as a GeoJSON position. */
export const position = ({ lon, lat }: LonLat): Position => [lon, lat]
