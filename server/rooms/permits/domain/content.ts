// What a signature covers: the permit as it was read when it was signed, and the signature before it.
export { contentOf, type Signed } from '../../../../shared/proof/content.ts'

/** Kinds of signatures (`permits-decisions.md` §1). */
export const SIGNATURES = ['stage1_approve', 'stage2_approve', 'issue', 'countersign', 'hand_back', 'extend_approve', 'close_out'] as const
export type SignatureKind = (typeof SIGNATURES)[number]

/** What the signer attests, in words. */
export const STATEMENTS: Record<SignatureKind, string> = {
  stage1_approve: 'I have checked this permit for coordination with other work and endorse it.',
  stage2_approve: 'I have reviewed the hazards and controls of this permit and approve it.',
  issue: 'I have walked the work front, the controls are in place, and I issue this permit.',
  countersign: 'I have walked the work front, accept the conditions of this permit, and will brief the crew.',
  hand_back: 'I hand this permit back: the work under it has stopped and the area is as stated.',
  extend_approve: 'I have reviewed the longer window and approve it; the controls remain in place.',
  close_out: 'Work complete and tools removed, area safe and clean, fire watch held to completion or none required.',
}

/** What of a signature its own hash covers, beside the hash before it. */
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
  content_hash: string
}

/** Start of a permit's chain of signatures. */
export const chainStart = (permit_id: string): string => `walkdown signatures of ${permit_id}`
