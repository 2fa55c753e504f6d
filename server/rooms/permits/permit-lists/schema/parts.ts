import { anything, flag, flags, id, instant, integer, list, object, oneOf, optional, orNull, shape, text } from '../../../../base/schema.ts'

export const CheckAnswer = object(
  {
    code: text('Pre-check code', { max: 60, example: 'fire_watch_named' }),
    label: text('Pre-check text', { max: 300, example: 'Fire watch named' }),
    required: flag(
      'Whether a type of the permit requires the pre-check to be confirmed; enforced only by workflows with the guard `prechecks_confirmed`',
    ),
    answer: orNull(oneOf(['yes', 'no', 'not_applicable'], 'Answer; null if the pre-check isn’t answered')),
    answered_by: orNull(id('Person who answered; null if the pre-check isn’t answered')),
    answered_at: orNull(instant('Time of the answer; null if the pre-check isn’t answered')),
    comment: orNull(text('Comment; null if there is none', { max: 2000 })),
    carried_forward: flag('Whether the answer was copied from an earlier permit and hasn’t been confirmed'),
  },
  'A pre-check and its answer',
)
export const StampedControls = object(
  {
    text: text('Text of the added controls'),
    added_by: id('Person who added the controls'),
    added_at: instant('Time when the person added the controls'),
    stamp: text('Sentence that says who added the controls, and at which stage', {
      max: 300,
      example: 'Added at endorsement by Cora Coordinator',
    }),
  },
  'Controls that a reviewer added; null if the reviewer added none',
)

/** A warning, which refuses nothing. */
export const Warning = object(
  {
    code: text('Warning code', { max: 60, example: 'receiver_missing' }),
    detail: text('Description of the warning', { max: 2000, example: 'No receiver is named, so no one can countersign.' }),
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
        name: text('Name at the time of the decision', { max: 200, example: 'Ana Ruiz' }),
        role: orNull(text('Role at the time of the decision; null if the person had none', { max: 40, example: 'hse' })),
      },
      'Person who decided',
    ),
    at: instant('Time of the decision'),
    note: orNull(text('Note or reason, as the person wrote it; null if there is none')),
  },
  'The newest decision on the permit, with its reason; null before the first decision',
)
export const Attachment = shape('PermitAttachment', 'A file on a permit', {
  id: id('Attachment'),
  permit_id: id('Permit'),
  slot: orNull(text('Key of the required document; null for any other file', { max: 60, example: 'rams' })),
  filename: text('File name', { max: 200, example: 'RAMS hot work.pdf' }),
  media_type: text('Media type, detected from the file’s bytes', { max: 100, example: 'application/pdf' }),
  size: integer('Size, bytes', { max: Number.MAX_SAFE_INTEGER }),
  sha256: text('SHA-256 of the file', { max: 64 }),
  width: orNull(integer('Width, pixels; null if the file isn’t a picture')),
  height: orNull(integer('Height, pixels; null if the file isn’t a picture')),
  url: text('Download URL', { max: 300 }),
  uploaded_by: orNull(id('Person who attached the file; null if no person did')),
  created_at: instant('Time of the upload'),
})
export const Extension = shape('PermitExtension', 'An extension request', {
  id: id('Request'),
  request_id: id('Request, the same as `id`'),
  permit_id: id('Permit'),
  site_id: id('Site'),
  requested_by: id('Person who requested the extension'),
  requested_at: instant('Time of the request'),
  requested_end_at: instant('Requested end of the window, UTC'),
  previous_end_at: instant('End of the window when the extension was requested'),
  reason: orNull(text('Reason for the extension; null if there is none')),
  status: oneOf(
    ['requested', 'approved', 'rejected', 'superseded', 'lapsed'],
    'State; superseded: a newer request replaced this one; lapsed: before the decision, the permit stopped being live or a register changed its window',
  ),
  decided_by: orNull(id('Person who decided; null if no one has decided')),
  decided_at: orNull(instant('Time of the decision or lapse; null while the request is open, and if a newer one replaced it')),
  decision_reason: orNull(text('Reason for the rejection, or why the request lapsed; null if there is none')),
  signature_id: orNull(id('Signature of the approval; null if the request isn’t approved')),
  warnings: optional(list(anything('Warning'), 'Warnings about the request', { max: 50 })),
  conflicts_added: optional(
    list(
      anything('Conflict'),
      'Conflicts that the extension would add, as `conflicts` of a permit has them; only in the response to a request',
      { max: 5000 },
    ),
  ),
  permissions: flags(['approve', 'reject'], { approve: 'approve the request', reject: 'reject the request' }),
  version: integer('Version'),
})
