import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { StyleDocument } from './domain.ts'

/** A version of the document as the database has it. */
export type StyleRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  created_by: Id | null
  number: number
  valid_from: Instant
  valid_to: Instant | null
  document: StyleDocument
}

/** Blocks other changes of a site's styles until the end of the transaction. */
export async function holdStyles(db: Db, site_id: Id): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`label styles ${site_id}`}, 0))`.execute(db)
}

/** Returns the version that was active at an instant, or has this number, or the newest; null when there is none. */
export async function stylesOf(db: Db, site_id: Id, which: { at?: Instant; number?: number } = {}): Promise<StyleRow | null> {
  const { rows } = await sql<StyleRow>`
    select site_id, id, version, created_at, created_by, number, valid_from, valid_to, document from label_style where site_id = ${site_id}
      ${which.at === undefined ? sql`` : sql`and valid_from <= ${which.at}::timestamptz and (valid_to is null or valid_to > ${which.at}::timestamptz)`}
      ${which.number === undefined ? sql`` : sql`and number = ${which.number}`}
    order by number desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Writes a version. */
export async function insertStyles(
  db: Db,
  row: { site_id: Id; id: Id; number: number; valid_from: Instant; document: StyleDocument },
): Promise<void> {
  await db
    .insertInto('label_style')
    .values({ ...row, document: jsonb(row.document) })
    .execute()
}

/** Ends a version. */
export async function endStyles(db: Db, site_id: Id, id: Id, valid_to: Instant): Promise<void> {
  await db.updateTable('label_style').set({ valid_to }).where('site_id', '=', site_id).where('id', '=', id).execute()
}
