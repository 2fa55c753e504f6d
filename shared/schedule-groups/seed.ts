// The schedule that follows from an issued permit (`permits.md` import rule 8, `map.md` §0.6): a pure function for the web app, which fills a form with it.
import { DAY, type Instant, instantOf, MINUTE, ms, plusDays, type WallTime, type WorkDate, wallOf, weekdayOf } from '../time.ts'
import { isMissing } from './expand.ts'
import { completePattern, type Pattern } from './pattern.ts'

/** A time on a day of the site, cut to the permit's window. */
export type SeededOccurrence = { date: WorkDate; start_at: Instant; end_at: Instant; elapsed_minutes: number }

/** A permit's schedule: one entity with its own instants, or a pattern with its occurrences. */
export type Seeded =
  | { kind: 'single'; start_at: Instant; end_at: Instant }
  | {
      kind: 'schedule'
      /** The pattern to send: its `skip_dates` are `left_out` and `without_length`, so that its dates are those of `occurrences`. */
      pattern: Pattern
      /** Every date of the pattern that falls on one of its weekdays. */
      dates: WorkDate[]
      occurrences: SeededOccurrence[]
      /** Dates without an occurrence: no part of them is in the permit's window, or a clock change leaves them no length. */
      without_length: WorkDate[]
      /** Dates before `from_date`, which the caller can't write; `dates` does not contain them. */
      left_out: WorkDate[]
    }

const SATURDAY = 6
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]
const WORKDAYS = [1, 2, 3, 4, 5]

/**
 * Makes a schedule from a permit's window. Multi-day means more than 24 elapsed hours, whatever the calendar says; null for a window without length.
 * `from_date` is the first date that the caller can write.
 */
export function seedFromPermit(
  permit: { start_at: Instant; end_at: Instant },
  timezone: string,
  from_date: WorkDate | null = null,
): Seeded | null {
  const { start_at, end_at } = permit
  const length = ms(end_at) - ms(start_at)
  if (length <= 0) return null
  if (length <= DAY) return { kind: 'single', start_at, end_at }
  const start = wallOf(timezone, start_at)
  const end = wallOf(timezone, end_at)
  const wall = (at: { time: WallTime; seconds: number }) => `${at.time}:${String(at.seconds).padStart(2, '0')}`
  // The shift on the last date belongs to the evening before.
  const end_date = wall(end) < wall(start) ? plusDays(end.date, -1) : end.date
  const weekend = weekdayOf(start.date) >= SATURDAY || weekdayOf(end.date) >= SATURDAY
  const weekdays = weekend ? ALL_DAYS : WORKDAYS
  const dates: WorkDate[] = []
  const occurrences: SeededOccurrence[] = []
  const without_length: WorkDate[] = []
  const left_out: WorkDate[] = []
  for (let date = start.date; date <= end_date; date = plusDays(date, 1)) {
    if (!weekdays.includes(weekdayOf(date))) continue
    if (from_date !== null && date < from_date) {
      left_out.push(date)
      continue
    }
    dates.push(date)
    // An end that is not after the start is on the next day; so is an equal one, which makes a whole day.
    const until = wall(end) <= wall(start) ? plusDays(date, 1) : date
    const from = later(instantOf(timezone, date, start.time, start.seconds), start_at)
    const to = earlier(instantOf(timezone, until, end.time, end.seconds), end_at)
    if (to <= from || isMissing(timezone, date)) without_length.push(date)
    else occurrences.push({ date, start_at: from, end_at: to, elapsed_minutes: Math.round((ms(to) - ms(from)) / MINUTE) })
  }
  const times = { start_time: start.time, end_time: end.time }
  const pattern = completePattern({ start_date: start.date, end_date, weekdays, ...times, skip_dates: [...left_out, ...without_length] })
  return { kind: 'schedule', pattern, dates, occurrences, without_length, left_out }
}

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b)
const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)
