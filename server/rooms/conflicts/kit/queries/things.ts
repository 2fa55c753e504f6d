// What is on the map of a site as conflicts compare it. Read only: the rooms of the map and of deliveries write these tables.
import type { Areal, Box } from '../../../../../shared/geometry/plane.ts'
import type { SideKind } from '../../../../../shared/predicates/entity.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { ON_MAP } from '../../../logistics/deliveries/domain.ts'
import type { ThingRow } from '../domain/thing-sides.ts'

/** Everything that can clash but permits. */
export type ThingKind = Exclude<SideKind, 'permit'>
const KINDS: readonly ThingKind[] = ['worker', 'plant', 'delivery', 'active_area']

/** Those that are there at some time of a period; with `near`, only those whose envelope can meet a box, or that are in one of these zones. */
export type DuringPeriod = {
  from: Instant
  to: Instant
  near: { box: Box; metre: { lon: number; lat: number }; zone_ids: readonly Id[] } | null
}
/** Which things are read: these, whenever they are there, or those of a period. */
export type WantedThings = { ids: readonly Id[] } | DuringPeriod

/** Columns that only some kinds have, each null for the others. */
const OWN = {
  schedule_group_id: 'uuid',
  source_plant_id: 'uuid',
  radius_m: 'double precision',
  polygon: 'jsonb',
  trade: 'text',
  headcount: 'integer',
  delivery_status: 'text',
  area_kind: 'text',
  exclusive: 'boolean',
  base_m: 'double precision',
  top_m: 'double precision',
  category: 'text',
  lifting: 'boolean',
  lifts_persons: 'boolean',
  examination_due_on: 'date',
  length_m: 'double precision',
  width_m: 'double precision',
  bearing_deg: 'double precision',
  slew_from_deg: 'double precision',
  slew_to_deg: 'double precision',
  tail_swing_m: 'double precision',
  exclusion_radius_m: 'double precision',
} as const
type Own = keyof typeof OWN
type Sql = ReturnType<typeof sql>

const column = (name: string): Sql => sql`t.${sql.ref(name)}`
const columns = (...names: Own[]): [Own, Sql][] => names.map(name => [name, column(name)])
const drawn: [Own, Sql] = ['polygon', sql`t.place -> 'polygon'`]

/** What each kind has of these, how far from its point or polygon its envelope reaches, and which of its rows are there. */
const SOURCES: Record<ThingKind, { has: readonly [Own, Sql][]; reach: Sql; there: Sql }> = {
  worker: { has: [...columns('schedule_group_id', 'radius_m', 'trade', 'headcount'), drawn], reach: sql`t.radius_m`, there: sql`` },
  plant: {
    has: columns(
      ...(['schedule_group_id', 'source_plant_id', 'category', 'lifting', 'lifts_persons', 'examination_due_on'] as const),
      ...(['length_m', 'width_m', 'bearing_deg', 'slew_from_deg', 'slew_to_deg', 'tail_swing_m', 'exclusion_radius_m'] as const),
    ),
    reach: sql`greatest(t.exclusion_radius_m, coalesce(t.tail_swing_m, 0) + coalesce(sqrt(t.length_m * t.length_m + t.width_m * t.width_m), 0)) * 1.01`,
    there: sql``,
  },
  delivery: {
    has: [...columns('radius_m'), drawn, ['delivery_status', sql`t.status`]],
    reach: sql`t.radius_m`,
    there: sql`and t.status = any(${ON_MAP}::text[])`,
  },
  active_area: {
    has: [...columns('schedule_group_id', 'area_kind', 'exclusive', 'base_m', 'top_m'), ['polygon', sql`t.geometry`]],
    reach: sql`0`,
    there: sql``,
  },
}

/** Until when something is there. A vehicle that is here is expected to leave at the end of its slot (decision 886). */
export const endOf = (kind: ThingKind, now: Instant): Sql =>
  kind === 'delivery'
    ? sql`case when t.status = 'arrived' and t.left_at is null and t.slot_end_at > ${now}::timestamptz then t.slot_end_at else t.end_at end`
    : sql`t.end_at`

function within(reach: Sql, wanted: WantedThings): Sql {
  if ('ids' in wanted) return sql`t.id = any(${wanted.ids}::uuid[])`
  const { from, to, near } = wanted
  const period = sql`tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`
  if (near === null) return period
  const { box, metre, zone_ids } = near
  const [west, south, east, north] = box
  const [x, y] = [sql`${reach} * ${metre.lon}::double precision`, sql`${reach} * ${metre.lat}::double precision`]
  const meets = sql`t.bounds && box(point(${west} - ${x}, ${south} - ${y}), point(${east} + ${x}, ${north} + ${y}))`
  return zone_ids.length === 0 ? sql`${period} and ${meets}` : sql`${period} and (${meets} or t.zone_id = any(${zone_ids}::uuid[]))`
}

function partOf(kind: ThingKind, site_id: Id, wanted: WantedThings, now: Instant): Sql {
  const { has, reach, there } = SOURCES[kind]
  const own = new Map(has)
  const all = Object.entries(OWN).map(([name, type]) => {
    const known = has.find(([one]) => one === name)?.[1]
    return sql`${known ?? sql`null::${sql.raw(type)}`} as ${sql.ref(name)}`
  })
  if (own.size !== has.length) throw new Error(`A column of ${kind} is listed twice.`)
  return sql`
    select ${sql.lit(kind)} as kind, t.id, t.name as label, t.contractor_id, t.start_at, ${endOf(kind, now)} as end_at, t.lon, t.lat,
      t.building_id, t.level_index, t.zone_id, ${sql.join(all)}
    from ${sql.table(kind)} t where t.site_id = ${site_id} and t.deleted_at is null ${there} and ${within(reach, wanted)}`
}

/** Returns what is on the map of a site, of all kinds, with the permits that cover it, in one statement. */
export async function thingRows(db: Db, site_id: Id, wanted: WantedThings, now: Instant): Promise<ThingRow[]> {
  if ('ids' in wanted && wanted.ids.length === 0) return []
  const parts = KINDS.map(kind => partOf(kind, site_id, wanted, now))
  const { rows } = await sql<ThingRow & { polygon: Areal | null }>`
    select t.*, coalesce(l.permits, '[]') as permits from (${sql.join(parts, sql` union all `)}) t
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', p.id, 'status', p.status, 'categories', p.categories) order by p.id) as permits
      from permit_entity e join permit p on p.site_id = e.site_id and p.id = e.permit_id
      where e.site_id = ${site_id} and e.entity_id = t.id and t.kind <> 'active_area'
    ) l on true
    order by t.id`.execute(db)
  return rows
}
