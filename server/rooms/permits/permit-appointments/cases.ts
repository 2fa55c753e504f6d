// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, needs, ok, roomCases, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  records: async t => {
    const [appointment] = await ok(hse(t).get(`/permits/appointments?site_id=${t.site_id}`))
    return { appointment_id: appointment.id }
  },
  routes: {
    'permit_appointment.list': needs('member_view'),
    'permit_appointment.create': writes(needs('permit_settings_manage'), async t => {
      const body = { site_id: t.site_id, user_id: (await t.join('member', t.acme, `Ian ${t.fresh()}`)).user_id }
      return { by: hse(t), body, other: { ...body, permit_type_id: t.types.HW?.id } }
    }),
    'permit_appointment.revoke': writes(needs('permit_settings_manage'), async t => {
      const { user_id } = await t.join('member', t.acme, `Ian ${t.fresh()}`)
      const { id } = await ok(hse(t).post('/permits/appointments', { site_id: t.site_id, user_id }))
      return { by: hse(t), params: { appointment_id: id } }
    }),
  },
})
