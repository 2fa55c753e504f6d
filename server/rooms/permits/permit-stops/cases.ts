// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, hse, needs, ok, roomCases, seen, type Tour, writes } from '../../../../tests/calls.ts'

/** A spot that no other stop covers. */
const spot = (t: Tour) => {
  const n = t.fresh()
  return { point: { lon: -0.0977 + (n % 100) * 0.0002, lat: 51.5039 + (Math.floor(n / 100) % 60) * 0.00015 } }
}
const body = (t: Tour, place = spot(t)) => ({ site_id: t.site_id, place, radius_m: 5, reason: `Smell of gas ${t.fresh()}` })
const stop = async (t: Tour, place = spot(t)): Promise<string> => (await ok(coordinator(t).post('/permits/stops', body(t, place)))).id

export const cases = roomCases({
  records: async t => ({ stop_id: await stop(t) }),
  routes: {
    'area_stop.list': seen,
    'area_stop.create': writes(needs('alert_stop'), t => ({ by: coordinator(t), body: body(t), other: body(t) })),
    'area_stop.preview': needs('alert_stop'),
    'area_stop.lift': writes(needs('alert_stop'), async t => ({
      by: coordinator(t),
      params: { stop_id: await stop(t) },
      body: { note: 'Leak repaired' },
      other: { note: 'False alarm' },
    })),
    'permit.revalidate': writes(
      needs('site_view', { no_reference: { 'stop_ids.0': 'stops that the person read: they are only compared' } }),
      async t => {
        const place = spot(t)
        const live = await t.at('issued', { place })
        await stop(t, place)
        return { by: hse(t), params: { permit_id: live.id }, body: {}, other: { note: 'Checked with the meter' } }
      },
    ),
  },
})
