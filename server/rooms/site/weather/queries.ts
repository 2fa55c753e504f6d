import type { Instant, WorkDate } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { DEMO_CODE } from '../../../kernel/site/domain.ts'
import type { Hour, Values } from './domain/hours.ts'
import type { Limit } from './domain/limits.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'weather_hour.measures': Values
    'weather_kept.hours': Hour[]
  }
}

/** What is stored about a cell. */
export type CellRow = { answer: unknown; fetched_at: Instant | null; failures: number; retry_at: Instant | null }

/** Returns what is stored about a cell; null if nothing is. */
export async function cellRow(db: Db, cell: string): Promise<CellRow | null> {
  const { rows } = await sql<CellRow>`select answer, fetched_at, failures, retry_at from weather_cell where cell = ${cell}`.execute(db)
  return rows[0] ?? null
}

/** Stores an answer. */
export async function keepAnswer(db: Db, cell: string, answer: unknown, now: Instant): Promise<void> {
  await sql`insert into weather_cell (cell, answer, fetched_at, read_at) values (${cell}, ${jsonb(answer)}::jsonb, ${now}, ${now})
    on conflict (cell) do update set answer = excluded.answer, fetched_at = excluded.fetched_at, read_at = excluded.read_at, failures = 0, retry_at = null`.execute(
    db,
  )
}

/** Stores that the provider failed, and when it can be asked again. */
export async function keepFailure(db: Db, cell: string, now: Instant, failures: number, retry_at: Instant): Promise<void> {
  await sql`insert into weather_cell (cell, read_at, failures, retry_at) values (${cell}, ${now}, ${failures}, ${retry_at})
    on conflict (cell) do update set failures = excluded.failures, retry_at = excluded.retry_at`.execute(db)
}

/** Returns the cell with the oldest answer among those for which the provider fails, and is to be asked again after an instant; null if there is none. */
export async function unanswered(db: Db, after: Instant): Promise<{ fetched_at: Instant | null } | null> {
  const { rows } = await sql<{ fetched_at: Instant | null }>`
    select fetched_at from weather_cell where failures > 0 and retry_at > ${after}::timestamptz order by fetched_at nulls first limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Counts a call, and returns how many there were today, and how many cells were read in the last hour. */
export async function countCall(db: Db, day: WorkDate): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    insert into weather_call (day, calls) values (${day}, 1) on conflict (day) do update set calls = weather_call.calls + 1 returning calls`.execute(
    db,
  )
  return rows[0]?.calls ?? 1
}

/** Returns the calls of a day, and the cells that were fetched since an instant. */
export async function usage(db: Db, day: WorkDate, since: Instant): Promise<{ calls: number; cells: number }> {
  const { rows } = await sql<{ calls: number; cells: number }>`
    select coalesce((select calls from weather_call where day = ${day}), 0) as calls,
      (select count(*)::integer from weather_cell where fetched_at > ${since}::timestamptz) as cells`.execute(db)
  return rows[0] ?? { calls: 0, cells: 0 }
}

/** What the weather of a site needs to know about it. */
export type SiteRow = {
  site_id: Id
  /** Whether it is the demo site. */
  demo: boolean
  lon: number | null
  lat: number | null
  terrain: string
  weather_limits: Limit[]
  timezone: string
}

const siteColumns = sql`s.site_id, s.code = ${DEMO_CODE} as demo, s.location_lon as lon, s.location_lat as lat, s.terrain, s.weather_limits, s.timezone`

/** Returns a site as its weather needs it. */
export async function siteRow(db: Db, site_id: Id): Promise<SiteRow | null> {
  const { rows } = await sql<SiteRow>`select ${siteColumns} from site s where s.site_id = ${site_id}`.execute(db)
  return rows[0] ?? null
}

/** Returns the sites with a location that are neither locked nor deleted. */
export async function placedSites(db: Db): Promise<SiteRow[]> {
  const { rows } = await sql<SiteRow>`
    select ${siteColumns} from site s where s.location_lon is not null and s.location_lat is not null and s.locked_at is null and s.deleted_at is null
    order by s.site_id`.execute(db)
  return rows
}

/** A past hour that is kept. */
export type KeptHour = { at: Instant; source: 'recorded' | 'reanalysis'; issued_at: Instant; fetched_at: Instant; measures: Values }

/** Returns the kept hours of a period, by time. */
export async function keptHours(db: Db, site_id: Id, from: Instant, to: Instant): Promise<KeptHour[]> {
  const { rows } = await sql<KeptHour>`
    select at, source, issued_at, fetched_at, measures from weather_hour
    where site_id = ${site_id} and at >= ${from}::timestamptz and at < ${to}::timestamptz order by at, source`.execute(db)
  return rows
}

/** Keeps hours that aren’t kept yet; returns those that are new. */
export async function keepHours(
  db: Db,
  site_id: Id,
  source: KeptHour['source'],
  hours: readonly Hour[],
  fetched_at: Instant,
): Promise<Instant[]> {
  if (hours.length === 0) return []
  const rows_ = hours.map(({ at, ...measures }) => ({ at, measures }))
  const { rows } = await sql<{ at: Instant }>`
    insert into weather_hour (site_id, at, source, issued_at, fetched_at, measures)
    select ${site_id}, r.at, ${source}, ${fetched_at}, ${fetched_at}, r.measures from jsonb_to_recordset(${jsonb(rows_)}::jsonb) as r(at timestamptz, measures jsonb)
    on conflict do nothing returning at`.execute(db)
  return rows.map(row => row.at)
}

