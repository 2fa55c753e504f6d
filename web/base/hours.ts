// When work goes on at the site, by its calendar with its shifts.
import { type Calendar, runOf, type ShiftRun, shiftsOn } from '../../shared/calendar.ts'
import { dateOn, type Instant, instant, ms, plusDays } from '../../shared/time.ts'

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

/** Returns the shift that is running; of two that overlap, the one that started later, as the site day is counted. */
export const runningAt = (runs: readonly ShiftRun[], now: number): { name: string; end_at: Instant } | null => {
  const run = runs.findLast(({ start_at }) => ms(start_at) <= now)
  return run === undefined ? null : { name: run.shift.name, end_at: run.end_at }
}
