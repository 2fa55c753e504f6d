// The gangs and machines of the demo site: who works where this fortnight, and what is there.
import { planeAt } from '../../shared/geometry/plane.ts'
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { dateOn, HOUR, type Instant, later, plusDays, weekdayOf } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { raiseAlerts, stopArea } from './alerts.ts'
import { drawAreas } from './areas.ts'
import { placeDeliveries } from './deliveries.ts'
import { CORNER } from './ground.ts'
import { takePhotos } from './photos.ts'
import type { Row } from './reply.ts'
import { type ContractorKey, ZONE } from './site.ts'

type Call = (by: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, type?: string) => Promise<Row>
type At = { at: readonly [number, number]; building?: string; level_index?: number }

/** A gang: its shift is by day unless it works at night. */
type Gang = At & { name: string; trade: string; headcount: number; contractor: ContractorKey; activity: string; night?: true }

const GANGS: readonly Gang[] = [
  {
    name: 'Steel fixers A',
    trade: 'Steel fixer',
    headcount: 6,
    contractor: 'ferris',
    activity: 'Fixing the slab of level 5',
    at: [62, 126],
    building: 'A',
    level_index: 5,
  },
  {
    name: 'Formwork gang',
    trade: 'Formworker',
    headcount: 8,
    contractor: 'ferris',
    activity: 'Striking and moving tables',
    at: [36, 118],
    building: 'A',
    level_index: 4,
  },
  { name: 'Drainage gang', trade: 'Groundworker', headcount: 5, contractor: 'halden', activity: 'Sewer run, MH4 to MH5', at: [66, 71] },
  {
    name: 'Erectors 1',
    trade: 'Steel erector',
    headcount: 4,
    contractor: 'northgate',
    activity: 'Steel of Block B, grid 7',
    at: [190, 132],
    building: 'B',
    level_index: 3,
  },
  { name: 'Scaffolders', trade: 'Scaffolder', headcount: 4, contractor: 'castle', activity: 'East elevation, lift 6', at: [82, 138] },
  {
    name: 'Pipefitters',
    trade: 'Pipefitter',
    headcount: 3,
    contractor: 'brightwell',
    activity: 'Boiler hall pipework',
    at: [100, 30],
    building: 'EC',
    level_index: 0,
  },
  { name: 'Cladding gang', trade: 'Cladder', headcount: 5, contractor: 'meridian', activity: 'South elevation of Block B', at: [205, 108] },
  {
    name: 'Night pour',
    trade: 'Concreter',
    headcount: 7,
    contractor: 'ferris',
    activity: 'Core walls, level 5',
    at: [50, 127],
    building: 'A',
    level_index: 5,
    night: true,
  },
]

type Machine = At & {
  name: string
  category: string
  contractor: ContractorKey
  fleet_number?: string
  working_radius_m?: number
  tail_swing_m?: number
  slew_from_deg?: number
  slew_to_deg?: number
  length_m?: number
  width_m?: number
  bearing_deg?: number
  /** Days since the last thorough examination. */
  examined?: number
}

const MACHINES: readonly Machine[] = [
  {
    name: 'Tower crane 1',
    category: 'tower_crane',
    contractor: 'northgate',
    fleet_number: 'TC-1',
    working_radius_m: 45,
    tail_swing_m: 14,
    length_m: 5,
    width_m: 5,
    at: [93, 125],
    examined: 80,
  },
  {
    name: 'Tower crane 2',
    category: 'tower_crane',
    contractor: 'northgate',
    fleet_number: 'TC-2',
    working_radius_m: 40,
    tail_swing_m: 12,
    length_m: 5,
    width_m: 5,
    at: [215, 156],
    slew_from_deg: 120,
    slew_to_deg: 330,
    examined: 200,
  },
  { name: 'Hoist A', category: 'hoist', contractor: 'castle', fleet_number: 'H-04', length_m: 4, width_m: 2, at: [49, 106], examined: 60 },
  {
    name: 'MEWP 3',
    category: 'mewp',
    contractor: 'meridian',
    fleet_number: 'M-318',
    working_radius_m: 8,
    length_m: 3,
    width_m: 2,
    at: [212, 106],
    examined: 190,
  },
  {
    name: 'Excavator 13 t',
    category: 'excavator',
    contractor: 'halden',
    fleet_number: 'EX-13',
    working_radius_m: 8,
    tail_swing_m: 2.2,
    length_m: 4,
    width_m: 2.5,
    bearing_deg: 80,
    at: [74, 71],
  },
  {
    name: 'Telehandler',
    category: 'telehandler',
    contractor: 'ferris',
    fleet_number: 'TH-7',
    working_radius_m: 12,
    length_m: 6,
    width_m: 2.4,
    at: [160, 30],
    examined: 100,
  },
  {
    name: 'Concrete pump',
    category: 'concrete_pump',
    contractor: 'ferris',
    working_radius_m: 32,
    length_m: 11,
    width_m: 2.5,
    bearing_deg: 15,
    at: [92, 142],
  },
]

