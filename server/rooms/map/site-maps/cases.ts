// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, MANAGE, needs, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import { controlPoints, laid, readSheet, readySheet, sheet, stopped, upload } from '../../../../tests/plans.ts'

const view = needs('map_view')
const manage = needs('site_map_manage')
const parts = async (t: Tour) => {
  const n = t.fresh()
  return upload(await sheet([], n), `layout-${n}.png`, { site_id: t.site_id, name: `Layout ${n}` })
}

export const cases = roomCases({
  held: { site_map_manage: MANAGE },
  records: async t => ({ site_map_id: await readySheet(t.house, t, { tint: t.fresh() }) }),
  routes: {
    'site_map.upload': writes(manage, async t => ({ by: hse(t), parts: await parts(t), others: await parts(t) })),
    'site_map.calibrate': writes(manage, async t => ({
      by: hse(t),
      params: { site_map_id: await readSheet(t.house, t, 'Layout', t.fresh()) },
      body: { points: controlPoints(laid(0.1, 20)) },
      other: { points: controlPoints(laid(0.1, 30)) },
    })),
    'site_map.redraw': writes(manage, async t => {
      const id = await readSheet(t.house, t, 'Layout', t.fresh())
      const calibrated = await hse(t).post(`/site-maps/${id}/calibrate`, { points: controlPoints(laid(0.1, 20)) })
      return { by: hse(t), params: { site_map_id: await stopped(t.house, calibrated, 'lost_site_maps') } }
    }),
    'site_map.show': view,
    'site_map.image': view,
    'site_map.list': view,
    'site_map.activate': writes(manage, async t => ({
      by: hse(t),
      body: { site_map_id: await readySheet(t.house, t, { tint: t.fresh() }) },
      other: { site_map_id: t.params.site_map_id },
    })),
    'site_map.list_activations': view,
    'site_map.show_active': view,
  },
})
