import type { Pattern } from '../../../../../shared/schedule-groups/pattern.ts'
import type { Instant, WorkDate } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { StoredPlace } from '../../../../kernel/placed/door.ts'
import { belongsTo } from '../../../../kernel/site/door.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'worker_schedule.template': Record<string, unknown>
    'worker_schedule.pattern': Pattern
    'worker_schedule.removed_dates': WorkDate[]
    'plant_schedule.template': Record<string, unknown>
    'active_area_schedule.template': Record<string, unknown>
    'active_area_schedule.pattern': Pattern
    'active_area_schedule.removed_dates': WorkDate[]
    'plant_schedule.pattern': Pattern
    'plant_schedule.removed_dates': WorkDate[]
  }
}

/** The tables of schedules; all have the same columns. */
export type ScheduleTable = 'worker_schedule' | 'plant_schedule' | 'active_area_schedule'

/** A schedule as it is stored: what each of its occurrences has, when they are, and the days whose occurrence a person has removed. */
export type GroupRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  updated_by: Id | null
  deleted_at: Instant | null
  name: string
  contractor_id: Id | null
  template: Record<string, unknown>
  pattern: Pattern
  removed_dates: WorkDate[]
}

/** Returns a schedule, locked when it is about to be written; null if it doesn’t exist. */
export async function groupRow(db: Db, table: string, site_id: Id, id: Id, lock: boolean): Promise<GroupRow | null> {
  const { rows } = await sql<GroupRow>`
    select * from ${sql.table(table)} where site_id = ${site_id} and id = ${id} and deleted_at is null ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Returns the schedules with occurrences that are still ahead and follow them, locked in the order of their ids. */
export async function lockGroupsAhead(db: Db, table: ScheduleTable, occurrences: string, site_id: Id, now: Instant): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.* from ${sql.table(table)} g where g.site_id = ${site_id} and g.deleted_at is null
      and exists (select 1 from ${sql.table(occurrences)} t where t.site_id = g.site_id and t.schedule_group_id = g.id and t.deleted_at is null
        and not t.edited and t.start_at > ${now}::timestamptz)
    order by g.id for no key update of g`.execute(db)
  return rows
}

/** Locks the schedules of occurrences, in the order of their ids. */
export async function lockGroupsOf(db: Db, table: ScheduleTable, occurrences: string, site_id: Id, ids: readonly Id[]): Promise<void> {
  await sql`
    select g.id from ${sql.table(table)} g where g.site_id = ${site_id} and g.id in (
      select t.schedule_group_id from ${sql.table(occurrences)} t where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]))
    order by g.id for no key update of g`.execute(db)
}

type Written = Pick<GroupRow, 'site_id' | 'id' | 'name' | 'contractor_id' | 'template' | 'pattern' | 'removed_dates'>

/** Writes a new schedule. */
export async function insertGroup(db: Db, table: string, row: Written): Promise<void> {
  await sql`insert into ${sql.table(table)} (site_id, id, name, contractor_id, template, pattern, removed_dates)
    values (${row.site_id}, ${row.id}, ${row.name}, ${row.contractor_id}, ${jsonb(row.template)}, ${jsonb(row.pattern)}, ${jsonb(row.removed_dates)})`.execute(
    db,
  )
}

/** Changes a schedule. */
export async function saveGroup(db: Db, table: string, row: GroupRow): Promise<void> {
  await sql`update ${sql.table(table)} set name = ${row.name}, contractor_id = ${row.contractor_id}, template = ${jsonb(row.template)},
      pattern = ${jsonb(row.pattern)}, removed_dates = ${jsonb(row.removed_dates)}, deleted_at = ${row.deleted_at}
    where site_id = ${row.site_id} and id = ${row.id}`.execute(db)
}

/** Returns the ids of the occurrences of schedules, in the order of their ids. */
export async function occurrenceIds(db: Db, table: string, site_id: Id, group_ids: readonly Id[]): Promise<Id[]> {
  if (group_ids.length === 0) return []
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(table)} t
    where t.site_id = ${site_id} and t.schedule_group_id = any(${group_ids}::uuid[]) and t.deleted_at is null order by t.id`.execute(db)
  return rows.map(row => row.id)
}

/** What a copy needs of a record besides its columns. */
export type Source = {
  id: Id
  contractor_id: Id | null
  name: string
  place: StoredPlace
  start_at: Instant
  end_at: Instant | null
}

/** The records that start in a period, by start and id. */
export type Narrowed = {
  skips?: 'fill_group_id' | undefined
  ids?: readonly Id[]
  contractor_ids?: readonly Id[]
  building_id?: Id
  zone_id?: Id
}

/** Returns the records that start in a period. */
export async function startingIn(db: Db, table: string, site_id: Id, from: Instant, to: Instant, narrowed: Narrowed): Promise<Source[]> {
  const { ids, contractor_ids, building_id, zone_id, skips } = narrowed
  const { rows } = await sql<Source>`
    select t.id, t.contractor_id, t.name, t.place, t.start_at, t.end_at from ${sql.table(table)} t
    where t.site_id = ${site_id} and t.deleted_at is null and t.start_at >= ${from}::timestamptz and t.start_at < ${to}::timestamptz
      ${ids === undefined ? sql`` : sql`and t.id = any(${ids}::uuid[])`}
      ${contractor_ids === undefined ? sql`` : sql`and ${belongsTo(contractor_ids)}`}
      ${building_id === undefined ? sql`` : sql`and t.building_id = ${building_id}`}
      ${zone_id === undefined ? sql`` : sql`and t.zone_id = ${zone_id}`}
      ${skips === undefined ? sql`` : sql`and t.${sql.ref(skips)} is null`}
    order by t.start_at, t.id`.execute(db)
  return rows
}
