// What is stopped, who can clear it, and who can say so (`flow-of-work.md` §1). Pure.
import type { BlockerCategory } from '../../../../shared/blockers.ts'
import { DAY, HOUR, type Instant, later, MINUTE, ms } from '../../../../shared/time.ts'
import { type FieldFault, forbidden, guard, type Verdict, wrongStep } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'

const WORDS: Record<BlockerCategory, string> = {
  prerequisite_work: 'Earlier work',
  design_information: 'Design information',
  materials: 'Materials',
  labour: 'Labour',
  plant_equipment: 'Plant and equipment',
  access_space: 'Access and space',
  permit: 'Permit',
  inspection_approval: 'Inspection or approval',
  weather: 'Weather',
  change_of_priority: 'Change of priority',
  rework: 'Rework',
  safety_stop: 'Safety stop',
  other: 'Other',
}

export const ORIGINS = ['declared', 'claimed', 'added'] as const
export const STATUSES = ['open', 'resolved'] as const

/** A link to any record. */
export type Pointer = { kind: string; id: Id }

/** What the rules ask about a blocker. */
export type Stop = {
  status: string
  started_at: Instant
  created_at: Instant
  created_by: Id | null
  updated_by: Id | null
  responsible_contractor_id: Id | null
}

/** What the rules ask about one contractor's work that it stops. */
export type StoppedWork = {
  id: Id
  contractor_id: Id
  from_at: Instant
  to_at: Instant | null
  created_by: Id | null
  updated_by: Id | null
}

/** What the caller can do, as far as the rules depend on it; `scope`: the contractors that they act for. */
export type Standing = { id: Id | null; manages: boolean; archives: boolean; declares: boolean; scope: ReadonlySet<Id> }

/** Returns the title of a blocker that nobody gave one: its category and its place. */
export const titleOf = (category: BlockerCategory, place: string): string => [WORDS[category], place].filter(part => part !== '').join(', ')

/** Where something is, as far as it is known. */
export type Place = { building_id: Id | null; level_index: number | null; zone_id: Id | null }

/** Returns whether something is at the place of a blocker: in its zone, or in its building on its level. A level or zone that nobody gave is every one. */
export function isAtPlace(stop: Place, { building_id, level_index, zone_id }: Place): boolean {
  if (stop.zone_id !== null && zone_id !== null) return stop.zone_id === zone_id
  if (stop.building_id === null || stop.building_id !== building_id) return false
  return stop.level_index === null || level_index === null || stop.level_index === level_index
}

/** Returns whether a blocker stops work now, will, or no longer does. */
export function runningOf({ status, started_at }: Pick<Stop, 'status' | 'started_at'>, now: Instant): 'ahead' | 'stopping' | 'over' {
  if (status !== 'open') return 'over'
  return started_at > now ? 'ahead' : 'stopping'
}

const BACK_DAYS = 7
const BACK_DAYS_OF_COORDINATORS = 31
const AHEAD_DAYS = 30

/** Returns what is wrong with the start of a stop: records that are made on the day weigh more, so few can be made much later. */
export function startFaults(started_at: Instant, now: Instant, manages: boolean): FieldFault[] {
  const back = manages ? BACK_DAYS_OF_COORDINATORS : BACK_DAYS
  if (started_at < later(now, -back * DAY))
    return [
      { path: 'started_at', message: `is more than ${back} days ago.${manages ? '' : ' A coordinator can declare what began earlier.'}` },
    ]
  return started_at > later(now, AHEAD_DAYS * DAY) ? [{ path: 'started_at', message: `is more than ${AHEAD_DAYS} days ahead.` }] : []
}

/** Returns what is missing in what is said of a stop. */
export const wordFaults = (category: BlockerCategory, description: string): FieldFault[] =>
  category === 'other' && description.trim() === ''
    ? [{ path: 'description', message: 'is required for the category “other”: say what stops the work.' }]
    : []

const isParty = (entries: readonly StoppedWork[], responsible: Id | null, { scope }: Standing): boolean =>
  [responsible, ...entries.map(entry => entry.contractor_id)].some(id => id !== null && scope.has(id))

