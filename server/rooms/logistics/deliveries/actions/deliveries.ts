import { fieldsIn, textIn, textOrNull } from '../../../../../shared/narrow.ts'
import { DAY, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { sql } from '../../../../base/db.ts'
import { conflict, enforce, type FieldFault, forbidden, invalid, invalidField, refuse, wrongStep } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { flag, list, optional, text } from '../../../../base/schema.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { filters, mentions } from '../../../../kernel/listing/door.ts'
import { placed, type StoredPlace } from '../../../../kernel/placed/door.ts'
import { resolveTasks } from '../../../../kernel/tasks/door.ts'
import { defaultsOf } from '../../../map/geometry/door.ts'
import {
  BEFORE,
  endAfter,
  endOf,
  GRAPH,
  isLate,
  isOverrunning,
  momentFaults,
  momentSent,
  ON_MAP,
  SLOT,
  STEP_TO,
  slotFaults,
  statesFrom,
} from '../domain.ts'
import { competing, facts, leavesAt, neighboursOf } from '../queries.ts'
import { changing, computed, creating, fields } from '../schema.ts'
import { allowOverlap, nextFree, referenceFaults, siteDay, takeSlot, warningsOf } from './slots.ts'
import { earliestArrival, life, MANAGE, OWN, report } from './steps.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'delivery.place': StoredPlace
  }
}

type Delivery = Row<'delivery'>
/** Permission of those who see drivers and registrations of every delivery. */
const DETAILS = 'delivery_details'
const writing = { own: OWN, any: MANAGE }

/** Returns whether a slot differs: its times, its bay or its machine. */
const otherSlot = (next: Partial<Delivery>, before: Delivery): boolean =>
  SLOT.some(column => next[column] !== undefined && next[column] !== before[column])

const is_record = (row: Delivery) =>
  ['requested', 'declined', 'cancelled'].includes(row.status)
    ? null
    : conflict('is_a_record', `${row.number} is ${labelOf(row.status)}, so it stays as a record. Cancel it instead, if it hasn’t arrived.`)
/** The states with which a note on the decision is written; in any other it is a field of its own. */
const DECISIONS = ['booked', 'declined']
const labelOf = (status: string): string => GRAPH.states.find(({ key }) => key === status)?.label.toLowerCase() ?? status

async function faults(ctx: Ctx, next: Delivery, before: Delivery | null): Promise<FieldFault[]> {
  const moved = before === null || otherSlot(next, before)
  const back = ctx.actor.can(MANAGE) ? 31 * DAY : 0
  const asked = before === null || next.start_at !== before.start_at
  const wrong = moved ? slotFaults(next, asked ? (await siteDay(ctx, next.site_id, later(ctx.now, -back))).from : null) : []
  const named = moved || next.gate_poi_id !== before.gate_poi_id
  // A faulty time is no range of time.
  const readable = next.end_at === null || next.end_at > next.start_at
  return [...wrong, ...(named && readable ? await referenceFaults(ctx, next) : [])]
}

const base = placed({
  kind: 'delivery',
  path: '/deliveries/',
  noun: 'delivery',
  shape: 'Delivery',
  says: 'A delivery or collection: a slot that is asked for or booked, and the vehicle while it is on site',
  number: 'DEL',
  label: row => `${row.number} ${row.name}`,
  fields,
  defaults: { name: undefined, direction: 'inbound', abnormal_load: false, unbooked: false },
  computed,
  with_create: creating,
  with_change: changing,
  layer: 'tokens',
  drawn: 'either',
  personal: ['vehicle_reg', 'driver_name', 'driver_phone'],
  own: ['vehicle_reg', 'driver_name', 'driver_phone', 'supplier_reference', 'decision_note', 'turned_away_note'],
  insiders: DETAILS,
  covered: true,
  facts,
  there: {
    is: row => ON_MAP.includes(row.status),
    where: (at, now) =>
      at === null
        ? sql`t.status = any(${ON_MAP}::text[])`
        : sql`t.status = any(${ON_MAP}::text[]) and not (t.status = 'arrived' and t.left_at is null and ${at}::timestamptz > ${now}::timestamptz and t.slot_end_at <= ${at}::timestamptz)`,
    end_at: now => leavesAt(now),
  },
  limits: { remove: (_ctx, row) => is_record(row) },
  list: {
    order: ['start_at'],
    filters: {
      direction: filters.oneOf(['inbound', 'outbound'], 'Directions'),
      supplier_name: {
        schema: optional(
          list(text('Supplier', { min: 1, max: 200, example: 'Thames Readymix' }), 'Suppliers, whatever their case', { max: 100 }),
        ),
        where: (column, wanted) => sql`exists (select 1 from unnest(${wanted}::text[]) as name where lower(name) = lower(${column}))`,
      },
      bay_id: filters.among('Bays'),
      gate_poi_id: filters.among('Vehicle gates'),
      unload_plant_id: filters.among('Machines that unload'),
      unbooked: filters.flag('Whether it came without a booking'),
      late: {
        schema: optional(flag('Whether it is booked, and not here 15 minutes after the start of its slot')),
        column: 'start_at',
        where: (start, wanted, { now }) =>
          sql`(t.status = 'booked' and ${start} <= ${now}::timestamptz - interval '15 minutes') = ${wanted}`,
      },
      q: {
        schema: optional(
          text('Text to search for in number, name and supplier; and in registrations that the caller can see', {
            max: 200,
            example: 'readymix',
          }),
        ),
        column: 'id',
        async where(_id, wanted, ctx) {
          const own = sql`${ctx.actor.can(DETAILS)} or t.contractor_id = any(${[...(await myScope(ctx))]}::uuid[])`
          const registration = sql`case when ${own} then t.vehicle_reg end`
          return mentions([sql`t.number`, sql`t.name`, sql`t.supplier_name`, registration], textIn(wanted))
        },
      },
    },
  },
  access: { view: 'delivery_view', create: writing, change: writing, remove: writing },
  lifecycle: life,
  hooks: {
    faults,
    async derive(ctx, next, before) {
      const name = next.name ?? next.supplier_name ?? (next.direction === 'outbound' ? 'Collection' : 'Delivery')
      const radius_m = next.radius_m ?? (await defaultsOf(ctx, next.site_id)).delivery_radius_m
      const books = next.status === 'booked' && (before?.status !== 'booked' || otherSlot(next, before))
      return { name, radius_m, ...(books ? await takeSlot(ctx, next) : {}) }
    },
    async shown(ctx, rows, at) {
      const requests = rows.filter(({ status }) => status === 'requested').map(({ id }) => id)
      const others = await competing(ctx.db, rows[0]?.site_id ?? '', requests)
      return rows.map(row => ({
        end_at: endOf(row, ctx.now),
        tentative: row.status === 'requested',
        late: isLate(row, at),
        overrunning: isOverrunning(row, at),
        competes_with: others.get(row.id) ?? [],
      }))
    },
  },
})

