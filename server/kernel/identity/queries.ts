import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** A stored user. */
export type UserRow = {
  id: Id
  issuer: string
  subject: string
  email: string | null
  email_verified: boolean
  name: string
  locale: string | null
  timezone: string | null
  is_superadmin: boolean
  superadmin_granted: boolean
  claims_at: string | null
  disabled_at: string | null
}

/** Creates the user; false if a parallel request was quicker. */
export async function insertUser(db: Db, user: UserRow): Promise<boolean> {
  const made = await db
    .insertInto('app_user')
    .values(user)
    .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('id')
    .execute()
  return made.length > 0
}

/** Returns the user with this issuer and subject, locked. */
export async function userLocked(db: Db, issuer: string, subject: string): Promise<UserRow | null> {
  return (
    (await db
      .selectFrom('app_user')
      .selectAll()
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

/** Lists the users with this address, of any provider. */
export function usersWithEmail(db: Db, email: string): Promise<UserRow[]> {
  return db.selectFrom('app_user').selectAll().where(sql<string>`lower(email)`, '=', email.toLowerCase()).orderBy('id').execute()
}

/** Changes a user. */
export async function changeUser(db: Db, id: Id, set: Partial<Omit<UserRow, 'id'>>): Promise<void> {
  await db.updateTable('app_user').set(set).where('id', '=', id).execute()
}

/** Removes name, address, subject and the key of the devices of a user; the row stays, because other rows refer to it. */
export async function eraseUserRow(db: Db, id: Id, now: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set({
      name: 'Former user',
      subject: `erased:${id}`,
      email: null,
      email_verified: false,
      locale: null,
      timezone: null,
      is_superadmin: false,
      superadmin_granted: false,
      disabled_at: now,
      erased_at: now,
    })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('app_user_seen').where('user_id', '=', id).execute()
  // Without it, what the person's devices still store can't be decrypted.
  await db.deleteFrom('device_key').where('user_id', '=', id).execute()
}

/** The key of a person's devices, as it is stored. */
export type DeviceKeyRow = { user_id: Id; id: Id; encrypted: string; made_at: string }

/** Returns the key of a person's devices; null if it hasn't been made yet. */
export async function deviceKeyRow(db: Db, user_id: Id): Promise<DeviceKeyRow | null> {
  return (await db.selectFrom('device_key').selectAll().where('user_id', '=', user_id).executeTakeFirst()) ?? null
}

/** Stores the key of a person's devices; does nothing if a parallel request was quicker. */
export async function insertDeviceKey(db: Db, row: DeviceKeyRow): Promise<void> {
  await db
    .insertInto('device_key')
    .values(row)
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .execute()
}

/** Returns whether the session that a token of the built-in provider belongs to still exists. */
export async function sessionExists(db: Db, family: string): Promise<boolean> {
  const row = await db
    .selectFrom('oidc_item')
    .select('grant_hash')
    .where('kind', '=', 'Grant')
    .where('grant_hash', '=', family)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that a person was active, without an audit entry. The caller limits how often. */
export async function rememberSeen(db: Db, user_id: Id, at: string): Promise<void> {
  await db
    .insertInto('app_user_seen')
    .values({ user_id, seen_at: at })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ seen_at: at }))
    .execute()
}

/** Returns a secret of the installation; undefined if it hasn't been made yet. */
export async function secretNamed(db: Db, name: string): Promise<{ value: unknown } | undefined> {
  return db.selectFrom('platform_secret').select('value').where('name', '=', name).executeTakeFirst()
}

/** Lists the installation's secrets as they are stored. */
export async function allSecrets(db: Db): Promise<{ name: string; value: unknown }[]> {
  return db.selectFrom('platform_secret').select(['name', 'value']).orderBy('name').execute()
}

/** Stores a secret in another form; false if a parallel process did so before. */
export async function replaceSecret(db: Db, name: string, was: unknown, value: unknown): Promise<boolean> {
  const done = await db
    .updateTable('platform_secret')
    .set({ value: jsonb(value) })
    .where('name', '=', name)
    .where('value', '=', jsonb(was))
    .returning('name')
    .execute()
  return done.length > 0
}

/** Stores a secret; false if a parallel process was quicker. */
export async function insertSecret(db: Db, name: string, value: unknown, now: string): Promise<boolean> {
  const made = await db
    .insertInto('platform_secret')
    .values({ name, value: jsonb(value), made_at: now })
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('name')
    .execute()
  return made.length > 0
}

/** Returns the digests of the installation's secrets by name, which the audit log stores. The SQL is the same as in the migration that introduced them. */
export async function secretDigests(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; digest: string }>`
    select k.name, encode(sha256(convert_to(k.value::text || ' ' || to_char(k.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8')), 'hex') as digest
    from platform_secret k order by k.name`.execute(db)
  return new Map(rows.map(row => [row.name, row.digest]))
}

/** Counts a call (or several at once) of a bucket in its window, across all nodes; returns how many calls the window now has. */
export async function countCall(db: Db, bucket: string, window_start: string, calls = 1): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    insert into rate_count (bucket, window_start, calls) values (${bucket}, ${window_start}, ${calls})
    on conflict (bucket, window_start) do update set calls = rate_count.calls + excluded.calls returning calls`.execute(db)
  return rows[0]?.calls ?? calls
}

/** Returns the number of calls of a bucket in the windows between two instants, and the first of those windows. */
export async function callsSince(db: Db, bucket: string, from: string, before: string): Promise<{ calls: number; first: string | null }> {
  const { rows } = await sql<{ calls: number; first: string | null }>`
    select coalesce(sum(calls), 0)::integer as calls, min(window_start) filter (where calls > 0) as first from rate_count where bucket = ${bucket} and window_start >= ${from} and window_start < ${before}`.execute(
    db,
  )
  return rows[0] ?? { calls: 0, first: null }
}

/** Uncounts one call. */
export async function uncountCall(db: Db, bucket: string, window_start: string): Promise<void> {
  await sql`update rate_count set calls = greatest(calls - 1, 0) where bucket = ${bucket} and window_start = ${window_start}`.execute(db)
}

/** Deletes the counts of a bucket. */
export async function forgetCalls(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_count').where('bucket', '=', bucket).execute()
}

/** Deletes the counts of windows that are no longer used. */
export async function dropOldCalls(db: Db, before: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('rate_count').where('window_start', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
