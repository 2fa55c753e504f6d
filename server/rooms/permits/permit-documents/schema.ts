import {
  anything,
  flag,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  ref,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { OnBehalfOf } from '../permit-signatures/schema.ts'

export const DocumentQuery = object({
  site_id: optional(id('Site; must match the record’s')),
  snapshot: optional(
    text('SHA-256 of a stored document; or submit, issue, extension or close_out for the newest document stored at that step', {
      max: 64,
      pattern: [
        '^([0-9a-f]{64}|submit|issue|extension|close_out)$',
        'must be the SHA-256 of a stored document, or submit, issue, extension or close_out.',
      ],
      example: 'issue',
    }),
  ),
})
export type DocumentQuery = Static<typeof DocumentQuery>

export const KeysQuery = object({ site_id: id('Site') })

export const VerificationKey = shape('VerificationKey', 'A public key that verifies a site’s signed documents', {
  kid: text('Key id, part of every signed statement', { max: 20, example: 'mX3_a9Qk' }),
  site_id: id('Site'),
  jwk: object(
    {
      kty: text('Key type', { max: 10, example: 'OKP' }),
      crv: text('Curve', { max: 20, example: 'Ed25519' }),
      x: text('Public key, base64url', { max: 64, example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
      y: optional(text('Second half of a public key on P-256, base64url; absent for Ed25519', { max: 64 })),
    },
    'JSON Web Key (RFC 8037; RFC 7518 for P-256)',
  ),
  signs_from: instant('Time from which the key is used to sign'),
  signs_until: instant('Time until which the key is used to sign; its signatures stay valid afterwards'),
  revoked_at: orNull(instant('Time from which nothing signed with the key can be trusted; null if the key wasn’t revoked')),
})

export const Verification = shape('Verification', 'A document to verify', {
  site_id: optional(id('Site; must match the record’s')),
  statement: text('Content of the QR code: the statement, or a URL that contains it', { min: 1, max: 4000, example: 'W1.mX3_a9Qk.…' }),
})

export const Verified = shape('VerifiedPaper', 'Validity of a document', {
  genuine: flag('Whether the document was signed by the site that it claims to be from'),
  doubt: orNull(
    oneOf(
      ['no_statement', 'unknown_key', 'wrong_signature', 'revoked_key', 'outside_key', 'site_erased'],
      'Reason not to trust the document; null if the document is genuine. site_erased: the site was erased from this installation, so nothing about the document can be checked',
    ),
  ),
  verdict: orNull(
    oneOf(
      ['valid', 'not_yet', 'over', 'not_live', 'handed_back', 'expired', 'closed', 'ended', 'superseded', 'stopped', 'alert'],
      'Validity. not_yet, over: before or after the printed window; not_live: printed before the permit was live; ended: rejected or withdrawn; superseded: the permit has changed since the document was printed; stopped: an area stop stopped it, and it hasn’t been revalidated; alert: an alert stops work at its place. Null if the document isn’t genuine',
    ),
  ),
  at: instant('Time of the check'),
  log: optional(
    oneOf(
      ['holds', 'differs'],
      'Whether the audit log of the site still contains the head printed on the document (`log=seq;hash` after the statement). `differs`: the log has been rewritten or shortened since the document was printed. Left out if the code contains no head',
    ),
  ),
})

const hash = (description: string) =>
  text(description, { max: 64, example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })

export const PermitChain = shape('PermitChain', 'The signature chain of a permit, as a file that anyone can verify without a server', {
  form: text('Name of this file format', { max: 60, example: 'walkdown permit chain 1' }),
  site_id: id('Site'),
  permit_id: id('Permit'),
  permit_number: orNull(text('Permit number; null before the first submission', { max: 100, example: 'PTW-000123' })),
  signatures: list(
    object({
      id: id('Signature'),
      permit_id: id('Permit'),
      number: integer('Position in the chain', { min: 1 }),
      kind: text('Purpose', { max: 40, example: 'issue' }),
      signer_id: id('Signer'),
      signer_name: text('Signer’s name at the time of the signature', { max: 200 }),
      signer_role: orNull(text('Signer’s role at the time of the signature; null if the signer had none', { max: 40, example: 'hse' })),
      signed_at: instant('Time of the signature'),
      note: orNull(text('Note; null if there is none')),
      statement: text('Declaration that was signed', { max: 500 }),
      on_behalf_of: orNull(OnBehalfOf),
      content: anything('Signed content; `content_hash` is the hash of its canonical JSON'),
      content_hash: hash('SHA-256 of `content` in canonical JSON (RFC 8785)'),
      prev_hash: hash('Hash of the previous signature'),
      hash: hash('SHA-256 of `prev_hash` followed by the canonical JSON of this signature'),
      voided_at: orNull(instant('Time when the signature was voided; null while the signature counts')),
      void_reason: orNull(text('Reason why the signature was voided; null while the signature counts')),
    }),
    'Signatures in order, including voided ones',
    { max: 10_000 },
  ),
  papers: list(
    object({
      occasion: text('Step at which the document was stored: submit, issue, extension or close_out', { max: 20, example: 'issue' }),
      as_at: instant('Time of the state that the document shows'),
      made_at: instant('Creation time'),
      sha256: hash('SHA-256 of the file'),
    }),
    'Stored documents, newest first',
    { max: 10_000 },
  ),
  statement: orNull(
    text('Signed statement of the permit, with its last signature and the number of signatures; null for drafts and imported permits', {
      max: 2000,
    }),
  ),
  seal: object(
    {
      kid: text('Key id', { max: 20, example: 'mX3_a9Qk' }),
      digests: object(
        {
          head: hash('Digest of format, site, permit, number and statement'),
          signatures: list(hash('Digest of one signature'), 'Digest of each signature', { max: 10_000 }),
          papers: list(hash('Digest of one document'), 'Digest of each document', { max: 10_000 }),
        },
        'SHA-256 of each part in canonical JSON',
      ),
      signature: text('Signature (Ed25519, base64url) over the digests', { max: 100 }),
    },
    'Signature of the site over all parts',
  ),
  keys: list(ref(VerificationKey), 'Public keys of the site', { max: 1000 }),
})
