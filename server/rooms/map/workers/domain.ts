// Workers and gangs on the map (`map.md` §3). Pure.
import { HOUR, type Instant, later, ms } from '../../../../shared/time.ts'
import type { FieldFault } from '../../../base/errors.ts'

/** The longest time that a worker is at a place; what is longer is a schedule. */
export const LONGEST_HOURS = 72

/** Returns what is wrong with the time of a worker. */
export const lengthFaults = ({ start_at, end_at }: { start_at: Instant; end_at: Instant }): FieldFault[] =>
  end_at > later(start_at, LONGEST_HOURS * HOUR)
    ? [{ path: 'end_at', message: `is more than ${LONGEST_HOURS} hours after the start. Plan a longer stay as a schedule.` }]
    : []

/** Returns the planned labour hours: by the clock, so that a night shift in October has an hour more. */
export const labourHours = ({ headcount, start_at, end_at }: { headcount: number; start_at: Instant; end_at: Instant }): number =>
  Math.round(((headcount * (ms(end_at) - ms(start_at))) / HOUR) * 1000) / 1000
