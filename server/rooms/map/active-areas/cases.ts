// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { needs, placedCases, roomCases, scheduledCases, square, type Tour } from '../../../../tests/calls.ts'

const area = {
  ...{ kind: 'active_area', param: 'area_id', path: '/active-areas/' as const, edit: 'map_entity_edit' },
  body: (t: Tour) => ({ name: `Bay ${t.fresh()}`, end_at: '2026-03-16T17:00:00.000Z', place: { polygon: square(t.fresh()) } }),
  change: (t: Tour) => ({ name: `Bay ${t.fresh()}` }),
}
const placed = placedCases(area)
const repeats = scheduledCases(area, 'schedule')

export const cases = roomCases({
  records: async t => ({ ...(await placed.records(t)), ...(await repeats.records(t)) }),
  routes: {
    ...placed.routes,
    ...repeats.routes,
    'active_area.show': needs('map_view'),
    'active_area.list_versions': needs('map_view'),
  },
})
