// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { CONTRIBUTE, COORDINATE, coordinator, needs, ok, roomCases, seen, type Tour, writes } from '../../../../tests/calls.ts'

const body = (t: Tour) => ({ site_id: t.site_id, title: `Haul road ${t.fresh()} closed`, severity: 'warning', category: 'access' })
const make = async (t: Tour): Promise<string> => (await ok(coordinator(t).post('/alerts/', body(t)))).id
const one = async (t: Tour) => ({ by: coordinator(t), params: { alert_id: await make(t) } })

export const cases = roomCases({
  held: { alert_raise: CONTRIBUTE, alert_stop: COORDINATE, alert_manage: COORDINATE },
  records: async t => ({ alert_id: await make(t) }),
  routes: {
    'alert.list': seen,
    'alert.show': seen,
    'alert.list_activity': seen,
    'alert.create': writes(needs('alert_raise'), t => ({ by: coordinator(t), body: body(t), other: body(t) })),
    'alert.change': writes(needs('alert_raise'), async t => ({ ...(await one(t)), body: { message: `Use gate ${t.fresh()}` } })),
    'alert.delete': writes(needs('alert_raise'), one),
    'alert.resolve': writes(seen, async t => ({ ...(await one(t)), body: { note: 'Open again' }, other: { note: 'Clear' } })),
    'alert.unresolve': writes(seen, async t => {
      const call = await one(t)
      await ok(call.by.post(`/alerts/${call.params.alert_id}/resolve`, {}))
      return { ...call, body: { reason: 'Closed again' }, other: { reason: 'Lorry is back' } }
    }),
  },
})
