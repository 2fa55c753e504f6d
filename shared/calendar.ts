// The working days and shifts of a site (`site-and-people.md` §0.2), as the service and the app calculate them.

import { type Instant, instantOf, plusDays, type WallTime, type WorkDate, weekdayOf } from './time.ts'

/** A break within a shift, in wall-clock time. */
export type Break = { start_time: WallTime; end_time: WallTime }

/** A shift as the calendar needs it. `end_time` at or before `start_time` ends on the next site day. */
export type Shift = {
  id: string | null
  name: string
  /** Null for the site's own shift. */
  contractor_id: string | null
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
export function shiftsOn(calendar: Calendar, date: WorkDate, contractor_id: string | null = null): Shift[] {
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
