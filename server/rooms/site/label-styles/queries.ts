import type { Instant } from '../../../../shared/time.ts'
import { newColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import type { StyleDocument } from './domain.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'label_style.document': StyleDocument
  }
}

/** A version of the document as the database has it. */
export type StyleRow = Omit<Row<'label_style'>, 'updated_at' | 'updated_by'>

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
  await db.insertInto('label_style').values(newColumns('label_style', row)).execute()
}

/** Ends a version. */
export async function endStyles(db: Db, site_id: Id, id: Id, valid_to: Instant): Promise<void> {
  await db.updateTable('label_style').set({ valid_to }).where('site_id', '=', site_id).where('id', '=', id).execute()
}
