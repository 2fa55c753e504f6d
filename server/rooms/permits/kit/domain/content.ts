// What a signature covers: the permit as the signer saw it, and the signature before it.
export { contentOf, type Signed } from '../../../../../shared/proof/content.ts'

/** Kinds of signatures (`permits-decisions.md` §1). */
export const SIGNATURES = [
  'stage1_approve',
  'stage2_approve',
  'issue',
  'countersign',
  'hand_back',
  'extend_approve',
  'revalidate',
  'close_out',
] as const
export type SignatureKind = (typeof SIGNATURES)[number]

/** What the signer declares, in words. */
const STATEMENTS: Record<SignatureKind, string> = {
  stage1_approve: 'I have checked this permit for coordination with other work and endorse it.',
  stage2_approve: 'I have reviewed the hazards and controls of this permit and approve it.',
  issue: 'I have walked the work front, the controls are in place, and I issue this permit.',
  countersign: 'I have walked the work front, accept the conditions of this permit, and will brief the crew.',
  hand_back: 'I hand this permit back: work under it has stopped, and what I have entered about the work is correct.',
  extend_approve: 'I have reviewed the extended window and approve it; the controls remain in place.',
  revalidate:
    'Work under this permit was stopped. I have checked the work front since, the conditions of this permit are met and its controls are in place: the work can go on.',
  close_out: 'The work is complete and tools and plant are removed, the area is safe and clean, and any fire watch is complete.',
}

/** The receiver that another person signed a hand-back for. */
export type OnBehalfOf = { id: string; name: string }

/** Returns the declaration that a signature of this kind makes now: shown before it is signed, and stored with the signature. */
export const statementOf = (kind: SignatureKind, on_behalf_of: OnBehalfOf | null = null): string =>
  kind === 'hand_back' && on_behalf_of !== null
    ? `I hand this permit back for ${on_behalf_of.name}, the named receiver, who is absent: work under it has stopped, and what I have entered about the work is correct.`
    : STATEMENTS[kind]

/** The parts of a signature that its own hash covers, in addition to the hash before it. */
export type Sealed = {
  permit_id: string
  number: number
  kind: string
  signer_id: string
  signer_name: string
  signer_role: string | null
  signed_at: string
  note: string | null
  statement: string
  /** Present only if another person signed for the receiver, so that the hash of any other signature stays as it always was. */
  on_behalf_of?: OnBehalfOf
  content_hash: string
}

/** Returns the start of a permit's signature chain. */
export const chainStart = (permit_id: string): string => `walkdown signatures of ${permit_id}`
