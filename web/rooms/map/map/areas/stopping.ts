// Where work stops, as the map says it: around its cross, in a zone or a building, or inside a drawn outline. Pure.
import type { Schemas } from '../../../../base/api.ts'
import type { Frame, Ground, Spot } from '../model.ts'
import type { Floor } from '../scene.ts'

/** A place of a stop. */
export type StopWhere = Pick<Schemas['NewAreaStop'], 'place' | 'radius_m' | 'levels'>

/** How a person says where work stops. */
export type StopWay = { way: 'around'; radius_m: number } | { way: 'zone'; id: string } | { way: 'drawn' }

/** Radii around the cross, in metres. */
export const RADII = [10, 25, 50, 100] as const

/** Reasons that are chosen with one tap. */
export const STOP_REASONS = ['gas', 'fire', 'structure', 'service', 'lifting', 'access'] as const

/** Returns the zones and buildings in which work can be stopped, by name. */
export const stopPlaces = (frame: Frame): { id: string; name: string }[] =>
  [...frame.values()]
    .filter(one => one.kind === 'zone' || one.kind === 'building')
    .map(({ id, name }) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name))

/** Returns the place of a stop; null until it is known. With `only_level`, the stop is on the level that the map shows. */
export function whereOf(
  chosen: StopWay,
  now: { spot: Spot | null; ground: Ground | null; frame: Frame; floor: Floor; only_level: boolean },
): StopWhere | null {
  const { spot, ground, frame, floor, only_level } = now
  const on =
    only_level && floor !== null && floor.level !== null ? { building: { building_id: floor.building }, levels: [floor.level] } : null
  const levels = on === null ? {} : { levels: on.levels }
  if (chosen.way === 'around') {
    if (spot === null) return null
    // Seven decimals are centimetres, and a moved map gives the same place again.
    const [lon, lat] = spot.map(degrees => Number(degrees.toFixed(7)))
    return { place: { ...on?.building, point: { lon, lat } }, radius_m: chosen.radius_m, ...levels }
  }
  if (chosen.way === 'drawn') return ground === null ? null : { place: { ...on?.building, polygon: ground }, ...levels }
  const found = frame.get(chosen.id)
  if (found === undefined) return null
  if (found.kind === 'zone') return { place: { zone_id: found.id } }
  return { place: { building_id: found.id }, ...(floor?.building === found.id ? levels : {}) }
}
