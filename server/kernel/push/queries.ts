import type { Instant } from '../../../shared/time.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { hold } from '../records/door.ts'

/** A device of a person. */
export type SubscriptionRow = {
  endpoint_hash: string
  id: Id
  user_id: Id
  endpoint: string
  p256dh: string
  auth: string
  vapid_key_id: string
  device_label: string | null
  expires_at: Instant | null
  created_at: Instant
  last_success_at: Instant | null
  failures: number
  /** The session at the built-in provider in which the device was subscribed. */
  session_family: string | null
}

/** Lists the devices of a person, newest first. */
export async function subscriptionsOf(db: Db, user_id: Id): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('push_subscription')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Returns whether push can reach a person: they have a device, and their account can sign in. Expired devices are deleted at night. */
export async function reachable(db: Db, user_id: Id): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`
    select exists (select 1 from push_subscription s join app_user u on u.id = s.user_id
      where s.user_id = ${user_id} and u.disabled_at is null) as there`.execute(db)
  return rows[0]?.there ?? false
}

/** A device, with the attempts to send it a message. */
export type Target = SubscriptionRow & {
  first_at: Instant | null
  tries: number | null
  state: 'sent' | 'failed' | 'waiting' | null
  not_before: Instant | null
}

/** Lists the devices that a person's message goes to, with the attempts for each. */
export async function targetsOf(db: Db, user_id: Id, message_id: Id, now: Instant): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select s.*, p.first_at, p.tries, p.state, p.not_before from push_subscription s join app_user u on u.id = s.user_id and u.disabled_at is null
    left join push_send p on p.endpoint_hash = s.endpoint_hash and p.message_id = ${message_id}
    where s.user_id = ${user_id} and (s.expires_at is null or s.expires_at > ${now}::timestamptz) order by s.created_at desc`.execute(db)
  return rows
}

/** Records an attempt to send a message to a device, and what it shows about the device. */
export async function noteTry(
  db: Db,
  row: {
    endpoint_hash: string
    message_id: Id
    first_at: Instant
    gone_at: Instant
    tries: number
    state: string
    not_before: Instant | null
  },
  now: Instant,
): Promise<void> {
  // If the device has been deleted meanwhile, there is nothing to record.
  await sql`
    with device as (
      update push_subscription set last_success_at = case when ${row.state} = 'sent' then ${now}::timestamptz else last_success_at end,
        failures = case when ${row.state} = 'sent' then 0 else failures + 1 end
      where endpoint_hash = ${row.endpoint_hash} returning endpoint_hash)
    insert into push_send (endpoint_hash, message_id, first_at, gone_at, tries, state, not_before)
    select endpoint_hash, ${row.message_id}::uuid, ${row.first_at}::timestamptz, ${row.gone_at}::timestamptz, ${row.tries}::integer, ${row.state}, ${row.not_before}::timestamptz from device
    on conflict (endpoint_hash, message_id) do update set tries = excluded.tries, state = excluded.state, not_before = excluded.not_before`.execute(
    db,
  )
}

/**
 * Inserts a device, or renews the keys of an existing one. A device of another person moves to this person, as a new one. Returns whether it is new
 * to them.
 */
export async function putSubscription(db: Db, row: Omit<SubscriptionRow, 'last_success_at' | 'failures'>): Promise<boolean> {
  const { endpoint_hash, user_id, p256dh, auth, vapid_key_id, device_label, expires_at, session_family } = row
  await db.deleteFrom('push_subscription').where('endpoint_hash', '=', endpoint_hash).where('user_id', '<>', user_id).execute()
  const { numUpdatedRows } = await db
    .updateTable('push_subscription')
    .set({ p256dh, auth, vapid_key_id, device_label, expires_at, session_family, failures: 0 })
    .where('endpoint_hash', '=', endpoint_hash)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return false
  await db.insertInto('push_subscription').values(row).execute()
  return true
}

/** Deletes the person's least recently used devices, so that `most` are left; never the one that was just saved. */
export async function dropBeyond(db: Db, user_id: Id, most: number, but: string): Promise<void> {
  await sql`
    delete from push_subscription where endpoint_hash in (
      select endpoint_hash from push_subscription where user_id = ${user_id}
      order by endpoint_hash = ${but} desc, greatest(last_success_at, created_at) desc, id desc offset ${most})`.execute(db)
}

/** Deletes a device; with `user_id`, only if it belongs to this person. */
export async function dropSubscription(db: Db, endpoint_hash: string, user_id: Id | null): Promise<void> {
  await sql`delete from push_subscription where endpoint_hash = ${endpoint_hash} ${user_id === null ? sql`` : sql`and user_id = ${user_id}`}`.execute(
    db,
  )
}

/** Deletes every device of a person. */
export async function dropDevicesOf(db: Db, user_id: Id): Promise<void> {
  await sql`delete from push_subscription where user_id = ${user_id}`.execute(db)
}

/** Deletes the devices that were subscribed in these sessions. */
export async function dropDevicesOfSessions(db: Db, families: readonly string[]): Promise<void> {
  await sql`delete from push_subscription where session_family = any(${families}::text[])`.execute(db)
}

/** Deletes expired devices, and records of messages that are no longer useful. Returns the number of devices. */
export async function dropOver(db: Db, now: Instant): Promise<number> {
  await sql`delete from push_send where gone_at <= ${now}::timestamptz`.execute(db)
  const { rows } = await sql<{ n: number }>`
    with gone as (delete from push_subscription where expires_at <= ${now}::timestamptz returning 1) select count(*) as n from gone`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Counts the messages to devices since an instant: those that a push service accepted, and those that it refused, or hasn't accepted after two attempts. */
export async function sendsSince(db: Db, since: Instant): Promise<{ sent: number; unsent: number }> {
  const { rows } = await sql<{ sent: number; unsent: number }>`
    select count(*) filter (where state = 'sent')::integer as sent, count(*) filter (where state = 'failed' or state = 'waiting' and tries > 1)::integer as unsent
    from push_send where first_at > ${since}::timestamptz`.execute(db)
  return rows[0] ?? { sent: 0, unsent: 0 }
}

/** A VAPID key. */
export type KeyRow = { id: string; public_key: string; private_key: string; made_at: Instant }

/** Lists every VAPID key that this installation has ever used, newest first. */
export async function keysOf(db: Db): Promise<KeyRow[]> {
  return db.selectFrom('push_key').selectAll().orderBy('made_at', 'desc').orderBy('id').execute()
}

/** Stores a key; with `only_first`, only if there is none yet: if several processes make one, the first wins. */
export async function keepKey(db: Db, row: KeyRow, only_first: boolean): Promise<void> {
  await db.transaction().execute(async trx => {
    await hold({ db: trx }, 'push keys')
    await sql`
      insert into push_key (id, public_key, private_key, made_at)
      select ${row.id}, ${row.public_key}, ${row.private_key}, ${row.made_at}::timestamptz
      ${only_first ? sql`where not exists (select 1 from push_key)` : sql``} on conflict (id) do nothing`.execute(trx)
  })
}
