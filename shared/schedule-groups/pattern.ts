// The pattern of a schedule group in the site's wall-clock time, and what can be wrong with it (`map.md` §0.5).
import { daysBetween, isWallTime, isWorkDate, plusDays, type WallTime, type WorkDate, weekdayOf } from '../time.ts'

/** Other times for one date of a pattern; a time that is left out stays the pattern's own. */
export type Override = { date: WorkDate; start_time?: WallTime | undefined; end_time?: WallTime | undefined }

/** When the occurrences of a group are. An end time that is not after the start time is on the next site day; an equal one makes a whole site day. */
export type Pattern = {
  /** The first and the last site day on which an occurrence can start, both included. */
  start_date: WorkDate
  end_date: WorkDate
  /** ISO weekdays (1 is Monday) on which occurrences start. */
  weekdays: number[]
  start_time: WallTime
  end_time: WallTime
  /** Dates that are added whatever their weekday, also before `start_date` and after `end_date`. */
  extra_dates: WorkDate[]
  /** Dates that are left out. */
  skip_dates: WorkDate[]
  overrides: Override[]
}

/** A pattern as it is written: what it leaves out has a default. */
export type WrittenPattern = Pick<Pattern, 'start_date' | 'end_date' | 'start_time' | 'end_time'> & {
  [Field in 'weekdays' | 'extra_dates' | 'skip_dates' | 'overrides']?: Pattern[Field] | undefined
}

/** What is wrong with a field: the message continues a sentence that starts with the field. */
export type Fault = { path: string; message: string }

/** The most occurrences that a group can have. */
export const MOST_OCCURRENCES = 366
const LONGEST_SPAN = 730
const WORKDAYS = [1, 2, 3, 4, 5]
/** As many dates as a message lists; a person corrects the first ones and sees the next. */
const LISTED = 5

const sorted = <T>(values: readonly T[]): T[] => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))

/** Fills in the defaults of a pattern and sorts its lists, so that two patterns with the same meaning are equal as JSON. */
export const completePattern = (written: WrittenPattern): Pattern => ({
  start_date: written.start_date,
  end_date: written.end_date,
  weekdays: sorted(written.weekdays ?? WORKDAYS),
  start_time: written.start_time,
  end_time: written.end_time,
  extra_dates: sorted(written.extra_dates ?? []),
  skip_dates: sorted(written.skip_dates ?? []),
  overrides: (written.overrides ?? [])
    .map(({ date, start_time, end_time }) => ({
      date,
      ...(start_time === undefined ? {} : { start_time }),
      ...(end_time === undefined ? {} : { end_time }),
    }))
    .sort((a, b) => (a.date < b.date ? -1 : 1)),
})

/** Lists dates for a message, the first few only. */
export const listDates = (dates: readonly string[]): string =>
  dates.length <= LISTED ? dates.join(', ') : `${dates.slice(0, LISTED).join(', ')} and ${dates.length - LISTED} others`

/** Returns what is wrong with the fields of a pattern, every fault at once. Whether its occurrences fit together is checked by `expand`. */
export function patternFaults(pattern: Pattern): Fault[] {
  const faults: Fault[] = []
  const add = (path: string, message: string) => faults.push({ path: `pattern.${path}`, message })
  const day = (path: string, date: string) => {
    if (!isWorkDate(date)) add(path, 'isn’t a day of the calendar. Write it as YYYY-MM-DD.')
  }
  const time = (path: string, at: string | undefined) => {
    if (at !== undefined && !isWallTime(at)) add(path, 'isn’t a time of day. Write it as HH:MM, 00:00 to 23:59.')
  }
  day('start_date', pattern.start_date)
  day('end_date', pattern.end_date)
  time('start_time', pattern.start_time)
  time('end_time', pattern.end_time)
  pattern.weekdays.forEach((weekday, i) => {
    if (!Number.isInteger(weekday) || weekday < 1 || weekday > 7) add(`weekdays[${i}]`, 'isn’t a weekday from 1 (Monday) to 7 (Sunday).')
  })
  pattern.extra_dates.forEach((date, i) => {
    day(`extra_dates[${i}]`, date)
    if (pattern.skip_dates.includes(date)) add(`extra_dates[${i}]`, `${date} is also in skip_dates. Remove it from one of the lists.`)
  })
  pattern.skip_dates.forEach((date, i) => {
    day(`skip_dates[${i}]`, date)
  })
  const seen = new Set<string>()
  pattern.overrides.forEach((override, i) => {
    const path = `overrides[${i}]`
    day(`${path}.date`, override.date)
    time(`${path}.start_time`, override.start_time)
    time(`${path}.end_time`, override.end_time)
    if (override.start_time === undefined && override.end_time === undefined) add(path, 'has no time. Add start_time or end_time.')
    if (seen.has(override.date)) add(`${path}.date`, `${override.date} already has an override. Use one for each date.`)
    seen.add(override.date)
  })
  if (faults.length > 0) return faults
  if (pattern.end_date < pattern.start_date) add('end_date', 'is before start_date. Choose a later day.')
  else if (spanOf(pattern) > LONGEST_SPAN)
    add('end_date', `makes the schedule longer than ${LONGEST_SPAN} days. Choose an earlier day and create another schedule later.`)
  return faults
}

/** Returns the number of days from the first to the last date that a pattern could use, extra dates included. */
function spanOf({ start_date, end_date, extra_dates }: Pattern): number {
  const dates = sorted([start_date, end_date, ...extra_dates])
  return daysBetween(dates[0] ?? start_date, dates.at(-1) ?? end_date) + 1
}

/** Returns whether a pattern has this date: on one of its weekdays or an extra date, and not left out. */
export function hasDate(pattern: Pattern, date: WorkDate): boolean {
  if (pattern.skip_dates.includes(date)) return false
  if (pattern.extra_dates.includes(date)) return true
  return date >= pattern.start_date && date <= pattern.end_date && pattern.weekdays.includes(weekdayOf(date))
}

/** Returns every date of a pattern, in order. */
export function datesOf(pattern: Pattern): WorkDate[] {
  const dates = [...pattern.extra_dates]
  for (let date = pattern.start_date; date <= pattern.end_date; date = plusDays(date, 1)) dates.push(date)
  const has = sorted(dates)
  return has.filter(date => hasDate(pattern, date))
}

/** Returns the wall-clock times of a pattern on a date, and the site day of the end. */
export function timesOn(pattern: Pattern, date: WorkDate): { start_time: WallTime; end_date: WorkDate; end_time: WallTime } {
  const override = pattern.overrides.find(o => o.date === date)
  const start_time = override?.start_time ?? pattern.start_time
  const end_time = override?.end_time ?? pattern.end_time
  return { start_time, end_date: end_time <= start_time ? plusDays(date, 1) : date, end_time }
}
