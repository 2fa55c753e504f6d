import { created, del, fileAnswer, get, page, patch, post, textAnswer } from '../../base/http.ts'
import { sha256 } from '../../base/ids.ts'
import { ref, type Static, type TSchema, Type } from '../../base/schema.ts'
import { DOCUMENTS } from '../../kernel/evidence/domain.ts'
import { bringIn } from '../../kernel/evidence/door.ts'
import { act } from './actions/act.ts'
import { attach, detach, readAttachment } from './actions/attachments.ts'
import { closeOutBulk } from './actions/close.ts'
import { deleteDraft, editPermit, reissuePermit, requestFamily, requestPermit } from './actions/draft.ts'
import { auditCsv } from './actions/history.ts'
import { closeOutRound, listCards, listWhole, wallet } from './actions/lists.ts'
import { showPermit } from './actions/show.ts'
import type { Action, Given } from './actions/taking.ts'
import { attachment, draft, permit } from './door.ts'
import {
  Approval,
  AttachmentFields,
  BulkClosed,
  BulkCloseOut,
  CardFilter,
  CloseOut,
  Corrections,
  DownloadQuery,
  Endorsement,
  Family,
  FieldSignature,
  HandBack,
  MatchQuery,
  NewFamily,
  NewPermit,
  PermitChange,
  PermitFilter,
  Rejection,
  RoundQuery,
  Submission,
  WalletQuery,
  Withdrawal,
} from './schema/bodies.ts'
import { Attachment, CloseOutStop, Permit, PermitCard, SteppedPermit, WalletPermit } from './schema/permit.ts'

const all = '/permits/applications'
const one = `${all}/:permit_id`
const GATE = ['permit_gate_error', 'invalid_transition', 'forbidden'] as const
const FILE = { types: DOCUMENTS, said: 'a picture, PDF, Word or Excel file, text or video' }

/** A step of the lifecycle: its verb endpoint, judged by the permit's own graph. */
const step = <B extends TSchema>(
  verb: string,
  action: Action,
  says: string,
  body: B,
  more: { on?: typeof permit; passes_lock?: boolean } = {},
) =>
  post(`${one}/${verb}`, {
    name: `permit.${action}`,
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
      const { warnings } = await act(ctx, thing, action, given as Static<B> & Given)
      return showPermit(ctx, thing.site_id, thing.id, warnings)
    },
  })

