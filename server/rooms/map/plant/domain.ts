// Plant on the map: sizes, reach, and the examinations of lifting equipment (`map.md` §4). Pure.
import type { Areal, LonLat } from '../../../../shared/geometry/plane.ts'
import { discAround, rectangleAround, sectorAround } from '../../../../shared/geometry/reach.ts'
import type { ExaminationState } from '../../../../shared/plant.ts'
import { type Instant, plusDays, type WorkDate, wallOf } from '../../../../shared/time.ts'
import type { FieldFault } from '../../../base/errors.ts'
import { grown } from '../../../kernel/geometry/domain/carving.ts'
import type { GeometryDefaults } from '../kit/defaults.ts'

const LIFTING = ['mobile_crane', 'crawler_crane', 'tower_crane', 'telehandler', 'forklift', 'mewp', 'hoist']
const LIFTS_PERSONS = ['mewp', 'hoist']

/** Whether plant of a category lifts by default, and whether it lifts people (LOLER 1998). */
export const liftingOf = (category: string): { lifting: boolean; lifts_persons: boolean } => ({
  lifting: LIFTING.includes(category),
  lifts_persons: LIFTS_PERSONS.includes(category),
})

/** The identity of a machine: its standings share these columns. */
export const IDENTITY = [
  ...([
    'name',
    'category',
    'make',
    'model',
    'fleet_number',
    'owner_name',
    'length_m',
    'width_m',
    'working_radius_m',
    'tail_swing_m',
  ] as const),
  ...(['exclusion_radius_m', 'height_m', 'capacity_kg', 'lifting', 'lifts_persons', 'last_examined_on'] as const),
  ...(['examination_due_on', 'examination_ref', 'contractor_id', 'colour'] as const),
]

/** Returns plant as people described it: without what was computed, so that it is computed again for a copy, and follows later changes there. */
export const asGiven = <P extends { exclusion_radius_m: number | null; examination_due_on: WorkDate | null }>(
  plant: P & { exclusion_given: boolean; examination_given: boolean },
): P => ({
  ...plant,
  exclusion_radius_m: plant.exclusion_given ? plant.exclusion_radius_m : null,
  examination_due_on: plant.examination_given ? plant.examination_due_on : null,
})

type OwnOfPosition = { bearing_deg: number; slew_from_deg: number | null; slew_to_deg: number | null; operator_name: string | null }

/**
 * Returns what a machine that is moved keeps from the position that ends, unless the body says otherwise: each position has its own, but a crane that is moved
 * is still limited to its sector, and has the same operator.
 */
export function movedFrom(
  { bearing_deg, slew_from_deg, slew_to_deg, operator_name }: OwnOfPosition,
  body: Readonly<Record<string, unknown>>,
): Partial<OwnOfPosition> {
  // One end of a sector means nothing without the other.
  const turned = 'slew_from_deg' in body || 'slew_to_deg' in body
  return { bearing_deg, operator_name, ...(turned ? {} : { slew_from_deg, slew_to_deg }) }
}

const MONTHS_PERSONS = 6
const MONTHS = 12

/** Returns the same day some months later; the last day of the month if it has no such day. */
export function plusMonths(date: WorkDate, months: number): WorkDate {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const total = year * 12 + month - 1 + months
  const first = `${String(Math.floor(total / 12)).padStart(4, '0')}-${String((total % 12) + 1).padStart(2, '0')}-01`
  const next = total + 1
  const after = `${String(Math.floor(next / 12)).padStart(4, '0')}-${String((next % 12) + 1).padStart(2, '0')}-01`
  const last = Number(plusDays(after, -1).slice(8))
  return plusDays(first, Math.min(day, last) - 1)
}

/** Returns when the next thorough examination is due: six months after the last one for equipment that lifts people, else twelve (LOLER 1998, regulation 9). */
export const dueAfter = (last_examined_on: WorkDate | null, lifts_persons: boolean): WorkDate | null =>
  last_examined_on === null ? null : plusMonths(last_examined_on, lifts_persons ? MONTHS_PERSONS : MONTHS)

