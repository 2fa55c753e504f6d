// What an alert is, when it is active, and which work it concerns (`site-and-people.md` §16). Pure.
import type { Areal, Geometry } from '../../../../shared/geometry/plane.ts'
import { holds, lonLat } from '../../../../shared/geometry/plane.ts'
import type { Graph, Transition } from '../../../../shared/lifecycle/graph.ts'
import { DAY, HOUR, type Instant, later, MINUTE } from '../../../../shared/time.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import { overlapArea } from '../../../kernel/geometry/domain/overlay.ts'

export const SEVERITIES = ['info', 'warning', 'danger'] as const
export const CATEGORIES = [
  'weather',
  'access',
  'traffic',
  'lifting',
  'utilities',
  'fire',
  'security',
  'environment',
  'welfare',
  'emergency',
  'other',
] as const
export const EFFECTS = ['none', 'caution', 'stops'] as const
export const ACTIVITIES = ['all', 'lifting', 'mewp', 'roof_work', 'hot_work', 'excavation', 'concrete', 'external', 'access'] as const
export const SOURCE_KINDS = ['manual', 'weather', 'clash_episode', 'area_stop', 'threshold'] as const
export const ACTIVITY_KINDS = [
  'raised',
  'changed',
  'started',
  'overdue',
  'lapsed',
  'resolved',
  'unresolved',
  'deleted',
  'notified',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** What raised an alert. */
export type Source = { kind: (typeof SOURCE_KINDS)[number]; id?: Id | null; key?: string | null }

/** What an alert said during a period. */
export type Said = { effect: string; activities: string[]; place: unknown; radius_m: number | null; levels: number[] }
/** A time in which an alert was active; it has no end while it is. */
export type Period = Said & { from: Instant; to: Instant | null }

/** The columns of an alert that decide when it is active. */
export type Timed = Said & {
  severity: string
  state: State
  start_at: Instant
  end_at: Instant | null
  periods: readonly Period[]
}

/** The states of an alert. */
export const STATES = ['scheduled', 'active', 'overdue', 'lapsed', 'resolved'] as const
type State = (typeof STATES)[number]

/** The states in which an alert isn’t over; the list shows these unless another state is asked for. */
export const OPEN = ['scheduled', 'active', 'overdue'] as const

const states: Graph['states'] = [
  { key: 'scheduled', label: 'Scheduled', kind: 'initial' },
  { key: 'active', label: 'Active', kind: 'normal' },
  { key: 'overdue', label: 'Overdue', kind: 'normal' },
  { key: 'lapsed', label: 'Lapsed', kind: 'terminal' },
  { key: 'resolved', label: 'Resolved', kind: 'terminal' },
]
const step = (action: string, from: string, to: string, more: Partial<Transition>): Transition => ({
  key: `${action}_${from}`,
  ...{ action, from, to, actor: 'clock', guards: [], effects: [], requires: [] },
  ...more,
})

/** The lifecycle of an alert. */
export const GRAPH: Graph = {
  states,
  transitions: [
    step('start', 'scheduled', 'active', { effects: ['open'] }),
    step('lapse', 'active', 'lapsed', { guards: ['ends_by_itself'], effects: ['close'] }),
    step('overrun', 'active', 'overdue', { guards: ['needs_a_person'] }),
    ...OPEN.map(from => step('resolve', from, 'resolved', { actor: 'lifter', guards: ['note_given'], effects: ['close', 'resolve'] })),
    ...['resolved', 'lapsed'].map(from =>
      step('unresolve', from, 'active', { actor: 'reopener', guards: ['recent'], effects: ['reopen'], requires: ['reason'] }),
    ),
  ],
}

/** Returns whether only a person can end an alert: danger, and what stops work, stay active after their end. */
export const needsAPerson = ({ severity, effect }: { severity: string; effect: string }): boolean =>
  severity === 'danger' || effect === 'stops'

/** How long an alert can be reopened after it ended. */
const REOPENED_WITHIN = 7 * DAY

/** Returns whether an alert ended recently enough to be reopened. */
export const isRecent = ({ resolved_at, periods }: { resolved_at: Instant | null; periods: readonly Period[] }, now: Instant): boolean => {
  const ended = resolved_at ?? periods.at(-1)?.to ?? null
  return ended === null || later(ended, REOPENED_WITHIN) >= now
}

/** How long the person who raised an alert can change it, and delete it as a mistake. */
export const RAISER_CHANGES_FOR = HOUR
export const RAISER_DELETES_FOR = 15 * MINUTE
/** Within this time, the same alert from the same person is a second tap and no second alert. */
export const SAME_WITHIN = 2 * MINUTE

const EARLIEST = DAY
const LATEST = 30 * DAY

/** What a person gave, as far as the rules of an alert look at it. */
export type Given = Timed & { radius_m: number | null; place: unknown }

/** Returns what is wrong with an alert as it would be saved. */
export function faultsOf(next: Given, before: Given | null, now: Instant): FieldFault[] {
  const faults: FieldFault[] = []
  const say = (path: string, message: string) => faults.push({ path, message })
  if (next.effect === 'stops' && next.severity === 'info') say('severity', 'must be at least a warning for an alert that stops work.')
  if (next.effect === 'stops' && next.activities.length === 0) say('activities', 'must name what is stopped, or `all`.')
  if (next.effect !== 'stops' && next.activities.length > 0) say('activities', 'can only be sent with the effect `stops`.')
  if (next.activities.includes('all') && next.activities.length > 1) say('activities', 'can’t name others besides `all`.')
  if (next.end_at !== null && next.end_at <= next.start_at) say('end_at', 'must be later than start_at.')
  if (before === null || next.start_at !== before.start_at) {
    const started = before !== null && before.state !== 'scheduled'
    if (started && next.start_at < now) say('start_at', 'can’t be earlier than now, because the alert has already been active.')
    else if (later(next.start_at, EARLIEST) < now) say('start_at', 'can be at most 24 hours back.')
    if (next.start_at > later(now, LATEST)) say('start_at', 'can be at most 30 days ahead.')
  }
  if ((before === null || next.end_at !== before.end_at) && next.end_at !== null && next.end_at <= now)
    say('end_at', 'must be later than now. Resolve the alert to end it.')
  return faults
}

const saidIn = ({ effect, activities, place, radius_m, levels }: Said): Said => ({ effect, activities, place, radius_m, levels })

/** Opens a period. */
export const opened = (row: Timed, from: Instant): Period[] => [...row.periods, { ...saidIn(row), from, to: null }]

/** Closes the period that is open. One that would end before it started is left out: the alert was never active in it. */
export const closed = (periods: readonly Period[], to: Instant): Period[] =>
  periods.flatMap(period => (period.to !== null ? [period] : period.from < to ? [{ ...period, to }] : []))

/** Returns the columns that follow from when an alert is active. */
export function spanOf(row: Timed): { danger: number; span_from: Instant; span_to: Instant | null } {
  const first = row.periods[0]?.from
  const last = row.periods.at(-1)
  const open = last?.to === null || row.state === 'scheduled'
  const until = open ? (needsAPerson(row) ? null : row.end_at) : (last?.to ?? row.start_at)
  const from = first === undefined || first > row.start_at ? row.start_at : first
  return { danger: row.severity === 'danger' ? 1 : 0, span_from: from, span_to: until !== null && until < from ? from : until }
}

/** Returns state and periods after a change: what was active until now stays as it was, and something else is active from now on. */
export function retimed<T extends Timed>(next: T, before: T | null, now: Instant, changed: boolean): { state: State; periods: Period[] } {
  const open = (row: Timed, from: Instant, periods: readonly Period[]) => ({
    state: 'active' as const,
    periods: opened({ ...row, periods }, from),
  })
  if (before === null) return next.start_at > now ? { state: 'scheduled', periods: [] } : open(next, next.start_at, [])
  if (before.state === 'scheduled')
    return next.start_at > now
      ? { state: 'scheduled', periods: [...next.periods] }
      : open(next, next.periods.length > 0 ? now : next.start_at, next.periods)
  if (!(before.state === 'active' || before.state === 'overdue')) return { state: next.state, periods: [...next.periods] }
  if (next.start_at !== before.start_at) {
    const past = closed(next.periods, now)
    return next.start_at > now ? { state: 'scheduled', periods: past } : open(next, now, past)
  }
  const over = next.end_at !== null && next.end_at <= now && needsAPerson(next)
  const state = over ? before.state : 'active'
  return { state, periods: changed ? opened({ ...next, periods: closed(next.periods, now) }, now) : [...next.periods] }
}

/** The ground of an alert. Without an area it covers the whole site. */
export type Ground = { area: Areal | null; building_id: Id | null; levels: readonly number[] }
/** Where something is, as far as that is known. */
export type Where = { geometry: Geometry | null; building_id: Id | null; level_index: number | null }

/** Returns whether something is at least partly in the place of an alert. What has no known place is only in an alert for the whole site. */
export function isIn(ground: Ground, { geometry, building_id, level_index }: Where): boolean {
  if (ground.area === null) return true
  const named = ground.building_id !== null && ground.building_id === building_id
  if (named && level_index !== null && ground.levels.length > 0 && !ground.levels.includes(level_index)) return false
  if (geometry === null) return named
  if (ground.building_id !== null && building_id !== null && !named) return false
  if (geometry.type === 'Point') return holds(ground.area, lonLat(geometry.coordinates))
  if (geometry.type === 'LineString') return geometry.coordinates.some(at => ground.area !== null && holds(ground.area, lonLat(at)))
  return overlapArea(ground.area, geometry) > 0
}

/** The permit types that certain activities need; other activities can be part of any permit. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  hot_work: ['HW'],
  excavation: ['EXC'],
  lifting: ['LIFT', 'CRO'],
  roof_work: ['WAH'],
  mewp: ['WAH', 'LIFT', 'CRO'],
}
const KNOWN_TYPES = ['HW', 'CSE', 'WAH', 'EXC', 'ELE', 'CRO', 'PRT', 'RAD', 'LIFT']

/** Returns whether an alert stops the work of a permit of these types. It doesn’t only if every type is known to be other work: when in doubt, it stops. */
export const concernsTypes = (activities: readonly string[], types: readonly string[]): boolean =>
  activities.some(activity => TYPES[activity] === undefined || types.some(type => TYPES[activity]?.includes(type))) ||
  types.some(type => !KNOWN_TYPES.includes(type))

/** An alert that stops work, as permits need it. */
export type Stop = Ground & {
  id: Id
  title: string
  severity: string
  activities: string[]
  start_at: Instant
  contractor_ids: Id[]
}
