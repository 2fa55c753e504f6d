import type { Areal, Geometry } from '../../../../shared/geometry/plane.ts'
import { boundsOf } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import { boxed } from '../../../kernel/geometry/door.ts'
import type { Source } from './domain.ts'

/** The condition for alerts that are active at some time from an instant until just before another; the same instant twice means at that instant. */
export function inForce(from: Instant, to: Instant) {
  const span =
    from === to ? sql`tstzrange(${from}::timestamptz, ${to}::timestamptz, '[]')` : sql`tstzrange(${from}::timestamptz, ${to}::timestamptz)`
  // A period that is open ends with the alert itself, unless a person has to end it: the clock’s step comes up to a minute later.
  return sql`(tstzrange(t.span_from, t.span_to) && ${span} and (t.state = 'scheduled' and tstzrange(t.start_at, t.span_to) && ${span}
    or exists (select 1 from jsonb_to_recordset(t.periods) as p("from" timestamptz, "to" timestamptz)
      where tstzrange(p."from", p."to") && ${span})))`
}

/** Returns the newest alert with this title, category and place that a person raised since an instant. */
export async function sameAlert(
  db: Db,
  site_id: Id,
  of: { created_by: Id | null; title: string; category: string; place: unknown; since: Instant },
): Promise<Id | null> {
  const place = of.place === null ? null : JSON.stringify(of.place)
  const { rows } = await sql<{ id: Id }>`
    select t.id from alert t where t.site_id = ${site_id} and t.created_by is not distinct from ${of.created_by} and t.created_at > ${of.since}::timestamptz
      and t.deleted_at is null and fold_text(t.title) = fold_text(${of.title}) and t.category = ${of.category} and t.place is not distinct from ${place}::jsonb
    order by t.created_at desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns the alerts from one source that aren’t over, locked. */
export async function openFromSource(db: Db, site_id: Id, { kind, id = null, key = null }: Source): Promise<Row<'alert'>[]> {
  const { rows } = await sql<Row<'alert'>>`
    select t.* from alert t where t.site_id = ${site_id} and t.deleted_at is null and t.state in ('scheduled', 'active', 'overdue')
      and t.source ->> 'kind' = ${kind} and t.source ->> 'id' is not distinct from ${id}::text and t.source ->> 'key' is not distinct from ${key}::text
    order by t.id for no key update`.execute(db)
  return rows
}

/** Returns the alerts that declare a weather stop at some time of a period. */
export async function weatherStopsDuring(db: Db, site_id: Id, from: Instant, to: Instant): Promise<Row<'alert'>[]> {
  const { rows } = await sql<Row<'alert'>>`
    select t.* from alert t where t.site_id = ${site_id} and t.deleted_at is null and t.category = 'weather' and ${inForce(from, to)} order by t.span_from, t.id`.execute(
    db,
  )
  return rows
}

const toStart = (now: Instant) => sql`t.deleted_at is null and t.state = 'scheduled' and t.start_at <= ${now}::timestamptz`
const toEnd = (now: Instant) =>
  sql`t.deleted_at is null and t.state = 'active' and t.end_at is not null and t.end_at <= ${now}::timestamptz`

/** Returns the sites with alerts that start or end by the clock. */
export async function sitesWithSteps(db: Db, now: Instant): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`
    select t.site_id from alert t where ${toStart(now)} union select t.site_id from alert t where ${toEnd(now)}`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns alerts of a site that start or end by the clock, locked. */
export async function lockDue(db: Db, site_id: Id, now: Instant, limit: number): Promise<Row<'alert'>[]> {
  const { rows } = await sql<Row<'alert'>>`
    select t.* from alert t where t.site_id = ${site_id} and (${toStart(now)} or ${toEnd(now)}) order by t.id limit ${limit} for no key update`.execute(
    db,
  )
  return rows
}

/** Returns how many alerts are active, by site: those that everyone can see. */
export async function openCounts(db: Db, site_ids: readonly Id[]): Promise<Map<Id, number>> {
  const { rows } = await sql<{ site_id: Id; n: number }>`
    select t.site_id, count(*)::integer as n from alert t where t.site_id = any(${site_ids}::uuid[]) and t.deleted_at is null
      and t.state in ('active', 'overdue') and cardinality(t.contractor_ids) = 0 group by t.site_id`.execute(db)
  return new Map(rows.map(row => [row.site_id, row.n]))
}

/** Something that an alert can concern. */
export type Concerned = {
  id: Id
  kind: 'worker' | 'plant' | 'permit'
  headcount: number
  geometry: Geometry | null
  building_id: Id | null
  level_index: number | null
}

/** Returns the workers, plant and live permits of a site now that are near an area or in a building; all of them without an area. */
export async function concernedNow(db: Db, site_id: Id, now: Instant, area: Areal | null, building_id: Id | null): Promise<Concerned[]> {
  const box = area === null ? null : boundsOf(area)
  const near = box === null ? sql`true` : sql`t.bounds && ${boxed(box)}`
  const near_permit =
    box === null
      ? sql`true`
      : sql`(p.place_bounds && ${boxed(box)} or p.place_geometry is null and (p.building_id = ${building_id} or v.bounds && ${boxed(box)}))`
  const there = sql`t.site_id = ${site_id} and tstzrange(t.start_at, t.end_at) @> ${now}::timestamptz and t.deleted_at is null and ${near}`
  const shape = sql`coalesce(t.place -> 'polygon', jsonb_build_object('type', 'Point', 'coordinates', jsonb_build_array(t.lon, t.lat)))`
  const { rows } = await sql<Concerned>`
    select t.id, 'worker' as kind, t.headcount, ${shape} as geometry, t.building_id, t.level_index from worker t where ${there}
    union all select t.id, 'plant', 0, ${shape}, t.building_id, t.level_index from plant t where ${there}
    union all select p.id, 'permit', 0, coalesce(p.place_geometry, v.geometry), p.building_id, p.level_index from permit p
      left join reference_feature_version v on v.site_id = p.site_id and v.feature_id = coalesce(p.zone_id, p.building_id)
        and tstzrange(v.valid_from, v.valid_to) @> ${now}::timestamptz
      where p.site_id = ${site_id} and p.status = 'issued' and ${near_permit}`.execute(db)
  return rows
}

/** An entry of the audit log about an alert. */
export type HistoryRow = {
  at: Instant
  action: string
  actor_id: Id | null
  actor_name: string
  reason: string | null
  changes: { path: string; before: unknown; after: unknown }[] | null
}

/** Returns the entries of an alert, oldest first. */
export async function historyOf(db: Db, site_id: Id, id: Id): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select a.at, a.action, a.actor_id, a.actor_name, a.reason, a.changes from audit_entry a
    where a.site_id = ${site_id} and a.entity_type = 'alert' and a.entity_id = ${id} order by a.seq`.execute(db)
  return rows
}

/** Returns how many people were notified of the events of an alert, and when, oldest first. */
export async function notifiedOf(db: Db, site_id: Id, id: Id): Promise<{ at: Instant; recipients: number }[]> {
  const { rows } = await sql<{ at: Instant; recipients: number }>`
    select min(n.created_at) as at, count(distinct n.user_id)::integer as recipients
    from event e join notification n on n.site_id = e.site_id and n.event_id = e.id
    where e.site_id = ${site_id} and e.subject_id = ${id} and e.kind like 'alert.%' group by n.event_id order by 1`.execute(db)
  return rows
}

/** Counts the alerts that are for each of these contractors, deleted ones too: they are shown again if the deletion is reverted. */
export async function alertsFor(db: Db, site_id: Id, contractor_ids: readonly Id[]): Promise<Map<Id, number>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    select c.id, count(*)::integer as n from alert t cross join unnest(t.contractor_ids) as c(id)
    where t.site_id = ${site_id} and cardinality(t.contractor_ids) > 0 and c.id = any(${contractor_ids}::uuid[]) group by 1`.execute(db)
  return new Map(rows.map(row => [row.id, row.n]))
}
