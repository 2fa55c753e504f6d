// Makes the future of a schedule group match a new pattern, or a corrected timezone, and leaves alone what has started and what a person has edited (`map.md` §0.5).
import type { Instant, WorkDate } from '../time.ts'
import { type ClockWarning, expand, type Occurrence, occurrenceOn } from './expand.ts'
import { type Group, type StoredOccurrence, stateOf } from './occurrences.ts'
import { completePattern, type Fault, hasDate, MOST_OCCURRENCES, type Pattern } from './pattern.ts'

/** An occurrence that gets other times. */
export type ChangedOccurrence = Occurrence & { id: string }

/** An occurrence that stays as it is, and why. */
export type KeptOccurrence = { id: string; occurrence_date: WorkDate; why: 'edited' | 'started' }

/** What a new pattern does to a group; `same` means nothing at all, so that the group keeps its version. With faults nothing is done. */
export type Reconciliation = {
  faults: Fault[]
  pattern: Pattern
  removed_dates: WorkDate[]
  create: Occurrence[]
  change: ChangedOccurrence[]
  remove: { id: string; occurrence_date: WorkDate }[]
  kept: KeptOccurrence[]
  warnings: ClockWarning[]
  same: boolean
}

const sameTimes = (a: { start_at: Instant; end_at: Instant | null }, b: { start_at: Instant; end_at: Instant | null }) =>
  a.start_at === b.start_at && a.end_at === b.end_at

const keptBecause = (occurrence: StoredOccurrence, now: Instant): KeptOccurrence['why'] | null => {
  if (stateOf(occurrence, now) !== 'future') return 'started'
  return occurrence.edited ? 'edited' : null
}

/**
 * Compares a group with a new pattern. Past, running and edited occurrences stay. An unedited future one gets the new times of its date, or goes if the
 * pattern no longer has its date. A new date is created if its start is still ahead. A date that a person deleted stays deleted unless it is one of
 * `restore_dates`.
 */
export function reconcile(
  group: Group,
  occurrences: readonly StoredOccurrence[],
  pattern: Pattern,
  restore_dates: readonly WorkDate[],
  now: Instant,
  timezone: string,
): Reconciliation {
  const { occurrences: expanded, warnings, faults } = expand(pattern, timezone)
  const removed_dates = group.removed_dates.filter(date => !restore_dates.includes(date))
  const result: Reconciliation = { faults, pattern, removed_dates, create: [], change: [], remove: [], kept: [], warnings, same: false }
  if (faults.length > 0) return result
  const planned = new Map(expanded.map(o => [o.occurrence_date, o]))
  const taken = new Set(occurrences.map(o => o.occurrence_date))
  for (const occurrence of occurrences) {
    const { id, occurrence_date } = occurrence
    const why = keptBecause(occurrence, now)
    const next = planned.get(occurrence_date)
    if (why !== null) result.kept.push({ id, occurrence_date, why })
    // With new times that are already over, there is nothing left of it in the future, and no one was there in the past.
    else if (next === undefined || next.end_at <= now) result.remove.push({ id, occurrence_date })
    else if (!sameTimes(next, occurrence)) result.change.push({ id, ...next })
  }
  result.create = expanded.filter(o => o.start_at > now && !taken.has(o.occurrence_date) && !removed_dates.includes(o.occurrence_date))
  const total = occurrences.length - result.remove.length + result.create.length
  if (total > MOST_OCCURRENCES) {
    const message = `makes ${total} occurrences with those that stay; a schedule can have at most ${MOST_OCCURRENCES}. Choose an earlier end, or create another schedule.`
    return { ...result, faults: [{ path: 'pattern', message }], create: [], change: [], remove: [], kept: [], warnings: [] }
  }
  result.same =
    result.create.length + result.change.length + result.remove.length === 0 &&
    removed_dates.length === group.removed_dates.length &&
    JSON.stringify(completePattern(pattern)) === JSON.stringify(completePattern(group.pattern))
  return result
}

/** What a corrected timezone does to a group. */
export type Rederivation = Pick<Reconciliation, 'change' | 'remove' | 'warnings'>

/**
 * Derives future unedited occurrences again after the timezone of a site was corrected; past and running ones keep their instants. It never creates any,
 * because nobody asked for more work; one that a clock change of the new timezone leaves without length is removed.
 */
export function rederive(group: Group, occurrences: readonly StoredOccurrence[], now: Instant, timezone: string): Rederivation {
  const result: Rederivation = { change: [], remove: [], warnings: [] }
  for (const stored of occurrences) {
    const { id, occurrence_date } = stored
    if (keptBecause(stored, now) !== null || !hasDate(group.pattern, occurrence_date)) continue
    const { occurrence, warning } = occurrenceOn(group.pattern, occurrence_date, timezone)
    if (warning !== null) result.warnings.push(warning)
    if (occurrence === null) result.remove.push({ id, occurrence_date })
    else if (!sameTimes(occurrence, stored)) result.change.push({ id, ...occurrence })
  }
  return result
}
