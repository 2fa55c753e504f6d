// The content of a permit's document at one moment.
import type { Instant } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import type { LastDecision, PermitFacts, StampedControls, Status } from '../../kit/domain/facts.ts'
import type { Warning } from '../../kit/domain/warnings.ts'

/**
 * Version of the wording of documents. Raise it when the same facts are said in other words: it is part of the facts and their digest, so a snapshot in
 * older words is kept and can be read, but is no longer taken for the present document.
 */
export const PAPER_FORM = 3

/** A parent or child permit, as a document refers to it. Snapshots requested by an earlier version have only number and status. */
export type RelatedPermit = {
  permit_number: string
  status: Status
  /** Whether its issuer has signed. */
  signed?: boolean
  handed_back?: boolean
}

/** The permit itself. */
export type PaperPermit = Omit<PermitFacts, 'has_place'> & {
  title: string | null
  location: string | null
  zone_text: string | null
  level_text: string | null
  level_index: number | null
  hazards: readonly string[]
  ppe: readonly string[]
  limitations: string | null
  stage1_controls: StampedControls | null
  stage2_controls: StampedControls | null
  approval_note: string | null
  issue_warnings: readonly Warning[]
  last_decision: LastDecision | null
  handed_back_complete: boolean | null
}

/** A signature on it. */
export type PaperSignature = {
  number: number
  kind: string
  signer_name: string
  signer_role: string | null
  signed_at: Instant
  note: string | null
  statement: string
  on_behalf_of: { id: Id; name: string } | null
  content_hash: string
  hash: string
  voided_at: Instant | null
  void_reason: string | null
}

/** A file on it. */
export type PaperFile = {
  id: Id
  slot: string | null
  filename: string
  sha256: string
  media_type: string
  size: number
  created_at: Instant
  created_by: Id | null
}

/** An extension request. */
export type PaperExtension = {
  requested_by: Id
  requested_at: Instant
  requested_end_at: Instant
  previous_end_at: Instant
  reason: string | null
  status: 'requested' | 'approved' | 'rejected' | 'superseded' | 'lapsed'
  decided_by: Id | null
  decided_at: Instant | null
  decision_reason: string | null
}

/** An area stop that is over for a permit. */
export type PastStop = { reason: string; stopped_at: Instant; revalidated_at: Instant | null; revalidated_by: string | null }

/** Everything that a permit's document says. */
export type PaperFacts = {
  /** `PAPER_FORM` when the facts were read; the first version has none. */
  form?: number
  as_at: Instant
  permit: PaperPermit
  site: { name: string; code: string; timezone: string }
  types: readonly { code: string; name: string; slots: readonly { key: string; label: string; required: boolean }[] }[]
  contractor: string | null
  /** Names as they were, by user id. */
  people: Readonly<Record<Id, string>>
  building: string | null
  zone: string | null
  level: string | null
  parent: RelatedPermit | null
  children: readonly RelatedPermit[]
  reissued_from: string | null
  signatures: readonly PaperSignature[]
  attachments: readonly PaperFile[]
  extensions: readonly PaperExtension[]
  /** Area stops for which the permit hasn’t been revalidated, oldest first; a document of an earlier version says nothing about them. */
  stopped?: readonly { reason: string; stopped_at: Instant }[]
  /** Area stops that stopped the permit before: it was revalidated after them, or its work ended first; oldest first. Absent if there were none. */
  was_stopped?: readonly PastStop[]
  /** Head of the site's audit log before the step, as `seq;hash`; only a snapshot has it. */
  log_head?: string | null
}
