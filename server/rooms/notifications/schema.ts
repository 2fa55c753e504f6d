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
} from '../../base/schema.ts'
import { CHANNELS, URGENCIES } from '../../kernel/notices/domain/kinds.ts'

const STATES = ['delivered', 'skipped', 'held', 'queued', 'sending', 'sent', 'failed', 'suppressed', 'bounced', 'complained'] as const

const Send = shape('NotificationSend', 'One try of a notification on a channel', {
  channel: oneOf(CHANNELS, 'Channel'),
  state: oneOf(STATES, 'How it went'),
  at: instant('Since when it stands so'),
  detail: orNull(text('Why, where it was not simply sent', { max: 2000, example: 'preference' })),
})

export const Notification = shape('Notification', 'One fact for one person', {
  id: id('Notification'),
  site_id: id('Site'),
  kind: text('Kind, of the registry or `rule:` with the id of a site’s own rule', { max: 100, example: 'permit_expired_unclosed' }),
  urgency: oneOf(URGENCIES, 'How much it presses'),
  title: text('What happened, in one line', { max: 200, example: 'Permit PTW-000123 expired and is not closed' }),
  body: text('More of it; may be empty', { max: 1000 }),
  subject: object(
    { kind: text('Kind of record', { max: 60, example: 'permit' }), id: id('Record'), label: text('As it was called then', { max: 300 }) },
    'What it is about',
  ),
  link: orNull(text('Web path; null: a click leads nowhere', { max: 500 })),
  facts: record(anything('Value'), 'Fields of the event that the words use'),
  event_id: orNull(id('Event that it tells of; null for a test')),
  rule_id: orNull(id('Rule that made it')),
  rule_version: orNull(integer('Version of the rule')),
  because: list(anything('A term of the audience, as {"role": "hse"}'), 'Why this person: the terms of the audience that brought him in', {
    max: 20,
  }),
  created_at: instant('When it was made'),
  read_at: orNull(instant('When it was read')),
  sends: list(ref(Send), 'By which channels it went, and how', { max: 3 }),
})

export const NotificationFilter = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  unread: optional(flag('Only those not read, or only those read')),
  kind: optional(list(text('Kind', { max: 100, example: 'permit_expired_unclosed' }), 'Kinds', { max: 50 })),
  urgency: optional(list(oneOf(URGENCIES, 'Urgency'), 'Urgencies', { max: 3 })),
  subject_kind: optional(text('Kind of record', { max: 60, example: 'permit' })),
  subject_id: optional(id('Record')),
  q: optional(text('Words in title or body', { min: 1, max: 200, example: 'expired' })),
  from: optional(instant('Made at this time or later')),
  to: optional(instant('Made before')),
  updated_since: optional(instant('Made or read at this time or later')),
  id: optional(list(id('Notification'), 'Only these', { max: 200 })),
  ...paging,
})
export type NotificationFilter = Static<typeof NotificationFilter>

export const UnreadFilter = object({ site_id: optional(id('Site; default: all sites of the caller')) })

export const Unread = shape('UnreadNotifications', 'How many notifications the caller has not read', {
  unread: integer('All of them'),
  by_urgency: object(
    { info: integer('That only inform'), attention: integer('That ask for attention'), critical: integer('That are critical') },
    'By urgency',
  ),
  by_site: list(object({ site_id: id('Site'), unread: integer('Not read there') }), 'By site; sites with none are left out'),
})

export const MarkRead = shape('MarkRead', 'Whether it was read', {
  read: optional(flag('False makes it unread again; default true', { example: true })),
})

export const MarkAllRead = shape('MarkAllRead', 'Which to mark as read', {
  site_id: optional(id('Site; default: all sites of the caller')),
  kind: optional(text('Only of this kind', { max: 100, example: 'permit_expired_unclosed' })),
  up_to: optional(instant('Only those made up to this time; default: now. What came in meanwhile stays unread')),
})

export const Marked = shape('Marked', 'What was marked', { marked: integer('How many were unread before') })

export const TestDispatch = shape('TestDispatch', 'A message to try the channels with', {
  site_id: id('Site'),
  channels: optional(list(oneOf(CHANNELS, 'Channel'), 'Channels; default all', { min: 1, max: 3, unique: true })),
  rule_id: optional(id('Rule whose words are used')),
  user_id: optional(id('Somebody else, a member of the site; needs notification_rule_manage')),
})

const OUTCOMES = ['sent', 'queued', 'disabled', 'suppressed', 'no_subscription', 'not_configured', 'failed'] as const

export const TestResults = shape('TestResults', 'How each channel went', {
  results: list(
    object({
      channel: oneOf(CHANNELS, 'Channel'),
      outcome: oneOf(OUTCOMES, 'How it went'),
      detail: orNull(text('More of it', { max: 2000 })),
    }),
    'By channel',
    { max: 3 },
  ),
})
