// When a permit counts in conflicts (`conflict-and-planning.md` §4.2, "Effective time of a permit"). Pure.

/** What the effective time of a permit depends on; instants in milliseconds. */
export type PermitTimes = {
  status: string
  /** `imported`: from a register, which nobody closes. */
  source: 'requested' | 'imported'
  start_at: number | null
  end_at: number | null
  fire_watch_until: number | null
  /** When it was handed back with its work complete; null if it wasn't, or if work isn't complete. */
  handed_back_complete_at: number | null
}

/** `draft` counts only in its owner's own preview, and is never stored. */
export type Standing = 'draft' | 'in_review' | 'live'
/** When a permit counts, and as what. `to` is Infinity while the end is open. */
export type EffectiveTime = { from: number; to: number; standing: Standing }

const IN_REVIEW = ['requested', 'corrections_requested', 'endorsed', 'approved']
/** The states of permits that are in review or live; an own draft counts only in its owner’s preview. */
export const COUNTED: readonly string[] = [...IN_REVIEW, 'issued', 'expired']

/** Returns when a permit counts; null if it doesn't: closed, rejected, withdrawn, or without a window. */
export function effectiveTime(permit: PermitTimes): EffectiveTime | null {
  const { status, start_at, end_at } = permit
  if (start_at === null || end_at === null) return null
  const within = (to: number, standing: Standing): EffectiveTime | null => (to > start_at ? { from: start_at, to, standing } : null)
  if (status === 'draft') return within(end_at, 'draft')
  if (IN_REVIEW.includes(status)) return within(end_at, 'in_review')
  if (status === 'issued') return within(endOfLive(permit, end_at), 'live')
  // Nobody closes the permits of a spreadsheet; the close-out gate has the same exception.
  if (status === 'expired') return within(permit.source === 'imported' ? end_at : endOfLive(permit, Number.POSITIVE_INFINITY), 'live')
  return null
}

/** Returns when a live permit ends: with its hand-back if work is complete, otherwise as given; never before the fire watch ends. */
const endOfLive = ({ handed_back_complete_at, fire_watch_until }: PermitTimes, otherwise: number): number =>
  Math.max(handed_back_complete_at ?? otherwise, fire_watch_until ?? Number.NEGATIVE_INFINITY)
