import { type Instant, later, MINUTE } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** What the notifications of one kind for an event have in common. */
export type Shared = {
  site_id: Id
  event_id: Id | null
  event_no: number | null
  kind: string
  urgency: string
  title: string
  body: string
  subject_kind: string
  subject_id: Id
  subject_label: string
  link: string | null
  facts: Record<string, unknown>
  rule_id: Id | null
  rule_version: number | null
}

/** One person's notification, and the state of each channel. `message_id`: the id of a new message if none is waiting. */
export type Notified = {
  id: Id
  user_id: Id
  because: unknown[]
  in_app: boolean
  sends: { id: Id; channel: string; state: string; detail: string | null; due_at: Instant | null; message_id: Id | null }[]
}

/** How long a message waits for further notifications of its kind. The next message of the kind is sent at least a minute later. */
const GATHER_SECONDS: Record<string, number> = { email: 10, push: 1 }

/**
 * Creates the notifications of an event for all recipients at once, with their sends, and collects emails and push messages: one message for each
 * person, site and kind. People who were already notified are left out. Returns those who were notified now.
 */
export async function insertNotifications(
  db: Db,
  shared: Shared,
  people: readonly Notified[],
  now: Instant,
): Promise<{ id: Id; user_id: Id }[]> {
  const { facts, ...flat } = shared
  const sends = people.flatMap(person => person.sends.map(send => ({ ...send, notification_id: person.id, user_id: person.user_id })))
  const waits = shared.urgency === 'critical' ? {} : GATHER_SECONDS
  const { rows } = await sql<{ id: Id; user_id: Id }>`
    with made as (
      insert into notification (site_id, id, user_id, event_id, event_no, kind, urgency, title, body, subject_kind, subject_id, subject_label, link, facts,
        rule_id, rule_version, because, in_app, created_at, updated_at)
      select ${flat.site_id}, p.id, p.user_id, ${flat.event_id}, ${flat.event_no}, ${flat.kind}, ${flat.urgency}, ${flat.title}, ${flat.body}, ${flat.subject_kind},
        ${flat.subject_id}, ${flat.subject_label}, ${flat.link}, ${jsonb(facts)}::jsonb, ${flat.rule_id}, ${flat.rule_version}, p.because, p.in_app, ${now}, ${now}
      from jsonb_to_recordset(${jsonb(people.map(({ sends: _, ...person }) => person))}::jsonb) as p (id uuid, user_id uuid, because jsonb, in_app boolean)
      -- A test has the same id when it is sent again, so that either key of the row may be taken.
      on conflict do nothing returning id, user_id),
    wanted as (
      select s.*, m.user_id as told from jsonb_to_recordset(${jsonb(sends)}::jsonb)
        as s (id uuid, notification_id uuid, user_id uuid, channel text, state text, detail text, due_at timestamptz, message_id uuid)
      join made m on m.id = s.notification_id),
    gathered as (
      insert into notification_message (site_id, id, user_id, channel, kind, urgency, created_at, due_at)
      select ${flat.site_id}, w.message_id, w.user_id, w.channel, ${flat.kind}, ${flat.urgency}, ${now},
        greatest(${now}::timestamptz + make_interval(secs => coalesce((${jsonb(waits)}::jsonb ->> w.channel)::int, 0)),
          ${
            shared.urgency === 'critical'
              ? sql`null`
              : sql`(select max(b.due_at) + interval '60 seconds' from notification_message b where b.site_id = ${flat.site_id} and b.user_id = w.user_id
            and b.channel = w.channel and b.kind = ${flat.kind} and b.created_at > ${later(now, -2 * MINUTE)} and b.state <> 'queued')`
          })
      from wanted w where w.state = 'queued'
      on conflict (site_id, user_id, channel, kind) where state = 'queued' and attempts = 0 do update set urgency = excluded.urgency
      returning id, user_id, channel),
    sent as (
      insert into notification_send (site_id, id, notification_id, user_id, channel, state, detail, at, due_at, message_id)
      select ${flat.site_id}, w.id, w.notification_id, w.user_id, w.channel, w.state, w.detail, ${now}, w.due_at, g.id
      from wanted w left join gathered g on w.state = 'queued' and g.user_id = w.user_id and g.channel = w.channel)
    select id, user_id from made`.execute(db)
  return rows
}

/** Counts a rule's notifications in the present hour, and records whether it is paused. */
export async function countRule(
  db: Db,
  site_id: Id,
  rule_id: Id,
  hour: Instant,
  more: { reached: number; paused: boolean },
): Promise<void> {
  await sql`
    insert into notification_rule_hour as h (site_id, rule_id, hour, fired, reached, paused) values (${site_id}, ${rule_id}, ${hour}, 1, ${more.reached}, ${more.paused})
    on conflict (site_id, rule_id, hour) do update set fired = h.fired + 1, reached = h.reached + excluded.reached, paused = h.paused or excluded.paused`.execute(
    db,
  )
}

/** Returns what a rule did in an hour. */
export async function ruleHour(db: Db, site_id: Id, rule_id: Id, hour: Instant): Promise<{ reached: number; paused: boolean }> {
  const row = await db
    .selectFrom('notification_rule_hour')
    .select(['reached', 'paused'])
    .where('site_id', '=', site_id)
    .where('rule_id', '=', rule_id)
    .where('hour', '=', hour)
    .executeTakeFirst()
  return row ?? { reached: 0, paused: false }
}

/** Returns what rules have done since an instant, and whether they are paused in the present hour. */
export async function ruleCounts(
  db: Db,
  site_id: Id,
  since: Instant,
  hour: Instant,
): Promise<Map<Id, { fired: number; reached: number; paused: boolean }>> {
  const { rows } = await sql<{ rule_id: Id; fired: number; reached: number; paused: boolean }>`
    select rule_id, sum(fired)::int as fired, sum(reached)::int as reached, coalesce(bool_or(paused) filter (where hour = ${hour}), false) as paused
    from notification_rule_hour where site_id = ${site_id} and hour >= ${since} group by rule_id`.execute(db)
  return new Map(rows.map(({ rule_id, ...counts }) => [rule_id, counts]))
}

/** Deletes counts of past hours that are no longer used. */
export async function dropOldHours(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('notification_rule_hour').where('hour', '<', before).execute()
}
