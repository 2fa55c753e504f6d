// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, needs, placedCases, roomCases, scheduledCases, type Tour, writes } from '../../../../tests/calls.ts'

const area = {
  ...{ kind: 'plant', param: 'plant_id', path: '/plant' as const, edit: 'map_entity_edit', covered: true as const },
  body: (t: Tour) => ({ name: `Crane ${t.fresh()}`, category: 'mobile_crane', end_at: '2026-03-16T17:00:00.000Z' }),
  change: (t: Tour) => ({ capacity_kg: 1000 + t.fresh() }),
}
const placed = placedCases(area)
const repeats = scheduledCases(area, 'create-schedule')

export const cases = roomCases({
  records: async t => ({ ...(await placed.records(t)), ...(await repeats.records(t)), source_plant_id: await placed.make(t) }),
  routes: {
    ...placed.routes,
    ...repeats.routes,
    'plant.show': needs('map_view'),
    'plant.leave': writes(needs('map_entity_edit'), async t => ({ by: coordinator(t), params: { source_plant_id: await placed.make(t) } })),
  },
})
