import { textIn } from '../../../../../shared/narrow.ts'
import { forbidden, guard, invalidField } from '../../../../base/errors.ts'
import { text } from '../../../../base/schema.ts'
import type { GivenLife, Taken } from '../../../../kernel/lifecycle/door.ts'
import { closed, GRAPH, isRecent, needsAPerson, opened, STATES, spanOf } from '../domain.ts'
import type { Alert } from './ground.ts'

/** Sets what follows from the state and the periods after a step. */
function settle({ row, set, transition }: Taken<Alert>, columns: Partial<Alert>): void {
  const to = STATES.find(state => state === transition.to) ?? row.state
  Object.assign(set, columns, spanOf({ ...row, ...set, state: to, ...columns }))
}

/** The lifecycle of alerts. */
export const life: GivenLife<Alert> = {
  column: 'state',
  graph: GRAPH,
  actors: {
    clock: f => (f.me === null ? null : forbidden('alert_manage', 'Only the clock does this.')),
    lifter: f => f.may(f.row.effect === 'stops' ? 'alert_stop' : { own: 'alert_raise', any: 'alert_manage' }),
    reopener: f => f.may('alert_manage') ?? (f.row.effect === 'stops' ? f.may('alert_stop') : null),
  },
  guards: {
    ends_by_itself: f => (needsAPerson(f.row) ? guard('ends_by_itself', 'Only a person can end this alert.') : null),
    needs_a_person: f => (needsAPerson(f.row) ? null : guard('needs_a_person', 'This alert ends by itself.')),
    note_given: f =>
      f.input === null || !needsAPerson(f.row) || textIn(f.input.note ?? '') !== ''
        ? null
        : invalidField('note', 'is required: say what you saw at the place before you lift the alert.'),
    recent: f => (isRecent(f.row, f.now) ? null : guard('recent', 'This alert ended more than seven days ago. Raise a new one.')),
  },
  effects: {
    open: taken => settle(taken, { periods: opened(taken.row, taken.row.start_at) }),
    close(taken) {
      const { ctx, row, transition } = taken
      const began = row.periods.at(-1)?.from ?? ''
      const end = transition.to === 'lapsed' && row.end_at !== null && row.end_at > began ? row.end_at : ctx.now
      settle(taken, { periods: closed(row.periods, end) })
    },
    resolve: ({ ctx, set, given }) =>
      void Object.assign(set, { resolved_at: ctx.now, resolved_by: ctx.actor.id, resolve_note: given.note ?? null }),
    reopen(taken) {
      const { ctx, row } = taken
      const over = row.end_at !== null && row.end_at <= ctx.now
      // An end that has passed would end it again at once: danger is overdue from the start, and anything else stays until it is resolved.
      const then = needsAPerson(row)
        ? { state: over ? ('overdue' as const) : ('active' as const), end_at: row.end_at }
        : { state: 'active' as const, end_at: over ? null : row.end_at }
      settle(taken, { ...then, periods: opened(row, ctx.now), resolved_at: null, resolved_by: null, resolve_note: null })
    },
  },
  steps: {
    start: {
      ...{ summary: 'Start an alert', says: 'The clock.', past: 'started', by_clock: true },
      event: { verb: 'started', says: 'An alert started' },
    },
    lapse: {
      ...{ summary: 'End an alert', says: 'The clock.', past: 'ended', by_clock: true },
      event: { verb: 'lapsed', says: 'An alert ended' },
    },
    overrun: {
      ...{ summary: 'Mark an alert as overdue', says: 'The clock.', past: 'marked as overdue', by_clock: true },
      event: { verb: 'overdue', says: 'An alert is past its end and still active' },
    },
    resolve: {
      summary: 'Resolve an alert',
      says: 'Ends an alert and notifies its audience. Danger, and an alert that stops work, need a note: look at the place first.',
      past: 'resolved',
      event: { verb: 'resolved', says: 'An alert was resolved' },
      body: {
        note: text('What was done or seen; required for danger and for an alert that stops work', {
          max: 2000,
          example: 'Lorry towed away, road checked',
        }),
      },
    },
    unresolve: {
      summary: 'Reopen an alert',
      says: 'Makes an alert that ended within the last seven days active again from now on. The time between stays a gap.',
      past: 'reopened',
      event: { verb: 'unresolved', says: 'An alert was reopened' },
      body: { reason: text('Reason', { max: 2000, example: 'Wind has picked up again' }) },
    },
  },
  tasks: { overdue: row => ({ kind: 'resolve_alert', bands: ['coordinate'], due_at: row.end_at }) },
}