export const routes = [
  get('/permits', {
    name: 'permit.list_cards',
    says: 'Every permit that the caller sees, compact, imported ones too: for board and map. Latest begin first, those without a window before all.',
    access: { needs: 'site_view' },
    query: CardFilter,
    reply: Type.Array(ref(PermitCard)),
    handle: async ({ ctx, query }) => {
      const { rows, next, total } = await listCards(ctx, query)
      return page(rows, { next, total })
    },
  }),
  get('/permits/close-out-round', {
    name: 'permit.show_round',
    says: 'Expired and handed-back permits as one walk by building and level, with what closing each would let be issued.',
    access: { needs: 'site_view' },
    query: RoundQuery,
    reply: Type.Array(ref(CloseOutStop)),
    handle: ({ ctx, query }) => closeOutRound(ctx, query.site_id),
  }),
  get(all, {
    name: 'permit.list',
    says: 'The same permits, each whole, with signatures, extensions and flags.',
    access: { needs: 'site_view' },
    query: PermitFilter,
    reply: Type.Array(ref(Permit)),
    handle: async ({ ctx, query }) => {
      const { rows, next, total } = await listWhole(ctx, query)
      return page(rows, { next, total })
    },
  }),
  post(all, {
    name: 'permit.create',
    says: 'Writes a draft; it may be incomplete, submit says what is missing. Nobody else sees it.',
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
  get(`${all}/wallet`, {
    name: 'permit.list_wallet',
    says: 'What the caller carries on site: permits of which he is receiver, requestor, or the issuer whose signature is due; most urgent first.',
    access: { signed_in: true },
    query: WalletQuery,
    reply: Type.Array(ref(WalletPermit)),
    handle: async ({ ctx, query }) => taggedList(await wallet(ctx, query.site_id)),
  }),
  post(`${all}/family`, {
    name: 'permit.create_family',
    says: 'Writes a parent and its children as drafts, all or none of them.',
    access: { needs: 'permit_request' },
    query: MatchQuery,
    body: NewFamily,
    reply: ref(Family),
    status: 201,
    handle: async ({ ctx, body }) => {
      const { site_id, ...family } = body
      const made = await requestFamily(ctx, site_id, family)
      return created(made, `${all}?site_id=${site_id}&parent_id=${(made.parent as { id: string }).id}`)
    },
  }),
  post(`${all}/close-out-bulk`, {
    name: 'permit.close_out_bulk',
    says: 'Closes out several permits, children before parents; each is judged by the same rule, with an answer of its own.',
    access: { needs: 'site_view' },
    query: MatchQuery,
    body: BulkCloseOut,
    reply: ref(BulkClosed),
    passes_lock: true,
    handle: ({ ctx, body }) => closeOutBulk(ctx, body.site_id, body.permit_ids, body),
  }),
  get(one, {
    name: 'permit.show',
    says: 'One permit with everything about it.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: ref(Permit),
    handle: ({ ctx, thing }) => showPermit(ctx, thing.site_id, thing.id),
  }),
  patch(one, {
    name: 'permit.edit',
    says: 'Changes a draft, or a permit that is back for corrections; by its requestor.',
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
    says: 'Deletes a draft that was never submitted. A numbered permit is a record: withdraw it.',
    access: { needs: 'site_view' },
    on: draft,
    query: MatchQuery,
    reply: null,
    refuses: ['permit_ownership_error', 'invalid_transition', 'conflict'],
    handle: ({ ctx, thing }) => deleteDraft(ctx, thing),
  }),
  step('submit', 'submit', 'Submits a draft, or a corrected permit again; the number is minted once.', Submission, { on: draft }),
  step('withdraw', 'withdraw', 'Withdraws a permit before it is issued; by its requestor.', Withdrawal, { on: draft }),
  step('endorse', 'endorse', 'Endorses a two-stage permit (stage 1, coordination); signs.', Endorsement),
  step('approve', 'approve', 'Approves a permit (stage 2, H&S); signs. Red conflicts need a reason.', Approval),
  step('reject', 'reject', 'Rejects a permit in review, for good.', Rejection),
  step('request-corrections', 'request_corrections', 'Sends a permit in review back to its requestor.', Corrections),
  step(
    'hand-back',
    'hand_back',
    'From approved: the walk-down failed, back for corrections. Live or expired: the receiver hands the work back.',
    HandBack,
    { passes_lock: true },
  ),
  step('issue', 'issue', 'The issuer’s signature at the work front; only with an active appointment for every type.', FieldSignature),
  step('countersign', 'countersign', 'The named receiver’s signature: the permit goes live.', FieldSignature),
  step('close-out', 'close_out', 'Closes a live or expired permit; all three items confirmed, no child open.', CloseOut, {
    passes_lock: true,
  }),
  post(`${one}/reissue`, {
    name: 'permit.reissue',
    says: 'Makes a new draft of a live, expired or closed permit; the caller becomes its requestor.',
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
  get(`${one}/audit.csv`, {
    name: 'permit.export_history',
    says: 'The permit’s history as CSV: one row an event, in UTC and site time.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: null,
    produces: 'text/csv',
    handle: async ({ ctx, thing }) =>
      textAnswer('text/csv; charset=utf-8', await auditCsv(ctx, thing), {
        'content-disposition': `attachment; filename="${thing.permit_number ?? 'draft'} history.csv"`,
      }),
  }),
  post(`${one}/attachments`, {
    name: 'permit_attachment.create',
    says: 'Attaches a file, to a slot by its key or label, or to none; at most 25 MB.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    upload: { max_bytes: 25 * 1024 * 1024 },
    body: AttachmentFields,
    of: Attachment,
    reply: ref(Attachment),
    status: 201,
    refuses: ['forbidden', 'invalid_transition', 'unsupported_media_type', 'too_large'],
    before: ({ ctx, files }) => bringIn(ctx.house, files.slice(0, 1), FILE),
    handle: async ({ ctx, thing, body, brought: [file] }) => {
      if (file === undefined) throw new Error('A file that was brought is not there.')
      const made = await attach(ctx, thing, file, body.slot ?? null)
      return created(made, `${all}/${thing.id}/attachments/${made.id}/download`)
    },
  }),
  del(`${one}/attachments/:attachment_id`, {
    name: 'permit_attachment.delete',
    says: 'Takes a file off while the permit is editable; never one that a signature covers.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: null,
    refuses: ['permit_ownership_error', 'invalid_transition', 'conflict'],
    handle: ({ ctx, thing, params }) => detach(ctx, thing, params.attachment_id ?? ''),
  }),
  get(`${one}/attachments/:attachment_id/download`, {
    name: `${attachment.name}.download`,
    says: 'The bytes of an attachment; a picture also as `variant=preview` or `thumb`.',
    access: { needs: 'site_view' },
    on: permit,
    query: DownloadQuery,
    reply: null,
    produces: 'application/octet-stream',
    handle: async ({ ctx, thing, params, query }) =>
      fileAnswer(await readAttachment(ctx, thing, params.attachment_id ?? '', query.variant ?? 'original')),
  }),
]

/** A personal list with a tag of its versions, so that a phone asks in vain cheaply. */
function taggedList(rows: readonly Record<string, unknown>[]) {
  return page([...rows], {
    headers: {
      etag: `"${sha256(JSON.stringify(rows.map(row => [row.id, row.version, row.awaiting_my_action, row.declare_blocker_available, row.soon])))}"`,
    },
  })
}