/** Keeps the forecast of a morning, if there is none for this day. */
export async function keepForecast(db: Db, site_id: Id, work_date: WorkDate, issued_at: Instant, hours: readonly Hour[]): Promise<void> {
  await sql`insert into weather_kept (site_id, work_date, issued_at, hours) values (${site_id}, ${work_date}, ${issued_at}, ${jsonb(hours)}::jsonb)
    on conflict do nothing`.execute(db)
}

/** Returns the forecast of a morning. */
export async function keptForecast(db: Db, site_id: Id, work_date: WorkDate): Promise<{ issued_at: Instant; hours: Hour[] } | null> {
  const { rows } = await sql<{ issued_at: Instant; hours: Hour[] }>`
    select issued_at, hours from weather_kept where site_id = ${site_id} and work_date = ${work_date}`.execute(db)
  return rows[0] ?? null
}

/** A machine, as limits need it. */
export type Machine = {
  id: Id
  category: string
  height_m: number | null
  contractor_id: Id | null
  start_at: Instant
  end_at: Instant | null
}

/** Returns the machines of these categories that are on a site during a period. */
export async function machinesDuring(db: Db, site_id: Id, categories: readonly string[], from: Instant, to: Instant): Promise<Machine[]> {
  const { rows } = await sql<Machine>`
    select t.id, t.category, t.height_m, t.contractor_id, t.start_at, t.end_at from plant t
    where t.site_id = ${site_id} and t.deleted_at is null and t.category = any(${categories}::text[])
      and tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) order by t.id`.execute(db)
  return rows
}

/** A permit, as limits need it. */
export type Permitted = { categories: string[]; contractor_id: Id | null; start_at: Instant; end_at: Instant }

/** Returns the approved and live permits of a site whose window is partly in a period. */
export async function permitsDuring(db: Db, site_id: Id, from: Instant, to: Instant): Promise<Permitted[]> {
  const { rows } = await sql<Permitted>`
    select p.categories, p.contractor_id, p.start_at, p.end_at from permit p
    where p.site_id = ${site_id} and p.status in ('approved', 'issued') and p.start_at < ${to}::timestamptz and p.end_at > ${from}::timestamptz`.execute(
    db,
  )
  return rows
}

/** A declared weather stop: an alert that stopped work in this time. */
export type Stop = { alert_id: Id; title: string; from: Instant; to: Instant | null; activities: string[] }

/** Returns the declared weather stops of a period that everyone can see, by start. */
export async function stopsDuring(db: Db, site_id: Id, from: Instant, to: Instant): Promise<Stop[]> {
  const { rows } = await sql<Stop>`
    select a.id as alert_id, a.title, p."from", p."to", array(select jsonb_array_elements_text(p.activities)) as activities
    from alert a cross join lateral jsonb_to_recordset(a.periods) as p("from" timestamptz, "to" timestamptz, effect text, activities jsonb)
    where a.site_id = ${site_id} and a.deleted_at is null and a.category = 'weather' and cardinality(a.contractor_ids) = 0 and p.effect = 'stops'
      and tstzrange(a.span_from, a.span_to) && tstzrange(${from}::timestamptz, ${to}::timestamptz)
      and tstzrange(p."from", p."to") && tstzrange(${from}::timestamptz, ${to}::timestamptz) order by p."from", a.id`.execute(db)
  return rows
}

/** What people were notified of. */
export type NoticeRow = { limit_key: string; work_date: WorkDate; state: string; starts_at: Instant; ends_at: Instant }

/** Returns the limits of which people were notified, from a site day on. */
export async function noticesFrom(db: Db, site_id: Id, kind: 'forecast' | 'passed', work_date: WorkDate): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select limit_key, work_date, state, starts_at, ends_at from weather_notice where site_id = ${site_id} and kind = ${kind} and work_date >= ${work_date}`.execute(
    db,
  )
  return rows
}

/** Records what people were notified of; `null` state: the limit is no longer forecast. */
export async function keepNotice(db: Db, site_id: Id, kind: 'forecast' | 'passed', of: NoticeRow): Promise<void> {
  await sql`insert into weather_notice (site_id, limit_key, work_date, kind, state, starts_at, ends_at)
    values (${site_id}, ${of.limit_key}, ${of.work_date}, ${kind}, ${of.state}, ${of.starts_at}, ${of.ends_at})
    on conflict (site_id, limit_key, work_date, kind) do update set state = excluded.state, starts_at = excluded.starts_at, ends_at = excluded.ends_at`.execute(
    db,
  )
}

/** Forgets what people were notified of, after a limit is no longer forecast. */
export async function dropNotice(db: Db, site_id: Id, { limit_key, work_date }: NoticeRow): Promise<void> {
  await sql`delete from weather_notice where site_id = ${site_id} and limit_key = ${limit_key} and work_date = ${work_date} and kind = 'forecast'`.execute(
    db,
  )
}