const rowOf = async (ctx: Ctx, site_id: Id, id: unknown): Promise<Delivery> =>
  (await base.lock(ctx, site_id, [textIn(id)]))[0] ?? refuse(invalidField('id', 'is unknown.'))

/** Returns a delivery as it is shown after a write, with what to know about its slot. */
async function warned(ctx: Ctx, shown: Record<string, unknown>, row: Delivery): Promise<Record<string, unknown>> {
  const warnings = BEFORE.includes(row.status) ? await warningsOf(ctx, row) : []
  return { ...shown, warnings, ...(row.status === 'declined' ? { next_free: await nextFree(ctx, row) } : {}) }
}

/** Creates a delivery: a request of a contractor, a booking of a coordinator, or a vehicle that came without a booking. */
async function create(
  ctx: Ctx,
  site_id: Id,
  { status, allow_overlap, ...body }: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const manages = ctx.actor.can(MANAGE)
  const wanted = textOrNull(status) ?? (manages ? 'booked' : 'requested')
  if (!manages && (wanted !== 'requested' || allow_overlap === true))
    refuse(forbidden(MANAGE, 'Only a coordinator can book a slot or add a vehicle that has no booking. Ask for a slot instead.'))
  if (allow_overlap === true) allowOverlap(ctx)
  const sent_at = textOrNull(body.start_at) ?? ctx.now
  const start_at = wanted === 'arrived' ? momentSent(sent_at, { earliest: null, now: ctx.now }) : sent_at
  const end_at = textOrNull(body.end_at)
  const slot = { slot_start_at: end_at === null ? null : start_at, slot_end_at: end_at }
  const ahead = wanted === 'arrived' ? momentFaults('start_at', start_at, { earliest: null, now: ctx.now }) : []
  if (ahead.length > 0) refuse(invalid(ahead))
  if (wanted === 'arrived' && end_at !== null && end_at <= start_at) refuse(invalidField('end_at', 'must be later than start_at.'))
  const arrived = { ...slot, unbooked: true, arrived_at: start_at, end_at: null }
  const made = await base.create(ctx, site_id, {
    ...{ ...body, start_at, status: wanted },
    ...(wanted === 'arrived' ? arrived : {}),
    ...(wanted === 'booked' ? { decided_by: ctx.actor.id } : {}),
  })
  const row = await rowOf(ctx, site_id, made.id)
  report(ctx, row.status, row, {})
  return warned(ctx, made, row)
}

/** Returns the state that other values of a slot lead to; undefined if it stays. */
const retimed = (manages: boolean, { status }: Delivery): string | undefined =>
  status === 'requested' ? (manages ? 'booked' : undefined) : status === 'booked' && manages ? undefined : 'requested'

/** Returns an arrival or departure as it was sent. Null is what a GET shows while there is none, so it changes nothing then. */
function momentIn(row: Delivery, field: 'arrived_at' | 'left_at', sent: unknown): unknown {
  if (sent !== null) return sent
  if (row[field] !== null) refuse(invalidField(field, 'can’t be removed. Send the correct time instead.'))
  return undefined
}

