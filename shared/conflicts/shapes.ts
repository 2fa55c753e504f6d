// The ground of a side as flat arrays of metres in the plane of the site, made once and compared many times. Pure.
import { type Plane, polygonsOf } from '../geometry/plane.ts'
import type { Ground } from './sides.ts'

/** A point, a disc or an area in the plane of the site. */
export type Shape = {
  /** False for a point or a disc, whose only corner is its centre. */
  areal: boolean
  /** Of a disc; else 0. */
  radius: number
  /** East and north of each corner in turn. Rings are closed: their last corner is their first. */
  xy: Float64Array
  /** Where each ring starts in `xy`, as a number of corners, and behind the last one the number of all corners. */
  rings: Int32Array
  west: number
  south: number
  east: number
  north: number
}

/** Makes the shape of a ground. */
export function shapeOf(ground: Ground, plane: Plane): Shape {
  const rings = ground.type === 'Point' || ground.type === 'Disc' ? [[ground.coordinates]] : polygonsOf(ground).flat()
  const starts = new Int32Array(rings.length + 1)
  let corners = 0
  for (const [i, ring] of rings.entries()) {
    starts[i] = corners
    corners += ring.length
  }
  starts[rings.length] = corners
  const xy = new Float64Array(corners * 2)
  const radius = ground.type === 'Disc' ? ground.radius_m : 0
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  let at = 0
  for (const ring of rings)
    for (const corner of ring) {
      const [x, y] = plane.metres(corner)
      xy[at++] = x
      xy[at++] = y
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
  return {
    areal: ground.type !== 'Point' && ground.type !== 'Disc',
    radius,
    xy,
    rings: starts,
    west: west - radius,
    south: south - radius,
    east: east + radius,
    north: north + radius,
  }
}

/** Returns a coordinate that is known to be there. */
export const num = (list: Float64Array, i: number): number => list[i] ?? Number.NaN

/** Returns where a ring starts, as a number of corners. */
export const startOf = (shape: Shape, ring: number): number => shape.rings[ring] ?? 0

/** Returns the least distance between the boxes of two shapes. */
export function boxGap(a: Shape, b: Shape): number {
  const dx = a.west > b.east ? a.west - b.east : b.west > a.east ? b.west - a.east : 0
  const dy = a.south > b.north ? a.south - b.north : b.south > a.north ? b.south - a.north : 0
  return Math.sqrt(dx * dx + dy * dy)
}

/** Returns whether an area surrounds a point (even-odd rule over all rings; on the line itself either result is possible). */
export function surrounds(shape: Shape, x: number, y: number): boolean {
  if (!shape.areal || x < shape.west || x > shape.east || y < shape.south || y > shape.north) return false
  const { xy, rings } = shape
  let inside = false
  for (let r = 0; r + 1 < rings.length; r++) {
    const end = startOf(shape, r + 1) - 1
    for (let i = startOf(shape, r); i < end; i++) {
      const ay = num(xy, 2 * i + 1)
      const by = num(xy, 2 * i + 3)
      if (ay > y === by > y) continue
      const ax = num(xy, 2 * i)
      if (x < ((num(xy, 2 * i + 2) - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
    }
  }
  return inside
}
