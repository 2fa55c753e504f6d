import type { Instant } from '../../../shared/time.ts'
import { newColumns } from '../../base/columns.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** An account of the built-in provider. */
export type AccountRow = {
  id: Id
  version: number
  email: string
  email_key: string
  name: string
  locale: string | null
  password_hash: string | null
  password_changed_at: Instant | null
  must_change_password: boolean
  email_confirmed_at: Instant | null
  disabled_at: Instant | null
  /** Secret of the authenticator app, encrypted; null without a second factor. */
  factor_secret: string | null
  factor_since: Instant | null
  /** Hashes of the recovery codes that haven't been used. */
  recovery_hashes: string[] | null
}

/** The columns of the second factor: all of them are set, or none is. */
export type FactorColumns = Pick<AccountRow, 'factor_secret' | 'factor_since' | 'recovery_hashes'>

/** The columns of an account without a second factor. */
export const NO_FACTOR: FactorColumns = { factor_secret: null, factor_since: null, recovery_hashes: null }

/** Adds an account; false if the address already has one. */
export async function insertAccount(db: Db, row: Omit<AccountRow, 'version'>): Promise<boolean> {
  const made = await db
    .insertInto('account')
    .values(row)
    .onConflict(conflict => conflict.column('email_key').doNothing())
    .returning('id')
    .execute()
  return made.length > 0
}

/** Changes an account; with `only_with`, only while this is its password hash. Returns whether it was changed. */
export async function saveAccount(db: Db, id: Id, set: Partial<Omit<AccountRow, 'id' | 'version'>>, only_with?: string): Promise<boolean> {
  let query = db.updateTable('account').set(set).where('id', '=', id)
  if (only_with !== undefined) query = query.where('password_hash', '=', only_with)
  return (await query.returning('id').execute()).length > 0
}

