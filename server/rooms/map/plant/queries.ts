import { dateOn, type Instant, type WorkDate } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { ofZone } from '../../../base/walls.ts'
import type { Facts } from '../../../kernel/placed/door.ts'
import { dayFromSix, SOON_DAYS } from './domain.ts'

/** Returns the ids of every position of a machine, by start. */
export async function standingIds(db: Db, site_id: Id, source_id: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from plant t where t.site_id = ${site_id} and (t.id = ${source_id} or t.source_plant_id = ${source_id}) and t.deleted_at is null
    order by t.start_at, t.id`.execute(db)
  return rows.map(row => row.id)
}

/** Returns the first positions of the machines that these records are positions of, in the order of their ids. */
export async function machinesOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select distinct coalesce(t.source_plant_id, t.id) as id from plant t where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]) order by 1`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns those of these machines of a site that have further positions, by their first one. */
export async function withPositions(db: Db, machines: readonly { site_id: Id; id: Id }[]): Promise<Set<Id>> {
  const [first] = machines
  if (first === undefined) return new Set()
  const { rows } = await sql<{ id: Id }>`
    select distinct t.source_plant_id as id from plant t
    where t.site_id = ${first.site_id} and t.source_plant_id = any(${machines.map(one => one.id)}::uuid[]) and t.deleted_at is null`.execute(
    db,
  )
  return new Set(rows.map(row => row.id))
}

/** A span of time of a machine. */
export type Standing = { id: Id; name: string; start_at: Instant; end_at: Instant | null }

/** Returns the positions of a machine that are there during a span, besides one. */
export async function meeting(
  db: Db,
  site_id: Id,
  source_id: Id,
  span: { start_at: Instant; end_at: Instant | null },
  but: Id | null,
): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select t.id, t.name, t.start_at, t.end_at from plant t
    where t.site_id = ${site_id} and (t.id = ${source_id} or t.source_plant_id = ${source_id}) and t.deleted_at is null and t.id is distinct from ${but}
      and tstzrange(t.start_at, t.end_at) && tstzrange(${span.start_at}::timestamptz, ${span.end_at}::timestamptz)
    order by t.start_at, t.id`.execute(db)
  return rows
}

/** Returns another machine of the contractor with this fleet number that is on site during a span. */
export async function withFleetNumber(
  db: Db,
  site_id: Id,
  of: { contractor_id: Id | null; fleet_number: string; start_at: Instant; end_at: Instant | null; machine: Id },
): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from plant t
    where t.site_id = ${site_id} and t.contractor_id is not distinct from ${of.contractor_id} and fold_text(t.fleet_number) = fold_text(${of.fleet_number})
      and coalesce(t.source_plant_id, t.id) <> ${of.machine} and t.deleted_at is null
      and tstzrange(t.start_at, t.end_at) && tstzrange(${of.start_at}::timestamptz, ${of.end_at}::timestamptz) limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Machines that look like `t` and are there at the same time. */
const alike = sql`select 1 from plant x where x.site_id = t.site_id and x.id <> t.id and x.deleted_at is null and x.fleet_number is null
  and x.examination_due_on = t.examination_due_on and x.contractor_id is not distinct from t.contractor_id and x.category = t.category
  and fold_text(x.name) = fold_text(t.name) and tstzrange(x.start_at, x.end_at) && tstzrange(t.start_at, t.end_at)`

/**
 * Whether a record is the machine `t` again, as a copy is, with the same date of its examination. Without a fleet number it has the same name, and
 * no other machine of that name is there with `t`: two at one time are two machines, and nobody knows which of them the other record is.
 */
const again = (other: 'o' | 'e') => {
  const o = sql.raw(other)
  return sql`(${o}.examination_due_on = t.examination_due_on and ${o}.contractor_id is not distinct from t.contractor_id and ${o}.category = t.category
    and case when t.fleet_number is not null then fold_text(${o}.fleet_number) = fold_text(t.fleet_number)
      else ${o}.fleet_number is null and fold_text(${o}.name) = fold_text(t.name) and not exists (${alike}) end)`
}

/** Whether `o` is the machine `t`: a position of it, an occurrence of its schedule (its lineage, `conflict-and-planning.md` §0.1), or a copy. */
const sameMachine = sql`o.site_id = t.site_id and (o.id = t.id or o.source_plant_id = t.id or o.schedule_group_id = t.schedule_group_id or ${again('o')})`

const due = (
  day: ReturnType<typeof sql>,
  now: Instant,
) => sql`t.deleted_at is null and t.lifting and t.source_plant_id is null and t.examination_due_on <= ${day} + 14
  and (t.examination_told is null or (t.examination_told = 'due' and t.examination_due_on < ${day}))
  and exists (select 1 from plant o where o.site_id = t.site_id and (o.id = t.id or o.source_plant_id = t.id) and o.deleted_at is null
    and tstzrange(o.start_at, o.end_at) @> ${now}::timestamptz)
  and not exists (select 1 from plant e where e.site_id = t.site_id and (e.schedule_group_id = t.schedule_group_id or ${again('e')}) and e.deleted_at is null
    and e.examination_due_on = t.examination_due_on
    and (e.examination_told = 'expired' or (e.examination_told = 'due' and t.examination_due_on >= ${day})))`

/** Whether a machine `t` is there or ahead, in one of its positions or occurrences. */
const stays = (now: Instant, also = sql`true`) => sql`exists (select 1 from plant o where ${sameMachine} and o.deleted_at is null
  and (o.end_at is null or o.end_at > ${now}::timestamptz) and ${also})`

/** Machines `t` with an open task about their examination that have left, or whose schedule has another date from now on. */
const gone = (now: Instant) => sql`from task k join plant t on t.site_id = k.site_id and t.id = k.subject_id
  where k.kind = 'renew_plant_examination' and k.status = 'open'
    and (t.deleted_at is not null or not ${stays(now, sql`o.examination_due_on is not distinct from t.examination_due_on`)})`

/** Returns the sites with machines whose examination people have to hear about, or no longer have to renew. */
export async function sitesWithDue(db: Db, now: Instant): Promise<Id[]> {
  const day = await ofZone(db, zone => dayFromSix(zone, now))
  const { rows } = await sql<{ site_id: Id }>`
    select t.site_id from plant t join site s on s.site_id = t.site_id where ${due(sql`${day}::date`, now)}
    union select t.site_id ${gone(now)}`.execute(db)
  return rows.map(row => row.site_id)
}

/** A machine whose examination people have to hear about. */
export type Due = { id: Id; name: string; category: string; contractor_id: Id | null; examination_due_on: WorkDate }

/** Returns these machines of a site, locked: the first position of each. `day`: the site day from 06:00 on. */
export async function lockDue(db: Db, site_id: Id, day: WorkDate, now: Instant, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select t.id, t.name, t.category, t.contractor_id, t.examination_due_on from plant t
    where t.site_id = ${site_id} and ${due(sql`${day}::date`, now)} order by t.id limit ${limit} for no key update of t`.execute(db)
  return rows
}

