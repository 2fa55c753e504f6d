import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import type { Static } from '../../../../base/schema.ts'
import { caughtUp, tellPeople } from '../../../../kernel/events/door.ts'
import type { Concerned, Heard } from '../../../../kernel/live/door.ts'
import {
  inboxOf,
  isKind,
  markAll,
  markOne,
  NOTIFIER,
  type NotificationRow,
  notificationRow,
  notifiedOf,
  unreadOf,
} from '../../../../kernel/notices/door.ts'
import { placesOf } from '../../../../kernel/tasks/door.ts'
import type { MarkAllRead, NotificationFilter } from '../schema.ts'

/** Returns a notification as its recipient sees it. */
export const shown = ({
  user_id: _u,
  in_app: _i,
  updated_at: _t,
  settled_event_id: _d,
  subject_kind,
  subject_id,
  subject_label,
  ...row
}: NotificationRow) => ({
  ...row,
  subject: { kind: subject_kind, id: subject_id, label: subject_label },
})

/** Returns the caller's sites (or the given one). Waits, at most two seconds, for the notifications of what happened there before this request. */
export async function upToDatePlaces(ctx: Ctx, site_id: Id | undefined): Promise<Id[]> {
  if (ctx.actor.id === null) return []
  const places = (await placesOf(ctx, ctx.actor.id, site_id ?? null)).map(place => place.site_id)
  await caughtUp(ctx.house, places, ({ name }) => name === NOTIFIER)
  return places
}

function knownKinds(kinds: readonly string[] | undefined): void {
  const strange = kinds?.find(kind => !isKind(kind))
  if (strange !== undefined)
    refuse(
      invalidField('kind', `contains ${strange}, which isn’t a kind of notification. See GET /notification-prefs/effective for the list.`),
    )
}

/** Lists the caller's notifications, newest first. */
export async function listNotifications(ctx: Ctx, query: NotificationFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { site_id, kind, urgency, id, limit = PAGE, cursor, ...rest } = query
  knownKinds(kind)
  const after = readCursor(cursor, 2)
  const places = await upToDatePlaces(ctx, site_id)
  const filter = {
    ...rest,
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(urgency === undefined ? {} : { urgencies: urgency }),
    ...(id === undefined ? {} : { ids: id }),
  }
  const found = await inboxOf(ctx.db, ctx.actor.id ?? '', places, filter, { limit: limit + 1, after })
  const { rows, next } = cut(found, limit, row => [row.created_at, row.id])
  return { rows: rows.map(shown), next }
}

/** Counts the caller's unread notifications. */
export async function countUnread(ctx: Ctx, site_id: Id | undefined): Promise<{ unread: number; [more: string]: unknown }> {
  const counts = await unreadOf(ctx.db, ctx.actor.id ?? '', await upToDatePlaces(ctx, site_id))
  const by_urgency: Record<string, number> = { info: 0, attention: 0, critical: 0 }
  const by_site = new Map<Id, number>()
  for (const { site_id: place, urgency, n } of counts) {
    by_urgency[urgency] = (by_urgency[urgency] ?? 0) + n
    by_site.set(place, (by_site.get(place) ?? 0) + n)
  }
  return {
    unread: counts.reduce((sum, { n }) => sum + n, 0),
    by_urgency,
    by_site: [...by_site].map(([place, unread]) => ({ site_id: place, unread })),
  }
}

/** Returns the people who got notifications of these events of a site, or whose notifications they have made pointless. Waits for the notifications to be made; everyone, if that takes more than two seconds. */
export async function concernedByNotifications(ctx: Ctx, site_id: Id, events: readonly Heard[]): Promise<Concerned> {
  const made = await caughtUp(ctx.house, [site_id], ({ name }) => name === NOTIFIER)
  const event_ids = events.map(event => event.id)
  return { everyone: !made, people: await notifiedOf(ctx.db, site_id, event_ids) }
}

/** Marks one notification as read, or as unread again. */
export async function markRead(ctx: Ctx, row: NotificationRow, read: boolean): Promise<unknown> {
  if ((row.read_at !== null) !== read) {
    await markOne(ctx.db, row.site_id, row.id, read ? ctx.now : null, ctx.now)
    await tellPeople(ctx.db, [{ user_id: row.user_id, thing: 'notification', site_id: row.site_id, ids: [row.id], more: false }])
  }
  const now = await notificationRow(ctx.db, row.site_id, row.id, false)
  return now === null ? refuse(notFound()) : shown(now)
}

/** Marks all notifications as read that came before an instant. */
export async function markAllRead(ctx: Ctx, body: Static<typeof MarkAllRead>): Promise<{ marked: number }> {
  const { site_id, kind, up_to = ctx.now } = body
  if (up_to > ctx.now) refuse(invalidField('up_to', 'is in the future. Send the current time or an earlier one.'))
  if (kind !== undefined) knownKinds([kind])
  const places = (await placesOf(ctx, ctx.actor.id ?? '', site_id ?? null)).map(place => place.site_id)
  const user_id = ctx.actor.id ?? ''
  const marked = await markAll(ctx.db, user_id, places, { up_to, ...(kind === undefined ? {} : { kind }) }, ctx.now)
  await tellPeople(
    ctx.db,
    marked.map(one => ({ user_id, thing: 'notification', site_id: one.site_id, ids: [], more: true })),
  )
  return { marked: marked.reduce((sum, { n }) => sum + n, 0) }
}
