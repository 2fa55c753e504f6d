import { EXAMINATION_STATES, PLANT_CATEGORIES } from '../../../../shared/plant.ts'
import {
  flag,
  id,
  instant,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  recordId,
  ref,
  text,
  workDate,
} from '../../../base/schema.ts'
import { Place, placedComputed, placedFields } from '../../../kernel/placed/schema.ts'

const metres = (description: string, max: number, example: number) => orNull(number(`${description}, metres`, { min: 0.1, max, example }))
const bearing = (description: string) => number(`${description}, degrees clockwise from north`, { min: 0, max: 360, example: 90 })

/** The fields of plant, by the name of their column. */
export const fields = {
  name: name('Name', { example: 'TC1' }),
  category: oneOf(PLANT_CATEGORIES, 'Category', { example: 'tower_crane' }),
  make: orNull(text('Make', { max: 100, example: 'Liebherr' })),
  model: orNull(text('Model', { max: 100, example: '172 EC-B' })),
  fleet_number: orNull(text('Fleet number, unique for its contractor among the machines on site', { max: 60, example: 'TC-017' })),
  owner_name: orNull(text('Owner, for example the hire company', { max: 200, example: 'Select Plant Hire' })),
  length_m: metres('Length of the footprint', 100, 6),
  width_m: metres('Width of the footprint', 100, 3),
  bearing_deg: bearing('Direction in which it faces; default 0'),
  working_radius_m: metres('Working radius', 150, 40),
  slew_from_deg: orNull(bearing('Where its slew starts; null for the full circle')),
  slew_to_deg: orNull(bearing('Where its slew ends, clockwise from the start; null for the full circle')),
  tail_swing_m: metres('Rear radius of the counterweight', 30, 5),
  exclusion_radius_m: orNull(
    number(
      'Radius that everyone keeps out of, metres. By default the working radius with the margin of the category, or the tail swing with its clearance, whichever is larger',
      { min: 0, max: 200, example: 41 },
    ),
  ),
  height_m: metres('Height', 300, 60),
  capacity_kg: orNull(number('Capacity, kg', { min: 0, max: 5_000_000, example: 8000 })),
  operator_name: orNull(text('Operator; only its own contractor and coordinators see the name', { max: 200, example: 'Sam Field' })),
  lifting: flag('Whether it is lifting equipment; default by category'),
  lifts_persons: flag('Whether it lifts people; default by category'),
  last_examined_on: orNull(workDate('Date of the last thorough examination (LOLER 1998, regulation 9)')),
  examination_due_on: orNull(
    workDate('Date on which the next one is due. By default six months after the last one for equipment that lifts people, else twelve'),
  ),
  examination_ref: orNull(text('Reference of the report', { max: 200, example: 'TE-2026-0412' })),
  ...placedFields({ open_ended: true }),
}

const standing = object({
  id: id('Position'),
  start_at: instant('Start'),
  end_at: orNull(instant('End (exclusive); null if it has no end')),
  place: ref(Place, 'Place'),
})

/** The computed fields of plant. */
export const computed = {
  ...placedComputed,
  source_plant_id: orNull(id('First position of the same machine; null for the first position itself')),
  exclusion_radius_m: number('Radius that everyone keeps out of, metres', { min: 0, example: 41 }),
  examination_state: oneOf(
    EXAMINATION_STATES,
    'State of the thorough examination on the site day of this point in time: `due_soon` from 14 days before',
  ),
  positions: optional(list(standing, 'Every position of this machine, by start', { max: 10_000 })),
  examination_warning: optional(flag('Whether the examination has expired, after it was created or changed')),
}

/** What a body that creates plant can contain besides its fields. */
export const moving = {
  source_plant_id: recordId('plant', 'First position of a machine, for a further position of it: what identifies it is taken from there'),
  end_previous: flag(
    'Whether the position of the machine at the new start ends then. Bearing, slew, operator and permits are taken from it, unless the request contains others',
  ),
}
