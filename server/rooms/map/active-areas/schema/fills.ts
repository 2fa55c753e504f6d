import {
  colour,
  geometry,
  id,
  instant,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  orNull,
  recordId,
  ref,
  shape,
} from '../../../../base/schema.ts'
import { ZONE_TYPES } from '../../reference-features/domain/features.ts'
import { AREA_KINDS } from '../domain/areas.ts'

const square = (description: string) => number(`${description}, square metres`, { min: 0, example: 5 })
const template = {
  name: name('Name of the members', { example: 'Ferris, level 3' }),
  area_kind: optional(oneOf(AREA_KINDS, 'What the members are for; default work')),
  contractor_id: optional(orNull(recordId('contractor', 'Contractor of the members; null for the main contractor’s own'))),
  colour: optional(orNull(colour('Colour, #rrggbb; default the contractor’s colour', '#e07b39'))),
}
const subtract = {
  area_kinds: optional(list(oneOf(AREA_KINDS, 'Kind'), 'Kinds of active areas that are left out; default all', { max: AREA_KINDS.length })),
  zone_types: optional(
    list(oneOf(ZONE_TYPES, 'Zone type'), 'Types of zones that are left out; default exclusion zones and routes', {
      max: ZONE_TYPES.length,
    }),
  ),
}
const bay = {
  width_m: number('Width of a bay, metres', { min: 1, max: 500, example: 10 }),
  length_m: number('Length of a bay, metres', { min: 1, max: 500, example: 10 }),
  bearing_deg: optional(number('Direction of its length, degrees clockwise from north; default 0', { min: 0, max: 360, example: 0 })),
}
const container = {
  feature_id: optional(id('Area, building or zone that is filled; it must be there for the whole time')),
  polygon: optional(geometry('Polygon that is filled, if it is no feature')),
}

export const NewFill = shape('NewFill', 'Everything in a container that no other active area takes, for a time', {
  site_id: id('Site'),
  container: object(container, 'What is filled: a feature, or a polygon'),
  level_index: optional(orNull(integer('Level of the building; null or left out outdoors', { min: -50, max: 300, example: 3 }))),
  start_at: instant('Start'),
  end_at: instant('End (exclusive); at most 31 days after the start'),
  template: object(template, 'What each member has'),
  subtract: optional(object(subtract, 'What is left out')),
  clearance_m: optional(number('Distance kept from what is left out, metres; default 0', { min: 0, max: 50, example: 1 })),
  bay: optional(orNull(object(bay, 'Cuts the rest into bays on a grid'))),
  min_part_m2: optional(square('Smaller parts are listed and left out; default as in the geometry defaults')),
  min_width_m: optional(
    number('Narrower parts are listed and left out, metres; default as in the geometry defaults', { min: 0, max: 20, example: 1 }),
  ),
})

export const Fill = shape('Fill', 'A fill: a group of active areas', {
  id: id('Id'),
  site_id: id('Site'),
  name: template.name,
  contractor_id: orNull(id('Contractor of the members; null for the main contractor’s own')),
  start_at: instant('Start'),
  end_at: instant('End (exclusive)'),
  container: object({ feature_id: optional(id('Feature')), polygon: optional(geometry('Polygon')) }, 'What is filled'),
  level_index: orNull(integer('Level; null for none', { min: -50, max: 300 })),
  clearance_m: number('Distance kept from what is left out, metres', { min: 0 }),
  bay: orNull(
    object(
      { ...bay, bearing_deg: number('Direction of its length, degrees clockwise from north', { min: 0, max: 360 }) },
      'Grid of bays; null for none',
    ),
  ),
  min_part_m2: square('Smaller parts are left out'),
  min_width_m: number('Narrower parts are left out, metres', { min: 0 }),
  generated_at: instant('When it was computed'),
  version: integer('Version'),
})

const left_out = list(
  object({
    reason: oneOf(['too_small'], 'Why: it is too small or too narrow'),
    area_m2: square('Size'),
    from: instant('Start'),
    to: instant('End (exclusive)'),
  }),
  'Parts that are no members',
  { max: 20_000 },
)

export const Filled = shape('FillCreated', 'A new fill', {
  group: ref(Fill, 'The fill'),
  areas: list(id('Active area'), 'Its members, by start', { max: 500 }),
  covered_m2: square('Area of the members at the start'),
  left_out,
})

const members = (description: string) => list(id('Active area'), description, { max: 1000 })
export const Regenerated = shape('FillRegenerated', 'What has changed in a fill', {
  group: ref(Fill, 'The fill'),
  created: members('New members'),
  changed: members('Members with another shape or time'),
  removed: members('Members that were removed, or ended now'),
  unchanged: members('Members that stay as they are'),
  left_out,
})
