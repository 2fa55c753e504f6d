import { PERMIT_STATUSES, type PermitStatus } from '../../../../../shared/permit-statuses.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Refusal } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Derived } from '../../permit-types/domain/sets.ts'
import type { LinkedMachine } from './machines.ts'
import type { ServiceNear } from './services.ts'
import type { OpenStop } from './stops.ts'
import type { LimitNear } from './weather.ts'

export { PERMIT_STATUSES as STATUSES, type PermitStatus as Status } from '../../../../../shared/permit-statuses.ts'

/** What a status is called in sentences. */
export const SPOKEN: Record<PermitStatus, string> = {
  draft: 'a draft',
  requested: 'waiting for review',
  endorsed: 'endorsed and waiting for approval',
  approved: 'approved',
  issued: 'live',
  expired: 'expired',
  closed: 'closed',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  corrections_requested: 'returned for corrections',
}

/** Statuses in which a permit counts as closed: all others are open (child rule, gates). */
export const ENDED: readonly PermitStatus[] = ['closed', 'rejected', 'withdrawn']
export const OPEN: readonly PermitStatus[] = PERMIT_STATUSES.filter(status => !ENDED.includes(status))
export const isOpen = (status: PermitStatus): boolean => !ENDED.includes(status)
/** Statuses in which its requestor can still edit it. */
export const EDITABLE: readonly PermitStatus[] = ['draft', 'corrections_requested']
export const isEditable = (status: PermitStatus): boolean => EDITABLE.includes(status)

/** The answer to a pre-check on a permit. */
export type CheckAnswer = {
  code: string
  label: string
  required: boolean
  answer: 'yes' | 'no' | 'not_applicable' | null
  answered_by: Id | null
  answered_at: Instant | null
  comment: string | null
  /** Copied from the permit that this one was made from, and not confirmed since. */
  carried_forward: boolean
}

/** Controls that a reviewer added, with who and when. */
export type StampedControls = { text: string; added_by: Id; added_at: Instant; stamp: string }

/** A permit, as far as the rules need it. */
export type PermitFacts = {
  id: Id
  site_id: Id
  permit_number: string | null
  status: PermitStatus
  source: 'requested' | 'imported'
  requestor_id: Id | null
  receiver_id: Id | null
  contractor_id: Id | null
  categories: readonly string[]
  parent_id: Id | null
  description: string | null
  controls: string | null
  start_at: Instant | null
  end_at: Instant | null
  pre_checks: readonly CheckAnswer[]
  pinned_single_stage: boolean | null
  pinned_requires_parent: boolean | null
  submitted_at: Instant | null
  endorsed_at: Instant | null
  approved_at: Instant | null
  issuer_id: Id | null
  issue_signed_at: Instant | null
  issued_at: Instant | null
  handed_back_at: Instant | null
  fire_watch_until: Instant | null
  rams_document_ids: readonly Id[]
  /** Whether the permit has a building, level, zone, point or polygon. */
  has_place: boolean
}

/** The caller, as far as the rules need them. */
export type CallerFacts = {
  id: Id | null
  is_superadmin: boolean
  /** True if the caller is the sweep, not a person. */
  is_clock: boolean
  /** The caller is an active member of the site; a superadmin can act there without being one. */
  is_member: boolean
  may_request: boolean
  /**
   * The caller's membership has no contractor, or covers this permit's contractor; a permit without one counts as covered (`permits-decisions.md` §1, Who
   * may request).
   */
  within_contractor: boolean
  /** The caller's membership has a contractor. */
  contractor_bound: boolean
  stage1: boolean
  stage2: boolean
  /** The caller acts for the permit's contractor: a member of it, or of one that oversees it. */
  for_contractor: boolean
  /** The caller has active appointments for at least one of its categories. */
  appointed: boolean
  /** Codes of its categories that no active appointment of the caller covers. */
  uncovered: readonly string[]
}

/** A child that is still open, as far as the caller can see it. */
export type OpenChild = { id: Id; status: PermitStatus; permit_number: string | null; requestor_name: string | null; visible: boolean }

/** A parent, as far as the rules need it. */
export type ParentFacts = { id: Id; permit_number: string | null; status: PermitStatus; start_at: Instant | null; end_at: Instant | null }

/** The three items of the close-out checklist (`permits.md` R6). */
export const CHECKLIST = ['work_complete_tools_removed', 'area_safe_clean_checked', 'fire_watch_complete'] as const
export type Checklist = Partial<Record<(typeof CHECKLIST)[number], boolean>>

/** The items of the checklist in words. */
export const CHECKLIST_WORDS: Record<(typeof CHECKLIST)[number], string> = {
  work_complete_tools_removed: 'work complete and all tools and plant removed',
  area_safe_clean_checked: 'work area made safe, clean and checked',
  fire_watch_complete: 'fire watch complete, or none required',
}

