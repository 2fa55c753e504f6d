// Until when a permit could be extended without a red conflict. Pure.
import type { Schemas } from '../../../base/api.ts'

/** Returns the latest end, after the one that the permit has, at which no red conflict is added; null if there is none or if it isn’t known. */
export function cleanEnd(added: readonly Pick<Schemas['PermitConflict'], 'severity' | 'from_at'>[], end_at: string): string | null {
  const starts = added.flatMap(one => (one.severity === 'red' ? [one.from_at] : []))
  const known = starts.filter(start => start !== null)
  // The time of a conflict with a permit that this person can't see isn't known.
  if (known.length < starts.length) return null
  const [first] = known.toSorted()
  return first !== undefined && first > end_at ? first : null
}
