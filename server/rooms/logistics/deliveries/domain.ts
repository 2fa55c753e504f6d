// Deliveries: the slot that a vehicle has, and the time for which it is there (`logistics-and-documents.md` §1). Pure.
import { metresBetween, type Position } from '../../../../shared/geometry/plane.ts'
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import { HOUR, type Instant, instant, later, MINUTE, ms } from '../../../../shared/time.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { Interval } from '../../../kernel/site/domain.ts'

const step = (action: string, from: string, to: string, actor: string, effects: string[], guards: string[] = []): Transition => ({
  ...{ key: `${action}_${from}`, action, from, to, actor, guards, effects, requires: [] },
})

/** States and steps of a delivery. Receiving what it brings comes with orders and stock. */
export const GRAPH: Graph = {
  states: [
    { key: 'requested', label: 'Requested', kind: 'initial' },
    { key: 'booked', label: 'Booked', kind: 'normal' },
    { key: 'declined', label: 'Declined', kind: 'normal' },
    { key: 'arrived', label: 'Arrived', kind: 'live' },
    { key: 'no_show', label: 'No-show', kind: 'normal' },
    { key: 'turned_away', label: 'Turned away', kind: 'terminal' },
    { key: 'cancelled', label: 'Cancelled', kind: 'terminal' },
  ],
  transitions: [
    step('book', 'requested', 'booked', 'manager', ['take_slot', 'tell']),
    step('decline', 'requested', 'declined', 'manager', ['tell']),
    ...['requested', 'booked', 'declined'].map(from => step('cancel', from, 'cancelled', 'owner', ['tell'])),
    ...['requested', 'booked'].map(from => step('arrive', from, 'arrived', 'gate', ['arrive', 'tell'])),
    step('arrive', 'no_show', 'arrived', 'manager', ['arrive', 'tell']),
    step('mark_no_show', 'booked', 'no_show', 'manager', ['tell']),
    step('turn_away', 'arrived', 'turned_away', 'gate', ['leave', 'tell'], ['here']),
    step('leave', 'arrived', 'arrived', 'gate', ['leave'], ['here']),
  ],
}

/** The step that leads to a state, where a change of `status` can take it. */
export const STEP_TO: Readonly<Record<string, string>> = {
  ...{ booked: 'book', declined: 'decline', cancelled: 'cancel', arrived: 'arrive', no_show: 'mark_no_show', turned_away: 'turn_away' },
}

/** Lists the states that a change of `status` can lead to. */
export const statesFrom = (status: string): string[] =>
  GRAPH.transitions.filter(({ from, to }) => from === status && to !== status).map(({ to }) => to)

/** The columns of a slot: who asks for others asks for another slot. */
export const SLOT = ['start_at', 'end_at', 'bay_id', 'unload_plant_id'] as const
/** The states in which the times are a slot that people write. */
export const BEFORE = ['requested', 'booked', 'declined']
/** The states in which a delivery takes up its bay. */
export const TAKING = ['booked', 'arrived']
/** The states in which it is on the map. */
export const ON_MAP = ['requested', 'booked', 'arrived']

/** Why a vehicle is turned away. */
export const TURNED_AWAY = [
  'not_booked',
  'too_late',
  'wrong_vehicle',
  'unsafe_load',
  'no_space',
  'no_permit',
  'wrong_goods',
  'other',
] as const
export const VEHICLES = [
  ...(['van', 'rigid', 'artic', 'low_loader', 'mixer', 'tipper', 'grab', 'skip_lorry', 'concrete_pump', 'tanker', 'car', 'other'] as const),
]
export const UNLOADING = ['by_hand', 'forklift', 'telehandler', 'crane', 'lorry_crane', 'hoist', 'pump', 'tip'] as const

/** A delivery, as far as its times go. */
export type Timed = {
  status: string
  start_at: Instant
  end_at: Instant | null
  slot_start_at: Instant | null
  slot_end_at: Instant | null
  left_at: Instant | null
}

/** By how much the clock of a gateman’s phone can differ. */
const CLOCKS_DIFFER = 5 * MINUTE
const LEAST = 5 * MINUTE
const MOST = 24 * HOUR
export const LATE = 15 * MINUTE
const NOTICE = 2 * HOUR

/** Returns what is wrong with a slot. `earliest`: start of the first site day on which the caller can ask for one. */
export function slotFaults({ status, start_at, end_at }: Timed, earliest: Instant | null): FieldFault[] {
  if (!BEFORE.includes(status)) return []
  if (end_at === null) return [{ path: 'end_at', message: 'is required: a slot has an end.' }]
  const length = ms(end_at) - ms(start_at)
  return [
    ...(length > 0 && length < LEAST ? [{ path: 'end_at', message: 'is less than 5 minutes after the start.' }] : []),
    ...(length > MOST ? [{ path: 'end_at', message: 'is more than 24 hours after the start.' }] : []),
    ...(earliest !== null && start_at < earliest
      ? [{ path: 'start_at', message: 'is too far in the past. Slots can be asked for from today on; coordinators can go back 31 days.' }]
      : []),
  ]
}

