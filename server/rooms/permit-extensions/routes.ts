import { created, get, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { permit } from '../permits/door.ts'
import { Extension, SteppedPermit } from '../permits/schema/permit.ts'
import { decideRequest, listExtensions, requestExtension } from './actions.ts'
import { extension } from './door.ts'
import { ApproveExtension, MatchQuery, NewExtension, RejectExtension } from './schema.ts'

const of = '/permits/applications/:permit_id/extensions'

export const routes = [
  get(of, {
    name: 'permit_extension.list',
    says: 'Wishes for a longer window of a permit, oldest first.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: Type.Array(ref(Extension)),
    handle: ({ ctx, thing }) => listExtensions(ctx, thing),
  }),
  post(of, {
    name: 'permit_extension.create',
    says: 'Asks for a longer window of a live permit whose types may all be extended; a new request takes the place of the open one.',
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
    says: 'Approves a longer window: the end moves in place, the warning is armed again; signs.',
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
    says: 'Rejects a longer window; the permit stays as it is.',
    access: { needs: 'site_view' },
    on: extension,
    query: MatchQuery,
    body: RejectExtension,
    reply: ref(SteppedPermit),
    refuses: ['permit_gate_error', 'invalid_transition', 'forbidden'],
    handle: ({ ctx, thing, body }) => decideRequest(ctx, thing, 'rejected', body),
  }),
]
