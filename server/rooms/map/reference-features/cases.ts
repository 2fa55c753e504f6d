// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import {
  ADMINISTER,
  CONTRIBUTE,
  COORDINATE,
  EVERY_ROLE,
  hse,
  MANAGE,
  needs,
  ok,
  roomCases,
  square,
  type Tour,
  writes,
} from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const zone = async (t: Tour): Promise<Id> =>
  (await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, name: `Zone ${t.fresh()}`, outline: square(t.fresh()) }))).id

export const cases = roomCases({
  held: {
    map_view: EVERY_ROLE,
    reference_edit: COORDINATE,
    reference_manage: MANAGE,
    reference_cleanup: ADMINISTER,
    map_entity_edit: CONTRIBUTE,
    map_entity_edit_any: COORDINATE,
    map_entity_purge: MANAGE,
  },
  records: async t => ({ feature_id: await zone(t) }),
  routes: {
    'reference_feature.create': writes(needs('reference_edit'), t => {
      const body = { site_id: t.site_id, name: `Zone ${t.fresh()}`, outline: square(t.fresh()) }
      return { by: hse(t), body, other: { ...body, name: `Zone ${t.fresh()}` } }
    }),
    'reference_feature.list': needs('map_view'),
    'reference_feature.list_at_time': needs('map_view'),
    'reference_feature.show': needs('map_view'),
    'reference_feature.change': writes(needs('reference_edit'), async t => ({
      by: hse(t),
      params: { feature_id: await zone(t) },
      body: { name: `Yard ${t.fresh()}` },
    })),
    'reference_feature.end': writes(needs('reference_edit'), async t => ({ by: hse(t), params: { feature_id: await zone(t) } })),
    'reference_feature.show_at_time': needs('map_view'),
    'reference_feature.show_history': needs('map_view'),
    'reference_feature.list_areas': needs('map_view'),
    'reference_feature.show_building_at_point': needs('map_view', { query: 'lon=-0.09&lat=51.5' }),
    'reference_feature.list_buildings_at_point': needs('map_view', { query: 'lon=-0.09&lat=51.5' }),
    'reference_feature.clean_up': writes(needs('reference_cleanup'), async t => {
      // What the tour has left behind so far would count, too.
      await ok(t.as('admin').post('/reference-features/admin/cleanup-versions', { site_id: t.site_id, dry_run: false }))
      const feature_id = await zone(t)
      const { name } = await ok(hse(t).get(`/reference-features/features/${feature_id}`))
      await ok(hse(t).patch(`/reference-features/features/${feature_id}`, { name, effective_at: '2026-03-20T00:00:00.000Z' }))
      return { by: t.as('admin'), body: { site_id: t.site_id, dry_run: false }, other: { site_id: t.site_id, dry_run: true } }
    }),
  },
})
