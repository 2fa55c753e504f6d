// The fields of all records that have a start and an end, as conditions read them in memory; the server adds their SQL.
import { type Instant, MINUTE, ms, wallOf, weekdayOf } from '../time.ts'
import type { FieldInMemory, Moment } from './language.ts'

/** Start and end of a record, as conditions read them. */
export type Stretch = { start_at: Instant | null; end_at: Instant | null }

/** The values that conditions can ask of a start and an end. */
export const TIME_PATHS = ['start_at', 'end_at', 'duration_minutes', 'weekday', 'starts_local'] as const
export type TimePath = (typeof TIME_PATHS)[number]

/** Makes the fields of a start and an end, with the values derived from them in site time. `prefix` is put before each path, for pairs. */
export function timeFields<Row>(of: (row: Row) => Stretch, prefix = ''): (FieldInMemory<Row> & { time: TimePath })[] {
  const wall = (row: Row, at: Moment) => {
    const { start_at } = of(row)
    return start_at === null ? null : wallOf(at.timezone, start_at)
  }
  const named = (time: TimePath) => ({ path: `${prefix}${time}`, time })
  return [
    { ...named('start_at'), type: 'instant', label: 'the start', get: row => of(row).start_at },
    { ...named('end_at'), type: 'instant', label: 'the end', get: row => of(row).end_at },
    {
      ...named('duration_minutes'),
      type: 'minutes',
      label: 'the length',
      get: row => {
        const { start_at, end_at } = of(row)
        return start_at === null || end_at === null ? null : (ms(end_at) - ms(start_at)) / MINUTE
      },
    },
    {
      ...named('weekday'),
      type: 'weekday',
      label: 'the weekday of the start',
      get: (row, at) => {
        const begins = wall(row, at)
        return begins === null ? null : weekdayOf(begins.date)
      },
    },
    { ...named('starts_local'), type: 'local_time', label: 'the time of day of the start', get: (row, at) => wall(row, at)?.time ?? null },
  ]
}
