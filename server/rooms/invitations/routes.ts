import { answer, created, del, get, page, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { Membership } from '../memberships/schema.ts'
import { acceptInvite, judgeRegistration, registerBy } from './actions/come.ts'
import { listInvites, makeLink, resendInvite, revokeInvite, sendInvite } from './actions/manage.ts'
import { invite } from './door.ts'
import { AcceptInvite, Invite, InviteFilter, InviteLink, NewInvite, NewInviteLink, Register, Registered, SentInvite } from './schema.ts'

export const routes = [
  get('/invites/sites/:site_id', {
    name: 'invite.list',
    says: 'Invitations of a site, both kinds, newest first. Never the token.',
    access: { needs: 'member_invite' },
    query: InviteFilter,
    reply: Type.Array(ref(Invite)),
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next } = await listInvites(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
  post('/invites/sites/:site_id', {
    name: 'invite.send',
    says: 'Invites one person by email, never above your own rank. Without a mail server the reply has the link to pass on.',
    access: { needs: 'member_invite' },
    body: NewInvite,
    of: Invite,
    reply: ref(SentInvite),
    status: 201,
    refuses: ['conflict', 'forbidden'],
    handle: async ({ ctx, site_id, body }) => {
      const made = await sendInvite(ctx, site_id, body)
      return created(made, `/invites/sites/${site_id}?id=${made.id}`)
    },
  }),
  del('/invites/:invite_id', {
    name: 'invite.revoke',
    says: 'Takes an invitation of either kind back, at once; those who came by it stay.',
    access: { needs: 'member_invite' },
    on: invite,
    reply: null,
    handle: ({ ctx, thing }) => revokeInvite(ctx, thing),
  }),
  post('/invites/:invite_id/resend', {
    name: 'invite.resend',
    says: 'Sends an invitation again with a new token and expiry; earlier links stop working. Without a mail server the reply has the new link.',
    access: { needs: 'member_invite' },
    on: invite,
    reply: ref(SentInvite),
    status: 200,
    refuses: ['conflict', 'invalid_transition', 'rate_limited'],
    handle: ({ ctx, thing }) => resendInvite(ctx, thing),
  }),
  post('/invite-links/sites/:site_id', {
    name: 'invite.make_link',
    says: 'Makes a link or poster for many; token, address and QR code are given this once.',
    access: { needs: 'member_invite' },
    body: NewInviteLink,
    of: Invite,
    reply: ref(InviteLink),
    status: 201,
    refuses: ['conflict', 'forbidden'],
    handle: async ({ ctx, site_id, body }) => {
      const made = await makeLink(ctx, site_id, body)
      return created(made, `/invites/sites/${site_id}?id=${made.id}`)
    },
  }),
  post('/invite-links/accept/:token', {
    name: 'invite.accept',
    says: 'Comes to a site by an invitation of either kind; the same person again gets the same place.',
    access: { signed_in: true },
    body: AcceptInvite,
    reply: ref(Membership),
    status: 201,
    refuses: ['not_found', 'conflict'],
    handle: async ({ ctx, params, body }) => {
      const { made, membership } = await acceptInvite(ctx, params.token ?? '', body)
      const location = `/sites/${membership.site_id}/members?id=${membership.user_id}`
      return made ? created(membership, location) : answer(membership, { status: 200 })
    },
  }),
  post('/invite-links/register/:token', {
    name: 'invite.register',
    says: 'Makes an account of the built-in provider and the membership together; with an external provider it says where to sign in.',
    access: { open: true },
    body: Register,
    reply: ref(Registered),
    status: 201,
    refuses: ['not_found', 'conflict', 'rate_limited'],
    before: ({ ctx, params, body, wire }) => judgeRegistration(ctx, params.token ?? '', body, wire.address),
    handle: async ({ ctx, params, body, brought }) => {
      const said = await registerBy(ctx, params.token ?? '', body, brought)
      return answer(said, { status: brought === null ? 200 : 201 })
    },
  }),
]
