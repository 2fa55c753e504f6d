// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { coordinator, needs, ok, roomCases, seen, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const gang = async (t: Tour): Promise<Id> =>
  (
    await ok(
      coordinator(t).post('/workers/', {
        ...{ site_id: t.site_id, name: `Gang ${t.fresh()}`, trade: 'Steel fixer', end_at: '2026-03-16T17:00:00.000Z' },
        place: { point: { lon: -0.0877, lat: 51.5079 } },
      }),
    )
  ).id
const body = async (t: Tour) => ({ entity_type: 'worker', entity_ids: [await gang(t)] })

export const cases = roomCases({
  routes: {
    'permit_entity.list': seen,
    'permit_entity.list_grouped': seen,
    'permit_entity.request': writes(needs('permit_request'), async t => {
      const made = async () => ({ site_id: t.site_id, categories: ['HW'], entities: [{ entity_type: 'worker', entity_id: await gang(t) }] })
      return { by: coordinator(t), body: await made(), other: await made() }
    }),
    'permit_entity.link': writes(needs('map_entity_edit'), async t => ({ by: coordinator(t), body: await body(t), other: await body(t) })),
    'permit_entity.unlink': writes(needs('map_entity_edit'), async t => {
      const linked = await body(t)
      await ok(coordinator(t).post(`/permits/applications/${t.params.permit_id}/link`, linked))
      return { by: coordinator(t), body: linked, other: await body(t) }
    }),
  },
})
