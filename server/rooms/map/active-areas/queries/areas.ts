import type { Areal, Box } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import type { Facts, StoredPlace } from '../../../../kernel/placed/door.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'active_area.place': StoredPlace
    /** Only what the geometry kernel has read or made. */
    'active_area.geometry': Areal
    'active_area_version.content': Record<string, unknown>
  }
}

/** Writes how an area was before a change. */
export async function keepVersion(
  db: Db,
  before: Row<'active_area'>,
  span: { valid_from: Instant; valid_to: Instant | null },
): Promise<void> {
  const { site_id, id: area_id, version_number: number } = before
  await sql`insert into active_area_version (site_id, id, area_id, number, valid_from, valid_to, content)
    values (${site_id}, ${ids.next()}, ${area_id}, ${number}, ${span.valid_from}, ${span.valid_to}, ${jsonb(before)})`.execute(db)
}

/** Returns the query of active areas as they were at an instant: those that are still so, and how the changed ones were then. */
export const areasThen = (site_id: Id, at: Instant) => sql`(
    select a.* from active_area a where a.site_id = ${site_id} and (a.version_from is null or a.version_from <= ${at}::timestamptz)
    union all
    select r.* from active_area_version v
    join active_area a on a.site_id = v.site_id and a.id = v.area_id and a.deleted_at is null
    cross join lateral jsonb_populate_record(null::active_area, v.content) r
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz and v.valid_to is distinct from v.valid_from)`

/** Returns the query of active areas as they are during a period: each version with the time for which it is shown, from `from_at` until `to_at`. */
export const areasDuring = (site_id: Id, from: Instant, to: Instant) => sql`(
    select a.*, greatest(a.start_at, a.version_from) as from_at, a.end_at as to_at from active_area a
    where a.site_id = ${site_id} and a.deleted_at is null and (a.version_from is null or a.version_from < ${to}::timestamptz)
      and (a.end_at is null or a.end_at > greatest(a.start_at, a.version_from, ${from}::timestamptz))
    union all
    select r.*, greatest(v.valid_from, r.start_at), least(v.valid_to, r.end_at) from active_area_version v
    join active_area a on a.site_id = v.site_id and a.id = v.area_id and a.deleted_at is null
    cross join lateral jsonb_populate_record(null::active_area, v.content) r
    where v.site_id = ${site_id} and tstzrange(v.valid_from, v.valid_to) && tstzrange(${from}::timestamptz, ${to}::timestamptz)
      and v.valid_to is distinct from v.valid_from and greatest(v.valid_from, r.start_at, ${from}::timestamptz) < coalesce(least(v.valid_to, r.end_at), 'infinity'))`

/** Returns how an area was before each change, newest first. */
export async function versionsOf(db: Db, site_id: Id, area_id: Id): Promise<Row<'active_area_version'>[]> {
  return db
    .selectFrom('active_area_version')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('area_id', '=', area_id)
    .orderBy('number', 'desc')
    .execute()
}

/** Returns the active areas that are there at some time of a period and whose box meets another. */
export async function areasAround(db: Db, site_id: Id, box: Box, from: Instant, to: Instant | null): Promise<Row<'active_area'>[]> {
  const { rows } = await sql<Row<'active_area'>>`
    select t.* from active_area t where t.site_id = ${site_id} and t.deleted_at is null
      and tstzrange(t.start_at, t.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) and t.bounds && ${boxed(box)}`.execute(db)
  return rows
}

/** Returns the later occurrences of a schedule that are still ahead and follow it, by start. */
export async function followersAfter(db: Db, site_id: Id, group_id: Id, start_at: Instant, now: Instant): Promise<Id[]> {
  const rows = await db
    .selectFrom('active_area')
    .select('id')
    .where('site_id', '=', site_id)
    .where('schedule_group_id', '=', group_id)
    .where('deleted_at', 'is', null)
    .where('edited', '=', false)
    .where('start_at', '>', start_at > now ? start_at : now)
    .orderBy('start_at')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the names of people by their ids. */
export async function namesOf(db: Db, ids: readonly Id[]): Promise<Map<Id, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What conditions can ask about active areas, besides what everything on the map has. */
export const facts: Facts = () => ({
  area_kind: sql`t.area_kind`,
  exclusive: sql`t.exclusive`,
  schedule_group_id: sql`t.schedule_group_id`,
})
