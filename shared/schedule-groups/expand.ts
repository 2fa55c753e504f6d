// From a pattern in wall-clock time to occurrences in instants (`map.md` §0.5 rules 1 to 3). Wall time stays the same when the clocks change; UTC moves.
import {
  daysBetween,
  HOUR,
  type Instant,
  instantOf,
  later,
  MINUTE,
  ms,
  offsetAt,
  plusDays,
  startOfDay,
  type WallTime,
  type WorkDate,
  wallOf,
} from '../time.ts'
import { datesOf, type Fault, listDates, MOST_OCCURRENCES, type Pattern, patternFaults, timesOn } from './pattern.ts'

/** One occurrence of a group, identified in it by the site day on which it starts. */
export type Occurrence = { occurrence_date: WorkDate; start_at: Instant; end_at: Instant }

/** An occurrence that a clock change touches; one with `no_length` is not made. */
export type ClockWarning = { date: WorkDate; kind: 'clock_forward' | 'clock_back' | 'no_length'; elapsed_minutes: number }

/** The occurrences of a pattern in order, or what is wrong with it; with faults there are no occurrences. */
export type Expansion = { occurrences: Occurrence[]; warnings: ClockWarning[]; faults: Fault[] }

/** A wall-clock time on a site; `seconds` (with a fraction) for times that come from an instant. */
type WallClock = { date: WorkDate; time: WallTime; seconds?: number }

/** Returns whether a day is missing from a site's calendar: Apia had no 2011-12-30. All of its times are on the next day, which has an occurrence of its own. */
export const isMissing = (timezone: string, date: WorkDate): boolean =>
  startOfDay(timezone, date) === startOfDay(timezone, plusDays(date, 1))

/**
 * Returns the instants of an interval of wall-clock time, each end by the rule of conventions §1, and a warning if a clock change touches it. Null
 * instants mean that the change leaves it no length: 01:30 to 02:15 on the night when the clocks go forward.
 */
export function intervalOf(
  timezone: string,
  start: WallClock,
  end: WallClock,
): { interval: { start_at: Instant; end_at: Instant } | null; warning: ClockWarning | null } {
  const start_at = instantOf(timezone, start.date, start.time, start.seconds)
  const end_at = instantOf(timezone, end.date, end.time, end.seconds)
  const elapsed = ms(end_at) - ms(start_at)
  if (elapsed <= 0 || isMissing(timezone, start.date))
    return { interval: null, warning: { date: start.date, kind: 'no_length', elapsed_minutes: 0 } }
  const kind = changeIn(timezone, start, end, start_at, end_at)
  const elapsed_minutes = Math.round(elapsed / MINUTE)
  return { interval: { start_at, end_at }, warning: kind === null ? null : { date: start.date, kind, elapsed_minutes } }
}

/**
 * Returns which clock change touches an interval: one that makes it longer or shorter than its wall-clock times say, or one that skips or repeats the
 * time of an end. The latter matters even if the length is right: people on site read 01:30 twice that night, and have to know which one is meant.
 */
function changeIn(
  timezone: string,
  start: WallClock,
  end: WallClock,
  start_at: Instant,
  end_at: Instant,
): 'clock_forward' | 'clock_back' | null {
  // Nearly every interval is far from a change. A site's clocks don't change twice within days.
  const [before, after] = [offsetAt(timezone, ms(start_at) - 3 * HOUR), offsetAt(timezone, ms(end_at) + 3 * HOUR)]
  if (before === after) return null
  const longer = ms(end_at) - ms(start_at) - (wallMs(end) - wallMs(start))
  if (longer !== 0) return longer < 0 ? 'clock_forward' : 'clock_back'
  const isRepeated = (wall: WallClock, at: Instant) => before > after && shows(timezone, later(at, before - after), wall)
  if (isRepeated(start, start_at) || isRepeated(end, end_at)) return 'clock_back'
  // An interval that ends at the very moment of the change is over by then.
  const skipped = !shows(timezone, start_at, start) || (!shows(timezone, end_at, end) && offsetAt(timezone, ms(end_at) - 1) === after)
  return skipped ? 'clock_forward' : null
}

const wallMs = ({ date, time, seconds = 0 }: WallClock): number => Date.parse(`${date}T${time}:00Z`) + seconds * 1000

/** Returns whether the clock of a site shows this wall-clock time at an instant. */
function shows(timezone: string, at: Instant, wall: WallClock): boolean {
  const shown = wallOf(timezone, at)
  return shown.date === wall.date && shown.time === wall.time
}

/** Returns the occurrence of a pattern on one of its dates (null if it has no length), and the warning about it. */
export function occurrenceOn(
  pattern: Pattern,
  date: WorkDate,
  timezone: string,
): { occurrence: Occurrence | null; warning: ClockWarning | null } {
  const { start_time, end_date, end_time } = timesOn(pattern, date)
  const { interval, warning } = intervalOf(timezone, { date, time: start_time }, { date: end_date, time: end_time })
  return { occurrence: interval === null ? null : { occurrence_date: date, ...interval }, warning }
}

/**
 * Returns every occurrence of a pattern on a site. A pattern is refused if it has no occurrence, more than 366, or two that overlap; one that is
 * left without length by a clock change is not made.
 */
export function expand(pattern: Pattern, timezone: string): Expansion {
  const faults = patternFaults(pattern)
  if (faults.length > 0) return { occurrences: [], warnings: [], faults }
  const refuse = (message: string): Expansion => ({ occurrences: [], warnings: [], faults: [{ path: 'pattern', message }] })
  const dates = datesOf(pattern)
  if (dates.length > MOST_OCCURRENCES)
    return refuse(`has ${dates.length} occurrences; a schedule can have at most ${MOST_OCCURRENCES}. Shorten it or choose fewer weekdays.`)
  const occurrences: Occurrence[] = []
  const warnings: ClockWarning[] = []
  for (const date of dates) {
    const { occurrence, warning } = occurrenceOn(pattern, date, timezone)
    if (occurrence !== null) occurrences.push(occurrence)
    if (warning !== null) warnings.push(warning)
  }
  if (occurrences.length === 0) return refuse(noneMessage(pattern, dates))
  const overlaps = overlapsIn(occurrences)
  if (overlaps.length > 0)
    return refuse(`has occurrences that overlap: ${listDates(overlaps)}. Change their times, or leave a date out with skip_dates.`)
  return { occurrences, warnings, faults: [] }
}

function noneMessage(pattern: Pattern, dates: readonly WorkDate[]): string {
  if (dates.length > 0) return `has no occurrence: on ${listDates(dates)} the clocks change and leave it no length. Choose other times.`
  const days = daysBetween(pattern.start_date, pattern.end_date) === 0 ? pattern.start_date : `${pattern.start_date} to ${pattern.end_date}`
  return `has no occurrence: no day of ${days} is on one of its weekdays and not in skip_dates. Change the dates or the weekdays.`
}

/** Returns the pairs of dates whose occurrences overlap. Only neighbours can: none is longer than a day and a clock change. */
function overlapsIn(occurrences: readonly Occurrence[]): string[] {
  const pairs: string[] = []
  occurrences.forEach((occurrence, i) => {
    const next = occurrences[i + 1]
    if (next !== undefined && next.start_at < occurrence.end_at) pairs.push(`${occurrence.occurrence_date} and ${next.occurrence_date}`)
  })
  return pairs
}
