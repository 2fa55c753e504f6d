import type { Areal, Box } from '../../../../shared/geometry/plane.ts'
import { DAY, type Instant, later, startOfDayAt } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { ofZone } from '../../../base/walls.ts'
import { boxed } from '../../../kernel/geometry/door.ts'
import type { Facts } from '../../../kernel/placed/door.ts'
import { LATE, ON_MAP, TAKING } from './domain.ts'

/** The end that people see (`endOf`), in SQL: a vehicle that is here leaves at the end of its slot, as long as that is still ahead. */
export const leavesAt = (now: Instant, of = 't') =>
  sql`case when ${sql.ref(`${of}.status`)} = 'arrived' and ${sql.ref(`${of}.left_at`)} is null and ${sql.ref(`${of}.slot_end_at`)} > ${now}::timestamptz
    then ${sql.ref(`${of}.slot_end_at`)} else ${sql.ref(`${of}.end_at`)} end`

/** A slot, and what it takes up. */
export type Slot = { site_id: Id; id: Id; start_at: Instant; end_at: Instant; bay_id: Id | null; unload_plant_id: Id | null }

type Condition = ReturnType<typeof sql>

/** Until when a delivery takes up its bay: one that is here leaves at the end of its slot, or else it is still here now. */
const until = (now: Instant) =>
  sql`case when t.status = 'arrived' and t.left_at is null then greatest(t.slot_end_at, ${now}::timestamptz) else t.end_at end`
const same = ({ bay_id, unload_plant_id }: Pick<Slot, 'bay_id' | 'unload_plant_id'>) =>
  sql`(t.bay_id = ${bay_id} or t.unload_plant_id = ${unload_plant_id})`

/** What takes up a bay or a machine during a time. */
export type Taken = { id: Id; number: string; name: string; start_at: Instant; end_at: Instant }

/** Returns what takes up the bay or the machine of a slot during a time, by start. */
export async function takenDuring(db: Db, slot: Slot, from: Instant, to: Instant, now: Instant): Promise<Taken[]> {
  if (slot.bay_id === null && slot.unload_plant_id === null) return []
  const { rows } = await sql<Taken>`
    select t.id, t.number, t.name, t.start_at, ${until(now)} as end_at from delivery t
    where t.site_id = ${slot.site_id} and ${same(slot)} and t.deleted_at is null and t.id <> ${slot.id} and t.status = any(${TAKING}::text[])
      and tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) and ${until(now)} > ${from}::timestamptz
    order by t.start_at, t.id limit 500`.execute(db)
  return rows
}

/** Returns for each request the other requests for its bay or machine at the same time. */
export async function competing(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, Id[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; others: Id[] }>`
    select r.id, array_agg(t.id order by t.start_at, t.id) as others from delivery r
    join delivery t on t.site_id = r.site_id and t.id <> r.id and t.deleted_at is null and t.status = 'requested'
      and (t.bay_id = r.bay_id or t.unload_plant_id = r.unload_plant_id) and tstzrange(t.start_at, t.end_at) && tstzrange(r.start_at, r.end_at)
    where r.site_id = ${site_id} and r.id = any(${ids}::uuid[]) group by r.id`.execute(db)
  return new Map(rows.map(({ id, others }) => [id, others.slice(0, 100)]))
}

/** What a slot refers to, as it is during the slot; null for what it doesn't name. */
export type Referred = { gate: string | null; bay_kind: string | null; bay_there: boolean | null; plant_there: boolean | null }

/** Reads the gate, the bay and the machine of a slot. Without an end, they must be there at its start. */
export async function referredBy(
  db: Db,
  slot: Omit<Slot, 'end_at' | 'id'> & { gate_poi_id: Id | null; end_at: Instant | null },
): Promise<Referred> {
  const span =
    slot.end_at === null ? sql`${slot.start_at}::timestamptz` : sql`tstzrange(${slot.start_at}::timestamptz, ${slot.end_at}::timestamptz)`
  const there = sql`t.deleted_at is null and tstzrange(t.start_at, t.end_at) @> ${span}`
  const one = (table: 'active_area' | 'plant', id: Id | null) =>
    sql`from ${sql.table(table)} t where t.site_id = ${slot.site_id} and t.id = ${id}`
  const { rows } = await sql<Referred>`select
    (select t.poi_kind from poi t where t.site_id = ${slot.site_id} and t.id = ${slot.gate_poi_id} and t.deleted_at is null) as gate,
    (select t.area_kind ${one('active_area', slot.bay_id)}) as bay_kind, (select ${there} ${one('active_area', slot.bay_id)}) as bay_there,
    (select ${there} ${one('plant', slot.unload_plant_id)}) as plant_there`.execute(db)
  return rows[0] ?? { gate: null, bay_kind: null, bay_there: null, plant_there: null }
}

/** Returns the ground of a bay; null if there is none. */
export async function bayGround(db: Db, site_id: Id, id: Id): Promise<Areal | null> {
  const { rows } = await sql<{ geometry: Areal }>`select geometry from active_area where site_id = ${site_id} and id = ${id}`.execute(db)
  return rows[0]?.geometry ?? null
}

/** Returns the closed routes near a bay during a slot. */
export async function closedRoutes(
  db: Db,
  site_id: Id,
  bounds: Box,
  from: Instant,
  to: Instant,
): Promise<{ name: string; geometry: Areal }[]> {
  const { rows } = await sql<{ name: string; geometry: Areal }>`
    select t.name, t.geometry from active_area t
    where t.site_id = ${site_id} and t.area_kind = 'route_closed' and t.deleted_at is null and t.bounds && ${boxed(bounds)}
      and tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) order by t.name, t.id limit 50`.execute(db)
  return rows
}

