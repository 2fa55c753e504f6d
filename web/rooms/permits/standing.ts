import type { Schemas } from '../../base/api.ts'

/**
 * The status of a permit as people say it. Awaiting a countersignature, handed back, and a window that is over although the permit has not been marked as
 * expired yet are states of their own to the eye.
 */
export type Standing =
  | 'draft'
  | 'requested'
  | 'endorsed'
  | 'approved'
  | 'awaiting_countersign'
  | 'issued'
  | 'window_ended'
  | 'expired'
  | 'handed_back'
  | 'corrections_requested'
  | 'closed'
  | 'rejected'
  | 'withdrawn'

/** What a permit is called on every screen. By this device's clock: a permit is never called live once its window is over. */
export function standingOf(
  permit: { status: string; awaiting_countersign: boolean; handed_back_at: string | null; end_at: string | null },
  now = Date.now(),
): Standing {
  if (permit.awaiting_countersign) return 'awaiting_countersign'
  if (permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired')) return 'handed_back'
  if (permit.status === 'issued' && permit.end_at !== null && Date.parse(permit.end_at) <= now) return 'window_ended'
  return permit.status as Standing // the statuses of the API, all named above
}

/** Whether a live permit’s window is still to come: no one can work under it yet. */
export const isAhead = (permit: { status: string; start_at: string | null }, now: number): boolean =>
  permit.status === 'issued' && permit.start_at !== null && Date.parse(permit.start_at) > now

/** Whether this permit waits for the caller: something that leads it on is theirs to do. What they could do besides does not wait. */
export const waitsForMe = (permit: Pick<Schemas['PermitCard'], 'permissions' | 'status' | 'handed_back_at'>): boolean => {
  const { endorse, approve, issue, countersign, close_out, edit, approve_extension, reject_extension } = permit.permissions
  if ([endorse, approve, issue, countersign, approve_extension, reject_extension].some(flag => flag.allowed)) return true
  if (permit.status === 'corrections_requested') return edit.allowed
  return close_out.allowed && (permit.status === 'expired' || (permit.status === 'issued' && permit.handed_back_at !== null))
}
