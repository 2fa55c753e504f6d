import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { AttachmentRow } from '../../kit/queries/permits.ts'

/** Attaches a file. */
export async function insertAttachment(db: Db, row: Omit<AttachmentRow, 'version' | 'created_at' | 'created_by'>): Promise<void> {
  await db.insertInto('permit_attachment').values(row).execute()
}

/** Removes an attachment. */
export async function dropAttachment(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('permit_attachment').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the files of a site's permits after this id. */
export async function filesOfPermits(
  db: Db,
  site_id: Id,
  after: Id,
  limit: number,
): Promise<{ id: Id; sha256: string; size: number; label: string }[]> {
  const { rows } = await sql<{ id: Id; sha256: string; size: number; label: string }>`
    select a.id, a.sha256, a.size, coalesce(p.permit_number, 'a draft') || ', ' || a.filename as label from permit_attachment a
    left join permit p on p.site_id = a.site_id and p.id = a.permit_id
    where a.site_id = ${site_id} and a.id > ${after} order by a.id limit ${limit}`.execute(db)
  return rows
}
