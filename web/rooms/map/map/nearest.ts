// Where to find help from a place: the nearest first aid, fire point and assembly point (`map.md` §5).
import { holds, lonLat, metresBetween } from '../../../../shared/geometry/plane.ts'
import { isOneOf } from '../../../../shared/narrow.ts'
import { arealOf } from './areas/areal.ts'
import { type Frame, groundOf, type Spot } from './model.ts'
import type { Floor } from './scene.ts'
import type { Poi } from './signs.ts'

/** What people need to find first in an emergency. */
export const HELP = ['first_aid', 'fire_point', 'assembly_point'] as const

/** Where work is: its building, and its lowest and highest level; null for outdoors, and for any level. */
export type Work = { spot: Spot; building: string | null; levels: readonly [number, number] | null }

/** A point, and how far it is in a straight line. */
export type Found = { point: Poi; metres: number }

/** Returns the nearest point of a kind; null if there is none. From inside a building, points on other levels and in other buildings don't count, and those outdoors do. */
export function nearestOf(kind: Poi['poi_kind'], points: readonly Poi[], { spot, building, levels }: Work): Found | null {
  const [lon, lat] = spot
  const reached = points.flatMap(point => {
    const { point: at, building_id = null, level_index = null } = point.place
    if (point.poi_kind !== kind || at === undefined) return []
    const inside =
      building_id === building && (levels === null || level_index === null || (levels[0] <= level_index && level_index <= levels[1]))
    return building === null || building_id === null || inside ? [{ point, metres: metresBetween({ lon, lat }, at) }] : []
  })
  return reached.toSorted((a, b) => a.metres - b.metres)[0] ?? null
}

/** The nearest point of a kind; null if there is none. */
export type Near = { kind: Poi['poi_kind']; found: Found | null }

/** Returns the nearest point of each kind: what people need first in an emergency, whether there is any or not; what else helps in one, and then the facilities, each by distance. */
export function nearestOfEach(points: readonly Poi[], work: Work): { emergency: Near[]; facilities: Near[] } {
  const first = HELP.map((kind): Near => ({ kind, found: nearestOf(kind, points, work) }))
  const others = (emergency: boolean): Near[] => {
    const kinds = new Set(points.filter(point => point.emergency === emergency).map(point => point.poi_kind))
    return [...kinds]
      .filter(kind => !isOneOf(HELP, kind))
      .flatMap(kind => nearestOf(kind, points, work) ?? [])
      .toSorted((a, b) => a.metres - b.metres)
      .map(found => ({ kind: found.point.poi_kind, found }))
  }
  return { emergency: [...first, ...others(true)], facilities: others(false) }
}

/** Returns where a person is: the building around the place, and the level of it that the map shows, if it shows one. */
export function workAt(spot: Spot, frame: Frame, floor: Floor): Work {
  const around = [...frame.values()].filter(one => one.kind === 'building' && holds(arealOf(groundOf(one)), lonLat(spot)))
  const building = around.find(one => one.id === floor?.building) ?? around[0]
  const level = building !== undefined && building.id === floor?.building ? floor.level : null
  return { spot, building: building?.id ?? null, levels: level === null ? null : [level, level] }
}
