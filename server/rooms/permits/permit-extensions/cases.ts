// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { hse, member, ok, roomCases, seen, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const extension = async (t: Tour): Promise<Id> => {
  const live = await t.at('issued', { categories: ['GEN'] })
  return (await ok(t.step(live, 'extensions', t.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' }))).id
}

export const cases = roomCases({
  records: async t => {
    const later = { requested_end_at: '2026-03-16T20:00:00.000Z' }
    const { id } = await ok(member(t).post(`/permits/applications/${t.params.permit_id}/extensions`, later))
    return { request_id: id }
  },
  routes: {
    'permit_extension.list': seen,
    'permit_extension.create': writes(seen, async t => ({
      by: member(t),
      params: { permit_id: (await t.at('issued', { categories: ['GEN'] })).id },
      body: { requested_end_at: '2026-03-16T20:00:00.000Z' },
      other: { requested_end_at: '2026-03-16T21:00:00.000Z' },
    })),
    'permit_extension.approve': writes(seen, async t => ({
      by: hse(t),
      params: { request_id: await extension(t) },
      body: {},
      other: { note: 'Fine' },
    })),
    'permit_extension.reject': writes(seen, async t => ({
      by: hse(t),
      params: { request_id: await extension(t) },
      body: { reason: 'Too long' },
      other: { reason: 'Too late' },
    })),
  },
})
