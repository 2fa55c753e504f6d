import { created, get, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { permit } from '../kit/kinds.ts'
import { Extension } from '../permit-lists/schema/parts.ts'
import { SteppedPermit } from '../permit-lists/schema/permit.ts'
import { decideRequest, listExtensions, requestExtension } from './actions.ts'
import { extension } from './door.ts'
import { ApproveExtension, MatchQuery, NewExtension, RejectExtension } from './schema.ts'

const of = '/permits/applications/:permit_id/extensions'

export const routes = [
  get(of, {
    name: 'permit_extension.list',
    summary: 'List extension requests',
    says: 'Returns a permit’s extension requests, oldest first.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: Type.Array(ref(Extension)),
    handle: ({ ctx, thing }) => listExtensions(ctx, thing),
  }),
  post(of, {
    name: 'permit_extension.create',
    summary: 'Request an extension',
    says: 'Requests a later end for a live permit. All the permit’s types must be extendable. A new request replaces an open one.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    body: NewExtension,
    reply: ref(Extension),
    status: 201,
    refuses: ['permit_gate_error', 'invalid_transition', 'forbidden'],
    handle: async ({ ctx, thing, body }) =>
      created(await requestExtension(ctx, thing, body), `/permits/applications/${thing.id}/extensions`),
  }),
  post('/permits/extensions/:request_id/approve', {
    name: 'permit_extension.approve',
    summary: 'Approve an extension request',
    says: 'Signs the approval, moves the end of the window and resets the expiry warning. Returns the permit.',
    access: { needs: 'site_view' },
    on: extension,
    query: MatchQuery,
    body: ApproveExtension,
    reply: ref(SteppedPermit),
    refuses: ['permit_gate_error', 'invalid_transition', 'forbidden'],
    handle: ({ ctx, thing, body }) => decideRequest(ctx, thing, 'approved', body),
  }),
  post('/permits/extensions/:request_id/reject', {
    name: 'permit_extension.reject',
    summary: 'Reject an extension request',
    says: 'Rejects a request with a reason. The permit’s window stays the same. Returns the permit.',
    access: { needs: 'site_view' },
    on: extension,
    query: MatchQuery,
    body: RejectExtension,
    reply: ref(SteppedPermit),
    refuses: ['permit_gate_error', 'invalid_transition', 'forbidden'],
    handle: ({ ctx, thing, body }) => decideRequest(ctx, thing, 'rejected', body),
  }),
]