/** Returns the machines of a site that have left while a task about their examination was open, locked; `renewed`: they are still there, with another date. */
export async function lockGone(db: Db, site_id: Id, now: Instant, limit: number): Promise<{ id: Id; renewed: boolean }[]> {
  const { rows } = await sql<{ id: Id; renewed: boolean }>`
    select t.id, t.deleted_at is null and ${stays(now)} as renewed ${gone(now)} and t.site_id = ${site_id}
    order by t.id limit ${limit} for no key update of t`.execute(db)
  return rows
}

/** Returns the other occurrences of a machine’s schedule, and its copies, that people were notified of. */
export async function toldBefore(db: Db, site_id: Id, id: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select e.id from plant t join plant e on e.site_id = t.site_id and (e.schedule_group_id = t.schedule_group_id or ${again('e')}) and e.id <> t.id and e.deleted_at is null
    where t.site_id = ${site_id} and t.id = ${id} and e.examination_told is not null order by e.id`.execute(db)
  return rows.map(row => row.id)
}

/** Records what people were notified of; null: of nothing, so that they hear of it again. */
export async function markTold(db: Db, site_id: Id, id: Id, told: 'due' | 'expired' | null): Promise<void> {
  await db.updateTable('plant').set({ examination_told: told }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the people who look after the plant of a contractor: its H&S people. */
export async function hseOf(db: Db, site_id: Id, contractor_id: Id | null): Promise<Id[]> {
  if (contractor_id === null) return []
  const rows = await db
    .selectFrom('membership')
    .select('user_id')
    .where('site_id', '=', site_id)
    .where('contractor_id', '=', contractor_id)
    .where('role', '=', 'contractor_hse')
    .where('status', '=', 'active')
    .execute()
  return rows.map(row => row.user_id)
}

/** What conditions can ask about plant, besides what everything on the map has; the state of an examination is that of the site day (`examinationState`). */
export const facts: Facts = ({ at, timezone }) => {
  const day = sql`${dateOn(timezone, at)}::date`
  return {
    plant_category: sql`t.category`,
    lifting: sql`t.lifting`,
    lifts_persons: sql`t.lifts_persons`,
    schedule_group_id: sql`t.schedule_group_id`,
    examination_state: sql`case when not t.lifting then 'not_needed' when t.examination_due_on is null then 'unknown' when ${day} > t.examination_due_on then 'expired'
      when ${day} + ${SOON_DAYS}::integer >= t.examination_due_on then 'due_soon' else 'in_date' end`,
  }
}
