// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { COORDINATE, coordinator, EVERY_ROLE, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

const HOT = { field: 'permit_types', op: 'contains', value: 'HW' }

const group = async (t: Tour): Promise<Id> =>
  (
    await ok(
      t
        .as('coordinator')
        .post('/smart-groups/', { site_id: t.site_id, name: `Hot ${t.fresh()}`, subject: 'permit', predicate: HOT, visibility: 'shared' }),
    )
  ).id

export const cases = roomCases({
  held: {
    smart_group_edit: EVERY_ROLE,
    smart_group_share: COORDINATE,
  },
  records: async t => ({ group_id: await group(t) }),
  routes: {
    'smart_group.list': needs('smart_group_edit'),
    'smart_group.create': writes(needs('smart_group_edit'), t => {
      const body = { site_id: t.site_id, name: `Hot ${t.fresh()}`, subject: 'permit', predicate: HOT, visibility: 'shared' }
      return { by: coordinator(t), body, other: { ...body, predicate: true } }
    }),
    'smart_group.show': needs('smart_group_edit'),
    // A shared one: anyone who can share it can change it (site-and-people.md §18).
    'smart_group.change': writes(needs('smart_group_edit'), async t => ({
      by: coordinator(t),
      params: { group_id: await group(t) },
      body: { sort: t.fresh() },
      other: { sort: t.fresh() },
    })),
    'smart_group.delete': writes(needs('smart_group_edit'), async t => ({ by: coordinator(t), params: { group_id: await group(t) } })),
  },
})
