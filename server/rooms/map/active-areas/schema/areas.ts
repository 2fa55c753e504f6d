import {
  flag,
  geometry,
  id,
  instant,
  integer,
  list,
  name,
  number,
  oneOf,
  optional,
  orNull,
  ref,
  shape,
  text,
} from '../../../../base/schema.ts'
import { Place, placedComputed, placedFields } from '../../../../kernel/placed/schema.ts'
import { FoundOverlap } from '../../geometry/schema.ts'
import { AREA_KINDS } from '../domain/areas.ts'

const height = (description: string) =>
  orNull(number(`${description}, metres above the site datum; null for the whole level`, { min: -200, max: 1000, example: 12 }))

/** The fields of an active area, by the name of their column. */
export const fields = {
  name: name('Name', { example: 'Slab pour, bay 3' }),
  area_kind: oneOf(AREA_KINDS, 'What the area is for; default work', { example: 'work' }),
  exclusive: flag('Whether nobody else can be in it; true by default for exclusion, lifting and hot work'),
  base_m: height('Lowest height'),
  top_m: height('Highest height'),
  ...placedFields({ open_ended: true }),
}

/** The computed fields of an active area. */
export const computed = {
  ...placedComputed,
  geometry: geometry('What is left of the drawn polygon after cuts'),
  area_m2: number('Area on the ground, square metres', { min: 0, example: 400 }),
  fill_group_id: orNull(id('Fill that it belongs to; null if a person drew it')),
  fill_stale: optional(flag('Whether its fill is out of date, because something on its ground has changed since it was computed')),
  overlap_warnings: optional(
    list(
      ref(FoundOverlap),
      'What it overlaps that a coordinator should know, the largest overlap first; after it was created or its ground or time changed',
      { max: 5000 },
    ),
  ),
}

/** How an active area was for a time. */
export const AreaVersion = shape('ActiveAreaVersion', 'How an active area was for a time', {
  number: integer('Number of the version', { min: 1, example: 1 }),
  valid_from: instant('Start of the time in which it was so'),
  valid_to: orNull(instant('End of that time (exclusive); null if it has no end. The same as the start if it was never so on the map')),
  ...{ name: fields.name, area_kind: fields.area_kind, exclusive: fields.exclusive, base_m: fields.base_m, top_m: fields.top_m },
  contractor_id: orNull(id('Contractor; null for the main contractor’s own')),
  start_at: instant('Start of the area'),
  end_at: orNull(instant('End of the area (exclusive); null if it has no end')),
  place: ref(Place, 'Place'),
  geometry: computed.geometry,
  area_m2: computed.area_m2,
  written_at: instant('When it was written'),
  written_by: orNull(id('Person who wrote it; null if no person did')),
  written_by_name: orNull(text('Name of this person; null if no person wrote it', { max: 200, example: 'Ana Ruiz' })),
  changed: list(text('Field', { max: 60, example: 'place' }), 'Fields that differ from the version before; empty for the first', {
    max: 20,
  }),
})
