// Where to find help from a place: the nearest first aid, fire point and assembly point (`map.md` §5).
import { metresBetween } from '../../../../shared/geometry/plane.ts'
import type { Spot } from './model.ts'
import type { Poi } from './signs.ts'

/** What people need to find first in an emergency. */
export const HELP = ['first_aid', 'fire_point', 'assembly_point'] as const

/** Where work is: its building, and its lowest and highest level; null for outdoors, and for any level. */
export type Work = { spot: Spot; building: string | null; levels: readonly [number, number] | null }

/** Returns the nearest point of a kind; null if there is none. From inside a building, points on other levels and in other buildings don't count, and those outdoors do. */
export function nearestOf(
  kind: Poi['poi_kind'],
  points: readonly Poi[],
  { spot, building, levels }: Work,
): { name: string; metres: number } | null {
  const [lon, lat] = spot
  const reached = points.flatMap(({ poi_kind, name, place }) => {
    const { point, building_id = null, level_index = null } = place
    if (poi_kind !== kind || point === undefined) return []
    const inside =
      building_id === building && (levels === null || level_index === null || (levels[0] <= level_index && level_index <= levels[1]))
    return building === null || building_id === null || inside ? [{ name, metres: metresBetween({ lon, lat }, point) }] : []
  })
  return reached.toSorted((a, b) => a.metres - b.metres)[0] ?? null
}
