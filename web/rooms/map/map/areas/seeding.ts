// A gang for a permit: the form starts with the permit's place and window, and repeats if the window has several days (import rule 8).
import { seedFromPermit } from '../../../../../shared/schedule-groups/seed.ts'
import { type Frame, type Place, spotOf } from '../model.ts'
import { startOf, type Typed } from '../token-typed.ts'

type OfPermit = {
  id: string
  title: string | null
  permit_number: string | null
  contractor_id: string | null
  place: Place | null
  start_at: string | null
  end_at: string | null
}

/** What a form starts with, and what it says about the days of the permit. */
export type Seed = { typed: Typed; dates: number; occurrences: number; without_length: string[]; left_out: string[] }

/** Returns what the form of a gang for a permit starts with; `from_date`: the first day that the person can write. */
export function seedGang(permit: OfPermit, now: number, zone: string, frame: Frame, from_date: string | null): Seed {
  const { id, title, permit_number, contractor_id, place, start_at, end_at } = permit
  const spot = spotOf(place, frame)
  const given =
    place === null || spot === null
      ? null
      : {
          ...(place.polygon != null ? { polygon: place.polygon } : { point: { lon: spot[0], lat: spot[1] } }),
          ...(place.building_id == null ? {} : { building_id: place.building_id }),
          ...(place.level_index == null ? {} : { level_index: place.level_index }),
          ...(place.zone_id == null ? {} : { zone_id: place.zone_id }),
        }
  const start = {
    ...startOf(null, now),
    name: title ?? permit_number ?? '',
    contractor_id: contractor_id ?? '',
    permit_id: id,
    place: given,
  }
  const nothing = { dates: 1, occurrences: 1, without_length: [], left_out: [] }
  const seeded = start_at === null || end_at === null ? null : seedFromPermit({ start_at, end_at }, zone, from_date)
  if (seeded === null) return { typed: start, ...nothing }
  if (seeded.kind === 'single') return { typed: { ...start, start_at: seeded.start_at, end_at: seeded.end_at }, ...nothing }
  const { pattern, dates, occurrences, without_length, left_out } = seeded
  const [first] = occurrences
  const said = { dates: dates.length, occurrences: occurrences.length, without_length, left_out }
  if (first === undefined) return { typed: start, ...said }
  const last_day = occurrences.at(-1)?.date ?? first.date
  const repeats = { repeats: true, weekdays: [...pattern.weekdays], last_day }
  const skip_dates = without_length.filter(date => date > first.date && date < last_day)
  return { typed: { ...start, start_at: first.start_at, end_at: first.end_at, ...repeats, skip_dates }, ...said }
}
