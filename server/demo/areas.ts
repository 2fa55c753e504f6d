// The active areas of the demo site: who has which patch this fortnight, what is left of a level, and a hole.
import { dateOn, HOUR, type Instant, later, plusDays, startOfDay, weekdayOf } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { ring } from './draw.ts'
import { type Box, box } from './ground.ts'
import type { Row } from './reply.ts'
import { type ContractorKey, ZONE } from './site.ts'

type Call = (by: string, method: 'POST', path: string, body: unknown) => Promise<Row>

type Patch = {
  name: string
  area_kind: string
  contractor: ContractorKey | null
  at: Box
  building?: string
  level_index?: number
  /** Its time on every day; none for one that is always there. */
  hours?: readonly [string, string]
  /** What is cut out of it. */
  hole?: Box
}

const PATCHES: readonly Patch[] = [
  {
    name: 'Slab pour, level 5',
    area_kind: 'work',
    contractor: 'ferris',
    at: [44, 114, 30, 20],
    building: 'A',
    level_index: 5,
    hours: ['06:30', '19:00'],
  },
  { name: 'Steel lifts, Block B', area_kind: 'lifting', contractor: 'northgate', at: [222, 151, 24, 20], hours: ['07:30', '17:30'] },
  { name: 'Facade strip, west side', area_kind: 'exclusion', contractor: 'meridian', at: [144, 110, 5.5, 28], hours: ['07:00', '18:00'] },
  { name: 'Mesh and starter bars', area_kind: 'laydown', contractor: 'ferris', at: [148, 17, 24, 14], hole: [156, 21, 6, 5] },
  { name: 'Haul road 2, MH5', area_kind: 'route_closed', contractor: null, at: [106, 86, 16, 8], hours: ['09:00', '15:00'] },
  {
    name: 'Boiler flue welding',
    area_kind: 'hot_work',
    contractor: 'brightwell',
    at: [93, 40, 9, 7],
    building: 'EC',
    level_index: 0,
    hours: ['08:00', '16:30'],
  },
]

/** Draws the active areas, cuts a hole, and fills the rest of level 5 of Block A for today. */
export async function drawAreas(
  call: Call,
  { site_id, contractors, at, now }: { site_id: Id; contractors: ReadonlyMap<string, Id>; at: ReadonlyMap<string, Id>; now: Instant },
): Promise<void> {
  const today = dateOn(ZONE, now)
  const monday = plusDays(today, 1 - weekdayOf(today))
  for (const { at: ground, contractor, building, level_index, hours, hole, ...patch } of PATCHES) {
    const place = {
      polygon: ring(box(...ground)),
      ...(building === undefined ? {} : { building_id: at.get(`building ${building}`), level_index }),
    }
    const template = { ...patch, contractor_id: contractor === null ? null : contractors.get(contractor), place }
    if (hours === undefined) {
      const { id } = await call('cora', 'POST', '/active-areas/', { site_id, ...template, start_at: later(now, -150 * HOUR), end_at: null })
      if (hole !== undefined)
        await call('cora', 'POST', '/geometry/cut-hole-freeform', { site_id, target_id: id, polygon: ring(box(...hole)) })
      continue
    }
    const [start_time, end_time] = hours
    const pattern = { start_date: monday, end_date: plusDays(monday, 13), weekdays: [1, 2, 3, 4, 5, 6, 7], start_time, end_time }
    await call('cora', 'POST', '/active-areas/schedule', { site_id, template, pattern })
  }
  await call('cora', 'POST', '/active-areas/fill', {
    ...{ site_id, container: { feature_id: at.get('building A') }, level_index: 5 },
    ...{ start_at: startOfDay(ZONE, today), end_at: startOfDay(ZONE, plusDays(today, 1)) },
    template: { name: 'Ferris, rest of level 5', contractor_id: contractors.get('ferris') },
  })
}
