// The site calendar (`site-and-people.md` §0.2): one pure module for working days, shifts, working minutes and the site day of an instant.
import { type Calendar, type Interval, isWorkingDay, runOf, type Shift, type ShiftRun, shiftsOn } from '../../../shared/calendar.ts'
import {
  DAY,
  dateOn,
  daysBetween,
  type Instant,
  isWorkDate,
  ms,
  plusDays,
  startOfDay,
  type WallTime,
  type WorkDate,
} from '../../../shared/time.ts'
import type { FieldFault } from '../../base/errors.ts'
import type { Id } from '../../base/ids.ts'

export {
  type Break,
  type Calendar,
  dayOf,
  type Interval,
  isWorkingDay,
  type NamedDate,
  runOf,
  type Shift,
  shiftsOn,
} from '../../../shared/calendar.ts'

/** The code of the demo site once it is complete. */
export const DEMO_CODE = 'DEMO-1'

/** Sorts intervals, joins those that meet or overlap, and removes empty ones. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals
    .filter(i => i.start_at < i.end_at)
    .sort((a, b) => (a.start_at < b.start_at ? -1 : a.start_at > b.start_at ? 1 : 0))
  const out: Interval[] = []
  for (const { start_at, end_at } of sorted) {
    const last = out.at(-1)
    if (last !== undefined && start_at <= last.end_at) {
      if (end_at > last.end_at) last.end_at = end_at
    } else {
      out.push({ start_at, end_at })
    }
  }
  return out
}

/** Subtracts the intervals `away` from `from`. */
export function without(from: readonly Interval[], away: readonly Interval[]): Interval[] {
  let left = joined(from)
  for (const hole of joined(away)) {
    left = left.flatMap(i =>
      hole.end_at <= i.start_at || hole.start_at >= i.end_at
        ? [i]
        : [
            { start_at: i.start_at, end_at: hole.start_at },
            { start_at: hole.end_at, end_at: i.end_at },
          ].filter(p => p.start_at < p.end_at),
    )
  }
  return left
}

const working = (run: ShiftRun) => without([run], run.breaks)

/** Cuts intervals to a period; those outside it are left out. */
const within = (intervals: readonly Interval[], from: Instant, to: Instant): Interval[] =>
  intervals
    .map(({ start_at, end_at }) => ({ start_at: start_at < from ? from : start_at, end_at: end_at > to ? to : end_at }))
    .filter(i => i.start_at < i.end_at)

/** Returns the working time between two instants without breaks: sorted, disjoint, half-open. */
export function workingIntervals(calendar: Calendar, from: Instant, to: Instant, contractor_id: Id | null = null): Interval[] {
  if (from >= to) return []
  const intervals: Interval[] = []
  // A shift lasts at most 16 hours, so one that is still running at `from` started the day before at the earliest.
  for (
    let date = plusDays(dateOn(calendar.timezone, from), -1), last = dateOn(calendar.timezone, to);
    date <= last;
    date = plusDays(date, 1)
  ) {
    for (const shift of shiftsOn(calendar, date, contractor_id)) intervals.push(...working(runOf(calendar.timezone, shift, date)))
  }
  return within(joined(intervals), from, to)
}

/**
 * Returns the working time between two instants that belongs to a site day: that of the shifts that start on it, up to where a shift of the day after starts. Hours can’t
 * divide it: where the zone isn’t whole hours from UTC, one of them can be in two shifts.
 */
export function workingOn(calendar: Calendar, date: WorkDate, from: Instant, to: Instant): Interval[] {
  const runsOn = (day: WorkDate) => shiftsOn(calendar, day).map(shift => runOf(calendar.timezone, shift, day))
  return within(without(runsOn(date).flatMap(working), runsOn(plusDays(date, 1))), from, to)
}

/** Returns the total minutes of intervals. */
export const minutesOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, i) => sum + (ms(i.end_at) - ms(i.start_at)) / 60_000, 0)

/** Returns the working minutes between two instants. */
export const workingMinutes = (calendar: Calendar, from: Instant, to: Instant, contractor_id: Id | null = null): number =>
  minutesOf(workingIntervals(calendar, from, to, contractor_id))

