// Extension requests: only this file writes them. A step of the permit itself ends them, so they belong to the permits room.
import type { Instant } from '../../../../../shared/time.ts'
import type { Db } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { ExtensionRow } from '../../kit/queries/permits.ts'

/** Ends a permit's open request, because a new one supersedes it. */
export async function supersede(db: Db, site_id: Id, permit_id: Id): Promise<void> {
  await db
    .updateTable('permit_extension')
    .set({ status: 'superseded' })
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .where('status', '=', 'requested')
    .execute()
}

/** Adds a request. */
export async function insertExtension(
  db: Db,
  row: Omit<ExtensionRow, 'version' | 'decided_by' | 'decided_at' | 'decision_reason' | 'signature_id'>,
): Promise<void> {
  await db.insertInto('permit_extension').values(row).execute()
}

/** Records a decision. */
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

/** Ends and returns the open extension requests of permits that stopped being live, or whose window is no longer the one that they ask to extend. */
export async function lapseExtensions(
  db: Db,
  site_id: Id,
  permit_ids: readonly Id[],
  at: Instant,
  reason: string,
): Promise<Pick<ExtensionRow, 'id' | 'permit_id' | 'requested_by' | 'requested_end_at'>[]> {
  return db
    .updateTable('permit_extension')
    .set({ status: 'lapsed', decided_at: at, decision_reason: reason })
    .where('site_id', '=', site_id)
    .where('permit_id', 'in', [...permit_ids])
    .where('status', '=', 'requested')
    .returning(['id', 'permit_id', 'requested_by', 'requested_end_at'])
    .execute()
}