/** Returns whether a booked vehicle should have been here for a quarter of an hour. */
export const isLate = ({ status, start_at }: Timed, at: Instant): boolean => status === 'booked' && later(start_at, LATE) <= at

/** Returns whether a vehicle is still here although its slot is over. */
export const isOverrunning = ({ status, left_at, slot_end_at }: Timed, at: Instant): boolean =>
  status === 'arrived' && left_at === null && slot_end_at !== null && slot_end_at <= at

/** Returns the end that people see: a vehicle that is here leaves at the end of its slot, as long as that is still ahead. */
export const endOf = ({ status, end_at, left_at, slot_end_at }: Timed, now: Instant): Instant | null =>
  status === 'arrived' && left_at === null && slot_end_at !== null && slot_end_at > now ? slot_end_at : end_at

/** Returns the minutes by which a vehicle came after the start of its slot; negative if it came before, null without a slot. */
export const minutesLate = (slot_start_at: Instant | null, arrived_at: Instant): number | null =>
  slot_start_at === null ? null : Math.round((ms(arrived_at) - ms(slot_start_at)) / MINUTE)

/** Returns the end of a stay: something that is on the map is there for a moment at least. */
export const endAfter = (start_at: Instant, left_at: Instant): Instant => (left_at > start_at ? left_at : later(start_at, 1))

/** Returns the time of an arrival or a departure that a device has sent: a few minutes ahead is now, and a few before the arrival is then, because clocks differ. */
export function momentSent(at: Instant, { earliest, now }: { earliest: Instant | null; now: Instant }): Instant {
  if (at > now && at <= later(now, CLOCKS_DIFFER)) return now
  return earliest !== null && at < earliest && later(at, CLOCKS_DIFFER) >= earliest ? earliest : at
}

/** Returns what is wrong with the time of an arrival or a departure. */
export function momentFaults(path: string, at: Instant, limits: { earliest: Instant | null; now: Instant }): FieldFault[] {
  if (at > limits.now) return [{ path, message: 'is in the future.' }]
  return limits.earliest !== null && at < limits.earliest ? [{ path, message: 'is too far in the past.' }] : []
}

const QUARTER = 15 * MINUTE
const OFFERED = 3

/** Finds slots of a length, in quarters of an hour within working hours, that touch nothing that is taken: the first ones after an instant. */
export function freeSlots(hours: readonly Interval[], taken: readonly Interval[], length_ms: number, from: Instant): Interval[] {
  const found: Interval[] = []
  let free_from = from
  for (const { start_at, end_at } of hours) {
    let at = Math.max(ms(start_at), Math.ceil(ms(free_from) / QUARTER) * QUARTER)
    while (at + length_ms <= ms(end_at) && found.length < OFFERED) {
      const slot = { start_at: instant(at), end_at: instant(at + length_ms) }
      const met = taken.find(one => one.start_at < slot.end_at && one.end_at > slot.start_at)
      if (met === undefined) {
        found.push(slot)
        free_from = slot.end_at
      }
      at = Math.ceil(ms(met?.end_at ?? slot.end_at) / QUARTER) * QUARTER
    }
  }
  return found
}

/** What people should know about a slot, and what it is known from. */
export type SlotFacts = {
  start_at: Instant
  end_at: Instant
  now: Instant
  hours: readonly Interval[]
  vehicle_length_m: number | null
  bay_m: number | null
  closed: readonly string[]
}
export const WARNINGS = ['outside_hours', 'short_notice', 'route_closed', 'too_long_for_bay'] as const

/** Returns what people should know about a slot; none of it prevents it. */
export function slotWarnings(slot: SlotFacts): { kind: (typeof WARNINGS)[number]; detail: string }[] {
  const { start_at, end_at, now, hours, vehicle_length_m, bay_m, closed } = slot
  const within = hours.some(one => one.start_at <= start_at && end_at <= one.end_at)
  return [
    ...(within ? [] : [{ kind: 'outside_hours' as const, detail: 'The slot is outside the working hours of the site.' }]),
    ...(start_at > now && start_at < later(now, NOTICE)
      ? [{ kind: 'short_notice' as const, detail: 'The slot starts in less than 2 hours.' }]
      : []),
    ...closed.map(name => ({ kind: 'route_closed' as const, detail: `The route across the bay is closed during this time: ${name}.` })),
    ...(vehicle_length_m !== null && bay_m !== null && vehicle_length_m > bay_m
      ? [{ kind: 'too_long_for_bay' as const, detail: `The vehicle is ${vehicle_length_m} m long, and the bay ${Math.floor(bay_m)} m.` }]
      : []),
  ]
}

/** Returns the longest line in a shape, metres: no vehicle that is longer fits on it. */
export function longestIn(positions: readonly Position[]): number {
  let longest = 0
  for (const [i, [lon, lat]] of positions.entries())
    for (const [other_lon, other_lat] of positions.slice(i + 1))
      longest = Math.max(longest, metresBetween({ lon, lat }, { lon: other_lon, lat: other_lat }))
  return longest
}