const plane = planeAt(CORNER)

/** Puts the gangs and machines on the map, with photos of some, links the gangs to permits of their contractors, and raises the alerts of the day. */
export async function placeTokens(
  call: Call,
  { site_id, contractors, at, now }: { site_id: Id; contractors: ReadonlyMap<string, Id>; at: ReadonlyMap<string, Id>; now: Instant },
): Promise<void> {
  const today = dateOn(ZONE, now)
  const monday = plusDays(today, 1 - weekdayOf(today))
  const placeOf = ({ at: [x, y], building, level_index }: At) => {
    const [lon, lat] = plane.degrees([x, y])
    return { point: { lon, lat }, ...(building === undefined ? {} : { building_id: at.get(`building ${building}`), level_index }) }
  }
  for (const { contractor, night, at: spot, building, level_index, ...gang } of GANGS) {
    const place = placeOf({
      at: spot,
      ...(building === undefined ? {} : { building }),
      ...(level_index === undefined ? {} : { level_index }),
    })
    const times = night ? { start_time: '19:00', end_time: '05:00' } : { start_time: '07:30', end_time: '17:30' }
    const pattern = { start_date: monday, end_date: plusDays(monday, 13), weekdays: [1, 2, 3, 4, 5, 6, 7], ...times }
    const contractor_id = contractors.get(contractor)
    const made = await call('cora', 'POST', '/workers/create-schedule', { site_id, template: { ...gang, contractor_id, place }, pattern })
    const members = itemsIn(
      (await call('cora', 'GET', `/workers/?site_id=${site_id}&schedule_group_id=${fieldsIn(made.group).id}&limit=14`)).rows,
    )
    await cover(
      call,
      { site_id, contractor_id, building_id: at.get(`building ${building}`), entity_type: 'worker' },
      members.map(row => textIn(fieldsIn(row).id)),
    )
  }
  await placeDeliveries(call, { site_id, contractors, now })
  await drawAreas(call, { site_id, contractors, at, now })
  const since = later(now, -200 * HOUR)
  for (const { contractor, examined, at: spot, ...machine } of MACHINES) {
    const contractor_id = contractors.get(contractor)
    const made = await call('cora', 'POST', '/plant', {
      ...{ site_id, ...machine, contractor_id, place: placeOf({ at: spot }), start_at: since },
      ...(examined === undefined ? {} : { last_examined_on: plusDays(today, -examined) }),
    })
    if (machine.fleet_number !== undefined)
      await cover(call, { site_id, contractor_id, building_id: null, entity_type: 'plant' }, [made.id])
  }
  await takePhotos(call, site_id, now)
  await raiseAlerts(call, site_id, now)
  await stopArea(call, site_id)
}

/**
 * Links work to the live permit of its contractor that covers it best: a general permit if there is one, in the same building, for as long as
 * possible.
 */
async function cover(
  call: Call,
  { contractor_id, building_id, ...of }: { site_id: Id; contractor_id: Id | undefined; building_id: unknown; entity_type: string },
  entity_ids: Id[],
): Promise<void> {
  if (contractor_id === undefined) return
  const query = `site_id=${of.site_id}&status=issued&contractor_id=${contractor_id}`
  const live = itemsIn((await call('cora', 'GET', `/permits?${query}`)).rows).map(fieldsIn)
  const worth = (row: Record<string, unknown>): string =>
    [itemsIn(row.categories).every(code => code === 'GEN'), row.building_id === building_id].map(Number).join('') + textIn(row.end_at)
  const [permit] = live.toSorted((a, b) => (worth(a) < worth(b) ? 1 : -1)).map(row => textIn(row.id))
  if (permit !== undefined) await call('cora', 'POST', `/permits/applications/${permit}/link`, { ...of, entity_ids })
}