/** The newest decision that a person took on a permit (`permits-decisions.md` §1). */
export type LastDecision = { action: string; by: { id: Id; name: string; role: string | null }; at: Instant; note: string | null }

/** What the caller sent with a step. */
export type Input = {
  note?: string | null | undefined
  reason?: string | null | undefined
  checklist?: Checklist | undefined
  red_conflict_reason?: string | null | undefined
  acknowledge_red_conflicts?: boolean | undefined
  conflicts_hash?: string | null | undefined
  requested_end_at?: Instant | undefined
  fire_watch_minutes?: number | undefined
}

/** The gates, in the order in which a permit meets them. */
export const GATES = ['endorse', 'approve', 'issue', 'close_out'] as const
export type Gate = (typeof GATES)[number]

/** The conflicts of a permit, as a step sees them: how many other permits by their worst conflict, and the numbers of the red ones that the caller sees. */
export type Weighed = { red: number; amber: number; numbers: readonly string[]; hash: string }

/** Everything that decides on a step. */
export type Facts = {
  /** A rule that compares it with another instant of the permit adds that instant to `nextChange` (`permit-lists/actions/cards.ts`). */
  now: Instant
  permit: PermitFacts
  /** What follows from its set of types now. */
  set: Derived
  me: CallerFacts
  /** Labels of mandatory documents without an attachment. */
  missing_labels: readonly string[]
  /** Categories whose work needs a method statement (a required document with the key `rams`). */
  expects_rams: readonly string[]
  /** Numbers of its contractor's expired permits that aren't closed out; empty while the gate is off. */
  overdue_numbers: readonly string[]
  open_children: readonly OpenChild[]
  /** Numbers of all permits that have it as their parent, ended ones too; null for one without a number. */
  named_by: readonly (string | null)[]
  /** The end that the open extension request asks for; null when none is open. */
  open_extension: Instant | null
  /** Codes of its categories that the issuer who signed is no longer appointed for. */
  issuer_uncovered: readonly string[]
  /** Name of the receiver; null when there is none. */
  receiver_name: string | null
  /** The refusal of a locked site, for every step but hand-back and close-out (`site-and-people.md` §0.3); null on an open site. */
  site_lock: Refusal | null
  /** The site's IANA time zone: refusals show times as people on the site read them. */
  timezone: string
  red_conflicts: number
  /** More about its conflicts; only read for a step that they matter to. */
  weighed?: Weighed
  /** Buried services near a permit for breaking ground; only read where advice is given. */
  services_near?: readonly ServiceNear[]
  /** Weather limits that the forecast reaches in its window; only read where advice is given. */
  weather_ahead?: readonly LimitNear[]
  /** The worst alert that stops work at its place; only read where advice is given. */
  stopped_by_alert?: { id: Id; title: string } | null
  /** Lifting machines that are linked to it; only read where advice is given. */
  machines?: readonly LinkedMachine[]
  /** Open blockers of it, of the work that it covers, and at its place; only read where advice is given. */
  blockers?: readonly { id: Id; number: string; title: string; started_at: Instant }[]
  /** Name of its contractor if that has left the site; a warning only. */
  contractor_left?: string | null
  /** Area stops for which this live permit hasn't been revalidated. */
  stopped?: readonly OpenStop[]
  /** Active area stops that cover its place; only read where advice is given. */
  area_stops?: readonly { id: Id; title: string }[]
  parent: ParentFacts | null
  /** Actor of the next gate on its graph; null when no gate comes next. */
  gate_actor: string | null
  /** Null if there is no body, because only `permissions` are needed. */
  input: Input | null
}

/** Returns whether the set needs only one review. This is pinned at each submit, so that a permit in review keeps its path. */
export const isSingleStage = (permit: PermitFacts, set: Derived): boolean =>
  isEditable(permit.status) ? set.single_stage : (permit.pinned_single_stage ?? set.single_stage)

/** Returns whether the permit’s types need a parent permit. Pinned at each submit, like `isSingleStage`. */
export const needsParent = (permit: PermitFacts, set: Derived): boolean =>
  isEditable(permit.status) ? set.requires_parent : (permit.pinned_requires_parent ?? set.requires_parent)

/** Returns whether the issuer has signed and the permit waits for its receiver: a fact, not a status. */
export const awaitingCountersign = (permit: Pick<PermitFacts, 'status' | 'issue_signed_at'>): boolean =>
  permit.status === 'approved' && permit.issue_signed_at !== null

/** Steps that a locked site still allows, because work in the field must be made safe (`site-and-people.md` §0.3). */
export const PASSES_LOCK = ['hand_back', 'close_out', 'expire'] as const

/** Returns the name of a permit in sentences: its number, or that it is a draft. */
export const nameOf = (permit: { permit_number: string | null }): string => permit.permit_number ?? 'a draft'
