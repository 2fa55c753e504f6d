// When a decision about an episode lapses (`conflict-and-planning.md` §4.5): people agreed to facts, and other facts need another look. Pure.
import type { Episode } from './episodes.ts'
import { type Severity, weightOf } from './rules.ts'

export const STANCES = ['accepted', 'not_a_clash', 'resolving'] as const
export type StanceKind = (typeof STANCES)[number]

/** The facts that people agreed to. */
export type AcceptedFacts = {
  accepted_severity: Severity
  accepted_distance_m: number
  /** Infinity if the episode had no end. */
  covers_until: number
  contractors: Episode['contractors']
}

export const LAPSE_REASONS = ['worse', 'nearer', 'longer', 'contractor_changed'] as const
/** In the place of such a reason, if a person withdrew the decision. */
export const WITHDRAWN = 'withdrawn'
export type LapseReason = (typeof LAPSE_REASONS)[number]

/** Sides that come this much nearer are nearer. */
const NEARER_M = 1

/** Returns the facts of an episode as a person accepts them; by default for all of its clashes so far. */
export const acceptedFacts = (episode: Episode, covers_until = episode.last_at): AcceptedFacts => ({
  accepted_severity: episode.severity,
  accepted_distance_m: episode.least_distance_m,
  covers_until,
  contractors: episode.contractors,
})

/** Returns why a stance no longer covers an episode; null if it still does. A stance of an episode that is reopened is active again if it still covers it. */
export function lapseOf(stance: AcceptedFacts, episode: Episode): LapseReason | null {
  if (weightOf(episode.severity) > weightOf(stance.accepted_severity)) return 'worse'
  // In whole millimetres, because that is how distances are compared everywhere.
  if (Math.round((stance.accepted_distance_m - episode.least_distance_m) * 1000) > NEARER_M * 1000) return 'nearer'
  if (episode.last_at > stance.covers_until) return 'longer'
  return stance.contractors.some((one, i) => one !== episode.contractors[i]) ? 'contractor_changed' : null
}

/** Returns whether a kind of stance settles an episode; `resolving` doesn’t: it is in hand, then overdue. */
export const isSettling = (kind: StanceKind): boolean => kind !== 'resolving'
