// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, MANAGE, needs, roomCases, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: { geometry_defaults_manage: MANAGE },
  routes: {
    'geometry_default.show': needs('map_view'),
    'geometry_default.change': writes(needs('geometry_defaults_manage'), t => ({
      by: hse(t),
      query: `site_id=${t.site_id}`,
      body: { plant_margin_m: 1 + (t.fresh() % 40) },
    })),
  },
})
