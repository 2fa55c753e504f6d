import type { Db } from '../../../../base/db.ts'
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
