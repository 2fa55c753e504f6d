// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { later, mail, needs, ok, roomCases, signedIn, type Tour, writes } from '../../../../tests/calls.ts'
import { PASSPHRASE } from '../../../../tests/provider.ts'
import type { Id } from '../../../base/ids.ts'

const invited = async (t: Tour): Promise<Id> =>
  (await ok(t.as('admin').post(`/invites/sites/${t.site_id}`, { email: mail(t), role: 'viewer' }))).id

const linked = async (t: Tour): Promise<string> =>
  (await ok(t.as('admin').post(`/invite-links/sites/${t.site_id}`, { role: 'viewer', label: `Gate ${t.fresh()}` }))).token

export const cases = roomCases({
  records: async t => {
    const body = { role: 'member', contractor_id: t.acme, label: `Gate ${t.fresh()}` }
    const { id } = await ok(t.as('admin').post(`/invite-links/sites/${t.site_id}`, body))
    return { invite_id: id, token: 'no-such-token' }
  },
  routes: {
    'invite.register': writes({ open: true, absent: true }, async t => {
      later(t) // the number of calls per minute without an account is limited
      const body = { name: 'Nina New', email: mail(t), password: PASSPHRASE }
      return { by: t.house.nobody, params: { token: await linked(t) }, body, other: { ...body, name: 'Nina Newer' } }
    }),
    'invite.accept': writes({ ...signedIn, siteless: true, absent: true, strangers: true }, async t => ({
      by: await t.stranger(`Nora ${t.fresh()}`),
      params: { token: await linked(t) },
      body: {},
      other: { contractor_id: null },
    })),
    'invite.register_by_token': writes({ open: true, absent: true, body: { token: 'no-such-token' } }, async t => {
      later(t)
      const body = { token: await linked(t), name: 'Nina New', email: mail(t), password: PASSPHRASE }
      return { by: t.house.nobody, body, other: { ...body, name: 'Nina Newer' } }
    }),
    'invite.accept_by_token': writes(
      { ...signedIn, siteless: true, absent: true, strangers: true, body: { token: 'no-such-token' } },
      async t => {
        const body = { token: await linked(t) }
        return { by: await t.stranger(`Nora ${t.fresh()}`), body, other: { ...body, contractor_id: null } }
      },
    ),
    'invite.list': needs('member_invite'),
    'invite.send': writes(needs('member_invite'), t => ({
      by: t.as('admin'),
      body: { email: mail(t), role: 'viewer' },
      other: { email: mail(t), role: 'viewer' },
    })),
    'invite.revoke': writes(needs('member_invite'), async t => ({ by: t.as('admin'), params: { invite_id: await invited(t) } })),
    'invite.resend': writes(needs('member_invite'), async t => {
      const invite_id = await invited(t)
      later(t) // an email is not sent twice within a minute
      return { by: t.as('admin'), params: { invite_id } }
    }),
    'invite.make_link': writes(needs('member_invite'), t => ({
      by: t.as('admin'),
      body: { role: 'viewer', label: `Gate ${t.fresh()}` },
      other: { role: 'client' },
    })),
  },
})
