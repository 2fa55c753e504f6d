// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, MANAGE, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import { boxAt } from '../../../../tests/geo.ts'
import type { Id } from '../../../base/ids.ts'

/** Makes a zone of 20 × 20 m at a place of its own, and returns it with the place: close together, so that even the thousandth is within 2 km of the site. */
async function zone(t: Tour, side = 20): Promise<{ id: Id; x: number; y: number }> {
  const n = t.fresh()
  const [x, y] = [(n % 60) * 24 - 720, Math.floor(n / 60) * 24 - 720]
  const { id } = await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, name: `Zone ${n}`, outline: boxAt(x, y, side) }))
  return { id, x, y }
}

async function cut(t: Tour): Promise<{ history_id: Id; target_id: Id }> {
  const { id, x, y } = await zone(t)
  const body = { site_id: t.site_id, target_id: id, polygon: boxAt(x + 5, y + 5, 5) }
  return { history_id: (await ok(hse(t).post('/geometry/cut-hole-freeform', body))).cut.id, target_id: id }
}

const edit = needs('map_entity_edit')

export const cases = roomCases({
  held: { geometry_defaults_manage: MANAGE },
  records: async t => ({ history_id: (await cut(t)).history_id }),
  routes: {
    'geometry_default.show': needs('map_view'),
    'geometry_default.change': writes(needs('geometry_defaults_manage'), t => ({
      by: hse(t),
      query: `site_id=${t.site_id}`,
      body: { plant_margin_m: 1 + (t.fresh() % 40) },
    })),
    'geometry_default.show_rules': needs('map_view'),
    'geometry_cut.check_overlaps': needs('map_view'),
    'geometry_default.convert': needs('map_view'),
    'geometry_cut.create': writes(edit, async t => {
      const target = await zone(t)
      const name = `Riser ${t.fresh()}`
      const outline = boxAt(target.x + 5, target.y + 5, 5)
      const cutter = await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, name, outline, zone_type: 'exclusion' }))
      const body = { site_id: t.site_id, target_id: target.id, cutter_id: cutter.id }
      return { by: hse(t), body, other: { ...body, buffer_m: 1 } }
    }),
    'geometry_cut.create_freeform': writes(edit, async t => {
      const { id, x, y } = await zone(t)
      const body = { site_id: t.site_id, target_id: id, polygon: boxAt(x + 5, y + 5, 5) }
      return { by: hse(t), body, other: { ...body, polygon: boxAt(x + 12, y + 5, 5) } }
    }),
    'geometry_cut.undo': writes(edit, async t => ({ by: hse(t), params: { history_id: (await cut(t)).history_id } })),
    'geometry_cut.reapply': writes(edit, async t => {
      const { history_id } = await cut(t)
      await ok(hse(t).post(`/geometry/undo-cut/${history_id}`))
      return { by: hse(t), params: { history_id }, body: { refresh: false }, other: { refresh: true } }
    }),
    'geometry_cut.show_history': needs('map_view'),
    'geometry_cut.list_pending': needs('map_view'),
  },
})