/** Changes fields, takes a step, or both. */
async function change(ctx: Ctx, row: Delivery, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { status, allow_overlap, arrived_at: came, left_at: went, decision_note, reason, note, ...sent } = body
  const [arrived_at, left_at] = [momentIn(row, 'arrived_at', came), momentIn(row, 'left_at', went)]
  const manages = ctx.actor.can(MANAGE)
  if (allow_overlap === true) {
    enforce([ctx.actor.lacks(MANAGE)])
    allowOverlap(ctx)
  }
  const to = typeof status === 'string' && status !== row.status ? status : null
  if (to !== null && !statesFrom(row.status).includes(to))
    refuse(wrongStep(row.status, statesFrom(row.status), `This delivery is ${labelOf(row.status)}, so it can’t become ${labelOf(to)} now.`))
  if (status === undefined && (reason !== undefined || note !== undefined))
    refuse(invalidField(reason === undefined ? 'note' : 'reason', 'can be sent with status `turned_away`.'))
  const noted = decision_note !== undefined && decision_note !== row.decision_note
  if (noted && !manages) refuse(forbidden(MANAGE, 'Only a coordinator can write the note on a decision.'))
  const set = fieldsIn(sent)
  // The end of a vehicle that is here is shown, and not stored.
  if (set.end_at === endOf(row, ctx.now)) delete set.end_at
  const moved = SLOT.filter(column => set[column] !== undefined && set[column] !== row[column])
  const fixed = BEFORE.includes(row.status) ? (to === null || to === 'booked' ? [] : moved) : moved.filter(column => column.endsWith('_at'))
  const [wrong] = fixed
  if (wrong !== undefined)
    refuse(invalidField(wrong, to === null ? 'follows from arrival and departure.' : 'can’t be changed together with this step.'))
  if (to === 'declined' && (textOrNull(decision_note) ?? '') === '') refuse(invalidField('decision_note', 'is required to decline.'))
  const next = moved.length > 0 && to === null && BEFORE.includes(row.status) ? retimed(manages, row) : undefined
  const columns = {
    ...set,
    ...(next === undefined ? {} : { status: next, decided_by: next === 'booked' ? ctx.actor.id : null }),
    ...(noted && (to === null || !DECISIONS.includes(to)) ? { decision_note } : {}),
    ...(to === null ? corrected(ctx, row, { arrived_at, left_at }) : {}),
  }
  let shown = Object.keys(columns).length > 0 ? await base.change(ctx, row, columns) : null
  let now = shown === null ? row : await rowOf(ctx, row.site_id, row.id)
  if (moved.length > 0 && to === null && now.version !== row.version)
    report(ctx, now.status === 'requested' ? 'requested' : 'retimed', now, { from_status: row.status })
  const leaves = left_at !== undefined && row.left_at === null && (to === null || to === 'arrived')
  const given = { arrived_at, left_at, reason, note, ...(decision_note === undefined ? {} : { decision_note }) }
  for (const step of [...(to === null ? [] : [STEP_TO[to] ?? to]), ...(leaves ? ['leave'] : [])]) {
    shown = await base.step(ctx, now, step, given)
    now = await rowOf(ctx, row.site_id, row.id)
  }
  // Nothing was sent that changes anything. Who can't change it learns that, as with any other record; a repeated step is only shown.
  if (shown === null && status === undefined) await base.mayChange(ctx, row)
  return warned(ctx, shown ?? (await base.show(ctx, row)), now)
}

/** Returns the columns of a corrected arrival or departure. */
function corrected(ctx: Ctx, row: Delivery, { arrived_at, left_at }: Record<string, unknown>): Partial<Delivery> {
  const came = textOrNull(arrived_at)
  const left = textOrNull(left_at)
  if (came === null && (left === null || row.left_at === null)) return {}
  if (row.arrived_at === null)
    return refuse(invalidField('arrived_at', 'can be sent with status `arrived`, or once the vehicle has arrived.'))
  const start_at = came ?? row.arrived_at
  const gone = row.left_at === null ? null : (left ?? row.left_at)
  const faults = [
    ...momentFaults('arrived_at', start_at, { earliest: start_at === row.arrived_at ? null : earliestArrival(ctx), now: ctx.now }),
    ...(gone === null ? [] : momentFaults('left_at', gone, { earliest: start_at, now: ctx.now })),
  ]
  if (faults.length > 0) refuse(invalid(faults))
  return { arrived_at: start_at, start_at, ...(gone === null ? {} : { left_at: gone, end_at: endAfter(start_at, gone) }) }
}

/** Deliveries and collections. */
export const deliveries: typeof base = {
  ...base,
  create,
  change,
  async show(ctx, row) {
    const { from, to } = await siteDay(ctx, row.site_id, row.start_at)
    const near = row.bay_id === null ? [] : await neighboursOf(ctx.db, row.site_id, row.bay_id, row.id, from, to)
    return { ...(await base.show(ctx, row)), neighbours: near }
  },
  async remove(ctx, row) {
    await base.mayRemove(ctx, row)
    await base.removeAll(ctx, [row], null)
    await resolveTasks(ctx, row.site_id, row.id, {}, 'subject_left')
  },
}
