import {
  anything,
  flag,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  type Static,
  shape,
  text,
} from '../../base/schema.ts'

const REASONS = ['hard_bounce', 'repeated_soft', 'complaint'] as const
const email = (what: string) => text(what, { min: 3, max: 320, example: 'ana@example.com' })

export const BounceQuery = object({
  format: optional(oneOf(['generic', 'dsn'], 'generic: JSON of our own; dsn: a raw report as mail systems send it (RFC 3464, RFC 5965)')),
})

export const Bounces = shape('BounceReports', 'What became of mails, as the relay tells it', {
  events: optional(
    list(
      object({
        event_id: text('Name of the event at the relay: the same one twice counts once', { min: 1, max: 200, example: 'evt-7f3a' }),
        type: oneOf(['bounce', 'complaint', 'delivered'], 'What became of it'),
        email: email('Address'),
        status: optional(
          orNull(text('Enhanced status (RFC 3463)', { pattern: '^[245]\\.\\d{1,3}\\.\\d{1,3}$', max: 11, example: '5.1.1' })),
        ),
        message_id: optional(orNull(text('Message-ID of the mail', { max: 400 }))),
        at: optional(instant('When; default now')),
        diagnostic: optional(orNull(text('What the other side said', { max: 2000, example: '550 5.1.1 no such user' }))),
      }),
      'Events; needed with format=generic',
      { min: 1, max: 1000 },
    ),
  ),
})
export type Bounces = Static<typeof Bounces>

export const BouncesTaken = shape('BounceReportsTaken', 'What was made of the reports', {
  accepted: integer('How many are new'),
  suppressed: integer('How many of these took an address off all mail'),
  ignored: integer('How many were known'),
})

export const Suppression = shape('EmailSuppression', 'An address that gets no mail', {
  email: email('Address, case-folded'),
  reason: oneOf(REASONS, 'Why'),
  status: orNull(text('Status that the other side gave', { max: 20, example: '5.1.1' })),
  diagnostic: orNull(text('What it said', { max: 2000 })),
  first_at: instant('Since when'),
  last_at: instant('Last report'),
  count: integer('Reports'),
  cleared_at: orNull(instant('When mails were let through again')),
  cleared_by: orNull(id('By whom')),
})

export const SuppressionFilter = object({
  active: optional(flag('Those in force (default), or those that were cleared')),
  reason: optional(list(oneOf(REASONS, 'Reason'), 'Reasons', { max: 3 })),
  q: optional(text('In the address', { max: 200, example: 'example.com' })),
  ...paging,
})
export type SuppressionFilter = Static<typeof SuppressionFilter>

export const ClearSuppression = shape('ClearEmailSuppression', 'Lets mails go to an address again', {
  reason: text('Why', { min: 1, max: 500, example: 'Mailbox was repaired' }),
  confirm: optional(flag('Needed after a complaint: the person asked for our mails again')),
})
export type ClearSuppression = Static<typeof ClearSuppression>

const seconds = (what: string) => orNull(number(what, { min: 0, example: 3.2 }))

export const QueueStats = shape('QueueStats', 'What waits, runs and fails in the background', {
  queues: list(
    object({
      name: text('Kind of work', { max: 60, example: 'mail' }),
      ready: integer('Due, and not begun'),
      delayed: integer('Due later'),
      running: integer('Under way'),
      failed: integer('Failed, and to be tried again'),
      dead: integer('Given up in the last 24 hours'),
      oldest_ready_seconds: seconds('How long the oldest of the due ones waits; null: none does'),
      done_last_minute: integer('Done in the last minute'),
      p95_ms: orNull(integer('95 of 100 runs of the last hour took at most so many milliseconds; null: there was none')),
    }),
    'Kinds of work',
    { max: 200 },
  ),
  outbox: object(
    { pending: integer('Events that were not handed on yet'), oldest_seconds: seconds('Age of the oldest; null: none waits') },
    'Events on their way to those who listen',
  ),
  schedules: list(
    object({
      kind: text('Run by the clock', { max: 60, example: 'permit_sweep' }),
      last_run_at: orNull(instant('When it last ran')),
      last_state: orNull(text('How that went', { max: 20, example: 'succeeded' })),
      next_run_at: instant('When it is due next'),
      late: flag('It was due, and nobody ran it for two minutes'),
    }),
    'Runs by the clock',
    { max: 200 },
  ),
})

const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

export const JobRun = shape('JobRun', 'A piece of background work, or one run by the clock', {
  id: id('Run'),
  kind: text('Kind of work', { max: 60, example: 'workflow_backtest' }),
  site_id: orNull(id('Site; null where it belongs to none')),
  state: oneOf(STATES, 'How it stands'),
  attempts: integer('Tries so far'),
  max_attempts: integer('Tries that it has'),
  progress: number('How far it is, 0 to 1', { min: 0, max: 1, example: 0.4 }),
  message: orNull(text('Where it is', { max: 2000, example: 'Row 8,000 of 20,000' })),
  queued_at: instant('When it was asked for'),
  started_at: orNull(instant('When it last began')),
  finished_at: orNull(instant('When it ended')),
  duration_ms: orNull(integer('Milliseconds from begin to end')),
  error: orNull(
    object({ code: text('Code of the refusal', { max: 100 }), detail: text('The same in words', { max: 4000 }) }, 'Why it failed'),
  ),
  requested_by: orNull(id('Who asked for it')),
  request_id: orNull(text('Request that asked for it', { max: 200 })),
  result: anything('What it found or made; its shape depends on the kind'),
})

export const JobRunFilter = object({
  id: optional(list(id('Run'), 'Only these', { max: 200 })),
  kind: optional(list(text('Kind', { max: 60, example: 'permit_sweep' }), 'Kinds', { max: 50 })),
  state: optional(list(oneOf(STATES, 'State'), 'States', { max: 5 })),
  site_id: optional(id('Site')),
  from: optional(instant('Asked for at this time or later')),
  to: optional(instant('Asked for before')),
  requested_by: optional(id('Who asked')),
  ...paging,
})
export type JobRunFilter = Static<typeof JobRunFilter>
