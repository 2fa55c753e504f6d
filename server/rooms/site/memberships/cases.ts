// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { ADMINISTER, COORDINATE, needs, ok, roomCases, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: {
    member_invite: [...COORDINATE, 'contractor_hse'],
    member_manage: ADMINISTER,
  },
  records: async t => {
    const leaver = await t.join('viewer', null, 'Lea Leaver')
    const [row] = await ok(t.as('admin').get(`/sites/${t.site_id}/members?id=${leaver.user_id}`))
    return { membership_id: row.membership_id }
  },
  routes: {
    'membership.list_pending': needs('member_manage'),
    'membership.approve': writes(needs('member_manage'), async t => {
      const who = await t.join('viewer', null, `Vera ${t.fresh()}`)
      const [row] = await ok(t.as('admin').get(`/sites/${t.site_id}/members?id=${who.user_id}`))
      return { by: t.as('admin'), params: { membership_id: row.membership_id }, body: { role: 'client' }, other: { role: 'commercial' } }
    }),
    'membership.end': writes({ needs: null, sees: ADMINISTER }, async t => {
      const who = await t.join('viewer', null, `Vera ${t.fresh()}`)
      const [row] = await ok(t.as('admin').get(`/sites/${t.site_id}/members?id=${who.user_id}`))
      return { by: t.as('admin'), params: { membership_id: row.membership_id } }
    }),
  },
})