/** Another delivery in a bay. */
export type Neighbour = { id: Id; number: string; name: string; status: string; start_at: Instant; end_at: Instant | null }

/** Returns the other deliveries in a bay during a site day, by start. */
export async function neighboursOf(db: Db, site_id: Id, bay_id: Id, but: Id, from: Instant, to: Instant): Promise<Neighbour[]> {
  const { rows } = await sql<Neighbour>`
    select t.id, t.number, t.name, t.status, t.start_at, t.end_at from delivery t
    where t.site_id = ${site_id} and t.bay_id = ${bay_id} and t.id <> ${but} and t.deleted_at is null and t.status = any(${ON_MAP}::text[])
      and tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) order by t.start_at, t.id limit 500`.execute(
    db,
  )
  return rows
}

/** Returns the deliveries as they are during a period: one that is here is expected to leave at the end of its slot. */
export const staysDuring = (site_id: Id, from: Instant, to: Instant, now: Instant) => sql`(select * from (
  select d.*, d.start_at as from_at, ${leavesAt(now, 'd')} as to_at
  from delivery d where d.site_id = ${site_id} and tstzrange(d.start_at, d.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)) stay
  where stay.to_at is null or stay.to_at > ${from}::timestamptz)`

/** Returns the sites with deliveries `t` that a condition fits. */
async function sitesWith(db: Db, condition: Condition): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where exists (select 1 from delivery t where t.site_id = s.site_id and ${condition})`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns the first of these deliveries of a site. */
async function idsWith(db: Db, site_id: Id, condition: Condition, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from delivery t where t.site_id = ${site_id} and ${condition} order by t.id limit ${limit}`.execute(db)
  return rows.map(row => row.id)
}

/** The condition for booked vehicles that should have left before the site day began. */
const missed = (day_start: unknown) => sql`t.status = 'booked' and t.deleted_at is null and t.end_at <= ${day_start}::timestamptz`

/** Returns the sites with booked vehicles that have not come on their day. */
export const sitesWithMissed = async (db: Db, now: Instant): Promise<Id[]> =>
  sitesWith(db, missed(await ofZone(db, zone => startOfDayAt(zone, now))))

/** Returns the first of these vehicles of a site; `day_start`: the start of its day. */
export const missedIds = (db: Db, site_id: Id, day_start: Instant, limit: number): Promise<Id[]> =>
  idsWith(db, site_id, missed(day_start), limit)

/** Vehicles that are late for a slot of the last day, which wasn't reported yet. A slot with another start is another one. */
const unreported = (
  now: Instant,
) => sql`t.status = 'booked' and t.deleted_at is null and t.start_at <= ${later(now, -LATE)}::timestamptz and t.start_at > ${later(now, -DAY)}::timestamptz
  and not exists (select 1 from delivery_late l where l.site_id = t.site_id and l.delivery_id = t.id and l.slot_start_at = t.start_at)`

/** Returns the sites with such vehicles. */
export const sitesWithLate = (db: Db, now: Instant): Promise<Id[]> => sitesWith(db, unreported(now))

/** Returns the first of them on a site. */
export const lateIds = (db: Db, site_id: Id, now: Instant, limit: number): Promise<Id[]> => idsWith(db, site_id, unreported(now), limit)

/** Stores for which slots vehicles were reported as late. */
export async function reportedLate(db: Db, site_id: Id, ids: readonly Id[]): Promise<void> {
  await sql`insert into delivery_late (site_id, delivery_id, slot_start_at)
    select site_id, id, start_at from delivery where site_id = ${site_id} and id = any(${ids}::uuid[]) on conflict do nothing`.execute(db)
}

const named = sql`(t.vehicle_reg is not null or t.driver_name is not null or t.driver_phone is not null)`

/** Deliveries whose drivers and registrations are to be erased: those that have some, and those that had some, which the audit log still has. */
const toErase = (before: Instant) => sql`(
  select t.site_id, t.id from delivery t where ${named} and t.start_at < ${before}::timestamptz
  union select t.site_id, t.id from person_key k join delivery t on t.site_id = k.site_id and t.id = k.record_id
    where k.kind = 'delivery' and k.key is not null and t.start_at < ${before}::timestamptz) t`

/** Returns the sites with drivers or registrations from before an instant. */
export async function sitesWithPeople(db: Db, before: Instant): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`select distinct t.site_id from ${toErase(before)}`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns the first of these deliveries of a site. */
export async function idsWithPeople(db: Db, site_id: Id, before: Instant, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${toErase(before)} where t.site_id = ${site_id} order by t.id limit ${limit}`.execute(db)
  return rows.map(row => row.id)
}

/** Blanks drivers, their telephone numbers and registrations. */
export async function blankPeople(db: Db, site_id: Id, ids: readonly Id[]): Promise<void> {
  await sql`update delivery t set vehicle_reg = null, driver_name = null, driver_phone = null
    where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]) and ${named}`.execute(db)
}

/** What conditions can ask about deliveries, besides what everything on the map has. A vehicle that is here leaves at the end of its slot. */
export const facts: Facts = ({ now }) => ({
  delivery_status: sql`t.status`,
  end_at: leavesAt(now),
})
