// What the steps of a delivery need, and what they write.

import { textOrNull } from '../../../../../shared/narrow.ts'
import { DAY, type Instant, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { forbidden, guard, invalid, invalidField, refuse } from '../../../../base/errors.ts'
import type { Row } from '../../../../base/rows.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import type { GivenLife, GivenStep, Taken } from '../../../../kernel/lifecycle/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { endAfter, GRAPH, minutesLate, momentFaults, momentSent, STEP_TO } from '../domain.ts'
import { changing } from '../schema.ts'
import { referenceFaults, takeSlot } from './slots.ts'

type Delivery = Row<'delivery'>
type Step = Taken<Delivery>

/** The permissions of deliveries. */
export const OWN = 'delivery_request'
export const MANAGE = 'delivery_manage'
const GATE = 'delivery_gate'

/** Publishes an event about a delivery. */
export function report(ctx: Ctx, verb: string, row: Delivery, more: Record<string, unknown>): void {
  const { site_id, id, number, status, contractor_id, supplier_name, direction, start_at, end_at, bay_id, gate_poi_id, created_by } = row
  ctx.emit({
    kind: `delivery.${verb}`,
    site_id,
    subject: { kind: 'delivery', id, label: `${number} ${row.name}` },
    payload: {
      ...{
        delivery_id: id,
        number,
        status,
        from_status: null,
        contractor_id,
        supplier_name,
        direction,
        start_at,
        end_at,
        bay_id,
        gate_poi_id,
      },
      ...{ booked_by_id: created_by, minutes_late: null, reason: null, ...more },
    },
  })
}

/** Returns the earliest arrival that the caller can record: what lies more than a day back needs a coordinator. */
export const earliestArrival = (ctx: Ctx): Instant | null => (ctx.actor.can(MANAGE) ? null : later(ctx.now, -DAY))

/** Returns the time of a step as it was sent, or now. */
function momentOf({ ctx, given, row }: Step, field: 'arrived_at' | 'left_at'): Instant {
  const sent = textOrNull(given[field]) ?? ctx.now
  const earliest = field === 'left_at' ? row.arrived_at : earliestArrival(ctx)
  const at = momentSent(sent, { earliest, now: ctx.now })
  const faults = momentFaults(field, at, { earliest, now: ctx.now })
  if (faults.length > 0) refuse(invalid(faults))
  return at
}

const verbOf: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(STEP_TO).map(([state, action]) => [action, state]))
const words = (
  action: string,
  summary: string,
  past: string,
  says: string,
  more: Partial<GivenStep<Delivery>> = {},
): GivenStep<Delivery> => ({
  ...{ summary, says: `${summary}.`, past, event: { verb: verbOf[action] ?? action, says } },
  ...more,
})
const { arrived_at, left_at, decision_note, reason, note } = changing
const decided = { body: { decision_note }, writes: ['decision_note'], stamps: { by: 'decided_by' } } satisfies Partial<GivenStep<Delivery>>

/** The lifecycle of a delivery. Its steps are taken by changing `status`, or by `left_at`. */
export const life: GivenLife<Delivery> = {
  graph: GRAPH,
  by_change: true,
  editable: ['requested', 'booked', 'declined', 'arrived'],
  actors: {
    owner: { own: OWN, any: MANAGE },
    manager: MANAGE,
    gate: ({ more }) =>
      more === true
        ? null
        : forbidden(GATE, 'Only coordinators, members of the main contractor, and the delivery’s own contractor can do this.'),
  },
  guards: { here: ({ row }) => (row.left_at === null ? null : guard('here', 'The vehicle has already left.')) },
  // Who can record arrivals and departures.
  async facts(ctx, rows) {
    const scope = await myScope(ctx)
    const [first] = rows
    const main = first === undefined ? null : (await siteOf(ctx, first.site_id)).main_contractor_id
    const all = ctx.actor.can(MANAGE) || (ctx.actor.can(GATE) && main !== null && ctx.actor.standing?.contractor_id === main)
    return new Map(
      rows.map(({ id, contractor_id }) => [id, all || (ctx.actor.can(GATE) && contractor_id !== null && scope.has(contractor_id))]),
    )
  },
  effects: {
    async take_slot({ ctx, row, set }) {
      // Since it was asked for, the bay can have ended or become something else, and the machine can have left.
      const faults = await referenceFaults(ctx, row)
      if (faults.length > 0) refuse(invalid(faults))
      Object.assign(set, await takeSlot(ctx, row))
    },
    arrive(step) {
      const at = momentOf(step, 'arrived_at')
      const { row, set } = step
      // A request can be for another slot than the one that was booked before.
      const asked = row.status === 'requested'
      const slot = {
        slot_start_at: (asked ? null : row.slot_start_at) ?? row.start_at,
        slot_end_at: (asked ? null : row.slot_end_at) ?? row.end_at,
      }
      // It is there until it leaves; `endOf` says when that should be.
      Object.assign(set, { ...slot, arrived_at: at, left_at: null, start_at: at, end_at: null })
      step.payload.minutes_late = minutesLate(slot.slot_start_at, at)
    },
    leave(step) {
      const at = momentOf(step, 'left_at')
      Object.assign(step.set, { left_at: at, end_at: endAfter(step.row.start_at, at) })
      if (step.transition.action === 'turn_away') Object.assign(step.set, turnedAway(step))
    },
    tell(step) {
      const { ctx, row, set, transition, given } = step
      const why = textOrNull(given.reason) ?? textOrNull(given.decision_note)
      const after = { ...row, ...set, status: transition.to }
      report(ctx, verbOf[transition.action] ?? transition.action, after, { from_status: row.status, reason: why, ...step.payload })
    },
  },
  steps: {
    book: words('book', 'Book a delivery', 'booked', 'A delivery has its slot', decided),
    decline: words('decline', 'Decline a delivery', 'declined', 'A delivery doesn’t get the slot that was asked for', decided),
    cancel: words('cancel', 'Cancel a delivery', 'cancelled', 'A delivery was cancelled'),
    arrive: words('arrive', 'Record an arrival', 'recorded as arrived', 'A vehicle has arrived', { body: { arrived_at } }),
    mark_no_show: words('mark_no_show', 'Record a no-show', 'recorded as a no-show', 'A vehicle did not come'),
    turn_away: words('turn_away', 'Turn a vehicle away', 'turned away', 'A vehicle was turned away', { body: { left_at, reason, note } }),
    leave: words('leave', 'Record a departure', 'recorded as left', 'A vehicle has left', { body: { left_at } }),
  },
  tasks: { requested: row => ({ kind: 'decide_delivery', bands: ['stage1'], contractor_id: row.contractor_id, due_at: row.start_at }) },
}

/** Returns why a vehicle was turned away. */
function turnedAway({ given }: Step): Partial<Delivery> {
  const why = textOrNull(given.reason) ?? refuse(invalidField('reason', 'is required to turn a vehicle away.'))
  const more = textOrNull(given.note)
  if (why === 'other' && more === null) refuse(invalidField('note', 'is required, because the reason is “other”.'))
  return { turned_away_reason: why, turned_away_note: more }
}
