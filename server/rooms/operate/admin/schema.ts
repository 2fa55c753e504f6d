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
} from '../../../base/schema.ts'

const REASONS = ['hard_bounce', 'repeated_soft', 'complaint'] as const
const email = (what: string) => text(what, { min: 3, max: 320, example: 'ana@example.com' })

export const BounceQuery = object({
  format: optional(
    oneOf(
      ['generic', 'dsn'],
      'generic: Walkdown’s own JSON; dsn: a raw report as mail systems send it (RFC 3464, RFC 5965); default generic',
    ),
  ),
})

export const Bounces = shape('BounceReports', 'Delivery reports from the mail relay', {
  events: optional(
    list(
      object({
        event_id: text('Relay’s id for the event; a repeated event counts once', { min: 1, max: 200, example: 'evt-7f3a' }),
        type: oneOf(['bounce', 'complaint', 'delivered'], 'What happened to the email'),
        email: email('Address'),
        status: optional(
          orNull(
            text('Enhanced status (RFC 3463); null if there is none', {
              pattern: ['^[245]\\.\\d{1,3}\\.\\d{1,3}$', 'must be an enhanced status code, such as 5.1.1.'],
              max: 11,
              example: '5.1.1',
            }),
          ),
        ),
        message_id: optional(orNull(text('Email’s Message-ID; null if unknown', { max: 400 }))),
        at: optional(instant('Time; default now')),
        diagnostic: optional(
          orNull(text('Response from the receiving server; null if there is none', { max: 2000, example: '550 5.1.1 no such user' })),
        ),
      }),
      'Events; required with format=generic',
      { min: 1, max: 1000 },
    ),
  ),
})
export type Bounces = Static<typeof Bounces>

export const BouncesTaken = shape('BounceReportsTaken', 'Result of recording the bounce reports', {
  accepted: integer('Number of new reports'),
  suppressed: integer('Number of reports that suppressed an address'),
  ignored: integer('Number of reports that were already known'),
})

export const Suppression = shape('EmailSuppression', 'A suppressed email address', {
  email: email('Email address, case-folded'),
  reason: oneOf(REASONS, 'Reason why the address is suppressed'),
  status: orNull(text('Status returned by the receiving server; null if there is none', { max: 20, example: '5.1.1' })),
  diagnostic: orNull(text('Response from the receiving server; null if there is none', { max: 2000 })),
  first_at: instant('Time of the first report'),
  last_at: instant('Time of the last report'),
  count: integer('Number of reports'),
  cleared_at: orNull(instant('Time when the address was cleared; null while it is suppressed')),
  cleared_by: orNull(id('Person who cleared the address; null while it is suppressed')),
})

export const SuppressionFilter = object({
  active: optional(flag('State of the suppressions to return: true for active ones, false for cleared ones; default true')),
  reason: optional(list(oneOf(REASONS, 'Reason'), 'Reasons', { max: 3 })),
  q: optional(text('Text to search for in the address', { max: 200, example: 'example.com' })),
  ...paging,
})
export type SuppressionFilter = Static<typeof SuppressionFilter>

export const ClearSuppression = shape('ClearEmailSuppression', 'Removal of an address from the suppression list', {
  reason: text('Reason for clearing the address', { min: 1, max: 500, example: 'Mailbox was repaired' }),
  confirm: optional(flag('Confirmation, after a complaint, that the person asked for emails again')),
})
export type ClearSuppression = Static<typeof ClearSuppression>

const seconds = (what: string) => orNull(number(what, { min: 0, example: 3.2 }))

export const QueueStats = shape('QueueStats', 'Background jobs: waiting, running and failed', {
  queues: list(
    object({
      name: text('Kind of job', { max: 60, example: 'mail' }),
      ready: integer('Number of jobs that are due and not started'),
      delayed: integer('Number of jobs that are due later'),
      running: integer('Number of jobs that are running'),
      failed: integer('Number of jobs that failed and are waiting for a retry'),
      dead: integer('Number of jobs that failed permanently in the last 24 hours'),
      oldest_ready_seconds: seconds('Waiting time of the oldest due job, seconds; null if no job is due'),
      done_last_minute: integer('Number of jobs completed in the last minute'),
      p95_ms: orNull(integer('95th percentile of the run time over the last hour, milliseconds; null without runs')),
    }),
    'Kinds of job',
    { max: 200 },
  ),
  outbox: object(
    {
      pending: integer('Number of events not delivered yet'),
      oldest_seconds: seconds('Age of the oldest event that isn’t delivered yet, seconds; null if every event is delivered'),
    },
    'Events being delivered to subscribers',
  ),
  schedules: list(
    object({
      kind: text('Scheduled run', { max: 60, example: 'permit_sweep' }),
      last_run_at: orNull(instant('Start of the last run; null before the first')),
      last_state: orNull(
        text('State of the last run, for example `running` or `succeeded`; null before the first', { max: 20, example: 'succeeded' }),
      ),
      next_run_at: instant('Time of the next run'),
      late: flag('Whether the run is more than two minutes late'),
    }),
    'Scheduled runs',
    { max: 200 },
  ),
})

const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

export const JobRun = shape('JobRun', 'A background job or a scheduled run', {
  id: id('Run'),
  kind: text('Kind of job', { max: 60, example: 'workflow_backtest' }),
  site_id: orNull(id('Site; null for jobs of the whole installation')),
  state: oneOf(STATES, 'State'),
  attempts: integer('Number of attempts so far'),
  max_attempts: integer('Number of attempts allowed'),
  progress: number('Progress, 0 to 1', { min: 0, max: 1, example: 0.4 }),
  message: orNull(text('Current step; null if the job reports none', { max: 2000, example: 'Row 8,000 of 20,000' })),
  queued_at: instant('Time of the request'),
  started_at: orNull(instant('Start of the latest attempt; null before the first')),
  finished_at: orNull(instant('End time; null until the job has ended')),
  duration_ms: orNull(integer('Duration of the latest attempt, milliseconds; null until the job has ended')),
  error: orNull(
    object(
      { code: text('Error code', { max: 100 }), detail: text('Description of the error', { max: 4000 }) },
      'Reason why the job or its last attempt failed, or why the job was cancelled; null if there is none',
    ),
  ),
  requested_by: orNull(id('Person who started the job; null if no person did')),
  request_id: orNull(text('Request that started the job; null if no request did', { max: 200 })),
  result: anything('Result; its shape depends on the kind'),
})

export const JobRunFilter = object({
  id: optional(list(id('Run'), 'Ids', { max: 200 })),
  kind: optional(list(text('Kind', { max: 60, example: 'permit_sweep' }), 'Kinds', { max: 50 })),
  state: optional(list(oneOf(STATES, 'State'), 'States', { max: 5 })),
  site_id: optional(id('Site; required unless the caller is a superadmin or looks up their own job by its id')),
  from: optional(instant('Earliest time of the request')),
  to: optional(instant('Latest time of the request (exclusive)')),
  requested_by: optional(list(id('Person'), 'People who started the job', { max: 100 })),
  ...paging,
})
export type JobRunFilter = Static<typeof JobRunFilter>
