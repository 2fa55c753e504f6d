import { anything, id, instant, object, oneOf, orNull, shape, text } from '../../../base/schema.ts'
import { SIGNATURES } from '../kit/domain/content.ts'

/** The receiver that another person signed a hand-back for. */
export const OnBehalfOf = object(
  { id: id('Receiver'), name: text('Receiver’s name at the time of the signature', { max: 200, example: 'Rex Receiver' }) },
  'Absent receiver on whose behalf another person signed the hand-back; null for any other signature',
)

export const Signature = shape(
  'PermitSignature',
  'A signature: its declaration, and the hashes of the content it covers and of the signature before it',
  {
    id: id('Signature'),
    kind: oneOf(SIGNATURES, 'Purpose'),
    signer_id: id('Signer'),
    signer_name: text('Signer’s name at the time of the signature', { max: 200, example: 'Ana Ruiz' }),
    signer_role: orNull(text('Signer’s role at the time of the signature; null if the signer had none', { max: 40, example: 'hse' })),
    signed_at: instant('Time of the signature'),
    note: orNull(text('Note; null if there is none')),
    statement: text('Declaration that was signed', { max: 500 }),
    on_behalf_of: orNull(OnBehalfOf),
    presence: orNull(
      anything('Evidence of presence at the work front: position and accuracy of the device, or a scanned code; null if none was sent'),
    ),
    content_hash: text('SHA-256 of the canonical JSON (RFC 8785) of the signed content', { max: 64, example: '9f86d081…' }),
    prev_hash: text('Hash of the previous signature', { max: 64 }),
    hash: text('SHA-256 of `prev_hash` followed by the canonical JSON of this signature', { max: 64 }),
    voided_at: orNull(instant('Time when the signature was voided; null while the signature counts')),
    void_reason: orNull(text('Reason why the signature was voided; null while the signature counts')),
  },
)
