// Whether one shape of the map is inside another.
import type { Box } from '../../../../shared/geometry/box.ts'
import { type Areal, boundsOf, boxesMeet, holds, metresTo, positionsOf } from '../../../../shared/geometry/plane.ts'
import { arealOf } from './areas/areal.ts'
import { type Feature, type Ground, groundOf, type Spot } from './model.ts'

/** A corner on the edge of a shape is inside it, although a long edge is not quite the same line on the ground as on the map. */
const TOUCHING_M = 0.5

/** A shape with what comparing it with many others needs. */
export type Shape = { areal: Areal; box: Box }

/** Prepares a shape to be compared. */
export function shapeOf(ground: Ground): Shape {
  const areal = arealOf(ground)
  return { areal, box: boundsOf(areal) }
}

/** Returns whether all corners of a shape are inside another, or on its edge. */
export const isWithin = (inner: Shape, outer: Shape): boolean =>
  boxesMeet(inner.box, outer.box) && positionsOf(inner.areal).every(([lon, lat]) => metresTo(outer.areal, { lon, lat }) <= TOUCHING_M)

/** Returns the smallest building that contains a point, as `GET /reference-features/building-at-point` does. */
export const buildingAt = ([lon, lat]: Spot, features: Iterable<Feature>): Feature | undefined =>
  [...features]
    .filter(one => one.kind === 'building' && holds(arealOf(groundOf(one)), { lon, lat }))
    .sort((a, b) => a.area_m2 - b.area_m2)[0]
