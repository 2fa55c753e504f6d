// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { file, hse, MANAGE, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const point = { type: 'Feature', properties: { ref: 'W1' }, geometry: { type: 'Point', coordinates: [-0.0877, 51.5079] } }
const features = { type: 'FeatureCollection', features: [point] }
const layer = async (t: Tour): Promise<Id> =>
  (await ok(hse(t).post('/geometadata/layers', { site_id: t.site_id, name: `Layer ${t.fresh()}`, features }))).id

export const cases = roomCases({
  held: { layer_manage: MANAGE },
  records: async t => ({ layer_id: await layer(t) }),
  routes: {
    'geodata_layer.list': needs('map_view'),
    'geodata_layer.show': needs('map_view'),
    'geodata_layer.list_features': needs('map_view'),
    'geodata_layer.create': writes(needs('layer_manage'), t => {
      const body = { site_id: t.site_id, name: `Layer ${t.fresh()}` }
      return { by: hse(t), body, other: { ...body, name: `Layer ${t.fresh()}` } }
    }),
    'geodata_layer.upload': writes(needs('layer_manage'), t => ({
      by: hse(t),
      query: `site_id=${t.site_id}`,
      parts: [file(Buffer.from(JSON.stringify(features)), `layer${t.fresh()}.geojson`)],
      others: [file(Buffer.from(JSON.stringify({ ...features, features: [point, point] })), `layer${t.fresh()}.geojson`)],
    })),
    'geodata_layer.change': writes(needs('layer_manage'), async t => ({
      by: hse(t),
      params: { layer_id: await layer(t) },
      body: { name: `Other ${t.fresh()}` },
    })),
    'geodata_layer.delete': writes(needs('layer_manage'), async t => ({ by: hse(t), params: { layer_id: await layer(t) } })),
  },
})
