// What is on the map for a permit: a form starts with the permit's place and window, and repeats if the window has several days (import rule 8).
import { seedFromPermit } from '../../../../../shared/schedule-groups/seed.ts'
import { type Frame, type Ground, groundIn, type Place, spotOf } from '../model.ts'
import { startOf, type Typed } from '../token-typed.ts'
import { type AreaTyped, typedOf } from './areas.ts'

type OfPermit = {
  id: string
  title: string | null
  permit_number: string | null
  contractor_id: string | null
  place: Place | null
  start_at: string | null
  end_at: string | null
}

/** What a form says about the days of a permit. */
export type SeedDays = { dates: number; occurrences: number; without_length: string[]; left_out: string[] }

type Times = Partial<Pick<Typed, 'start_at' | 'end_at' | 'repeats' | 'weekdays' | 'last_day' | 'skip_dates'>>
const ONE: SeedDays = { dates: 1, occurrences: 1, without_length: [], left_out: [] }

/** Returns the times of a permit for a form, and what it says about them; `from_date`: the first day that the person can write. */
function seedTimes({ start_at, end_at }: OfPermit, zone: string, from_date: string | null): { times: Times; days: SeedDays } {
  const seeded = start_at === null || end_at === null ? null : seedFromPermit({ start_at, end_at }, zone, from_date)
  if (seeded === null) return { times: {}, days: ONE }
  if (seeded.kind === 'single') return { times: { start_at: seeded.start_at, end_at: seeded.end_at }, days: ONE }
  const { pattern, dates, occurrences, without_length, left_out } = seeded
  const [first] = occurrences
  const days = { dates: dates.length, occurrences: occurrences.length, without_length, left_out }
  if (first === undefined) return { times: {}, days }
  const last_day = occurrences.at(-1)?.date ?? first.date
  const skip_dates = without_length.filter(date => date > first.date && date < last_day)
  return {
    times: { start_at: first.start_at, end_at: first.end_at, repeats: true, weekdays: [...pattern.weekdays], last_day, skip_dates },
    days,
  }
}

const nameOf = ({ title, permit_number }: OfPermit): string => title ?? permit_number ?? ''

/** Returns what the form of a gang or a machine for a permit starts with. `only_point`: its place is a point, also if the permit has an area, as for a machine. */
export function seedToken(
  permit: OfPermit,
  now: number,
  zone: string,
  frame: Frame,
  from_date: string | null,
  only_point = false,
): { typed: Typed; days: SeedDays } {
  const { place } = permit
  const spot = spotOf(place, frame)
  const given =
    place === null || spot === null
      ? null
      : {
          ...(place.polygon != null && !only_point ? { polygon: place.polygon } : { point: { lon: spot[0], lat: spot[1] } }),
          ...(place.building_id == null ? {} : { building_id: place.building_id }),
          ...(place.level_index == null ? {} : { level_index: place.level_index }),
          ...(place.zone_id == null ? {} : { zone_id: place.zone_id }),
        }
  const { times, days } = seedTimes(permit, zone, from_date)
  const start = {
    ...startOf(null, now),
    name: nameOf(permit),
    contractor_id: permit.contractor_id ?? '',
    permit_id: permit.id,
    place: given,
  }
  return { typed: { ...start, ...times }, days }
}

/** Returns what the form of an area for a permit starts with: the outline of the permit's place, if it has one. */
export function seedArea(
  permit: OfPermit,
  now: number,
  zone: string,
  from_date: string | null,
): { typed: AreaTyped; ground: Ground | null; days: SeedDays } {
  const { place, contractor_id } = permit
  const { times, days } = seedTimes(permit, zone, from_date)
  const { building_id, level_index } = place ?? {}
  const floor = building_id == null ? null : { building: building_id, level: level_index ?? null }
  const typed = { ...typedOf(null, now, floor), ...times, name: nameOf(permit), contractor_id: contractor_id ?? '' }
  return { typed, ground: groundIn(place?.polygon), days }
}
