// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, needs, ok, placedCases, roomCases, scheduledCases, square, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const area = {
  ...{ kind: 'active_area', param: 'area_id', path: '/active-areas/' as const, edit: 'map_entity_edit' },
  body: (t: Tour) => ({ name: `Bay ${t.fresh()}`, end_at: '2026-03-16T17:00:00.000Z', place: { polygon: square(t.fresh()) } }),
  change: (t: Tour) => ({ name: `Bay ${t.fresh()}` }),
}
const placed = placedCases(area)
const repeats = scheduledCases(area, 'schedule')

/** Makes a zone, and returns the body of a fill of it. */
async function fill(t: Tour) {
  const outline = square(t.fresh())
  const zone = { site_id: t.site_id, kind: 'zone', name: `Deck ${t.fresh()}`, outline }
  const { id } = await ok(coordinator(t).post('/reference-features/zones', zone))
  return {
    ...{ site_id: t.site_id, container: { feature_id: id }, template: { name: `Rest ${t.fresh()}` } },
    ...{ start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' },
  }
}
const made = async (t: Tour): Promise<{ id: Id; polygon: unknown }> => {
  const { group, areas } = await ok(coordinator(t).post('/active-areas/fill', await fill(t)))
  return { id: group.id, polygon: (await ok(coordinator(t).get(`/active-areas/${areas[0]}`))).geometry }
}
const make = async (t: Tour): Promise<Id> => (await made(t)).id
/** Makes a fill, and takes all of it for an hour afterwards. */
const outdated = async (t: Tour): Promise<Id> => {
  const { id, polygon } = await made(t)
  const taken = { name: 'Delivery', start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T13:00:00.000Z', place: { polygon } }
  await ok(coordinator(t).post('/active-areas/', { site_id: t.site_id, ...taken }))
  return id
}

export const cases = roomCases({
  records: async t => ({ ...(await placed.records(t)), ...(await repeats.records(t)), 'active-areas/fill/group_id': await make(t) }),
  routes: {
    ...placed.routes,
    ...repeats.routes,
    'active_area.show': needs('map_view'),
    'active_area.list_versions': needs('map_view'),
    'area_fill.create': writes(needs('map_entity_edit_any'), async t => ({
      by: coordinator(t),
      body: await fill(t),
      other: await fill(t),
    })),
    'area_fill.regenerate': writes(needs('map_entity_edit_any'), async t => ({
      by: coordinator(t),
      params: { group_id: await outdated(t) },
    })),
    'area_fill.delete': writes(needs('map_entity_edit_any'), async t => ({ by: coordinator(t), params: { group_id: await make(t) } })),
  },
})
