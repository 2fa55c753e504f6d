import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Kept } from '../../base/edge.ts'
import type { KeyScope } from '../../base/edge-options.ts'

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    'idempotency_key.headers': Kept['headers'] | null
  }
}

/** Claims a key: null if it was free, otherwise what is stored under it. Waits for a parallel request with the same key to end. */
export async function claimKey(
  db: Db,
  scope: KeyScope,
  now: Instant,
  oldest: Instant,
): Promise<{ fingerprint: string; kept: Kept | null } | null> {
  await sql`delete from idempotency_key where site_id = ${scope.site_id} and owner = ${scope.owner} and key = ${scope.key} and made_at < ${oldest}`.execute(
    db,
  )
  const { rows } = await sql<{ claimed: boolean }>`
    insert into idempotency_key (site_id, owner, key, fingerprint, made_at)
    values (${scope.site_id}, ${scope.owner}, ${scope.key}, ${scope.fingerprint}, ${now})
    on conflict do nothing returning true as claimed`.execute(db)
  return rows.length > 0 ? null : keptUnder(db, scope, oldest)
}

/** Returns the response stored under a key; null if there is none. */
export async function keptUnder(db: Db, scope: KeyScope, oldest: Instant): Promise<{ fingerprint: string; kept: Kept | null } | null> {
  const row = await db
    .selectFrom('idempotency_key')
    .select(['fingerprint', 'status', 'headers', 'payload'])
    .where('site_id', '=', scope.site_id)
    .where('owner', '=', scope.owner)
    .where('key', '=', scope.key)
    .where('made_at', '>=', oldest)
    .executeTakeFirst()
  if (row === undefined) return null
  const kept = row.status === null ? null : { status: row.status, headers: row.headers ?? {}, payload: row.payload }
  return { fingerprint: row.fingerprint, kept }
}

/** Stores the first response under its key. */
export async function keepAnswer(db: Db, scope: KeyScope, kept: Kept): Promise<void> {
  await db
    .updateTable('idempotency_key')
    .set({ status: kept.status, headers: jsonb(kept.headers), payload: kept.payload })
    .where('site_id', '=', scope.site_id)
    .where('owner', '=', scope.owner)
    .where('key', '=', scope.key)
    .execute()
}

/** Deletes keys that have expired. */
export async function dropOldKeys(db: Db, oldest: Instant): Promise<void> {
  await db.deleteFrom('idempotency_key').where('made_at', '<', oldest).execute()
}
