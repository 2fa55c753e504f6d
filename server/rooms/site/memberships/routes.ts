import { del, get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { approveMembership, endMembership, listPending } from './actions/manage.ts'
import { membership } from './door.ts'
import { ApproveMembership, Membership, PendingMembership, PendingQuery } from './schema.ts'

export const routes = [
  get('/memberships/sites/:site_id/pending', {
    name: 'membership.list_pending',
    summary: 'List membership requests',
    says: 'Returns pending membership requests, oldest first.',
    access: { needs: 'member_manage' },
    query: PendingQuery,
    reply: Type.Array(ref(PendingMembership)),
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next } = await listPending(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
  post('/memberships/:membership_id/approve', {
    name: 'membership.approve',
    summary: 'Approve or change a membership',
    says: 'Approves a pending membership, or changes a member’s role and contractor. Neither the member’s current role nor the new role can be above the caller’s.',
    access: { needs: 'member_manage' },
    on: membership,
    body: ApproveMembership,
    of: Membership,
    reply: ref(Membership),
    refuses: ['forbidden', 'invalid_transition'],
    handle: ({ ctx, thing, body }) => approveMembership(ctx, thing, body),
  }),
  del('/memberships/:membership_id', {
    name: 'membership.end',
    summary: 'End a membership',
    says: 'Ends a membership, or rejects a pending one, immediately. Everyone can end their own membership or withdraw their own request, except the last person who can manage members.',
    // A person whose request is still pending has no permission on the site yet, and can withdraw it.
    access: { signed_in: true, or_outsider: true },
    on: membership,
    reply: null,
    refuses: ['forbidden', 'invalid_transition'],
    passes_lock: true,
    handle: ({ ctx, thing }) => endMembership(ctx, thing),
  }),
]
