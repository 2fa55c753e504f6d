import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { andSince } from '../../../base/plans.ts'
import type { DateOrder } from './domain/dates.ts'
import type { SiteHeaders } from './domain/headers.ts'

/** An import of a register as the database has it. */
export type SetRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  updated_at: Instant
  updated_by: Id | null
  filename: string
  sha256: string
  format_id: string
  rows_read: number
  rows_new: number
  rows_updated: number
  rows_unchanged: number
  rows_refused: number
  archived_at: Instant | null
}

type SetColumns = Omit<SetRow, 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by'>

/** Inserts an import. */
export async function insertSet(db: Db, row: SetColumns): Promise<void> {
  await db.insertInto('permit_set').values(row).execute()
}

/** Updates an import. */
export async function saveSet(db: Db, site_id: Id, id: Id, set: Partial<Omit<SetColumns, 'site_id' | 'id'>>): Promise<void> {
  await db.updateTable('permit_set').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Deletes an import that no permit points to. */
export async function deleteSet(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('permit_set').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Lists a site's imports, newest first. */
export async function setsOn(
  db: Db,
  site_id: Id,
  filter: {
    ids?: readonly Id[]
    updated_since?: Instant | undefined
    archived: boolean
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<SetRow[]> {
  const { rows } = await sql<SetRow>`
    select * from permit_set where site_id = ${site_id}
      ${filter.ids === undefined ? sql`` : sql`and id = any(${filter.ids}::uuid[])`}
      ${filter.archived ? sql`` : sql`and archived_at is null`} ${andSince('updated_at', filter.updated_since)}
      ${filter.after === null ? sql`` : sql`and (created_at, id) < (${filter.after[0]}::timestamptz, ${filter.after[1]}::uuid)`}
    order by created_at desc, id desc limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** The site's settings for reading registers. */
export type ReadingFacts = {
  timezone: string
  date_order: DateOrder | null
  import_headers: { readonly [format_id: string]: SiteHeaders | undefined }
}

/** Returns how registers of a site are read; its headers and date order are settings. */
export async function readingFacts(db: Db, site_id: Id): Promise<ReadingFacts> {
  const row = await db.selectFrom('site').select(['timezone', 'settings']).where('site_id', '=', site_id).executeTakeFirstOrThrow()
  const settings = row.settings as { date_order?: DateOrder | null; import_headers?: ReadingFacts['import_headers'] } // checked when they were saved
  return { timezone: row.timezone, date_order: settings.date_order ?? null, import_headers: settings.import_headers ?? {} }
}

/**
 * Returns permits that point to an import, locked in order of id; `acted`: a person has acted on it since, or another permit refers to it. That is read by a second statement, which
 * sees what others have written while the first one waited for them.
 */
export async function permitsOfSet(db: Db, site_id: Id, set_id: Id): Promise<{ id: Id; permit_number: string; acted: boolean }[]> {
  await sql`
    select count(*) from (select from permit where site_id = ${site_id} and set_id = ${set_id} order by id for update) locked`.execute(db)
  const { rows } = await sql<{ id: Id; permit_number: string; acted: boolean }>`
    select p.id, p.permit_number, p.touched_at is not null
      or exists (select 1 from permit_entity l where l.site_id = p.site_id and l.permit_id = p.id)
      or exists (select 1 from permit c where c.site_id = p.site_id and c.parent_id = p.id)
      or exists (select 1 from permit c where c.site_id = p.site_id and c.reissued_from_id = p.id)
      or exists (select 1 from area_stop_permit e where e.site_id = p.site_id and e.permit_id = p.id) as acted
    from permit p where p.site_id = ${site_id} and p.set_id = ${set_id} order by p.id`.execute(db)
  return rows
}

/** Counts how many permits point to each import of a site. */
export async function countBySet(db: Db, site_id: Id): Promise<Map<Id, number>> {
  const { rows } = await sql<{ set_id: Id; n: number }>`
    select set_id, count(*) as n from permit where site_id = ${site_id} and set_id is not null group by 1`.execute(db)
  return new Map(rows.map(row => [row.set_id, row.n]))
}
