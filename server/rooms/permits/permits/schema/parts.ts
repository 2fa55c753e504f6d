import { anything, flag, id, instant, integer, list, object, oneOf, optional, orNull, shape, text } from '../../../../base/schema.ts'
import { SIGNATURES } from '../domain/content.ts'

export const CheckAnswer = object(
  {
    code: text('Pre-check code', { max: 60, example: 'fire_watch_named' }),
    label: text('Pre-check text', { max: 300, example: 'Fire watch named' }),
    required: flag('Whether the permit’s type requires an answer'),
    answer: orNull(oneOf(['yes', 'no', 'not_applicable'], 'Answer; null when not answered')),
    answered_by: orNull(id('Person who answered')),
    answered_at: orNull(instant('Time of the answer')),
    comment: orNull(text('Comment', { max: 2000 })),
    carried_forward: flag('Whether it was copied from an earlier permit and not confirmed'),
  },
  'A pre-check and its answer',
)
export const StampedControls = object(
  {
    text: text('Text of the added controls'),
    added_by: id('Person who added them'),
    added_at: instant('Time when they were added'),
    stamp: text('Note of who added them, and at which stage', { max: 300, example: 'Added at endorsement by Cora Coordinator' }),
  },
  'Controls that a reviewer added',
)

/** A warning, which refuses nothing. */
export const Warning = object(
  {
    code: text('Warning code', { max: 60, example: 'receiver_missing' }),
    detail: text('The warning in words', { max: 2000, example: 'No receiver is named, so no one can countersign.' }),
    ids: list(id('Record'), 'Records concerned', { max: 1000 }),
  },
  'Advice that doesn’t prevent a step',
)
/** The warnings of a step now, and the declaration that it would sign. */
export const Advice = object(
  {
    warnings: list(Warning, 'Warnings that apply to the step now', { max: 100 }),
    statement: orNull(text('Declaration that would be signed, word for word; null for a step without a signature', { max: 500 })),
  },
  'Advice on one step',
)

/** The receiver that another person signed a hand-back for. */
export const OnBehalfOf = object(
  { id: id('Receiver'), name: text('Receiver’s name at the time', { max: 200, example: 'Rex Receiver' }) },
  'Absent receiver on whose behalf the hand-back was signed',
)
/** The newest decision on a permit. */
export const LastDecision = object(
  {
    action: oneOf(
      ['endorse', 'approve', 'reject', 'request_corrections', 'hand_back', 'issue', 'countersign', 'close_out', 'withdraw'],
      'Step that was taken',
    ),
    by: object(
      {
        id: id('Person'),
        name: text('Name at the time', { max: 200, example: 'Ana Ruiz' }),
        role: orNull(text('Role at the time', { max: 40, example: 'hse' })),
      },
      'Person who decided',
    ),
    at: instant('Time of the decision'),
    note: orNull(text('Note or reason, as it was written')),
  },
  'The newest decision on the permit, with its reason',
)
export const Signature = shape('PermitSignature', 'A signature: the declaration, the content it covers and the signature before it', {
  id: id('Signature'),
  kind: oneOf(SIGNATURES, 'Purpose'),
  signer_id: id('Signer'),
  signer_name: text('Name at the time', { max: 200, example: 'Ana Ruiz' }),
  signer_role: orNull(text('Role at the time', { max: 40, example: 'hse' })),
  signed_at: instant('Time of the signature'),
  note: orNull(text('Note')),
  statement: text('Declaration that was signed', { max: 500 }),
  on_behalf_of: orNull(OnBehalfOf),
  presence: orNull(anything('Position and accuracy, or the code scanned at the work front; kept as evidence, never required')),
  content_hash: text('SHA-256 of the canonical JSON (RFC 8785) of what was signed', { max: 64, example: '9f86d081…' }),
  prev_hash: text('Hash of the previous signature', { max: 64 }),
  hash: text('SHA-256 of prev_hash followed by the canonical JSON of this signature', { max: 64 }),
  voided_at: orNull(instant('Time when it was voided; null while it counts')),
  void_reason: orNull(text('Reason why it was voided')),
})
export const Attachment = shape('PermitAttachment', 'A file on a permit', {
  id: id('Attachment'),
  permit_id: id('Permit'),
  slot: orNull(text('Key of the required document; null for any other file', { max: 60, example: 'rams' })),
  filename: text('File name', { max: 200, example: 'RAMS hot work.pdf' }),
  media_type: text('Media type, detected from its bytes', { max: 100, example: 'application/pdf' }),
  size: integer('Size, bytes', { max: Number.MAX_SAFE_INTEGER }),
  sha256: text('SHA-256 of the file', { max: 64 }),
  width: orNull(integer('Width, pixels; null if the file isn’t a picture')),
  height: orNull(integer('Height, pixels; null if the file isn’t a picture')),
  url: text('Download URL', { max: 300 }),
  uploaded_by: orNull(id('Person who attached it')),
  created_at: instant('Time of the upload'),
})
export const Extension = shape('PermitExtension', 'An extension request', {
  id: id('Request'),
  request_id: id('Same as id'),
  permit_id: id('Permit'),
  site_id: id('Site'),
  requested_by: id('Person who requested it'),
  requested_at: instant('Time of the request'),
  requested_end_at: instant('New end'),
  previous_end_at: instant('End of the window at the time'),
  reason: orNull(text('Reason')),
  status: oneOf(
    ['requested', 'approved', 'rejected', 'superseded', 'lapsed'],
    'State; lapsed: the permit stopped being live before the decision',
  ),
  decided_by: orNull(id('Person who decided')),
  decided_at: orNull(instant('Time of the decision')),
  decision_reason: orNull(text('Reason for the rejection, or why the request lapsed')),
  signature_id: orNull(id('Signature of the approval')),
  warnings: optional(list(anything('Warning'), 'Warnings about the request', { max: 50 })),
  version: integer('Version'),
})
