import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A message to send. */
export type MessageRow = {
  site_id: Id
  id: Id
  user_id: Id
  channel: 'email' | 'push'
  kind: string
  urgency: 'info' | 'attention' | 'critical'
  created_at: Instant
  attempts: number
  lost: number
}

/** A notification in a message. */
export type CarriedRow = {
  notification_id: Id
  kind: string
  title: string
  body: string
  subject_kind: string
  subject_id: Id
  link: string | null
  created_at: Instant
  urgency: string
}

/**
 * Claims messages that are due, under a lease, so that no other process sends them meanwhile. If a process ended while it was passing a message to the
 * relay, the message is sent once more and then never again; if it ended before that, the message counts as new.
 */
export async function takeDue(db: Db, now: Instant, lease_until: Instant, limit: number): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    with fresh as (
      select site_id, id from notification_message where state = 'queued' and due_at <= ${now} order by due_at limit ${limit} for update skip locked),
    lost as (
      select site_id, id from notification_message where state = 'sending' and lease_until < ${now} and not (began and lost >= 1) limit ${limit} for update skip locked),
    due as (select * from fresh union all select * from lost),
    taken as (
      update notification_message m set lost = m.lost + case when m.state = 'sending' and m.began then 1 else 0 end, began = false, state = 'sending', lease_until = ${lease_until},
        attempts = m.attempts + 1
      from due where m.site_id = due.site_id and m.id = due.id returning m.*),
    told as (
      update notification_send s set state = 'sending', at = ${now} from taken t where s.site_id = t.site_id and s.message_id = t.id)
    select site_id, id, user_id, channel, kind, urgency, created_at, attempts, lost from taken order by created_at, id`.execute(db)
  return rows
}

/** Ends messages whose second attempt was also interrupted. */
export async function giveUpLost(db: Db, now: Instant): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with given_up as (
      update notification_message set state = 'failed', ended_at = ${now} where state = 'sending' and lease_until < ${now} and began and lost >= 1 returning site_id, id),
    told as (
      update notification_send s set state = 'failed', at = ${now}, detail = 'broken_off' from given_up g where s.site_id = g.site_id and s.message_id = g.id)
    select count(*)::int as n from given_up`.execute(db)
  return rows[0]?.n ?? 0
}

