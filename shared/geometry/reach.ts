// Shapes on the ground around a point: a disc, a sector, a rectangle. In metres, so that 20 m are 20 m in Aberdeen and in Madrid (`map.md` §4).
import { type LonLat, type Metres, type Polygon, planeAt } from './plane.ts'

const RADIANS = Math.PI / 180
/** The most degrees between two corners of an arc: at 100 m, the line between them is 4 cm from the arc. */
const STEP_DEG = 3

/** Returns a polygon of corners in metres east and north of a point. */
export function polygonAround(centre: LonLat, corners: readonly Metres[]): Polygon {
  const plane = planeAt(centre)
  const ring = corners.map(corner => plane.degrees(corner))
  const [first] = ring
  return { type: 'Polygon', coordinates: [first === undefined ? [] : [...ring, first]] }
}

/** Returns the corner at a bearing (degrees clockwise from north) and a distance. */
const at = (bearing: number, metres: number): Metres => [metres * Math.sin(bearing * RADIANS), metres * Math.cos(bearing * RADIANS)]

/** Returns the corners of an arc clockwise, given counter-clockwise as GeoJSON wants its outer rings. */
function arc(metres: number, from: number, to: number, step_deg: number): Metres[] {
  const span = to > from ? to - from : to - from + 360
  const steps = Math.max(2, Math.ceil(span / step_deg))
  // The corners are a little outside the arc, so that the polygon has the area of the sector.
  const step = (span / steps) * RADIANS
  const outer = metres * Math.sqrt(step / Math.sin(step))
  return Array.from({ length: steps + 1 }, (_, i) => at(to - (span * i) / steps, outer))
}

/** Returns the disc with a radius in metres around a point; `step_deg`: the most degrees between two of its corners. */
export const discAround = (centre: LonLat, metres: number, step_deg = STEP_DEG): Polygon =>
  polygonAround(centre, arc(metres, 0, 360, step_deg).slice(1))

/** Returns the sector between two bearings, clockwise from the first; the whole disc if they are the same. */
export const sectorAround = (centre: LonLat, metres: number, from: number, to: number, step_deg = STEP_DEG): Polygon =>
  (to - from) % 360 === 0 ? discAround(centre, metres, step_deg) : polygonAround(centre, [[0, 0], ...arc(metres, from, to, step_deg)])

/** Returns a rectangle around a point whose length points to a bearing. */
export function rectangleAround(centre: LonLat, length: number, width: number, bearing: number): Polygon {
  const corners: readonly Metres[] = [
    [-width / 2, length / 2],
    [-width / 2, -length / 2],
    [width / 2, -length / 2],
    [width / 2, length / 2],
  ]
  const [sin, cos] = [Math.sin(bearing * RADIANS), Math.cos(bearing * RADIANS)]
  return polygonAround(
    centre,
    corners.map(([x, y]): Metres => [x * cos + y * sin, y * cos - x * sin]),
  )
}
