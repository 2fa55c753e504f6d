// When work goes on at the site, by its calendar with its shifts.
import { type Calendar, type Interval, runOf, type ShiftRun, shiftsOn } from '../../shared/calendar.ts'
import { dateOn, type Instant, instant, MINUTE, ms, plusDays } from '../../shared/time.ts'

/** Days ahead for which shifts are looked up. */
const AHEAD = 8

/** Lists the shifts of a contractor (null: of the site) that are running or start within a week, by start. */
export function runsFrom(calendar: Calendar, contractor_id: string | null, now: number): ShiftRun[] {
  const today = dateOn(calendar.timezone, instant(now))
  return Array.from({ length: AHEAD + 1 }, (_, day) => plusDays(today, day - 1))
    .flatMap(date => shiftsOn(calendar, date, contractor_id).map(shift => runOf(calendar.timezone, shift, date)))
    .filter(run => ms(run.end_at) > now)
    .sort((a, b) => a.start_at.localeCompare(b.start_at))
}

/** Below this length, the rest of a shift is too short to be offered. */
const LEAST = 30 * MINUTE

/** Returns whether enough of a window is left to be offered. */
export const isWorthOffering = ({ end_at }: Pick<Interval, 'end_at'>, now: number): boolean => ms(end_at) - now >= LEAST

/** Returns the shift that new work at this time belongs to: the one that is running, or, when nearly nothing is left of it, the next one; null if none starts within a week. */
export function shiftFor(runs: readonly ShiftRun[], at: number): ShiftRun | null {
  const left = runs.filter(run => isWorthOffering(run, at))
  return left.findLast(({ start_at }) => ms(start_at) <= at) ?? left[0] ?? null
}

/** Returns the shift that is running; of two that overlap, the one that started later, as the site day is counted. */
export const runningAt = (runs: readonly ShiftRun[], now: number): { name: string; end_at: Instant } | null => {
  const run = runs.findLast(({ start_at }) => ms(start_at) <= now)
  return run === undefined ? null : { name: run.shift.name, end_at: run.end_at }
}
