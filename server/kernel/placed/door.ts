import { eventsOf, field } from '../events/door.ts'

export { geometryIn, isPlaceOf, shapeOf } from './actions/columns.ts'
export { refuseBackwards } from './actions/filters.ts'
export { readPlace } from './actions/many.ts'

export type { Facts } from './actions/members.ts'
export { placed } from './actions/placed.ts'
export { type PlaceReader, plugPlaces } from './actions/reading.ts'
export { aliveAt, type StoredPlace } from './queries.ts'

const payload = {
  kind: field.text('Kind of record'),
  ids: 'Records',
  from: field.instant('Start of the time that is concerned'),
  to: field.instant('End of the time that is concerned; null if it has no end'),
  bbox: field.json('Area of the map that is concerned'),
  contractor_id: 'Contractor that they belong to',
}

/** The events of everything on the map (`map.md` §0.9): one for each request, and one more for a schedule that was changed as a whole. */
export const mapEvents = [
  ...eventsOf(
    'map_entity',
    payload,
    {
      created: 'Something was put on the map',
      changed: 'Something on the map was moved, retimed, changed or ended',
    },
    { contractors: { own: 'contractor_id' }, selects: { subject: 'entity', ids: 'ids' } },
  ),
  // What was removed is in no group.
  ...eventsOf('map_entity', payload, { removed: 'Something was removed from the map' }, { contractors: { own: 'contractor_id' } }),
  ...eventsOf(
    'schedule',
    payload,
    { reconciled: 'A schedule was given another pattern', finished_early: 'A schedule was finished early' },
    { contractors: { own: 'contractor_id' }, selects: { subject: 'entity', ids: 'ids' } },
  ),
]
