import { get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { countUnread, listNotifications, markAllRead, markRead, shown } from './actions/inbox.ts'
import { testDispatch } from './actions/try.ts'
import { notification } from './door.ts'
import {
  MarkAllRead,
  Marked,
  MarkRead,
  Notification,
  NotificationFilter,
  TestDispatch,
  TestResults,
  Unread,
  UnreadFilter,
} from './schema.ts'

const one = '/notifications/:notification_id'

export const routes = [
  get('/notifications/', {
    name: 'notification.list',
    summary: 'List notifications',
    says: 'Returns the caller’s notifications on one site or on all their sites, newest first. Waits up to two seconds for notifications of events that have just happened.',
    access: { signed_in: true },
    query: NotificationFilter,
    reply: Type.Array(ref(Notification)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listNotifications(ctx, query)
      return page(rows, { next })
    },
  }),
  get('/notifications/unread-count', {
    name: 'notification.count_unread',
    summary: 'Count unread notifications',
    says: 'Returns how many of the caller’s notifications are unread: in total, by urgency and by site.',
    access: { signed_in: true },
    query: UnreadFilter,
    reply: ref(Unread),
    handle: ({ ctx, query }) => countUnread(ctx, query.site_id),
  }),
  post('/notifications/mark-all-read', {
    name: 'notification.mark_all_read',
    summary: 'Mark all notifications as read',
    says: 'Marks all of the caller’s notifications created up to `up_to` as read. Returns the number of notifications that were marked.',
    access: { signed_in: true },
    passes_lock: true,
    body: MarkAllRead,
    reply: ref(Marked),
    handle: ({ ctx, body }) => markAllRead(ctx, body),
  }),
  post('/notifications/_test_dispatch', {
    name: 'notification.test_dispatch',
    summary: 'Send a test notification',
    says: 'Sends one notification marked [TEST] and returns the result for each channel. Each person can send five an hour. With a rule, it is the message of that rule, so the caller must be able to see notification rules.',
    access: { signed_in: true },
    passes_lock: true,
    body: TestDispatch,
    reply: ref(TestResults),
    refuses: ['forbidden', 'not_found'],
    before: ({ ctx, body, wire }) => {
      const key = wire.headers['idempotency-key']
      return testDispatch(ctx, body, typeof key === 'string' ? key : null)
    },
    handle: ({ brought }) => brought,
  }),
  get(one, {
    name: 'notification.show',
    summary: 'Show a notification',
    says: 'Returns one of the caller’s notifications, without marking it as read.',
    access: { signed_in: true },
    on: notification,
    reply: ref(Notification),
    handle: ({ thing }) => shown(thing),
  }),
  post(`${one}/mark-read`, {
    name: 'notification.mark_read',
    summary: 'Mark a notification as read',
    says: 'Marks a notification as read, or as unread again.',
    access: { signed_in: true },
    passes_lock: true,
    on: notification,
    body: MarkRead,
    reply: ref(Notification),
    handle: ({ ctx, thing, body }) => markRead(ctx, thing, body.read ?? true),
  }),
]
