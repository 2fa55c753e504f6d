// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, needs, placedCases, roomCases, scheduledCases, writes } from '../../../../tests/calls.ts'

const area = {
  ...{ kind: 'worker', param: 'worker_id', path: '/workers/' as const, edit: 'map_entity_edit', covered: true as const },
  body: (t: Parameters<typeof coordinator>[0]) => ({ name: `Gang ${t.fresh()}`, trade: 'Steel fixer', end_at: '2026-03-16T17:00:00.000Z' }),
  change: (t: Parameters<typeof coordinator>[0]) => ({ activity: `Slab ${t.fresh()}` }),
}
const placed = placedCases(area)
const repeats = scheduledCases(area, 'create-schedule')

export const cases = roomCases({
  records: async t => ({ ...(await placed.records(t)), ...(await repeats.records(t)) }),
  routes: {
    ...placed.routes,
    ...repeats.routes,
    'worker.delete_several': writes(
      needs('map_entity_edit', { no_reference: { 'ids.0': 'an unknown id is 404, with the id (map.md §3)' } }),
      async t => {
        const [one, other] = [await placed.make(t), await placed.make(t)]
        return { by: coordinator(t), body: { site_id: t.site_id, ids: [one] }, other: { site_id: t.site_id, ids: [other] } }
      },
    ),
  },
})