/** Records that the message is now being passed to the relay. */
export async function beginDialogue(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.updateTable('notification_message').set({ began: true }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Lists the notifications in a message, in the order in which they were made. */
export async function carriedBy(db: Db, site_id: Id, message_id: Id): Promise<CarriedRow[]> {
  const { rows } = await sql<CarriedRow>`
    select n.id as notification_id, n.kind, n.title, n.body, n.subject_kind, n.subject_id, n.link, n.created_at, n.urgency
    from notification_send s join notification n on n.site_id = s.site_id and n.id = s.notification_id
    where s.site_id = ${site_id} and s.message_id = ${message_id} order by n.created_at, n.id`.execute(db)
  return rows
}

/** Records the outcome of a message, or when it is tried again, on the message and its sends. */
export async function endMessage(
  db: Db,
  message: Pick<MessageRow, 'site_id' | 'id'>,
  end: { state: string; detail: string | null; now: Instant; due_at: Instant | null },
): Promise<void> {
  const { site_id, id } = message
  const waits = end.due_at !== null
  await sql`
    with ended as (
      update notification_message set state = ${waits ? 'queued' : end.state}, lease_until = null, began = false, due_at = coalesce(${end.due_at}::timestamptz, due_at),
        ended_at = ${waits ? null : end.now} where site_id = ${site_id} and id = ${id} returning id)
    update notification_send s set state = ${waits ? 'queued' : end.state}, detail = ${end.detail}, at = ${end.now}, due_at = ${end.due_at}
    from ended e where s.site_id = ${site_id} and s.message_id = e.id`.execute(db)
}

/** Removes notifications from a message that are not to be sent after all. */
export async function leaveOut(
  db: Db,
  site_id: Id,
  message_id: Id,
  notification_ids: readonly Id[],
  detail: string,
  now: Instant,
): Promise<void> {
  await sql`
    update notification_send set state = 'skipped', detail = ${detail}, at = ${now}, message_id = null
    where site_id = ${site_id} and message_id = ${message_id} and notification_id = any(${notification_ids}::uuid[])`.execute(db)
}

/** Selects the delayed notifications `s` that are now due and whose site isn't locked, or whose kind is sent on a locked site, too. */
const isDue = (now: Instant, on_locked: readonly string[]) => sql`s.state = 'held' and s.due_at <= ${now} and (
  n.kind = any(${on_locked}::text[]) or not exists (select 1 from site l where l.site_id = s.site_id and l.locked_at is not null))`

/** Lists the people who have delayed notifications that are now due. */
export async function heldDue(
  db: Db,
  now: Instant,
  on_locked: readonly string[],
  limit: number,
): Promise<{ site_id: Id; user_id: Id; channel: 'email' | 'push' }[]> {
  const { rows } = await sql<{ site_id: Id; user_id: Id; channel: 'email' | 'push' }>`
    select distinct s.site_id, s.user_id, s.channel
    from notification_send s join notification n on n.site_id = s.site_id and n.id = s.notification_id
    where ${isDue(now, on_locked)} order by s.site_id, s.user_id, s.channel limit ${limit}`.execute(db)
  return rows
}

/** Lists a person's delayed notifications that are now due, locked, with the facts that decide whether they are still needed. */
export async function heldFor(
  db: Db,
  who: { site_id: Id; user_id: Id; channel: string },
  now: Instant,
  on_locked: readonly string[],
): Promise<{ send_id: Id; kind: string; subject_id: Id; event_no: number | null; read: boolean; created_at: Instant; urgency: string }[]> {
  const { rows } = await sql<{
    send_id: Id
    kind: string
    subject_id: Id
    event_no: number | null
    read: boolean
    created_at: Instant
    urgency: string
  }>`
    select s.id as send_id, n.kind, n.subject_id, n.event_no, n.read_at is not null as read, n.created_at, n.urgency
    from notification_send s join notification n on n.site_id = s.site_id and n.id = s.notification_id
    where s.site_id = ${who.site_id} and s.user_id = ${who.user_id} and s.channel = ${who.channel} and ${isDue(now, on_locked)}
    order by n.created_at, n.id for update of s skip locked`.execute(db)
  return rows
}

/** Returns whether an event of these kinds happened to a subject after an event. */
export async function happenedSince(db: Db, site_id: Id, subject_id: Id, event_no: number, kinds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from event where site_id = ${site_id} and event_no > ${event_no} and kind = any(${kinds}::text[])
      and (subject_id = ${subject_id} or starts_with(kind, 'map_entity.') and payload -> 'ids' @> to_jsonb(${subject_id}::text)) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Skips delayed notifications that are no longer needed. */
export async function skipHeld(db: Db, site_id: Id, send_ids: readonly Id[], detail: string, now: Instant): Promise<void> {
  await sql`
    update notification_send set state = 'skipped', detail = ${detail}, at = ${now}, due_at = null where site_id = ${site_id} and id = any(${send_ids}::uuid[])`.execute(
    db,
  )
}

/** Puts delayed notifications into one message that is sent now. */
export async function gatherHeld(
  db: Db,
  message: { site_id: Id; id: Id; user_id: Id; channel: string; kind: string; urgency: string },
  send_ids: readonly Id[],
  now: Instant,
): Promise<void> {
  const { site_id, id, user_id, channel, kind, urgency } = message
  await sql`
    with made as (
      insert into notification_message (site_id, id, user_id, channel, kind, urgency, created_at, due_at)
      values (${site_id}, ${id}, ${user_id}, ${channel}, ${kind}, ${urgency}, ${now}, ${now})
      on conflict (site_id, user_id, channel, kind) where state = 'queued' and attempts = 0 do update set urgency = excluded.urgency returning id)
    update notification_send s set state = 'queued', at = ${now}, due_at = null, message_id = made.id from made
    where s.site_id = ${site_id} and s.id = any(${send_ids}::uuid[])`.execute(db)
}

/** Returns the age in seconds of the oldest message that is ready to send; null if there is none. */
export async function oldestDueSeconds(db: Db, now: Instant): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from ${now}::timestamptz - min(due_at))::float8 as seconds from notification_message where state = 'queued' and due_at <= ${now}`.execute(
    db,
  )
  return rows[0]?.seconds ?? null
}

/** Deletes messages that ended before this time. */
export async function dropOldMessages(db: Db, before: Instant): Promise<void> {
  await sql`update notification_send s set message_id = null from notification_message m
    where m.ended_at < ${before} and s.site_id = m.site_id and s.message_id = m.id`.execute(db)
  await db.deleteFrom('notification_message').where('ended_at', '<', before).execute()
}

/** Records a report about a message on its sends. */
export async function noteReport(
  db: Db,
  message_id: Id,
  state: 'bounced' | 'complained',
  detail: string | null,
  now: Instant,
): Promise<void> {
  await sql`update notification_send set state = ${state}, detail = ${detail}, at = ${now}
    where (site_id, message_id) in (select site_id, id from notification_message where id = ${message_id})`.execute(db)
}

/** How one channel of a test did so far, and when the test began. */
export type TriedSend = { channel: 'in_app' | 'email' | 'push'; state: string; detail: string | null; began_at: Instant }

/** Returns the state of each channel of a test. */
export async function triedSends(db: Db, site_id: Id, notification_id: Id): Promise<TriedSend[]> {
  const { rows } = await sql<TriedSend>`
    select s.channel, s.state, s.detail, n.created_at as began_at from notification_send s join notification n on n.site_id = s.site_id and n.id = s.notification_id
    where s.site_id = ${site_id} and s.notification_id = ${notification_id} order by array_position(array['in_app', 'email', 'push'], s.channel)`.execute(
    db,
  )
  return rows
}

/** Records the result of one channel of a test. */
export async function noteTried(
  db: Db,
  site_id: Id,
  notification_id: Id,
  channel: string,
  set: { state: string; detail: string; at: Instant },
): Promise<void> {
  await db
    .updateTable('notification_send')
    .set(set)
    .where('site_id', '=', site_id)
    .where('notification_id', '=', notification_id)
    .where('channel', '=', channel)
    .execute()
}

/** Cancels every waiting or delayed message, in a copy of a database whose original sends them itself. Returns the number of sends. */
export async function callOffMessages(db: Db, now: Instant): Promise<number> {
  await sql`update notification_message set state = 'skipped', lease_until = null, ended_at = ${now} where state in ('queued', 'sending')`.execute(
    db,
  )
  const { numAffectedRows } = await sql`
    update notification_send set state = 'skipped', detail = 'called_off', at = ${now}, due_at = null where state in ('queued', 'sending', 'held')`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