/** Returns why someone can’t say that the work goes on again; null if they can. */
export function cantResolve(stop: Stop, entries: readonly StoppedWork[], who: Standing): Verdict {
  if (!who.manages && !(who.declares && (isParty(entries, stop.responsible_contractor_id, who) || stop.created_by === who.id)))
    return forbidden(
      'blocker_manage',
      'Only people of a contractor whose work is stopped or who can clear it, and coordinators, can say that work goes on again.',
    )
  return stop.status === 'open' ? null : wrongStep(stop.status, [], 'This blocker is already resolved, so work goes on again.')
}

const WITHDRAW_MINUTES = 60

/** Returns why someone can’t delete a blocker; null if they can (§1.5). */
export function cantDelete(stop: Stop, entries: readonly StoppedWork[], who: Standing, now: Instant): Verdict {
  if (who.archives) return null
  const { created_by } = stop
  const alone = [stop, ...entries].every(row => row.created_by === created_by && row.updated_by === created_by)
  const mine = who.declares && created_by !== null && created_by === who.id
  if (mine && alone && now <= later(stop.created_at, WITHDRAW_MINUTES * MINUTE)) return null
  return forbidden(
    'blocker_archive',
    `Only the person who declared a blocker can delete it, within ${WITHDRAW_MINUTES} minutes and as long as nobody else has acted on it. An H&S person, a site manager or an administrator can delete it later.`,
  )
}

/** When some work goes on later than the cause was cleared, because it takes time to get going again. */
export type Restart = { affected_id: Id; to_at: Instant; reason: string }

const RESTART_HOURS = 24

/** Returns what is wrong with what is said of the end of a stop. */
export function endFaults(
  stop: Stop,
  entries: readonly StoppedWork[],
  cleared_at: Instant,
  restart: readonly Restart[],
  now: Instant,
): FieldFault[] {
  const faults: FieldFault[] = []
  if (cleared_at > now) faults.push({ path: 'cleared_at', message: 'is in the future.' })
  if (cleared_at < stop.started_at && stop.started_at <= now)
    faults.push({ path: 'cleared_at', message: 'is before the start of the stop.' })
  for (const [at, { affected_id, to_at }] of restart.entries()) {
    const path = `restart[${at}].`
    const entry = entries.find(one => one.id === affected_id && one.to_at === null)
    if (entry === undefined) faults.push({ path: `${path}affected_id`, message: 'isn’t work that this blocker stops now.' })
    else if (restart.findIndex(one => one.affected_id === affected_id) < at)
      faults.push({ path: `${path}affected_id`, message: 'is in the list twice.' })
    if (to_at < cleared_at) faults.push({ path: `${path}to_at`, message: 'is before the cause was cleared.' })
    else if (ms(to_at) - ms(cleared_at) > RESTART_HOURS * HOUR)
      faults.push({ path: `${path}to_at`, message: `is more than ${RESTART_HOURS} hours after the cause was cleared.` })
  }
  return faults
}

/** Returns why someone can’t say when the work of these entries goes on; null if they can. */
export const cantRestart = (entries: readonly StoppedWork[], restart: readonly Restart[], who: Standing): Verdict =>
  who.manages ||
  restart.every(({ affected_id }) => {
    const entry = entries.find(one => one.id === affected_id)
    return entry === undefined || who.scope.has(entry.contractor_id)
  })
    ? null
    : forbidden('blocker_manage', 'Only its own contractor, or a coordinator, can say when work goes on later than the cause was cleared.')

/** Returns when the work of an entry goes on: nothing ends before it began. */
export const endOf = (entry: Pick<StoppedWork, 'id' | 'from_at'>, cleared_at: Instant, restart: readonly Restart[]): Instant => {
  const to_at = restart.find(one => one.affected_id === entry.id)?.to_at ?? cleared_at
  return to_at < entry.from_at ? entry.from_at : to_at
}

/** A guard of the steps that declare a blocker: nobody’s work can be named. */
export const noContractor = (): Verdict =>
  guard('has_contractor', 'This has no contractor, so it isn’t known whose work has stopped. Give it a contractor first.')
