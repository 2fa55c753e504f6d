// The site calendar (`site-and-people.md` §0.2): one pure module for working days, shifts, working minutes and the site day of an instant.
import {
  DAY,
  dateOn,
  daysBetween,
  type Instant,
  instantOf,
  ms,
  plusDays,
  startOfDay,
  type WallTime,
  type WorkDate,
  weekdayOf,
} from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** A break within a shift, in wall-clock time. */
export type Break = { start_time: WallTime; end_time: WallTime }

/** A shift as the calendar needs it. `end_time` at or before `start_time` ends on the next site day. */
export type Shift = {
  id: Id | null
  name: string
  /** Null for the site's own shift. */
  contractor_id: Id | null
  start_time: WallTime
  end_time: WallTime
  /** ISO weekdays; null means every working day. */
  weekdays: readonly number[] | null
  breaks: readonly Break[]
  valid_from: WorkDate
  /** Exclusive; null means no end. */
  valid_to: WorkDate | null
}

/** A named day: a holiday or an extra working day. */
export type NamedDate = { date: WorkDate; name: string }

/** The working days and shifts of a site. */
export type Calendar = {
  timezone: string
  work_weekdays: readonly number[] | null
  holidays: readonly NamedDate[]
  extra_work_dates: readonly NamedDate[]
  shifts: readonly Shift[]
}

/** Used if a site has no shifts: 07:30 to 17:30. */
const UNNAMED: Shift = {
  id: null,
  name: '',
  contractor_id: null,
  start_time: '07:30',
  end_time: '17:30',
  weekdays: null,
  breaks: [],
  valid_from: '1900-01-01',
  valid_to: null,
}

/** Why a day is or isn't a working day. */
export type DayReason = { working: boolean; because: 'weekday' | 'weekend' | 'holiday' | 'extra'; name?: string }

/** Returns whether a day is a working day, and why. */
export function dayOf(calendar: Calendar, date: WorkDate): DayReason {
  const extra = calendar.extra_work_dates.find(d => d.date === date)
  if (extra !== undefined) return { working: true, because: 'extra', name: extra.name }
  const holiday = calendar.holidays.find(d => d.date === date)
  if (holiday !== undefined) return { working: false, because: 'holiday', name: holiday.name }
  const working = (calendar.work_weekdays ?? [1, 2, 3, 4, 5]).includes(weekdayOf(date))
  return { working, because: working ? 'weekday' : 'weekend' }
}

/** Returns whether a day is a working day: an extra working day, or a working weekday that isn't a holiday. */
export const isWorkingDay = (calendar: Calendar, date: WorkDate): boolean => dayOf(calendar, date).working

const inForce = (shift: Shift, date: WorkDate) => shift.valid_from <= date && (shift.valid_to === null || date < shift.valid_to)

/**
 * Lists the shifts on a day: the contractor's own if it has any at that time, otherwise the site's. A shift without weekdays runs on working days. A
 * shift with weekdays also runs on days that aren't working days (Saturday overtime), but never on a holiday.
 */
export function shiftsOn(calendar: Calendar, date: WorkDate, contractor_id: Id | null = null): Shift[] {
  const there = calendar.shifts.filter(s => inForce(s, date))
  const own = contractor_id === null ? [] : there.filter(s => s.contractor_id === contractor_id)
  const candidates = own.length > 0 ? own : there.filter(s => s.contractor_id === null)
  const day = dayOf(calendar, date)
  const running = candidates.filter(s =>
    s.weekdays === null ? day.working : day.because !== 'holiday' && s.weekdays.includes(weekdayOf(date)),
  )
  if (running.length > 0) return running
  return candidates.length === 0 && day.working ? [UNNAMED] : []
}

/** A half-open interval of time. */
export type Interval = { start_at: Instant; end_at: Instant }
/** A shift on one day, as instants. */
export type ShiftRun = Interval & { shift: Shift; work_date: WorkDate; breaks: Interval[] }

/** Returns a shift on a day as instants. Both ends follow the same wall-clock rule, so that shifts that meet still meet when the clocks change. */
export function runOf(zone: string, shift: Shift, date: WorkDate): ShiftRun {
  const night = shift.end_time <= shift.start_time
  const at = (time: WallTime) => instantOf(zone, night && time < shift.start_time ? plusDays(date, 1) : date, time)
  const start_at = at(shift.start_time)
  const end_at = instantOf(zone, night ? plusDays(date, 1) : date, shift.end_time)
  // A break in a night shift at or after midnight, like every time before the start of the shift, belongs to its second day.
  const breaks = shift.breaks.map(b => {
    const from = at(b.start_time)
    const to = instantOf(
      zone,
      night && (b.end_time < shift.start_time || b.end_time <= b.start_time) ? plusDays(date, 1) : date,
      b.end_time,
    )
    return { start_at: from, end_at: to }
  })
  return { shift, work_date: date, start_at, end_at: end_at > start_at ? end_at : start_at, breaks }
}

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
  return joined(intervals)
    .map(i => ({ start_at: i.start_at < from ? from : i.start_at, end_at: i.end_at > to ? to : i.end_at }))
    .filter(i => i.start_at < i.end_at)
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

/** Lists the site days within this many days from now on which the clocks change, which are an hour longer or shorter. */
export function clockChanges(zone: string, from: WorkDate, within_days: number): { date: WorkDate; minutes: number }[] {
  const out: { date: WorkDate; minutes: number }[] = []
  for (let i = 0, date = from; i < within_days; i++, date = plusDays(date, 1)) {
    const length = ms(startOfDay(zone, plusDays(date, 1))) - ms(startOfDay(zone, date))
    if (length !== DAY) out.push({ date, minutes: length / 60_000 })
  }
  return out
}
