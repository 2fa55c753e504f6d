import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { andAmong } from '../../../base/plans.ts'
import { mentions } from '../../listing/door.ts'

/** A notification in its present state, with its sends. */
export type NotificationRow = {
  site_id: Id
  id: Id
  user_id: Id
  event_id: Id | null
  kind: string
  urgency: 'info' | 'attention' | 'critical'
  title: string
  body: string
  subject_kind: string
  subject_id: Id
  subject_label: string
  link: string | null
  facts: Record<string, unknown>
  rule_id: Id | null
  rule_version: number | null
  because: unknown[]
  in_app: boolean
  created_at: Instant
  updated_at: Instant
  read_at: Instant | null
  settled_at: Instant | null
  settled_event_id: Id | null
  sends: { channel: string; state: string; at: Instant; detail: string | null }[]
}

/** The filters of an inbox. */
export type InboxFilter = {
  ids?: readonly Id[]
  unread?: boolean
  kinds?: readonly string[]
  urgencies?: readonly string[]
  subject_kind?: readonly string[]
  subject_id?: readonly Id[]
  q?: string
  from?: Instant
  to?: Instant
  updated_since?: Instant
}

const SENDS = sql`(select coalesce(jsonb_agg(jsonb_build_object('channel', s.channel, 'state', s.state, 'detail', s.detail,
    'at', to_char(s.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by array_position(array['in_app', 'email', 'push'], s.channel)), '[]')
  from notification_send s where s.site_id = n.site_id and s.notification_id = n.id) as sends`

/** Lists a person's notifications on these sites: newest first, then by id. Each site's part is read from its index and limited before the parts are merged. */
export async function inboxOf(
  db: Db,
  user_id: Id,
  site_ids: readonly Id[],
  filter: InboxFilter,
  page: { limit: number; after: readonly (string | number | null)[] | null },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select n.*, ${SENDS} from unnest(${site_ids}::uuid[]) s (site_id) cross join lateral (
      select i.* from notification i where i.site_id = s.site_id and i.user_id = ${user_id} and i.in_app
        ${filter.ids === undefined ? sql`` : sql`and i.id = any(${filter.ids}::uuid[])`}
        ${filter.unread === undefined ? sql`` : filter.unread ? sql`and i.read_at is null` : sql`and i.read_at is not null`}
        ${filter.kinds === undefined ? sql`` : sql`and i.kind = any(${filter.kinds}::text[])`}
        ${filter.urgencies === undefined ? sql`` : sql`and i.urgency = any(${filter.urgencies}::text[])`}
        ${andAmong('i.subject_kind', filter.subject_kind, 'text')}
        ${andAmong('i.subject_id', filter.subject_id, 'uuid')}
        ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`i.title`, sql`i.body`], filter.q)}`}
        ${filter.from === undefined ? sql`` : sql`and i.created_at >= ${filter.from}`}
        ${filter.to === undefined ? sql`` : sql`and i.created_at < ${filter.to}`}
        ${filter.updated_since === undefined ? sql`` : sql`and i.updated_at >= ${filter.updated_since}`}
        ${page.after === null ? sql`` : sql`and (i.created_at, i.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`}
      order by i.created_at desc, i.id desc limit ${page.limit}) n
    order by n.created_at desc, n.id desc limit ${page.limit}`.execute(db)
  return rows
}

/** Returns one notification; with `lock`, locks it for a change. */
export async function notificationRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<NotificationRow | null> {
  const { rows } = await sql<NotificationRow>`
    select n.*, ${SENDS} from notification n where n.site_id = ${site_id} and n.id = ${id} ${lock ? sql`for update of n` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

type Unread = { site_id: Id; urgency: string; n: number }

/** The query of `unreadOf`: it reads nothing but the index of unread notifications, so read ones cost nothing. */
export const unreadQuery = (user_id: Id, site_ids: readonly Id[]) => sql<Unread>`
    select s.site_id, u.urgency, u.n from unnest(${site_ids}::uuid[]) s (site_id) cross join lateral (
      select i.urgency, count(*) as n from notification i
      where i.site_id = s.site_id and i.user_id = ${user_id} and i.in_app and i.read_at is null group by i.urgency) u
    order by s.site_id`

/** Counts a person's unread notifications by site and urgency. */
export const unreadOf = async (db: Db, user_id: Id, site_ids: readonly Id[]): Promise<Unread[]> =>
  (await unreadQuery(user_id, site_ids).execute(db)).rows

/** Lists the notifications in the app that these events have made, or made pointless, by person. */
export async function notifiedOf(db: Db, site_id: Id, event_ids: readonly Id[]): Promise<Map<Id, Id[]>> {
  const { rows } = await sql<{ user_id: Id; ids: Id[] }>`
    select user_id, array_agg(id order by id) as ids from (
      select user_id, id from notification where site_id = ${site_id} and event_id = any(${event_ids}::uuid[]) and in_app
      union select user_id, id from notification where site_id = ${site_id} and settled_event_id = any(${event_ids}::uuid[]) and in_app) n
    group by user_id`.execute(db)
  return new Map(rows.map(row => [row.user_id, row.ids]))
}

/** Marks one notification as read or unread. */
export async function markOne(db: Db, site_id: Id, id: Id, read_at: Instant | null, now: Instant): Promise<void> {
  await db.updateTable('notification').set({ read_at, updated_at: now }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Marks all of a person's notifications up to an instant as read; returns how many on each site. */
export async function markAll(
  db: Db,
  user_id: Id,
  site_ids: readonly Id[],
  filter: { kind?: string; up_to: Instant },
  now: Instant,
): Promise<{ site_id: Id; n: number }[]> {
  const { rows } = await sql<{ site_id: Id; n: number }>`
    with marked as (
      update notification set read_at = ${now}, updated_at = ${now}
      where site_id = any(${site_ids}::uuid[]) and user_id = ${user_id} and in_app and read_at is null and created_at <= ${filter.up_to}
        ${filter.kind === undefined ? sql`` : sql`and kind = ${filter.kind}`}
      returning site_id)
    select site_id, count(*) as n from marked group by site_id order by site_id`.execute(db)
  return rows.map(row => ({ site_id: row.site_id, n: Number(row.n) }))
}

/** Deletes notifications that were read or made before these times; returns their ids. */
export async function dropOldNotifications(db: Db, read_before: Instant, made_before: Instant, limit: number): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    delete from notification where (site_id, id) in (
      (select site_id, id from notification where read_at < ${read_before} limit ${limit}) union
      (select site_id, id from notification where created_at < ${made_before} limit ${limit})) returning id`.execute(db)
  return rows.map(row => row.id)
}
