// Extension requests: only this file writes them. A step of the permit itself ends them, so they belong to the permits room.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** An extension request, as it is in the database. */
export type ExtensionRow = {
  site_id: Id
  id: Id
  version: number
  permit_id: Id
  requested_by: Id
  requested_at: Instant
  requested_end_at: Instant
  previous_end_at: Instant
  reason: string | null
  status: 'requested' | 'approved' | 'rejected' | 'superseded' | 'lapsed'
  decided_by: Id | null
  decided_at: Instant | null
  decision_reason: string | null
  signature_id: Id | null
}

/** Lists the extension requests of permits, oldest first. */
export async function extensionsOf(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<ExtensionRow[]> {
  const { rows } =
    await sql<ExtensionRow>`select * from permit_extension where site_id = ${site_id} and permit_id = any(${permit_ids}::uuid[]) order by requested_at, id`.execute(
      db,
    )
  return rows
}

/** Returns a request by its id, locked when it is about to be decided. */
export async function extensionRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<ExtensionRow | null> {
  const query = db.selectFrom('permit_extension').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row ?? null
}

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

/** Ends the open extension requests of permits that stopped being live, because there is nothing left to extend. */
export async function lapseExtensions(db: Db, site_id: Id, permit_ids: readonly Id[], at: Instant, reason: string): Promise<void> {
  await db
    .updateTable('permit_extension')
    .set({ status: 'lapsed', decided_at: at, decision_reason: reason })
    .where('site_id', '=', site_id)
    .where('permit_id', 'in', [...permit_ids])
    .where('status', '=', 'requested')
    .execute()
}
