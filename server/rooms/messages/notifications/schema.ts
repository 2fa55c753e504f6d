import {
  anything,
  flag,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  record,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { CHANNELS, URGENCIES } from '../../../kernel/notices/domain/kinds.ts'

const STATES = ['delivered', 'skipped', 'held', 'queued', 'sending', 'sent', 'failed', 'suppressed', 'bounced', 'complained'] as const

const Send = shape('NotificationSend', 'An attempt to deliver a notification on a channel', {
  channel: oneOf(CHANNELS, 'Channel'),
  state: oneOf(STATES, 'State'),
  at: instant('Time when the current state began'),
  detail: orNull(
    text('Details of the state, such as the reason why nothing was sent; null if there are none', { max: 2000, example: 'preference' }),
  ),
})

export const Notification = shape('Notification', 'One notification for one person', {
  id: id('Notification'),
  site_id: id('Site'),
  kind: text('Built-in kind, or `rule:` with the id of a rule of the site', { max: 100, example: 'permit_expired_unclosed' }),
  urgency: oneOf(URGENCIES, 'Urgency'),
  title: text('Summary', { max: 200, example: 'Permit PTW-000123 has expired and isn’t closed out' }),
  body: text('Body; can be empty', { max: 1000 }),
  subject: object(
    {
      kind: text('Kind of record', { max: 60, example: 'permit' }),
      id: id('Record'),
      label: text('Record’s name when the notification was created', { max: 300 }),
    },
    'Subject',
  ),
  link: orNull(text('Path of the record’s page in the app; null if it has none', { max: 500 })),
  facts: record(anything('Value'), 'Event fields used in the text'),
  event_id: orNull(
    id('Event that caused the notification; in a test notification, the notification’s own id; null if the event is unknown'),
  ),
  rule_id: orNull(id('Rule that created the notification; null for a test without a rule')),
  rule_version: orNull(integer('Version of that rule; null for a test notification')),
  because: list(anything('A term of the audience, for example {"role": "hse"}'), 'Terms of the audience that include the recipient', {
    max: 20,
  }),
  created_at: instant('Creation time'),
  read_at: orNull(
    instant('Time when the notification was marked as read, by its recipient or because nothing is left to do; null while unread'),
  ),
  settled_at: orNull(
    instant(
      'Time from which nothing was left to do about it, because someone had done it or it was over: it was then marked as read; null if the recipient had read it before, or while something is left to do',
    ),
  ),
  sends: list(ref(Send), 'Channels, with the state of each', { max: 3 }),
})

export const NotificationFilter = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  unread: optional(flag('State of the notifications to return: true for unread ones, false for read ones; default both')),
  kind: optional(list(text('Kind', { max: 100, example: 'permit_expired_unclosed' }), 'Kinds', { max: 50 })),
  urgency: optional(list(oneOf(URGENCIES, 'Urgency'), 'Urgencies', { max: 3 })),
  subject_kind: optional(list(text('Kind of record', { max: 60, example: 'permit' }), 'Record kinds', { max: 100 })),
  subject_id: optional(list(id('Record'), 'Records', { max: 100 })),
  q: optional(text('Text to search for in titles and bodies', { max: 200, example: 'expired' })),
  from: optional(instant('Earliest creation time')),
  to: optional(instant('Latest creation time (exclusive)')),
  updated_since: optional(instant('Earliest time of the last change: creation, or marking as read or unread')),
  id: optional(list(id('Notification'), 'Ids', { max: 200 })),
  ...paging,
})
export type NotificationFilter = Static<typeof NotificationFilter>

export const UnreadFilter = object({ site_id: optional(id('Site; default: all sites of the caller')) })

export const Unread = shape('UnreadNotifications', 'Number of unread notifications', {
  unread: integer('Number of unread notifications'),
  by_urgency: object(
    {
      info: integer('Number of unread notifications that only inform'),
      attention: integer('Number of unread notifications that need attention'),
      critical: integer('Number of unread notifications that are critical'),
    },
    'Number of unread notifications, by urgency',
  ),
  by_site: list(
    object({ site_id: id('Site'), unread: integer('Number of unread notifications on that site') }),
    'Number of unread notifications, by site; sites without any are left out',
  ),
})

export const MarkRead = shape('MarkRead', 'Read state of a notification', {
  read: optional(flag('State to set: true for read, false for unread; default true', { example: true })),
})

export const MarkAllRead = shape('MarkAllRead', 'Notifications to mark as read', {
  site_id: optional(id('Site; default: all sites of the caller')),
  kind: optional(text('Kind', { max: 100, example: 'permit_expired_unclosed' })),
  up_to: optional(instant('Latest creation time; default now. Notifications created later stay unread')),
})

export const Marked = shape('Marked', 'Marked notifications', { marked: integer('Number of notifications that were marked as read') })

export const TestDispatch = shape('TestDispatch', 'A test notification', {
  site_id: id('Site'),
  channels: optional(list(oneOf(CHANNELS, 'Channel'), 'Channels; default all', { min: 1, max: 3, unique: true })),
  rule_id: optional(id('Rule whose text is used; default: a standard text')),
  user_id: optional(id('Recipient, a member of the site; default: the caller. Sending to others requires notification_rule_manage')),
})

const OUTCOMES = ['sent', 'queued', 'disabled', 'suppressed', 'no_subscription', 'not_configured', 'failed'] as const

export const TestResults = shape('TestResults', 'Result of each channel', {
  results: list(
    object({
      channel: oneOf(CHANNELS, 'Channel'),
      outcome: oneOf(OUTCOMES, 'Result'),
      detail: orNull(text('Details of the result; null if there are none', { max: 2000 })),
    }),
    'Results by channel',
    { max: 3 },
  ),
})
