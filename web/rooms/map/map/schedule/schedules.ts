// A schedule of the map as people type it, and what a change of it does, as plain data.
import { plusDays, wallOf } from '../../../../../shared/time.ts'
import type { Schemas } from '../../../../base/api.ts'
import type { Pattern } from '../tokens-data.ts'

/** What can repeat on the map. */
export type ScheduledKind = 'worker' | 'plant' | 'active_area'
/** A schedule, of whatever kind. */
export type Schedule = Schemas['WorkerSchedule'] | Schemas['PlantSchedule'] | Schemas['ActiveAreaSchedule']
/** A day of a schedule that has other times. */
export type Override = NonNullable<Pattern['overrides']>[number]

/** A schedule as it is typed: its days and times in site time. */
export type Typed = {
  start_date: string
  end_date: string
  weekdays: number[]
  start_time: string
  end_time: string
  skip_dates: string[]
  extra_dates: string[]
  overrides: Override[]
  /** Days that a person removed, and that come back. */
  restore_dates: string[]
}

const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5]

/** Returns a pattern as it is typed. */
export const typedOf = ({ start_date, end_date, start_time, end_time, ...rest }: Pattern): Typed => ({
  ...{ start_date, end_date, start_time, end_time },
  weekdays: [...(rest.weekdays ?? MONDAY_TO_FRIDAY)],
  skip_dates: [...(rest.skip_dates ?? [])],
  extra_dates: [...(rest.extra_dates ?? [])],
  overrides: [...(rest.overrides ?? [])],
  restore_dates: [],
})

/** Returns what repeating something that is on the map once starts with: from its own day for a week, at its own times. */
export function repeatOf({ start_at, end_at }: { start_at: string; end_at: string }, zone: string): Typed {
  const start = wallOf(zone, start_at)
  return typedOf({
    start_date: start.date,
    end_date: plusDays(start.date, 6),
    start_time: start.time,
    end_time: wallOf(zone, end_at).time,
  })
}

/** Returns the pattern that was typed, in the order of its days. */
export const patternOf = ({ restore_dates: _back, ...typed }: Typed): Pattern => ({
  ...typed,
  weekdays: typed.weekdays.toSorted((a, b) => a - b),
  skip_dates: typed.skip_dates.toSorted(),
  extra_dates: typed.extra_dates.toSorted(),
  overrides: typed.overrides.toSorted((a, b) => a.date.localeCompare(b.date)),
})

/** Returns whether a pattern has all its days and times, so that the service can say what it does. */
export const isWhole = ({ start_date, end_date, start_time, end_time }: Typed): boolean =>
  [start_date, end_date, start_time, end_time].every(text => text !== '')

/** Returns a list of days with another one; a day is in it once. */
export const withDay = (days: readonly string[], day: string): string[] => [...new Set([...days, day])].sort()

/** Returns the days with other times, with those of one day as they are now. */
export const withTimes = (overrides: readonly Override[], added: Override): Override[] =>
  [...overrides.filter(one => one.date !== added.date), added].sort((a, b) => a.date.localeCompare(b.date))

type Day = { occurrence_date: string }
/** What a change of a schedule does. */
export type Outcome = {
  created: readonly Day[]
  changed: readonly Day[]
  removed: readonly Day[]
  kept: readonly (Day & { why: 'edited' | 'started' })[]
  warnings: readonly { date: string; kind: 'clock_forward' | 'clock_back' | 'no_length' }[]
}

/** Returns the days that a change of a schedule touches, by what happens to them; what is empty is left out. */
export function outcomeOf({ created, changed, removed, kept, warnings }: Outcome) {
  const days = (rows: readonly Day[]) => rows.map(row => row.occurrence_date)
  const dates = (none: boolean) => warnings.filter(({ kind }) => (kind === 'no_length') === none).map(({ date }) => date)
  const all = [
    { what: 'created', days: days(created) },
    { what: 'changed', days: days(changed) },
    { what: 'removed', days: days(removed) },
    { what: 'kept', days: days(kept.filter(({ why }) => why === 'edited')) },
    { what: 'clocks', days: dates(false) },
    { what: 'no_length', days: dates(true) },
  ] as const
  return all.filter(one => one.days.length > 0)
}

/** Returns how a schedule can end: deleted, as long as nothing of it has begun; finished, while there is something to finish. */
export const endingOf = ({ counts: { past, running, future } }: Pick<Schedule, 'counts'>): 'delete' | 'finish' | null => {
  if (running + future === 0) return null
  return past + running === 0 ? 'delete' : 'finish'
}
