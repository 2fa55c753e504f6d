import { flag, name, number, oneOf, optional, orNull, text } from '../../../base/schema.ts'
import { nearby, placedComputed, placedFields } from '../../../kernel/placed/schema.ts'
import { POI_KINDS } from './domain.ts'

/** The fields of a point of interest, by the name of their column. */
export const fields = {
  name: name('Name'),
  poi_kind: oneOf(POI_KINDS, 'What people find here', { example: 'assembly_point' }),
  phone: orNull(text('Phone number; null if there is none', { max: 60, example: '+44 20 7946 0999' })),
  what3words: orNull(text('what3words address; null if there is none', { max: 100, example: 'filled.count.soap' })),
  ...placedFields({ open_ended: true }),
}

/** The computed fields of a point of interest. */
export const computed = {
  ...placedComputed,
  emergency: flag('Whether it helps in an emergency'),
  iso_7010: orNull(text('Number of its safety sign in ISO 7010; null if it has none', { max: 10, example: 'E007' })),
  distance_m: optional(number('Distance on the ground from the position in `near`, metres', { min: 0 })),
}

/** The query parameter `near`. */
export const near = nearby('Position, lon,lat: orders by distance from it')

/** The query parameter `force`. */
export const force = optional(flag('Whether to remove the last assembly point of the site; requires map_entity_purge'))
