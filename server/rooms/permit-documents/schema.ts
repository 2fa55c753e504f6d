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
} from '../../base/schema.ts'

export const DocumentQuery = object({
  site_id: optional(id('Site; only checked to match')),
  snapshot: optional(
    text('A kept paper: by its SHA-256, or the newest of an occasion (submit, issue, extension, close_out)', {
      max: 64,
      pattern: '^([0-9a-f]{64}|submit|issue|extension|close_out)$',
      example: 'issue',
    }),
  ),
})
export type DocumentQuery = Static<typeof DocumentQuery>

export const KeysQuery = object({ site_id: id('Site') })

export const VerificationKey = shape('VerificationKey', 'A public key by which a site signs what its papers say', {
  kid: text('Short name, in every statement', { max: 20, example: 'mX3_a9Qk' }),
  site_id: id('Site'),
  jwk: object(
    {
      kty: text('Key type', { max: 10, example: 'OKP' }),
      crv: text('Curve', { max: 20, example: 'Ed25519' }),
      x: text('Public key, base64url', { max: 64, example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }),
    },
    'JSON Web Key (RFC 8037)',
  ),
  signs_from: instant('It signs from'),
  signs_until: instant('It signs until; what it signed stays good'),
  revoked_at: orNull(instant('When it was called back: nothing that it signed is to be believed')),
})

export const Verification = shape('Verification', 'A paper to be judged', {
  site_id: optional(id('Site; only checked to match')),
  statement: text('What its QR carries: the statement, or the address with it', { min: 1, max: 4000, example: 'W1.mX3_a9Qk.…' }),
})

export const Verified = shape('VerifiedPaper', 'What a paper is worth now', {
  genuine: flag('Signed by the site that it names'),
  doubt: orNull(
    oneOf(
      ['no_statement', 'unknown_key', 'wrong_signature', 'revoked_key', 'outside_key'],
      'Why it is not to be believed; nothing else is said then',
    ),
  ),
  verdict: orNull(
    oneOf(
      ['valid', 'not_yet', 'over', 'not_live', 'handed_back', 'expired', 'closed', 'ended', 'superseded'],
      'What it is worth: valid now, not yet, over by its own window, printed before it was live, handed back, expired, closed, rejected or withdrawn, superseded by a later paper',
    ),
  ),
  at: instant('When that was so'),
})

const hash = (description: string) =>
  text(description, { max: 64, example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' })

export const PermitChain = shape('PermitChain', 'The chain of signatures of a permit, as a file that anybody can check without a server', {
  form: text('Name of this form', { max: 60, example: 'walkdown permit chain 1' }),
  site_id: id('Site'),
  permit_id: id('Permit'),
  permit_number: orNull(text('Number', { max: 100, example: 'PTW-000123' })),
  signatures: list(
    object({
      id: id('Signature'),
      permit_id: id('Permit'),
      number: integer('Place in the chain', { min: 1 }),
      kind: text('What for', { max: 40, example: 'issue' }),
      signer_id: id('Who signed'),
      signer_name: text('Name as it was', { max: 200 }),
      signer_role: orNull(text('Role as it was', { max: 40, example: 'hse' })),
      signed_at: instant('When'),
      note: orNull(text('Note')),
      statement: text('What was attested', { max: 500 }),
      content: anything('What was signed; its canonical JSON has the hash content_hash'),
      content_hash: hash('SHA-256 of content in canonical JSON (RFC 8785)'),
      prev_hash: hash('Hash of the signature before'),
      hash: hash('SHA-256 of prev_hash and the canonical JSON of this signature'),
      voided_at: orNull(instant('When it was voided')),
      void_reason: orNull(text('Why')),
    }),
    'Signatures in order, voided ones too',
    { max: 10_000 },
  ),
  papers: list(
    object({
      occasion: text('When it was kept', { max: 20, example: 'issue' }),
      as_at: instant('What it says was true then'),
      made_at: instant('When it was made'),
      sha256: hash('SHA-256 of its bytes'),
    }),
    'Kept papers, newest first',
    { max: 10_000 },
  ),
  statement: orNull(text('Signed statement of the permit: it names the last signature and how many there are', { max: 2000 })),
  seal: object(
    {
      kid: text('Key', { max: 20, example: 'mX3_a9Qk' }),
      digests: object(
        {
          head: hash('Of form, site, permit, number and statement'),
          signatures: list(hash('Of one signature'), 'Of each signature', { max: 10_000 }),
          papers: list(hash('Of one paper'), 'Of each paper', { max: 10_000 }),
        },
        'SHA-256 of each part in canonical JSON',
      ),
      signature: text('Signature (Ed25519, base64url) over the digests', { max: 100 }),
    },
    'The site’s seal over every part',
  ),
  keys: list(ref(VerificationKey), 'Public keys of the site', { max: 1000 }),
})
