import type { Instant } from '../../../shared/time.ts'
import type { Layer, SiteFacts } from '../../base/ctx.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Calendar, NamedDate, Shift } from './domain.ts'

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    'site_head.layers': Partial<Record<Layer, number>>
  }
}

/** A site's facts at the start of a write, and whether the site is deleted. */
export type EnteredRow = SiteFacts & { locked_by_name: string | null; lock_reason: string | null; deleted: boolean }

const facts = (site_id: Id) => sql`
  select s.site_id as id, s.name, s.code, s.timezone, s.locale, s.main_contractor_id, s.locked_at, s.lock_reason,
         (s.deleted_at is not null or s.nuked_at is not null) as deleted,
         (select u.name from app_user u where u.id = s.locked_by) as locked_by_name
  from site s where s.site_id = ${site_id}`

/** Takes the lock on the site row that every write shares. With `alone`, waits for all other writes and blocks new ones until the commit. */
export async function enteredSite(db: Db, site_id: Id, alone: boolean): Promise<EnteredRow | null> {
  const { rows } = await sql<EnteredRow>`${facts(site_id)} ${alone ? sql`for update of s` : sql`for key share of s`}`.execute(db)
  return rows[0] ?? null
}

/**
 * Waits for the writes on a site that are being committed, and lets none be committed before this one: what is read after it is true when it is committed. It takes the lock that
 * the seal takes last, so nothing else may be locked after it.
 */
export async function lastBeforeSeal(db: Db, site_id: Id): Promise<void> {
  await sql`select 1 from site_head where site_id = ${site_id} for update`.execute(db)
}

/** Returns the same without a lock, for reads. */
export async function siteFacts(db: Db, site_id: Id): Promise<EnteredRow | null> {
  const { rows } = await sql<EnteredRow>`${facts(site_id)}`.execute(db)
  return rows[0] ?? null
}

/** Returns the map revision of a site, and the revision of each layer. */
export async function revisionOf(db: Db, site_id: Id): Promise<{ revision: number; layers: Partial<Record<Layer, number>> }> {
  const row = await db.selectFrom('site_head').select(['revision', 'layers']).where('site_id', '=', site_id).executeTakeFirst()
  return { revision: row?.revision ?? 0, layers: row?.layers ?? {} }
}

/** Returns the last number of a site's counter; 0 if it was never used. */
export async function lastNumber(db: Db, site_id: Id, name: string): Promise<number> {
  const row = await db.selectFrom('site_counter').select('last').where('site_id', '=', site_id).where('name', '=', name).executeTakeFirst()
  return row?.last ?? 0
}

/** Increments a site's counter and returns the new number. */
export async function nextNumber(db: Db, site_id: Id, name: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into site_counter (site_id, name, last) values (${site_id}, ${name}, 1)
    on conflict (site_id, name) do update set last = site_counter.last + 1 returning last`.execute(db)
  return rows[0]?.last ?? 1
}

/** Returns the next reference of a kind of record on a site: `SN-000123`. */
export const nextReference = async (db: Db, site_id: Id, kind: string, prefix: string): Promise<string> =>
  `${prefix}-${String(await nextNumber(db, site_id, kind)).padStart(6, '0')}`

/** Returns the working days and shifts of a site, in one statement. */
export async function calendarOf(db: Db, site_id: Id): Promise<Calendar> {
  const { rows } = await sql<{
    timezone: string
    work_weekdays: number[] | null
    holidays: NamedDate[]
    extra_work_dates: NamedDate[]
    shifts: Shift[]
  }>`
    select s.timezone, s.work_weekdays, s.holidays, s.extra_work_dates, coalesce((
      select jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name, 'contractor_id', h.contractor_id, 'start_time', h.start_time, 'end_time', h.end_time,
        'weekdays', to_jsonb(h.weekdays), 'breaks', h.breaks, 'valid_from', h.valid_from, 'valid_to', h.valid_to) order by h.start_time, h.name)
      from shift h where h.site_id = s.site_id), '[]') as shifts
    from site s where s.site_id = ${site_id}`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('The site of the calendar is missing.')
  return row
}

/** A key of an area that a site was given. */
export type SeededKey = { area: string; key: string }

/** Lists what a site was given when it was created, and since. */
export const seedsOf = (db: Db, site_id: Id): Promise<SeededKey[]> =>
  db.selectFrom('site_seed').select(['area', 'key']).where('site_id', '=', site_id).execute()

/** Records what a site was given. */
export async function insertSeeds(db: Db, site_id: Id, seeds: readonly SeededKey[]): Promise<void> {
  if (seeds.length > 0)
    await db
      .insertInto('site_seed')
      .values(seeds.map(seed => ({ site_id, ...seed })))
      .execute()
}

/** Lists the sites that lack one of these, but those that are deleted. */
export async function sitesWithoutSeeds(db: Db, seeds: readonly SeededKey[]): Promise<Id[]> {
  const areas = seeds.map(seed => seed.area)
  const keys = seeds.map(seed => seed.key)
  const { rows } = await sql<{ site_id: Id }>`
    select s.site_id from site s where s.deleted_at is null and s.nuked_at is null and ${seeds.length}::int > (
      select count(*) from site_seed d join unnest(${areas}::text[], ${keys}::text[]) as w (area, key) on d.area = w.area and d.key = w.key
      where d.site_id = s.site_id)
    order by s.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

