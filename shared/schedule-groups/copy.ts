// Copies of what starts on some site days, moved by calendar days (`map.md` §0.7): 07:30 stays 07:30, whatever the clocks do between.
import { dateOn, daysBetween, type Instant, ms, plusDays, type WallTime, type WorkDate, wallOf } from '../time.ts'
import { type ClockWarning, intervalOf } from './expand.ts'
import type { Fault } from './pattern.ts'

/** The source days, both included, and the day on which the first of them lands. */
export type CopyRange = { from_date: WorkDate; to_date: WorkDate; target_date: WorkDate }

/** What makes two map entities the same for a copy; `place` is any text that is equal for equal places. */
export type Copyable = { contractor_id: string | null; name: string; place: string; start_at: Instant; end_at: Instant | null }

/** A copy that is made, or one that is skipped because it is already there. */
export type Copy = { copied_from_id: string; start_at: Instant; end_at: Instant | null }

/** What copying does; with faults nothing is copied. */
export type CopyPlan = { faults: Fault[]; create: Copy[]; duplicates: Copy[]; warnings: (ClockWarning & { copied_from_id: string })[] }

const LONGEST_RANGE = 31
const MOST_COPIES = 2000
/** A permit in one of these states is no longer for work, so a copy doesn't get its link. */
const OVER = ['closed', 'rejected', 'withdrawn', 'expired']

/** Returns what is wrong with a range. */
function rangeFaults({ from_date, to_date, target_date }: CopyRange): Fault[] {
  if (to_date < from_date) return [{ path: 'to_date', message: 'is before from_date. Choose a later day.' }]
  if (daysBetween(from_date, to_date) >= LONGEST_RANGE)
    return [{ path: 'to_date', message: `makes the range longer than ${LONGEST_RANGE} days. Choose an earlier day.` }]
  if (target_date >= from_date && target_date <= to_date)
    return [{ path: 'target_date', message: 'is one of the days that are copied. Choose a day before from_date or after to_date.' }]
  return []
}

/** Returns a wall-clock time some days later, to the millisecond. */
function moved(timezone: string, at: Instant, days: number): { date: WorkDate; time: WallTime; seconds: number } {
  const { date, time, seconds } = wallOf(timezone, at)
  return { date: plusDays(date, days), time, seconds: seconds + (ms(at) % 1000) / 1000 }
}

const keyOf = ({ contractor_id, name, place, start_at, end_at }: Copyable) => JSON.stringify([contractor_id, name, place, start_at, end_at])

/**
 * Plans the copies of the entities that start on the site days of a range. With `skip_duplicates` a copy is left out if an equal one (same contractor,
 * name, place and times) is among `existing` or was made by an earlier copy; so repeating the call creates nothing.
 */
export function copyFromRange(
  entities: readonly (Copyable & { id: string })[],
  range: CopyRange,
  timezone: string,
  { skip_duplicates, existing }: { skip_duplicates: boolean; existing: readonly Copyable[] },
): CopyPlan {
  const plan: CopyPlan = { faults: rangeFaults(range), create: [], duplicates: [], warnings: [] }
  const refuse = (path: string, message: string): CopyPlan => ({ faults: [{ path, message }], create: [], duplicates: [], warnings: [] })
  if (plan.faults.length > 0) return plan
  const days = daysBetween(range.from_date, range.target_date)
  const known = new Set(skip_duplicates ? existing.map(keyOf) : [])
  const source = entities.filter(e => {
    const date = dateOn(timezone, e.start_at)
    return date >= range.from_date && date <= range.to_date
  })
  if (source.length === 0) return refuse('from_date', 'to to_date has nothing to copy. Choose other days.')
  for (const entity of source) {
    const start = moved(timezone, entity.start_at, days)
    // An open-ended entity has only a start, which is derived like that of the shortest interval.
    const end = entity.end_at === null ? null : moved(timezone, entity.end_at, days)
    const { interval, warning } = intervalOf(timezone, start, end ?? { ...start, seconds: start.seconds + 0.001 })
    if (warning !== null) plan.warnings.push({ ...warning, copied_from_id: entity.id })
    if (interval === null) continue
    const copy = { copied_from_id: entity.id, start_at: interval.start_at, end_at: end === null ? null : interval.end_at }
    const key = keyOf({ ...entity, ...copy })
    if (known.has(key)) plan.duplicates.push(copy)
    else plan.create.push(copy)
    if (skip_duplicates) known.add(key)
  }
  if (plan.create.length > MOST_COPIES)
    return refuse('to_date', `makes ${plan.create.length} copies; at most ${MOST_COPIES} can be made at a time. Choose fewer days.`)
  return plan
}

/** Returns whether a copy gets the link to a permit of its source: the permit isn't over, and its window contains the copy. */
export const keepsPermit = (permit: { status: string; start_at: Instant; end_at: Instant }, copy: Copy): boolean =>
  !OVER.includes(permit.status) && copy.end_at !== null && copy.start_at >= permit.start_at && copy.end_at <= permit.end_at
