// Windows that people request often: shifts of the site, and the hours that this person requested last time. Instants are calculated in site time.
import type { Interval } from '../../../../shared/calendar.ts'
import {
  dateOn,
  HOUR,
  type Instant,
  instant,
  instantOf,
  MINUTE,
  ms,
  plusDays,
  type WallTime,
  type WorkDate,
  wallOf,
} from '../../../../shared/time.ts'
import { isWorthOffering } from '../../../base/hours.ts'

/** Hours of a day in site time; when the end is not after the start, it is on the next day. */
export type Hours = { start_time: WallTime; end_time: WallTime }
/** A window that can be chosen with one tap. `when` says whether it has started, is later today, is tomorrow, or comes after that. */
export type OfferedWindow = { when: 'now' | 'today' | 'tomorrow' | 'later'; start_at: Instant; end_at: Instant }

const STEP = 5 * MINUTE
const MOST = 4
const LONGEST = 16 * HOUR

/** Returns the hours of a window in site time; null when it is longer than a shift can be. */
export function hoursOf(permit: { start_at: Instant | null; end_at: Instant | null } | undefined, zone: string): Hours | null {
  if (permit?.start_at == null || permit.end_at === null || ms(permit.end_at) - ms(permit.start_at) > LONGEST) return null
  return { start_time: wallOf(zone, permit.start_at).time, end_time: wallOf(zone, permit.end_at).time }
}

/**
 * Lists the windows to offer, soonest first, unless nearly nothing is left of them; one that has started starts now instead. These are the shifts of today
 * and tomorrow, or, if none starts tomorrow, the next one after that; and the last hours, today and tomorrow.
 */
export function offeredWindows(runs: readonly Interval[], last: Hours | null, now: number, zone: string): OfferedWindow[] {
  const today = dateOn(zone, instant(now))
  const tomorrow = plusDays(today, 1)
  const soonest = instant(Math.ceil(now / STEP) * STEP)
  const dayOf = ({ start_at }: Interval) => dateOn(zone, start_at)
  const later = runs.some(run => dayOf(run) === tomorrow) ? undefined : runs.find(run => dayOf(run) > tomorrow)
  const again = last === null ? [] : [plusDays(today, -1), today, tomorrow].map(date => onDay(last, date, zone))
  const seen = new Set<string>()
  return [...runs.filter(run => dayOf(run) <= tomorrow), ...(later === undefined ? [] : [later]), ...again]
    .filter(run => isWorthOffering(run, now))
    .map(({ start_at, end_at }): OfferedWindow => {
      if (ms(start_at) <= now) return { when: 'now', start_at: soonest, end_at }
      const day = dayOf({ start_at, end_at })
      return { when: day === today ? 'today' : day === tomorrow ? 'tomorrow' : 'later', start_at, end_at }
    })
    .filter(({ start_at, end_at }) => !seen.has(`${start_at} ${end_at}`) && seen.add(`${start_at} ${end_at}`))
    .sort((a, b) => a.start_at.localeCompare(b.start_at) || a.end_at.localeCompare(b.end_at))
    .slice(0, MOST)
}

const onDay = ({ start_time, end_time }: Hours, date: WorkDate, zone: string): Interval => ({
  start_at: instantOf(zone, date, start_time),
  end_at: instantOf(zone, end_time > start_time ? date : plusDays(date, 1), end_time),
})