/** Sets, replaces or removes a second factor, if it is still the one that the account had. Returns whether it was changed. */
export async function saveFactor(db: Db, was: Pick<AccountRow, 'id' | 'factor_secret'>, set: Partial<FactorColumns>): Promise<boolean> {
  const rows = await db
    .updateTable('account')
    .set(set)
    .where('id', '=', was.id)
    .where('factor_secret', was.factor_secret === null ? 'is' : '=', was.factor_secret)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Uses up a recovery code and returns how many are left; null if the account has no such code. Of two uses at the same time, only the first succeeds. */
export async function takeRecoveryHash(db: Db, account_id: Id, hash: string): Promise<number | null> {
  const { rows } = await sql<{ left: number }>`
    update account set recovery_hashes = array_remove(recovery_hashes, ${hash})
    where id = ${account_id} and ${hash} = any(recovery_hashes) returning cardinality(recovery_hashes) as left`.execute(db)
  return rows[0]?.left ?? null
}

/** Uses up a step of thirty seconds; false if it, or a later one, was used before. Of two uses at the same time, only the first succeeds. */
export async function takeStep(db: Db, account_id: Id, step: number): Promise<boolean> {
  const { rows } = await sql`
    insert into account_code_step (account_id, step) values (${account_id}, ${step})
    on conflict (account_id) do update set step = excluded.step where account_code_step.step < excluded.step returning 1`.execute(db)
  return rows.length > 0
}

/** Forgets which steps were used: a new secret has codes of its own. */
export async function forgetSteps(db: Db, account_id: Id): Promise<void> {
  await db.deleteFrom('account_code_step').where('account_id', '=', account_id).execute()
}

/** Returns the account of an address. */
export async function accountByKey(db: Db, email_key: string): Promise<AccountRow | null> {
  return (await db.selectFrom('account').selectAll().where('email_key', '=', email_key).executeTakeFirst()) ?? null
}

/** Returns the account with this id, the `sub` of its tokens. */
export async function accountById(db: Db, id: Id): Promise<AccountRow | null> {
  return (await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Lists the names of the sites of which a person is a member, or has asked to become one: a password can't contain these. */
export async function siteNamesOf(db: Db, issuer: string, subject: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct s.name from app_user u join membership m on m.user_id = u.id join site s on s.site_id = m.site_id
    where u.issuer = ${issuer} and u.subject = ${subject} and m.status <> 'ended'`.execute(db)
  return rows.map(row => row.name)
}

/** Stores the hash of a token that is sent by email. */
export async function insertToken(
  db: Db,
  token: { token_hash: string; account_id: Id; purpose: string; made_at: Instant; expires_at: Instant },
): Promise<void> {
  await db.insertInto('account_token').values(token).execute()
}

/** Returns the account of a token that is still valid; with `lock`, locks the token against a second use. */
export async function accountByToken(db: Db, token_hash: string, purpose: string, now: Instant, lock: boolean): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    select a.* from account_token t join account a on a.id = t.account_id
    where t.token_hash = ${token_hash} and t.purpose = ${purpose} and t.expires_at > ${now} and a.disabled_at is null ${lock ? sql`for update of a, t` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Deletes every token of an account, whatever its purpose. */
export async function dropTokens(db: Db, account_id: Id): Promise<void> {
  await db.deleteFrom('account_token').where('account_id', '=', account_id).execute()
}

/** A session, code, token or grant of the provider, stored under the hash of its id. */
export type Item = {
  kind: string
  id_hash: string
  uid_hash: string | null
  grant_hash: string | null
  account_id: string | null
  payload: Record<string, unknown>
  expires_at: Instant
}

declare module '../../base/json-columns.ts' {
  interface JsonColumns {
    'oidc_item.payload': Item['payload']
  }
}

/** Stores an item, or its new state. */
export async function keepItem(db: Db, item: Item): Promise<void> {
  const row = newColumns('oidc_item', item)
  await db
    .insertInto('oidc_item')
    .values({ ...row, consumed_at: null })
    .onConflict(conflict => conflict.columns(['kind', 'id_hash']).doUpdateSet(row))
    .execute()
}

/** Returns an item that has not expired, by the hash of its id or by its uid. */
export async function itemBy(
  db: Db,
  column: 'id_hash' | 'uid_hash',
  kind: string,
  hash: string,
  now: Instant,
): Promise<{ payload: Record<string, unknown>; consumed_at: Instant | null } | null> {
  const row = await db
    .selectFrom('oidc_item')
    .select(['payload', 'consumed_at'])
    .where('kind', '=', kind)
    .where(column, '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** Marks an item as used; false if it has already been used. Of two uses at the same time, only the first succeeds. */
export async function consumeItem(db: Db, kind: string, id_hash: string, now: Instant): Promise<boolean> {
  const rows = await db
    .updateTable('oidc_item')
    .set({ consumed_at: now })
    .where('kind', '=', kind)
    .where('id_hash', '=', id_hash)
    .where('consumed_at', 'is', null)
    .returning('id_hash')
    .execute()
  return rows.length > 0
}

/** Deletes an item; false if there is none. Of two deletions at the same time, only the first returns true. */
export async function dropItem(db: Db, kind: string, id_hash: string): Promise<boolean> {
  const gone = await db.deleteFrom('oidc_item').where('kind', '=', kind).where('id_hash', '=', id_hash).executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Deletes the items of a grant: those of one kind, or all of them with the grant itself. */
export async function dropGrant(db: Db, grant_hash: string, kind?: string): Promise<void> {
  let query = db.deleteFrom('oidc_item').where('grant_hash', '=', grant_hash)
  query = kind === undefined ? query.where('kind', '<>', 'Session') : query.where('kind', '=', kind)
  await query.execute()
}

/** Returns the grant that an item belongs to. */
export async function grantOf(db: Db, kind: string, id_hash: string): Promise<string | null> {
  const row = await db
    .selectFrom('oidc_item')
    .select('grant_hash')
    .where('kind', '=', kind)
    .where('id_hash', '=', id_hash)
    .executeTakeFirst()
  return row?.grant_hash ?? null
}

/** Records that a session was used, on which device. */
export async function noteUse(db: Db, grant_hash: string, at: Instant, device: string | null): Promise<void> {
  await db.updateTable('oidc_item').set({ used_at: at, device }).where('kind', '=', 'Grant').where('grant_hash', '=', grant_hash).execute()
}

/** Returns when a session was last used; null if no app has used it yet. */
export async function lastUseOf(db: Db, grant_hash: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('oidc_item')
    .select('used_at')
    .where('kind', '=', 'Grant')
    .where('grant_hash', '=', grant_hash)
    .executeTakeFirst()
  return row?.used_at ?? null
}

/** A device on which a person is signed in. */
export type SessionRow = { family: string; device: string | null; signed_in_at: Instant; used_at: Instant }

/** Lists the sessions of an account that were used after `since`, the last used first. */
export async function sessionsOf(db: Db, account_id: Id, now: Instant, since: Instant): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    with held as (
      select grant_hash, max(coalesce((payload ->> 'loginTs')::double precision, (payload ->> 'authTime')::double precision)) as signed_in from oidc_item
      where account_id = ${account_id} and kind in ('Session', 'RefreshToken') and consumed_at is null and expires_at > ${now} group by grant_hash),
    session as (
      select g.grant_hash as family, g.device, to_timestamp(held.signed_in)::timestamptz(3) as signed_in_at,
        greatest(g.used_at, to_timestamp(held.signed_in)::timestamptz(3)) as used_at
      from held join oidc_item g on g.kind = 'Grant' and g.grant_hash = held.grant_hash where g.account_id = ${account_id} and g.expires_at > ${now})
    select * from session where used_at > ${since} order by used_at desc, family`.execute(db)
  return rows
}

/** Ends one session of an account, with everything that belongs to it. Returns its device; null if there is no such session. */
export async function dropSession(db: Db, account_id: Id, family: string): Promise<{ device: string | null } | null> {
  const rows = await db
    .deleteFrom('oidc_item')
    .where('account_id', '=', account_id)
    .where('grant_hash', '=', family)
    .returning(['kind', 'device'])
    .execute()
  const grant = rows.find(row => row.kind === 'Grant')
  return grant === undefined ? null : { device: grant.device }
}

/** Ends the sessions of an account with everything that belongs to them, except those of one grant. Returns the sessions that were ended. */
export async function dropSessions(db: Db, account_id: Id, but_grant: string | null): Promise<string[]> {
  let query = db.deleteFrom('oidc_item').where('account_id', '=', account_id)
  if (but_grant !== null) query = query.where(eb => eb.or([eb('grant_hash', 'is', null), eb('grant_hash', '<>', but_grant)]))
  const rows = await query.returning('grant_hash').execute()
  return [...new Set(rows.flatMap(row => row.grant_hash ?? []))]
}

/** Deletes expired items and emailed tokens. */
export async function dropEnded(db: Db, now: Instant): Promise<number> {
  const items = await db.deleteFrom('oidc_item').where('expires_at', '<', now).executeTakeFirst()
  const tokens = await db.deleteFrom('account_token').where('expires_at', '<', now).executeTakeFirst()
  return Number(items.numDeletedRows) + Number(tokens.numDeletedRows)
}
