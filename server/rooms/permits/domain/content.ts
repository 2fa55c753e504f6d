// What a signature covers: the permit as it was read when it was signed, and the signature before it.
import type { CheckAnswer, StampedControls } from './facts.ts'

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

/** The fields of a permit that a signature covers. */
export type Signed = {
  permit_id: string
  site_id: string
  permit_number: string | null
  categories: readonly string[]
  contractor_id: string | null
  requestor_id: string | null
  receiver_id: string | null
  parent_id: string | null
  title: string | null
  description: string | null
  controls: string | null
  location: string | null
  place: unknown
  start_at: string | null
  end_at: string | null
  hazards: readonly string[]
  ppe: readonly string[]
  limitations: string | null
  pre_checks: readonly Pick<CheckAnswer, 'code' | 'label' | 'required' | 'answer' | 'comment'>[]
  rams: unknown
  stage1_controls: StampedControls | null
  stage2_controls: StampedControls | null
  attachments: readonly { slot: string | null; filename: string; sha256: string }[]
}

/** The content to be signed, in one shape whatever else the row holds. Attachments by slot, name and hash. */
export function contentOf(
  permit: Omit<Signed, 'attachments' | 'permit_id'> & { id: string },
  attachments: readonly { slot: string | null; filename: string; sha256: string }[],
): Signed {
  const sorted = [...attachments].sort((a, b) =>
    `${a.slot ?? ''} ${a.filename} ${a.sha256}`.localeCompare(`${b.slot ?? ''} ${b.filename} ${b.sha256}`, 'en'),
  )
  return {
    permit_id: permit.id,
    site_id: permit.site_id,
    permit_number: permit.permit_number,
    categories: [...permit.categories].sort(),
    contractor_id: permit.contractor_id,
    requestor_id: permit.requestor_id,
    receiver_id: permit.receiver_id,
    parent_id: permit.parent_id,
    title: permit.title,
    description: permit.description,
    controls: permit.controls,
    location: permit.location,
    place: permit.place ?? null,
    start_at: permit.start_at,
    end_at: permit.end_at,
    hazards: permit.hazards,
    ppe: permit.ppe,
    limitations: permit.limitations,
    pre_checks: permit.pre_checks.map(({ code, label, required, answer, comment }) => ({ code, label, required, answer, comment })),
    rams: permit.rams,
    stage1_controls: permit.stage1_controls,
    stage2_controls: permit.stage2_controls,
    attachments: sorted.map(({ slot, filename, sha256 }) => ({ slot, filename, sha256 })),
  }
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