/** An examination is due soon this many days before. */
export const SOON_DAYS = 14

/** Returns the state of an examination on a site day; on the day on which it is due, it is still in date. */
export function examinationState(
  { lifting, examination_due_on }: { lifting: boolean; examination_due_on: WorkDate | null },
  day: WorkDate,
): ExaminationState {
  if (!lifting) return 'not_needed'
  if (examination_due_on === null) return 'unknown'
  if (day > examination_due_on) return 'expired'
  return plusDays(day, SOON_DAYS) >= examination_due_on ? 'due_soon' : 'in_date'
}

/** Returns the site day, which begins at 06:00 here: from then on, people on site look at what is due. */
export function dayFromSix(timezone: string, at: Instant): WorkDate {
  const { date, time } = wallOf(timezone, at)
  return time < '06:00' ? plusDays(date, -1) : date
}

/** The reach of a machine. */
export type Reach = { category: string; working_radius_m: number | null; tail_swing_m: number | null }

/** Returns the radius that everyone keeps out of: the working radius with the margin of its category, or the tail swing with the clearance. */
export function exclusionOf({ category, working_radius_m, tail_swing_m }: Reach, defaults: GeometryDefaults): number {
  const margin = defaults.per_category[category] ?? defaults.plant_margin_m
  const reach = working_radius_m === null ? 0 : working_radius_m + margin
  const tail = tail_swing_m === null ? 0 : tail_swing_m + defaults.slew_clearance_m
  return Math.max(reach, tail)
}

/** Returns what is wrong with the sizes of a machine. */
export function sizeFaults(
  plant: Reach & {
    exclusion_radius_m: number | null
    slew_from_deg: number | null
    slew_to_deg: number | null
    length_m: number | null
    width_m: number | null
  },
): FieldFault[] {
  const { exclusion_radius_m, working_radius_m, slew_from_deg, slew_to_deg, length_m, width_m } = plant
  const faults: FieldFault[] = []
  if (exclusion_radius_m !== null && working_radius_m !== null && exclusion_radius_m < working_radius_m)
    faults.push({ path: 'exclusion_radius_m', message: `is less than the working radius (${working_radius_m} m).` })
  if ((slew_from_deg === null) !== (slew_to_deg === null))
    faults.push({
      path: slew_from_deg === null ? 'slew_from_deg' : 'slew_to_deg',
      message: 'is required, because the other limit of the slew is given.',
    })
  if ((length_m === null) !== (width_m === null))
    faults.push({
      path: length_m === null ? 'length_m' : 'width_m',
      message: 'is required, because the other side of the footprint is given.',
    })
  return faults
}

/** The sizes and directions of a machine. */
export type Sizes = {
  length_m: number | null
  width_m: number | null
  bearing_deg: number
  slew_from_deg: number | null
  slew_to_deg: number | null
  tail_swing_m: number | null
  exclusion_radius_m: number | null
}

/** Returns the shapes that nobody may enter, which together are the exclusion shape: the sector or disc of its radius, and the footprint grown by the tail swing. */
export function exclusionShapes(centre: LonLat, machine: Sizes): Areal[] {
  const { exclusion_radius_m: radius, slew_from_deg: from, slew_to_deg: to, length_m, width_m, tail_swing_m, bearing_deg } = machine
  const reached =
    radius === null || radius <= 0
      ? null
      : from === null || to === null
        ? discAround(centre, radius)
        : sectorAround(centre, radius, from, to)
  const footprint = length_m === null || width_m === null ? null : rectangleAround(centre, length_m, width_m, bearing_deg)
  const swung = footprint === null ? (tail_swing_m === null ? null : discAround(centre, tail_swing_m)) : grown(footprint, tail_swing_m ?? 0)
  return [reached, swung].flatMap(shape => shape ?? [])
}
