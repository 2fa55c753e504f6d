// What is planned at a place in a week, as rows of bars (`map.md` §2). Pure.
import { holds, lonLat, positionsOf } from '../../../../../shared/geometry/plane.ts'
import { type Instant, plusDays, startOfDay, type WorkDate } from '../../../../../shared/time.ts'
import { type Feature, groundIn, groundOf, type Place, spotIn } from '../model.ts'
import { arealOf } from './areal.ts'

/** Something with a time at a place. */
export type Planned = {
  id: string
  kind: 'active_area' | 'worker' | 'plant' | 'delivery'
  name: string
  contractor_id: string | null
  schedule_group_id: string | null
  start_at: Instant
  end_at: Instant | null
}

/** One time of something: where its bar begins and how long it is, as shares of the week. */
export type Bar = Pick<Planned, 'id' | 'start_at' | 'end_at'> & { left: number; width: number }
/** Something in a week, with each time that it is there. */
export type WeekRow = Pick<Planned, 'kind' | 'name' | 'contractor_id'> & { key: string; bars: Bar[] }

const DAYS = 7

type At = Pick<Place, 'building_id' | 'level_index' | 'zone_id' | 'point' | 'polygon'>

/**
 * Returns whether something is in a zone or a building: it is said to be, or it is on its ground, on one of its levels. What began before a zone was drawn isn’t said to be in it.
 */
export function isThere(feature: Feature, { building_id = null, level_index = null, zone_id, point, polygon }: At): boolean {
  if (zone_id === feature.id || building_id === feature.id) return true
  // What is in another building, or above a zone that is outdoors, is elsewhere.
  if (building_id !== (feature.building_id ?? null)) return false
  const { level_from, level_to } = feature
  if (level_index !== null && level_from !== null && level_to !== null && (level_index < level_from || level_index > level_to)) return false
  const around = arealOf(groundOf(feature))
  const spot = spotIn(point)
  if (spot !== null) return holds(around, lonLat(spot))
  const ground = groundIn(polygon)
  if (ground === null) return false
  const areal = arealOf(ground)
  return positionsOf(areal).some(at => holds(around, lonLat(at))) || positionsOf(around).some(at => holds(areal, lonLat(at)))
}

/** Returns when the days of a week begin on a site, and when the last one ends: a day on which the clocks change is shorter or longer. */
export const edgesOf = (zone: string, monday: WorkDate): Instant[] =>
  Array.from({ length: DAYS + 1 }, (_, n) => startOfDay(zone, plusDays(monday, n)))

/** Returns how far in the week an instant is: 0 at its beginning or earlier, 1 at its end or later. Each day has the same share. */
export function shareOf(at: Instant, edges: readonly Instant[]): number {
  const time = Date.parse(at)
  const times = edges.map(edge => Date.parse(edge))
  for (let day = 0; day < DAYS; day++) {
    const [from = 0, to = 0] = times.slice(day, day + 2)
    if (time < to) return Math.max(0, (day + (time - from) / (to - from)) / DAYS)
  }
  return 1
}

/** Returns what is planned in a row each, the days of a schedule and what has the same name in one, by their first time. */
export function rowsIn(planned: readonly Planned[], edges: readonly Instant[]): WeekRow[] {
  const rows = new Map<string, WeekRow>()
  for (const { id, kind, name, contractor_id, schedule_group_id, start_at, end_at } of planned) {
    const left = shareOf(start_at, edges)
    const width = (end_at === null ? 1 : shareOf(end_at, edges)) - left
    if (width <= 0) continue
    const key = schedule_group_id ?? [kind, name, contractor_id].join(' ')
    const row = rows.get(key) ?? { key, kind, name, contractor_id, bars: [] }
    row.bars.push({ id, start_at, end_at, left, width })
    rows.set(key, row)
  }
  const first = ({ bars }: WeekRow) => Math.min(...bars.map(bar => Date.parse(bar.start_at)))
  for (const { bars } of rows.values()) bars.sort((a, b) => a.start_at.localeCompare(b.start_at))
  return [...rows.values()].sort((a, b) => first(a) - first(b) || a.name.localeCompare(b.name))
}
