// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, hse, needs, ok, roomCases, seen, type Tour, writes } from '../../../../tests/calls.ts'

/** A place that no other stop has: each is a disc of another size. */
const body = (t: Tour) => ({
  site_id: t.site_id,
  place: { point: { lon: -0.0877, lat: 51.5079 } },
  radius_m: 1 + (t.fresh() % 1500) / 10,
  reason: `Smell of gas ${t.fresh()}`,
})
const stop = async (t: Tour): Promise<string> => (await ok(coordinator(t).post('/permits/stops', body(t)))).id
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

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
        const live = await t.at('issued', { place: HERE })
        await stop(t)
        return { by: hse(t), params: { permit_id: live.id }, body: {}, other: { note: 'Checked with the meter' } }
      },
    ),
  },
})
