// Windows that people request often: shifts of the site, and the hours that this person requested last time. Instants are calculated in site time.
import {
  DAY,
  dateOn,
  HOUR,
  type Instant,
  instant,
  instantOf,
  MINUTE,
  ms,
  plusDays,
  type WallTime,
  wallOf,
  weekdayOf,
} from '../../../../shared/time.ts'

/** Hours of a day in site time; when the end is not after the start, it is on the next day. With `weekdays` (1 Monday to 7 Sunday), only on these. */
export type Hours = { start_time: WallTime; end_time: WallTime; weekdays?: readonly number[] | null }
/** A window that can be chosen with one tap. `when` says whether it has started, is later today, or is tomorrow. */
export type OfferedWindow = { when: 'now' | 'today' | 'tomorrow'; start_at: Instant; end_at: Instant }

const STEP = 5 * MINUTE
const MOST = 4
/** Below this length, the rest of a shift is too short to be offered. */
const LEAST = 30 * MINUTE
const LONGEST = 16 * HOUR

/** Returns the hours of a window in site time; null when it is longer than a shift can be. */
export function hoursOf(permit: { start_at: Instant | null; end_at: Instant | null } | undefined, zone: string): Hours | null {
  if (permit?.start_at == null || permit.end_at === null || ms(permit.end_at) - ms(permit.start_at) > LONGEST) return null
  return { start_time: wallOf(zone, permit.start_at).time, end_time: wallOf(zone, permit.end_at).time }
}

/** Lists the windows to offer, soonest first: for these hours today, unless they are over, and tomorrow. A window that has started starts now instead. */
export function offeredWindows(hours: readonly Hours[], now: number, zone: string): OfferedWindow[] {
  const today = dateOn(zone, instant(now))
  const soonest = instant(Math.ceil(now / STEP) * STEP)
  const offered = [-1, 0, 1].flatMap(days =>
    hours.flatMap(({ start_time, end_time, weekdays }): OfferedWindow[] => {
      const date = plusDays(today, days)
      if (weekdays != null && !weekdays.includes(weekdayOf(date))) return []
      const start_at = instantOf(zone, date, start_time)
      const end_at = instantOf(zone, end_time > start_time ? date : plusDays(date, 1), end_time)
      if (ms(end_at) - now < LEAST) return []
      if (ms(start_at) <= now) return [{ when: 'now', start_at: soonest, end_at }]
      return [{ when: days === 1 ? 'tomorrow' : 'today', start_at, end_at }]
    }),
  )
  const seen = new Set<string>()
  return offered
    .filter(({ start_at, end_at }) => !seen.has(`${start_at} ${end_at}`) && seen.add(`${start_at} ${end_at}`))
    .sort((a, b) => a.start_at.localeCompare(b.start_at) || a.end_at.localeCompare(b.end_at))
    .slice(0, MOST)
}

/** Lists shifts that take place in the next two days. */
export const running = <S extends { valid_from: string; valid_to: string | null }>(
  shifts: readonly S[],
  now: number,
  zone: string,
): S[] => {
  const [today, tomorrow] = [dateOn(zone, instant(now)), dateOn(zone, instant(now + DAY))]
  return shifts.filter(({ valid_from, valid_to }) => valid_from <= tomorrow && (valid_to === null || valid_to > today))
}
