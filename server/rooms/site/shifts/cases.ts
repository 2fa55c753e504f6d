// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, needs, ok, roomCases, seen, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  records: async t => {
    const [shift] = await ok(t.as('admin').get(`/shifts/?site_id=${t.site_id}`))
    return { shift_id: shift.id }
  },
  routes: {
    'shift.list': seen,
    'shift.create': writes(needs('site_configure'), t => {
      const body = { site_id: t.site_id, name: `Late ${t.fresh()}`, start_time: '18:00', end_time: '22:00', weekdays: [6] }
      return { by: hse(t), body, other: { ...body, end_time: '23:00' } }
    }),
    'shift.end': writes(needs('site_configure'), async t => {
      const body = { site_id: t.site_id, name: `Late ${t.fresh()}`, start_time: '18:00', end_time: '22:00', weekdays: [7] }
      return { by: hse(t), params: { shift_id: (await ok(hse(t).post('/shifts/', body))).id } }
    }),
  },
})
