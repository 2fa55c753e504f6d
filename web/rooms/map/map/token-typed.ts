// What people type about a worker, a gang or a machine, as plain data.
import type { Interval } from '../../../../shared/calendar.ts'
import { instant, later, ms, plusDays, wallOf } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Plant, Token } from './tokens.ts'

/** The categories of plant, those that lift first. */
export const CATEGORIES: readonly Plant['category'][] = [
  'tower_crane',
  'mobile_crane',
  'crawler_crane',
  'telehandler',
  'mewp',
  'hoist',
  'forklift',
  'excavator',
  'dumper',
  'piling_rig',
  'concrete_pump',
  'roller',
  'dozer',
  'generator',
  'compressor',
  'vehicle',
  'other',
]

/** A form as it is typed. */
export type Typed = {
  name: string
  trade: string
  headcount: string
  activity: string
  category: Plant['category']
  fleet_number: string
  working_radius_m: string
  last_examined_on: string
  contractor_id: string
  start_at: string | null
  end_at: string | null
  place: Schemas['GivenPlace'] | null
  notes: string
  repeats: boolean
  weekdays: number[]
  last_day: string
  /** Days that a permit leaves out of its schedule. */
  skip_dates: string[]
  permit_id: string
}

const SHIFT_MS = 8 * 3_600_000
const QUARTER_MS = 15 * 60_000

const EMPTY: Typed = {
  ...{
    name: '',
    trade: '',
    headcount: '1',
    activity: '',
    category: 'tower_crane',
    fleet_number: '',
    working_radius_m: '',
    last_examined_on: '',
  },
  ...{
    contractor_id: '',
    start_at: null,
    end_at: null,
    place: null,
    notes: '',
    repeats: false,
    weekdays: [1, 2, 3, 4, 5],
    last_day: '',
    skip_dates: [],
    permit_id: '',
  },
}

const textOf = (value: string | number | null): string => (value === null ? '' : String(value))

/**
 * Returns what a form starts with: a token, or a new one from the last quarter of an hour until its shift ends. A shift that hasn't started gives both times
 * (decision 1026); without one, the work is as long as a shift.
 */
export function startOf(token: Exclude<Token, { token: 'delivery' }> | null, now: number, shift: Interval | null = null): Typed {
  if (token === null) {
    const quarter = instant(Math.floor(now / QUARTER_MS) * QUARTER_MS)
    const start_at = shift === null || ms(shift.start_at) <= now ? quarter : shift.start_at
    return { ...EMPTY, start_at, end_at: shift?.end_at ?? later(quarter, SHIFT_MS) }
  }
  const { name, contractor_id, start_at, end_at, place, notes } = token
  const common = { ...EMPTY, name, contractor_id: textOf(contractor_id), start_at, end_at, place, notes: textOf(notes) }
  if (token.token === 'worker')
    return { ...common, trade: token.trade, headcount: String(token.headcount), activity: textOf(token.activity) }
  const { category, fleet_number, working_radius_m, last_examined_on } = token
  return {
    ...common,
    category,
    fleet_number: textOf(fleet_number),
    working_radius_m: textOf(working_radius_m),
    last_examined_on: textOf(last_examined_on),
  }
}

/** Returns what the next gang or machine starts with after one was put on the map: the same contractor, times and days, and nothing that is its own. */
export const nextOf = ({ contractor_id, category, start_at, end_at, repeats, weekdays, last_day }: Typed): Typed => ({
  ...EMPTY,
  ...{ contractor_id, category, start_at, end_at, repeats, weekdays, last_day },
})

const numberOrNull = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** What is on the map, whatever it is, without its times. Only who can place things for any contractor says whose it is. */
const commonOf = ({ name, notes, place, contractor_id }: Typed, anyones: boolean) => ({
  ...{ name, notes: notes || null, place: place ?? {} },
  ...(anyones ? { contractor_id: contractor_id || null } : {}),
})

/** Returns a worker or gang as the service takes it, without its times. */
export const workerBody = (typed: Typed, anyones: boolean) => ({
  ...commonOf(typed, anyones),
  ...{ trade: typed.trade, headcount: Number(typed.headcount) || 1, activity: typed.activity || null },
})

/** Returns a machine as the service takes it, without its times. */
export const plantBody = (typed: Typed, anyones: boolean) => ({
  ...commonOf(typed, anyones),
  fleet_number: typed.fleet_number || null,
  working_radius_m: numberOrNull(typed.working_radius_m),
  last_examined_on: typed.last_examined_on || null,
})

/** Returns the fields of a body that differ from what it was. */
export function changedIn<T extends object>(before: T, after: T): Partial<T> {
  const change: Partial<T> = { ...after }
  for (const field in change) if (JSON.stringify(before[field]) === JSON.stringify(after[field])) delete change[field]
  return change
}

/** Returns when a new token repeats, in site time; null if it doesn't. */
export function patternOf(
  {
    repeats,
    start_at,
    end_at,
    weekdays,
    last_day,
    skip_dates = [],
  }: Pick<Typed, 'repeats' | 'start_at' | 'end_at' | 'weekdays' | 'last_day'> & Partial<Pick<Typed, 'skip_dates'>>,
  zone: string,
): Schemas['SchedulePattern'] | null {
  if (!repeats || start_at === null || end_at === null) return null
  const start = wallOf(zone, start_at)
  return {
    start_date: start.date,
    end_date: last_day === '' ? plusDays(start.date, 4) : last_day,
    weekdays: weekdays.toSorted((a, b) => a - b),
    start_time: start.time,
    end_time: wallOf(zone, end_at).time,
    ...(skip_dates.length === 0 ? {} : { skip_dates }),
  }
}

const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

/** Lists the weekdays with their short names, Monday first. */
export const weekdaysOf = (locale = 'en-GB'): { day: number; name: string }[] =>
  Array.from({ length: 7 }, (_, i) => ({
    day: i + 1,
    name: new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(MONDAY + i * DAY_MS),
  }))

/** Returns a form with another start. The end follows, as long after it as before, if it would no longer be later. */
export function withStart(
  { start_at: before, end_at }: Pick<Typed, 'start_at' | 'end_at'>,
  start_at: string | null,
): { start_at: string | null; end_at?: string } {
  if (before === null || start_at === null || end_at === null || Date.parse(end_at) > Date.parse(start_at)) return { start_at }
  const length = Date.parse(end_at) - Date.parse(before)
  return length <= 0 ? { start_at } : { start_at, end_at: new Date(Date.parse(start_at) + length).toISOString() }
}
