import { plusDays, type WorkDate } from '../../../../shared/time.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { Break } from '../../../kernel/site/domain.ts'

const DAY_MINUTES = 24 * 60
const LONGEST = 16 * 60
const FARTHEST_BACK = 31

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the faults that a shift would have: in its length, its breaks, and its first day. */
export function shiftFaults(
  shift: { start_time: string; end_time: string; breaks: readonly Break[]; valid_from: WorkDate },
  today: WorkDate,
): FieldFault[] {
  const faults: FieldFault[] = []
  const start = minutesOf(shift.start_time)
  const after = (time: string) => (minutesOf(time) - start + DAY_MINUTES) % DAY_MINUTES
  const length = after(shift.end_time)
  if (length === 0) faults.push({ path: 'end_time', message: 'is the same as start_time. Choose another time.' })
  else if (length > LONGEST) faults.push({ path: 'end_time', message: 'makes the shift longer than 16 hours. Choose an earlier time.' })
  const taken: { from: number; to: number }[] = []
  shift.breaks.forEach((pause, i) => {
    const from = after(pause.start_time)
    const to = after(pause.end_time)
    if (from >= to || to > length) faults.push({ path: `breaks[${i}]`, message: 'isn’t within the shift. Choose times within it.' })
    else if (taken.some(t => from < t.to && t.from < to))
      faults.push({ path: `breaks[${i}]`, message: 'overlaps another break. Choose other times.' })
    taken.push({ from, to })
  })
  if (shift.valid_from < plusDays(today, -FARTHEST_BACK))
    faults.push({
      path: 'valid_from',
      message: 'is more than 31 days ago: hours that have already been counted depend on the shifts of that time. Choose a later day.',
    })
  return faults
}

/** Refuses to end a shift so far back that it would change hours that were already counted. */
export const endFaults = (effective_on: WorkDate, today: WorkDate): FieldFault[] =>
  effective_on < plusDays(today, -FARTHEST_BACK)
    ? [
        {
          path: 'effective_on',
          message: 'is more than 31 days ago: hours that have already been counted depend on this shift. Choose a later day.',
        },
      ]
    : []