type Condition = ReturnType<typeof sql>

/** The condition that `m` was the main contractor of the site of a row at the time at which the row starts (`site-and-people.md` §6). */
const ledThen = (row: 't' | 'p'): Condition => {
  const [site_id, start_at] = [sql.ref(`${row}.site_id`), sql.ref(`${row}.start_at`)]
  return sql`m.site_id = ${site_id} and m.from_at <= ${start_at} and (m.to_at is null or ${start_at} < m.to_at)`
}

/** The condition that a row belongs to one of these contractors; without a contractor, it belongs to the main contractor of the time at which it starts. What is stored stays null. */
export const belongsTo = (contractor_ids: unknown, row: 't' | 'p' = 't'): Condition => {
  const contractor_id = sql.ref(`${row}.contractor_id`)
  return sql`(${contractor_id} = any(${contractor_ids}::uuid[]) or ${contractor_id} is null and exists (
    select 1 from main_contractor_period m where m.contractor_id = any(${contractor_ids}::uuid[]) and ${ledThen(row)}))`
}

/** The contractor that a row belongs to, in the same way; a permit without a start has the time at which it was created. */
export const ownerThen = (row: 't' | 'p'): Condition => {
  const [site_id, start_at] = [sql.ref(`${row}.site_id`), sql.ref(`${row}.start_at`)]
  const since = row === 'p' ? sql`coalesce(${start_at}, p.created_at)` : start_at
  return sql`coalesce(${sql.ref(`${row}.contractor_id`)}, (select m.contractor_id from main_contractor_period m
    where m.site_id = ${site_id} and m.from_at <= ${since} and (m.to_at is null or ${since} < m.to_at)))`
}

/** Counts the rows `t` of a table that belong to each of these contractors in the same way, if they meet a condition. */
export async function countByContractor(
  db: Db,
  table: 'worker' | 'permit',
  site_id: Id,
  contractor_ids: readonly Id[],
  condition: Condition,
): Promise<Map<Id, number>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    select coalesce(t.contractor_id, m.contractor_id) as id, count(*)::integer as n from ${sql.table(table)} t
    left join main_contractor_period m on t.contractor_id is null and ${ledThen('t')}
    where t.site_id = ${site_id} and ${condition} and coalesce(t.contractor_id, m.contractor_id) = any(${contractor_ids}::uuid[])
    group by 1`.execute(db)
  return new Map(rows.map(({ id, n }) => [id, n]))
}

/** A time during which a contractor was the main contractor; without an end it still is. */
export type LedPeriod = { from_at: Instant; to_at: Instant | null }

/** Returns when one of these contractors was the main contractor of a site: what starts then, without a contractor, belongs to it. */
export async function ledBy(db: Db, site_id: Id, contractor_ids: readonly Id[]): Promise<LedPeriod[]> {
  const { rows } = await sql<LedPeriod>`
    select from_at, to_at from main_contractor_period
    where site_id = ${site_id} and contractor_id = any(${contractor_ids}::uuid[]) order by from_at`.execute(db)
  return rows
}