/** Returns the site day on which the shift at `at` began (the latest start, if two overlap); otherwise the calendar day on the site. */
export function workDateOf(calendar: Calendar, at: Instant, contractor_id: Id | null = null): WorkDate {
  const today = dateOn(calendar.timezone, at)
  const running = [plusDays(today, -1), today]
    .flatMap(date => shiftsOn(calendar, date, contractor_id).map(shift => runOf(calendar.timezone, shift, date)))
    .filter(run => run.start_at <= at && at < run.end_at)
    .sort((a, b) => (a.start_at < b.start_at ? 1 : -1))
  return running[0]?.work_date ?? today
}

const FARTHEST = 4000

/** Returns the day that is this many working days later (or earlier, if negative). Zero gives the day itself. */
export function addWorkingDays(calendar: Calendar, date: WorkDate, n: number): WorkDate {
  let left = Math.abs(n)
  const step = n < 0 ? -1 : 1
  let at = date
  for (let tries = 0; left > 0; tries++) {
    if (tries > FARTHEST) throw new RangeError('There is no working day within eleven years. Check the site’s weekdays and holidays.')
    at = plusDays(at, step)
    if (isWorkingDay(calendar, at)) left--
  }
  return at
}

/** Counts the working days in (a, b]; negative if b is before a. */
export function workingDaysBetween(calendar: Calendar, a: WorkDate, b: WorkDate): number {
  if (b < a) return -workingDaysBetween(calendar, b, a)
  let count = 0
  for (let at = plusDays(a, 1), n = daysBetween(a, b); n > 0; n--, at = plusDays(at, 1)) if (isWorkingDay(calendar, at)) count++
  return count
}

/** Returns the nearest working day before (-1) or after (1) a day; null if there is none within eleven years. */
export function nearestWorkingDay(calendar: Calendar, date: WorkDate, step: -1 | 1): WorkDate | null {
  let at = date
  for (let tries = 0; tries < FARTHEST; tries++) {
    at = plusDays(at, step)
    if (!isWorkDate(at)) return null
    if (isWorkingDay(calendar, at)) return at
  }
  return null
}

/** Returns the length of a shift on an ordinary day in minutes, without breaks. */
export function plainMinutes(shift: Pick<Shift, 'start_time' | 'end_time' | 'breaks'>): number {
  const minutes = (time: WallTime) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const span = (a: WallTime, b: WallTime) => (minutes(b) - minutes(a) + 24 * 60) % (24 * 60) || 24 * 60
  return span(shift.start_time, shift.end_time) - shift.breaks.reduce((sum, b) => sum + span(b.start_time, b.end_time), 0)
}

/** Lists the site days within this many days from now on which the clocks change, with their length: most are an hour longer or shorter, on Lord Howe half an hour. */
export function clockChanges(zone: string, from: WorkDate, within_days: number): { date: WorkDate; minutes: number }[] {
  const out: { date: WorkDate; minutes: number }[] = []
  for (let i = 0, date = from; i < within_days; i++, date = plusDays(date, 1)) {
    const length = ms(startOfDay(zone, plusDays(date, 1))) - ms(startOfDay(zone, date))
    if (length !== DAY) out.push({ date, minutes: length / 60_000 })
  }
  return out
}

const PARTS: Readonly<Record<string, string>> = { value: 'a value', field: 'a field', op: 'a comparison' }
const PLACES: Readonly<Record<string, string>> = { when: 'the condition', a: 'side A', b: 'side B', outcome: 'the outcome' }

/** Returns a field of a rule in words: what people see of it in the app. */
function fieldInWords(path: string): string {
  const [, n] = /^audience\[(\d+)\]/.exec(path) ?? []
  if (n !== undefined) return `recipient ${Number(n) + 1}`
  const names = path.split('.').map(part => part.replace(/\[\d+\]$/, ''))
  const place = PLACES[names[0] ?? '']
  return place === undefined ? path : `${PARTS[names.at(-1) ?? ''] ?? 'a line'} of ${place}`
}

/** Returns why a rule that was copied from another site is switched off, as sentences for people. */
export const attentionOf = (name: string, faults: readonly FieldFault[]): string[] =>
  faults.map(({ path, message }) => `${name}: ${fieldInWords(path)} ${message}`)
