// Hours of the demo site's working days, and random numbers from a seed.
import { HOUR, type Instant, instant, instantOf, later, MINUTE, ms, plusDays, type WorkDate, wallOf, weekdayOf } from '../../shared/time.ts'
import { ZONE } from './site.ts'

/** Random numbers from a seed (mulberry32). */
export function lots(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { whole, minutes: (from: number, to: number) => whole(from, to) * MINUTE + whole(0, 59) * 1000 }
}

const isWorkday = (date: WorkDate) => weekdayOf(date) <= 5
/** Returns the working day that is the given number of working days later, or earlier if negative. */
export function workday(date: WorkDate, steps: number): WorkDate {
  let at = date
  for (let left = Math.abs(steps); left > 0; ) {
    at = plusDays(at, Math.sign(steps))
    if (isWorkday(at)) left--
  }
  return at
}
/** Returns a time of a day on the site. */
export const clock = (date: WorkDate, time: string): Instant => instantOf(ZONE, date, time)
/** Returns the half hour that an instant is in. */
export const halfHour = (at: Instant): Instant => instant(Math.floor(ms(at) / (30 * MINUTE)) * 30 * MINUTE)

/** The time of a permit. */
export type Window = { start_at: Instant; end_at: Instant }

/** Returns a window that includes now: within the working day if it is a working day, otherwise around the present hour. */
export function windowAround(now: Instant, begun: number, left: number): Window {
  const { date } = wallOf(ZONE, now)
  const opens = clock(date, '07:30')
  const shuts = clock(date, '18:00')
  const start = halfHour(later(now, -begun))
  const end = later(halfHour(later(now, left)), 30 * MINUTE)
  const working = isWorkday(date) && now > later(opens, 2 * HOUR) && now < later(shuts, -3 * HOUR)
  return working ? { start_at: start < opens ? opens : start, end_at: end > shuts ? shuts : end } : { start_at: start, end_at: end }
}
