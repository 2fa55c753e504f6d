// The gangs that a site has used recently, as plain data: without duplicates, each as it was last.
import { holds } from '../../../../../shared/geometry/plane.ts'
import { dateOn, instantOf, ms, plusDays, wallOf } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'
import { type Frame, groundOf, type Spot } from '../model.ts'
import type { Worker } from '../tokens.ts'
import { arealOf } from './areal.ts'

/** A gang as it was last on the site. */
export type Gang = Pick<Worker, 'id' | 'name' | 'trade' | 'headcount' | 'contractor_id' | 'activity' | 'colour' | 'end_at'>

const MOST = 24

/** Returns each gang once, as it was last, the most recent first; `only`: the contractor whose gangs the person can put on the map. */
export function recentGangs(rows: readonly (Gang & { start_at: string })[], only: string | null): Gang[] {
  const latest = new Map<string, Gang & { start_at: string }>()
  for (const row of rows) {
    if (only !== null && row.contractor_id !== only) continue
    const key = `${row.contractor_id ?? ''} ${row.name.toLowerCase()}`
    const known = latest.get(key)
    if (known === undefined || known.start_at < row.start_at) latest.set(key, row)
  }
  return [...latest.values()].sort((a, b) => b.start_at.localeCompare(a.start_at) || a.name.localeCompare(b.name)).slice(0, MOST)
}

const QUARTER_MS = 15 * 60_000
const SHIFT_MS = 8 * 3_600_000

/** Returns when a gang that is put on the map now is there: from the last quarter of an hour until its usual end of the day, if that is still ahead. */
export function shiftFor(gang: Pick<Gang, 'end_at'>, now: number, zone: string): { start_at: string; end_at: string } {
  const start = Math.floor(now / QUARTER_MS) * QUARTER_MS
  const start_at = new Date(start).toISOString()
  const today = dateOn(zone, start_at)
  if (gang.end_at === null) return { start_at, end_at: new Date(start + SHIFT_MS).toISOString() }
  const { time } = wallOf(zone, gang.end_at)
  const usual = [today, plusDays(today, 1)].map(date => instantOf(zone, date, time)).find(end => ms(end) > now)
  // An end early tomorrow belongs to a night shift; for a gang of the day it has passed.
  const fits = usual !== undefined && ms(usual) - start <= 14 * 3_600_000
  return { start_at, end_at: fits ? usual : new Date(start + SHIFT_MS).toISOString() }
}

/** Returns the place to save: on the level that the map shows if that building is there; anywhere else the service finds out what is there. */
export function gangPlace(spot: Spot, floor: { building: string; level: number | null } | null, frame: Frame): Schemas['GivenPlace'] {
  const point = { lon: spot[0], lat: spot[1] }
  const building = frame.get(floor?.building ?? '')
  if (building === undefined || floor === null || floor.level === null || !holds(arealOf(groundOf(building)), point)) return { point }
  return { point, building_id: building.id, level_index: floor.level }
}
