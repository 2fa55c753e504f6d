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

/** A break of a shift, in wall time inside of it. */
export type Break = { start_time: WallTime; end_time: WallTime }

/** A shift as the calendar needs it. `end_time` at or before `start_time` ends on the next site day. */
export type Shift = {
  id: Id | null
  name: string
  /** Null: the site's. */
  contractor_id: Id | null
  start_time: WallTime
  end_time: WallTime
  /** ISO weekdays; null: every working day. */
  weekdays: readonly number[] | null
  breaks: readonly Break[]
  valid_from: WorkDate
  /** Exclusive; null: still in force. */
  valid_to: WorkDate | null
}

/** A day with a name, as holidays and extra working days are kept. */
export type NamedDate = { date: WorkDate; name: string }

/** What the calendar of a site is made of. */
export type Calendar = {
  timezone: string
  work_weekdays: readonly number[] | null
  holidays: readonly NamedDate[]
  extra_work_dates: readonly NamedDate[]
  shifts: readonly Shift[]
}

/** Where no shift is written: half past seven to half past five. */
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

/** Why a day is or is not a working day. */
export type DayReason = { working: boolean; because: 'weekday' | 'weekend' | 'holiday' | 'extra'; name?: string }

/** Whether a day is a working day, and why. */
export function dayOf(calendar: Calendar, date: WorkDate): DayReason {
  const extra = calendar.extra_work_dates.find(d => d.date === date)
  if (extra !== undefined) return { working: true, because: 'extra', name: extra.name }
  const holiday = calendar.holidays.find(d => d.date === date)
  if (holiday !== undefined) return { working: false, because: 'holiday', name: holiday.name }
  const working = (calendar.work_weekdays ?? [1, 2, 3, 4, 5]).includes(weekdayOf(date))
  return { working, because: working ? 'weekday' : 'weekend' }
}

/** A day in `extra_work_dates`; or a working weekday that is no holiday. */
export const isWorkingDay = (calendar: Calendar, date: WorkDate): boolean => dayOf(calendar, date).working

const inForce = (shift: Shift, date: WorkDate) => shift.valid_from <= date && (shift.valid_to === null || date < shift.valid_to)

/**
 * The shifts that run on a day: the contractor's own if it has any in force then, else the site's. One without weekdays runs on working
 * days; one with weekdays also on a day that is none (Saturday overtime), never on a holiday.
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

/** A half-open stretch of time. */
export type Interval = { start_at: Instant; end_at: Instant }
/** A shift on one day, as instants. */
export type ShiftRun = Interval & { shift: Shift; work_date: WorkDate; breaks: Interval[] }

/** A shift as it falls on a day; both ends by the wall-time rule, so that patterns that meet still meet. */
export function runOf(zone: string, shift: Shift, date: WorkDate): ShiftRun {
  const night = shift.end_time <= shift.start_time
  const at = (time: WallTime) => instantOf(zone, night && time < shift.start_time ? plusDays(date, 1) : date, time)
  const start_at = at(shift.start_time)
  const end_at = instantOf(zone, night ? plusDays(date, 1) : date, shift.end_time)
  // A break that begins with the night shift's own end belongs to its second day, like every time before the start.
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

/** Intervals sorted, joined where they meet or overlap, empty ones gone. */
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

/** What is left of `from` when `away` is taken out. */
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

/** Working time between two instants: sorted, disjoint, half-open, breaks taken out. */
export function workingIntervals(calendar: Calendar, from: Instant, to: Instant, contractor_id: Id | null = null): Interval[] {
  if (from >= to) return []
  const intervals: Interval[] = []
  // A shift of at most 16 hours that still runs at `from` began on the day before at the earliest.
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

/** Minutes of `intervals`. */
export const minutesOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, i) => sum + (ms(i.end_at) - ms(i.start_at)) / 60_000, 0)

/** Working minutes between two instants. */
export const workingMinutes = (calendar: Calendar, from: Instant, to: Instant, contractor_id: Id | null = null): number =>
  minutesOf(workingIntervals(calendar, from, to, contractor_id))

/** The site day on which the shift running at `at` began (the latest start, if two overlap); else the calendar day on site. */
export function workDateOf(calendar: Calendar, at: Instant, contractor_id: Id | null = null): WorkDate {
  const today = dateOn(calendar.timezone, at)
  const running = [plusDays(today, -1), today]
    .flatMap(date => shiftsOn(calendar, date, contractor_id).map(shift => runOf(calendar.timezone, shift, date)))
    .filter(run => run.start_at <= at && at < run.end_at)
    .sort((a, b) => (a.start_at < b.start_at ? 1 : -1))
  return running[0]?.work_date ?? today
}

const FARTHEST = 4000

/** The day that lies so many working days later (or earlier, when negative). Zero is the day itself. */
export function addWorkingDays(calendar: Calendar, date: WorkDate, n: number): WorkDate {
  let left = Math.abs(n)
  const step = n < 0 ? -1 : 1
  let at = date
  for (let tries = 0; left > 0; tries++) {
    if (tries > FARTHEST) throw new RangeError('No working day within eleven years. Check the site’s weekdays and holidays.')
    at = plusDays(at, step)
    if (isWorkingDay(calendar, at)) left--
  }
  return at
}

/** Working days in (a, b]; negative when b comes before a. */
export function workingDaysBetween(calendar: Calendar, a: WorkDate, b: WorkDate): number {
  if (b < a) return -workingDaysBetween(calendar, b, a)
  let count = 0
  for (let at = plusDays(a, 1), n = daysBetween(a, b); n > 0; n--, at = plusDays(at, 1)) if (isWorkingDay(calendar, at)) count++
  return count
}

/** The nearest working day before (-1) or after (1) a day; null when there is none within eleven years. */
export function nearestWorkingDay(calendar: Calendar, date: WorkDate, step: -1 | 1): WorkDate | null {
  let at = date
  for (let tries = 0; tries < FARTHEST; tries++) {
    at = plusDays(at, step)
    if (isWorkingDay(calendar, at)) return at
  }
  return null
}

/** Length in minutes of a shift on an ordinary day, breaks taken out. */
export function plainMinutes(shift: Pick<Shift, 'start_time' | 'end_time' | 'breaks'>): number {
  const minutes = (time: WallTime) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const span = (a: WallTime, b: WallTime) => (minutes(b) - minutes(a) + 24 * 60) % (24 * 60) || 24 * 60
  return span(shift.start_time, shift.end_time) - shift.breaks.reduce((sum, b) => sum + span(b.start_time, b.end_time), 0)
}

/** Whole site days from now on in which the offset of the zone changes, within so many days: the nights that are an hour longer or shorter. */
export function clockChanges(zone: string, from: WorkDate, within_days: number): { date: WorkDate; minutes: number }[] {
  const out: { date: WorkDate; minutes: number }[] = []
  for (let i = 0, date = from; i < within_days; i++, date = plusDays(date, 1)) {
    const length = ms(startOfDay(zone, plusDays(date, 1))) - ms(startOfDay(zone, date))
    if (length !== DAY) out.push({ date, minutes: length / 60_000 })
  }
  return out
}
