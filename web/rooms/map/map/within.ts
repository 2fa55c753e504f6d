// Whether one shape of the map is inside another.
import { boundsOf, boxesMeet, metresTo, positionsOf } from '../../../../shared/geometry/plane.ts'
import { arealOf } from './areas/areal.ts'
import type { Ground } from './model.ts'

/** A corner on the edge of a shape is inside it, although a long edge is not quite the same line on the ground as on the map. */
const TOUCHING_M = 0.5

/** Returns whether all corners of a shape are inside another, or on its edge. */
export function isWithin(inner: Ground, outer: Ground): boolean {
  const [small, large] = [arealOf(inner), arealOf(outer)]
  return (
    boxesMeet(boundsOf(small), boundsOf(large)) && positionsOf(small).every(([lon, lat]) => metresTo(large, { lon, lat }) <= TOUCHING_M)
  )
}
