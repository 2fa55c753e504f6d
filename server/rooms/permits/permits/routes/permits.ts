import { created, del, patch, post } from '../../../../base/http.ts'
import { ref, type Static, type TSchema } from '../../../../base/schema.ts'
import { draft, permit } from '../../kit/kinds.ts'
import { MatchQuery } from '../../kit/schema.ts'
import { showPermit } from '../../permit-lists/door.ts'
import { Permit, SteppedPermit } from '../../permit-lists/schema/permit.ts'
import { act } from '../actions/act.ts'
import { closeOutBulk } from '../actions/close.ts'
import { reissuePermit, requestFamily } from '../actions/copy.ts'
import { deleteDraft, editPermit, requestPermit } from '../actions/draft.ts'
import type { Action, Given } from '../actions/taking.ts'
import {
  Approval,
  BulkClosed,
  BulkCloseOut,
  CloseOut,
  Corrections,
  Endorsement,
  Family,
  FieldSignature,
  HandBack,
  NewFamily,
  NewPermit,
  PermitChange,
  Rejection,
  Submission,
  Withdrawal,
} from '../schema.ts'

const all = '/permits/applications'
const one = `${all}/:permit_id`
const GATE = ['permit_gate_error', 'invalid_transition', 'forbidden'] as const

/** Returns the endpoint of a lifecycle step, which the permit's own graph decides on. */
const step = <B extends TSchema>(
  verb: string,
  action: Action,
  summary: string,
  says: string,
  body: B,
  more: { on?: typeof permit; passes_lock?: boolean } = {},
) =>
  post(`${one}/${verb}`, {
    name: `permit.${action}`,
    summary,
    says,
    access: { needs: 'site_view' },
    on: more.on ?? permit,
    query: MatchQuery,
    body,
    of: Permit,
    reply: ref(SteppedPermit),
    refuses: [...GATE, ...(action === 'submit' || action === 'withdraw' ? (['permit_ownership_error'] as const) : [])],
    passes_lock: more.passes_lock === true,
    handle: async ({ ctx, thing, body: given }) => {
      const { warnings } = await act(ctx, thing, action, given as Static<B> & Given) // the schema of each step has these fields
      return showPermit(ctx, thing.site_id, thing.id, warnings)
    },
  })

export const routes = [
  post(all, {
    name: 'permit.create',
    summary: 'Create a draft permit',
    says: 'Creates a draft, which only the caller and superadmins can see. A draft can be incomplete, but it can be submitted only with at least one permit type and a window; the refusal lists which of them are missing.',
    access: { needs: 'permit_request' },
    query: MatchQuery,
    body: NewPermit,
    of: Permit,
    reply: ref(Permit),
    status: 201,
    handle: async ({ ctx, body }) => {
      const made = await requestPermit(ctx, body)
      return created(made, `${all}/${made.id}`)
    },
  }),
  post(`${all}/family`, {
    name: 'permit.create_family',
    summary: 'Create a parent and its children',
    says: 'Creates child permits as drafts under a new or existing parent permit, in one transaction.',
    access: { needs: 'permit_request' },
    query: MatchQuery,
    body: NewFamily,
    reply: ref(Family),
    status: 201,
    handle: async ({ ctx, body }) => {
      const { site_id, ...family } = body
      const made = await requestFamily(ctx, site_id, family)
      return created(made, `${all}?site_id=${site_id}&parent_id=${(made.parent as { id: string }).id}`) // requestFamily made it
    },
  }),
  post(`${all}/close-out-bulk`, {
    name: 'permit.close_out_bulk',
    summary: 'Close out several permits',
    says: 'Closes out permits, child permits before their parents. Each permit is checked as if it were closed out alone, and has its own result.',
    access: { needs: 'site_view' },
    query: MatchQuery,
    body: BulkCloseOut,
    reply: ref(BulkClosed),
    passes_lock: true,
    handle: ({ ctx, body }) => closeOutBulk(ctx, body.site_id, body.permit_ids, body),
  }),
  patch(one, {
    name: 'permit.edit',
    summary: 'Update a draft permit',
    says: 'Changes a draft, or a permit that was returned for corrections. Only the requestor or a superadmin can do this.',
    access: { needs: 'site_view' },
    on: draft,
    query: MatchQuery,
    body: PermitChange,
    of: Permit,
    reply: ref(Permit),
    refuses: ['permit_ownership_error', 'invalid_transition'],
    handle: ({ ctx, thing, body }) => editPermit(ctx, thing, body),
  }),
  del(one, {
    name: 'permit.delete',
    summary: 'Delete a draft permit',
    says: 'Deletes a draft that was never submitted. Only the requestor or a superadmin can do this. A permit that has been submitted can’t be deleted.',
    access: { needs: 'site_view' },
    on: draft,
    query: MatchQuery,
    reply: null,
    refuses: ['permit_ownership_error', 'invalid_transition', 'conflict'],
    handle: ({ ctx, thing }) => deleteDraft(ctx, thing),
  }),
  step(
    'submit',
    'submit',
    'Submit a permit',
    'Submits a draft, or resubmits a corrected permit. The number is assigned on the first submit.',
    Submission,
    { on: draft },
  ),
  step(
    'withdraw',
    'withdraw',
    'Withdraw a permit',
    'Withdraws a permit before an issuer signs it. Only the requestor or a superadmin can do this.',
    Withdrawal,
    {
      on: draft,
    },
  ),
  step('endorse', 'endorse', 'Endorse a permit', 'Signs the stage-1 coordination check of a two-stage permit.', Endorsement),
  step(
    'approve',
    'approve',
    'Approve a permit',
    'Signs the stage-2 H&S review. If the permit has red conflicts, a reason is required.',
    Approval,
  ),
  step('reject', 'reject', 'Reject a permit', 'Rejects a permit in review, with a reason. A rejected permit can’t be reopened.', Rejection),
  step(
    'request-corrections',
    'request_corrections',
    'Return a permit for corrections',
    'Returns a permit in review to its requestor, with a note.',
    Corrections,
  ),
  step(
    'hand-back',
    'hand_back',
    'Hand back a permit',
    'Returns an approved permit for corrections when the walk-down fails. Hands back a live or expired permit, signed by the receiver or by an approver on behalf of an absent receiver.',
    HandBack,
    { passes_lock: true },
  ),
  step(
    'issue',
    'issue',
    'Issue a permit',
    'Signs as issuer at the work front. Requires an appointment for every type on the permit.',
    FieldSignature,
  ),
  step('countersign', 'countersign', 'Countersign a permit', 'Signs as the named receiver. The permit goes live.', FieldSignature),
  step(
    'close-out',
    'close_out',
    'Close out a permit',
    'Closes out a live or expired permit. All three items of the checklist must be confirmed, and every child permit must be closed out, withdrawn or rejected first.',
    CloseOut,
    {
      passes_lock: true,
    },
  ),
  post(`${one}/reissue`, {
    name: 'permit.reissue',
    summary: 'Reissue a permit',
    says: 'Creates a new draft from a live, expired or closed-out permit. The caller becomes its requestor.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    body: Submission,
    reply: ref(SteppedPermit),
    status: 201,
    refuses: ['forbidden', 'invalid_transition'],
    handle: async ({ ctx, thing }) => {
      const { id, shown } = await reissuePermit(ctx, thing)
      return created(shown, `${all}/${id}`)
    },
  }),
]
