import type { Db } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { PeopleAndExtensions } from '../permits/door.ts'

/** A request by its id, locked when it is about to be decided. */
export async function extensionRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<PeopleAndExtensions | null> {
  const query = db.selectFrom('permit_extension').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return (row ?? null) as PeopleAndExtensions | null // status as this room writes it
}

/** Ends the open request of a permit, because a new one takes its place. */
export async function supersede(db: Db, site_id: Id, permit_id: Id): Promise<void> {
  await db
    .updateTable('permit_extension')
    .set({ status: 'superseded' })
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .where('status', '=', 'requested')
    .execute()
}

/** Writes a request down. */
export async function insertExtension(
  db: Db,
  row: Omit<PeopleAndExtensions, 'version' | 'decided_by' | 'decided_at' | 'decision_reason' | 'signature_id'>,
): Promise<void> {
  await db.insertInto('permit_extension').values(row).execute()
}

/** Writes a decision down. */
export async function decideExtension(
  db: Db,
  site_id: Id,
  id: Id,
  set: {
    status: 'approved' | 'rejected'
    decided_by: Id | null
    decided_at: string
    decision_reason: string | null
    signature_id: Id | null
  },
): Promise<void> {
  await db.updateTable('permit_extension').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}
