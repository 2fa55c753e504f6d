// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, needs, ok, roomCases, square, type Tour, writes } from '../../../../tests/calls.ts'

const span = { start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' }

/** Copies one gang, one machine and one area to a day, and returns a body that undoes all three. */
async function copied(t: Tour, target_date: string): Promise<Record<string, unknown>> {
  const by = coordinator(t)
  const place = { point: { lon: -0.0879, lat: 51.5079 } }
  const copy = async (path: string, more: object): Promise<string[]> => {
    const { id } = await ok(by.post(path, { site_id: t.site_id, name: `Copied ${t.fresh()}`, place, ...span, ...more }))
    const range = { site_id: t.site_id, from_date: '2026-03-16', to_date: '2026-03-16', ids: [id], target_date }
    const { created } = await ok(by.post(`${path}copy-from-range`, range))
    return created.map((one: { id: string }) => one.id)
  }
  return {
    site_id: t.site_id,
    worker_ids: await copy('/workers/', { trade: 'Steel fixer' }),
    plant_ids: await copy('/plant/', { category: 'roller' }),
    active_area_ids: await copy('/active-areas/', { place: { polygon: square(t.fresh()) } }),
  }
}

export const cases = roomCases({
  routes: {
    'site.undo_copies': writes(needs('map_entity_edit'), async t => ({
      by: coordinator(t),
      body: await copied(t, '2026-03-18'),
      other: await copied(t, '2026-03-19'),
    })),
  },
})
