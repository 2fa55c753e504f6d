import type { Areal, Position } from '../../../../../shared/geometry/plane.ts'
import type { Ground } from '../model.ts'

const ringsOf = (polygon: readonly (readonly (readonly number[])[])[]): Position[][] =>
  polygon.map(ring => ring.map(([lon = 0, lat = 0]): Position => [lon, lat]))

/** Returns an area of the map as the shared geometry reads it: with two numbers in each position. */
export const arealOf = (ground: Ground): Areal =>
  ground.type === 'Polygon'
    ? { type: 'Polygon', coordinates: ringsOf(ground.coordinates) }
    : { type: 'MultiPolygon', coordinates: ground.coordinates.map(ringsOf) }
