// How far a permit can be extended (`permits.md` R9, `permits-decisions.md` §1, Extension). Pure.
import { HOUR, type Instant, later, ms } from '../../../../../shared/time.ts'
import { explain, type Verdict, wrongStep } from '../../../../base/errors.ts'
import type { Facts, ParentFacts } from './facts.ts'
import type { PermitFlags } from './flags.ts'

type Request = { status: string; decision_reason: string | null }

/** Returns why a request can no longer be decided on; null while it is open. */
export function decidedAlready({ status, decision_reason }: Request): Verdict {
  if (status === 'requested') return null
  return wrongStep(
    status,
    [],
    status === 'lapsed'
      ? `This request has lapsed, so you can’t decide on it. ${decision_reason ?? ''}`.trim()
      : status === 'superseded'
        ? 'A newer request has replaced this one. Decide on the newer request instead.'
        : `This request has already been ${status}, so you can’t decide on it again.`,
  )
}

/** Returns what the caller can do with a request, from what they can do with its permit. */
export function extensionFlags(request: Request, flags: PermitFlags): PermitFlags {
  const decided = decidedAlready(request)
  const of = (action: string) => (decided === null ? flags[action] : undefined) ?? explain([decided])
  return { approve: of('approve_extension'), reject: of('reject_extension') }
}

/** Returns whether a window extends beyond its parent's, at either end. */
export const outsideParent = (
  parent: Pick<ParentFacts, 'start_at' | 'end_at'>,
  start_at: Instant | null,
  end_at: Instant | null,
): boolean =>
  (start_at !== null && parent.start_at !== null && start_at < parent.start_at) ||
  (end_at !== null && parent.end_at !== null && end_at > parent.end_at)

/**
 * Returns the latest end that one extension can request: the present end plus the longest default duration of its types; if no type has one, plus the
 * length of the present window. Null without a window.
 */
export function latestByTypes({ permit, set }: Pick<Facts, 'permit' | 'set'>): Instant | null {
  if (permit.start_at === null || permit.end_at === null) return null
  const hours = set.longest_duration_hours ?? (ms(permit.end_at) - ms(permit.start_at)) / HOUR
  return later(permit.end_at, hours * HOUR)
}

/** Returns the latest end that one extension can request, also within the parent's window: the dialog offers it. */
export function latestEnd(f: Pick<Facts, 'permit' | 'set' | 'parent'>): Instant | null {
  const latest = latestByTypes(f)
  const parent_end = f.parent?.end_at ?? null
  return latest !== null && parent_end !== null && parent_end < latest ? parent_end : latest
}
