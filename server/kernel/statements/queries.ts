import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** A signing key of a site. */
export type KeyRow = {
  site_id: Id
  id: Id
  kid: string
  public_key: string
  sealed: string
  sealed_by: string
  signs_from: Instant
  signs_until: Instant
  revoked_at: Instant | null
}

/** Lists every key that a site has had, oldest first. */
export const keysOf = (db: Db, site_id: Id): Promise<KeyRow[]> =>
  db
    .selectFrom('signing_key')
    .select(['site_id', 'id', 'kid', 'public_key', 'sealed', 'sealed_by', 'signs_from', 'signs_until', 'revoked_at'])
    .where('site_id', '=', site_id)
    .orderBy('signs_from')
    .orderBy('id')
    .execute()

/** Adds a key. */
export async function insertKey(db: Db, row: Omit<KeyRow, 'revoked_at'>): Promise<void> {
  await db.insertInto('signing_key').values(row).execute()
}

/** Ends the signing period of a key; with a reason, revokes it. */
export async function endKey(
  db: Db,
  key: Pick<KeyRow, 'site_id' | 'id'>,
  set: { signs_until?: Instant; revoked_at?: Instant; revoke_reason?: string },
): Promise<void> {
  await db.updateTable('signing_key').set(set).where('site_id', '=', key.site_id).where('id', '=', key.id).execute()
}

/** Blocks others from making a key of the platform, which has no site row to lock, until this transaction ends. */
export async function lockKeys(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(724003)`.execute(db)
}
