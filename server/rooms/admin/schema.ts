import {
  anything,
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
