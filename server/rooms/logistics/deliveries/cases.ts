// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import {
  CONTRIBUTE,
  COORDINATE,
  coordinator,
  EVERY_ROLE,
  needs,
  placedCases,
  roomCases,
  spot,
  type Tour,
  writes,
} from '../../../../tests/calls.ts'

const placed = placedCases({
  ...{
    kind: 'delivery',
    param: 'delivery_id',
    path: '/deliveries/' as const,
    edit: 'delivery_request',
    view: 'delivery_view',
    covered: true as const,
  },
  body: (t: Tour) => ({ supplier_name: `Supplier ${t.fresh()}`, driver_name: `Driver ${t.fresh()}`, end_at: '2026-03-16T07:00:00.000Z' }),
  change: (t: Tour) => ({ haulier_name: `Haulier ${t.fresh()}`, vehicle_reg: `REG ${t.fresh()}` }),
})
const requested = (t: Tour) => ({
  ...{ site_id: t.site_id, supplier_name: `Supplier ${t.fresh()}`, status: 'requested', place: spot(t.fresh()) },
  ...{ start_at: '2026-03-17T06:00:00.000Z', end_at: '2026-03-17T07:00:00.000Z' },
})

export const cases = roomCases({
  held: {
    ...{ delivery_view: EVERY_ROLE, delivery_details: [...COORDINATE, 'commercial'], delivery_request: CONTRIBUTE },
    ...{ delivery_gate: CONTRIBUTE, delivery_manage: COORDINATE },
  },
  records: placed.records,
  routes: {
    ...placed.routes,
    'delivery.show': needs('delivery_view'),
    'delivery.delete': writes(needs('delivery_request'), async t => {
      const made = await coordinator(t).post('/deliveries/', requested(t))
      return { by: coordinator(t), params: { delivery_id: made.body.id } }
    }),
  },
})
