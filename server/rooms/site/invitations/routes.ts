import type { Ctx } from '../../../base/ctx.ts'
import { answer, created, del, get, page, post } from '../../../base/http.ts'
import { ref, type Static, Type } from '../../../base/schema.ts'
import { Membership } from '../memberships/schema.ts'
import { acceptInvite, type Judged, judgeRegistration, registerBy } from './actions/come.ts'
import { listInvites, makeLink, resendInvite, revokeInvite, sendInvite } from './actions/manage.ts'
import { invite } from './door.ts'
import {
  AcceptInvite,
  AcceptInviteByToken,
  Invite,
  InviteFilter,
  InviteLink,
  NewInvite,
  NewInviteLink,
  Register,
  RegisterByToken,
  Registered,
  SentInvite,
} from './schema.ts'

const accept = async (ctx: Ctx, token: string, body: Static<typeof AcceptInvite>) => {
  const { made, membership } = await acceptInvite(ctx, token, body)
  const location = `/sites/${membership.site_id}/members?id=${membership.user_id}`
  return made ? created(membership, location) : answer(membership, { status: 200 })
}

const register = async (ctx: Ctx, token: string, body: Static<typeof Register>, brought: Judged) => {
  const said = await registerBy(ctx, token, body, brought)
  return answer(said, { status: brought === null ? 200 : 201 })
}

export const routes = [
  get('/invites/sites/:site_id', {
    name: 'invite.list',
    summary: 'List invitations',
    says: 'Returns the invitations and links of a site, newest first, without their tokens. A contractor’s H&S person gets only those for their own contractor.',
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
    summary: 'Invite a person by email',
    says: 'Invites one person, with a role no higher than the caller’s. If no mail server is set up, the response contains the link to pass on, except for an address in SUPERADMIN_EMAILS.',
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
    summary: 'Revoke an invitation',
    says: 'Revokes an invitation or link immediately. People who have already joined stay members.',
    access: { needs: 'member_invite' },
    on: invite,
    reply: null,
    handle: ({ ctx, thing }) => revokeInvite(ctx, thing),
  }),
  post('/invites/:invite_id/resend', {
    name: 'invite.resend',
    summary: 'Resend an invitation',
    says: 'Sends an invitation again with a new token and expiry; earlier links stop working. An invitation can be resent once a minute and five times in 24 hours, by a person who could have sent it. If no mail server is set up, the response contains the new link, except for an address in SUPERADMIN_EMAILS; if the caller can’t admit members, the invitation then needs approval.',
    access: { needs: 'member_invite' },
    on: invite,
    reply: ref(SentInvite),
    status: 200,
    refuses: ['conflict', 'forbidden', 'invalid_transition', 'rate_limited'],
    handle: ({ ctx, thing }) => resendInvite(ctx, thing),
  }),
  post('/invite-links/sites/:site_id', {
    name: 'invite.make_link',
    summary: 'Create an invitation link',
    says: 'Creates a link or poster for several people. The token, URL and QR code are returned only once.',
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
    summary: 'Accept an invitation',
    says: 'Joins the site of an invitation or link; the membership is pending if it needs approval. Accepting again returns the same membership.',
    access: { signed_in: true },
    body: AcceptInvite,
    reply: ref(Membership),
    status: 201,
    also: { 200: 'The caller was already a member' },
    refuses: ['not_found', 'conflict'],
    handle: ({ ctx, params, body }) => accept(ctx, params.token ?? '', body),
  }),
  post('/invite-links/accept', {
    name: 'invite.accept_by_token',
    summary: 'Accept an invitation, token in the body',
    says: 'Does the same as `POST /invite-links/accept/{token}`, without a token in the URL.',
    access: { signed_in: true },
    body: AcceptInviteByToken,
    reply: ref(Membership),
    status: 201,
    also: { 200: 'The caller was already a member' },
    refuses: ['not_found', 'conflict'],
    handle: ({ ctx, body: { token, ...body } }) => accept(ctx, token, body),
  }),
  post('/invite-links/register/:token', {
    name: 'invite.register',
    summary: 'Create an account and join',
    says: 'Creates a built-in account and its membership; the owner of an address that already has an account gets an email instead. With an external identity provider, nothing is created, and the response contains the URL of the sign-in page.',
    access: { open: true },
    body: Register,
    reply: ref(Registered),
    status: 201,
    also: { 200: 'People sign in with an external provider; nothing was created, and the response contains the sign-in URL' },
    refuses: ['not_found', 'conflict', 'rate_limited'],
    before: ({ ctx, params, body, wire }) => judgeRegistration(ctx, params.token ?? '', body, wire.address),
    handle: ({ ctx, params, body, brought }) => register(ctx, params.token ?? '', body, brought),
  }),
  post('/invite-links/register', {
    name: 'invite.register_by_token',
    summary: 'Create an account and join, token in the body',
    says: 'Does the same as `POST /invite-links/register/{token}`, without a token in the URL.',
    access: { open: true },
    body: RegisterByToken,
    reply: ref(Registered),
    status: 201,
    also: { 200: 'People sign in with an external provider; nothing was created, and the response contains the sign-in URL' },
    refuses: ['not_found', 'conflict', 'rate_limited'],
    before: ({ ctx, body: { token, ...body }, wire }) => judgeRegistration(ctx, token, body, wire.address),
    handle: ({ ctx, body: { token, ...body }, brought }) => register(ctx, token, body, brought),
  }),
]
