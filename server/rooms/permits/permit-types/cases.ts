// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, MANAGE, needs, roomCases, seen, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: {
    permit_settings_manage: MANAGE,
  },
  records: async t => ({ type_id: t.types.CRO?.id ?? '' }),
  routes: {
    'permit_type.list': seen,
    'permit_type.create': writes(needs('permit_settings_manage'), t => ({
      by: hse(t),
      body: { site_id: t.site_id, code: `T${t.fresh()}` },
      other: { site_id: t.site_id, code: `T${t.fresh()}` },
    })),
    'permit_type.change': writes(needs('permit_settings_manage'), t => ({ by: hse(t), body: { name: `Cranes ${t.fresh()}` } })),
  },
})
