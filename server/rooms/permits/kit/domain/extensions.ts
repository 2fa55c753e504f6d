// How far a permit can be extended (`permits.md` R9, `permits-decisions.md` §1, Extension). Pure.
import { HOUR, type Instant, later, ms } from '../../../../../shared/time.ts'
import type { Facts, ParentFacts } from './facts.ts'

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
