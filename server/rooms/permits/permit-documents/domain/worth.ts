import { type Statement, type Verdict, verdictOf } from '../../../../../shared/proof/statement.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { awaitingCountersign, type Status } from '../../kit/domain/facts.ts'

/** The permit of a printed document, as it is now. */
export type Present = {
  status: Status
  end_at: Instant | null
  handed_back_at: Instant | null
  issue_signed_at: Instant | null
  /** Whether an area stop stopped it, and it hasn’t been revalidated. */
  stopped: boolean
  /** Whether an alert stops work at its place now (`site-and-people.md` §16). */
  stopped_by_alert: boolean
}

/**
 * Returns whether a genuine printed permit is still valid (`permits-decisions.md` §4.2): what ended the permit comes first, then whether the permit
 * still says what was printed, then the printed window.
 */
export function worthOf(paper: Statement, permit: Present, content_hash: string, now: Instant): Verdict {
  if (permit.status === 'closed') return 'closed'
  if (permit.status === 'rejected' || permit.status === 'withdrawn') return 'ended'
  if (permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired')) return 'handed_back'
  if (permit.status === 'expired' || (permit.status === 'issued' && permit.end_at !== null && permit.end_at <= now)) return 'expired'
  // A stop on site comes before what was printed: nobody may work, whichever of the permit’s documents they have.
  if (permit.stopped && permit.status === 'issued') return 'stopped'
  if (permit.stopped_by_alert && permit.status === 'issued') return 'alert'
  const state: Statement['state'] | 'draft' = awaitingCountersign(permit) ? 'awaiting_countersign' : permit.status
  if (state !== paper.state || content_hash !== paper.content_hash) return 'superseded'
  return verdictOf(paper, now)
}
