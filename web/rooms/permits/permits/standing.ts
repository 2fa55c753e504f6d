import type { Schemas } from '../../../base/api.ts'

/**
 * A permit's status as screens show it. Awaiting a countersignature, handed back, signed before the window starts, past the end of the window but not yet
 * marked as expired, and stopped by an area stop or an alert are shown as statuses of their own: green is only what can be worked under now (ISO 3864).
 */
export type Standing =
  | 'draft'
  | 'requested'
  | 'endorsed'
  | 'approved'
  | 'awaiting_countersign'
  | 'not_started'
  | 'stopped'
  | 'issued'
  | 'window_ended'
  | 'expired'
  | 'handed_back'
  | 'corrections_requested'
  | 'closed'
  | 'rejected'
  | 'withdrawn'

/** What stops the work under a permit. A permit that an older version of the app stored may not have it. */
export type MaybeStopped = Partial<Pick<Schemas['PermitCard'], 'stopped_by_alert' | 'stopped'>>

/** Returns whether an area stop or an alert stops the work under a permit. */
export const isStopped = ({ stopped, stopped_by_alert }: MaybeStopped): boolean => (stopped ?? []).length > 0 || stopped_by_alert != null

/** Returns the status that every screen shows for a permit. It follows the device's clock: a permit is called live only inside its window. */
export function standingOf(
  permit: Pick<Schemas['PermitCard'], 'status' | 'awaiting_countersign' | 'handed_back_at' | 'start_at' | 'end_at'> & MaybeStopped,
  now = Date.now(),
): Standing {
  if (permit.awaiting_countersign) return 'awaiting_countersign'
  if (permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired')) return 'handed_back'
  if (permit.status === 'issued' && permit.end_at !== null && Date.parse(permit.end_at) <= now) return 'window_ended'
  if (permit.status === 'issued' && permit.start_at !== null && Date.parse(permit.start_at) > now) return 'not_started'
  if (permit.status === 'issued' && isStopped(permit)) return 'stopped'
  return permit.status
}

/** Returns whether nothing follows for a permit: it is closed, rejected or withdrawn. */
export const isOver = (status: Schemas['PermitCard']['status']): boolean => ['closed', 'rejected', 'withdrawn'].includes(status)

/** Returns whether this permit is waiting for the caller: they can take a step that moves it on. Other steps that they could take don't count. */
export const waitsForMe = (permit: Pick<Schemas['PermitCard'], 'permissions' | 'status' | 'handed_back_at'>): boolean => {
  const { endorse, approve, issue, countersign, close_out, edit, approve_extension, reject_extension } = permit.permissions
  if ([endorse, approve, issue, countersign, approve_extension, reject_extension].some(flag => flag.allowed)) return true
  if (permit.status === 'corrections_requested') return edit.allowed
  return close_out.allowed && (permit.status === 'expired' || (permit.status === 'issued' && permit.handed_back_at !== null))
}

/** A step by someone else that a permit waits for. */
export type Awaited = 'endorse' | 'approve' | 'issue' | 'countersign' | 'close_out'

type Waiting = Pick<Schemas['Permit'], 'permissions' | 'status' | 'handed_back_at' | 'awaiting_countersign' | 'next_gate'>

/** Returns the step that someone else must take before a permit goes on; null if there is none, or if it is the caller's. */
export function awaitedOf(permit: Waiting): Awaited | null {
  if (waitsForMe(permit)) return null
  if (permit.awaiting_countersign) return 'countersign'
  const over = permit.status === 'expired' || (permit.status === 'issued' && permit.handed_back_at !== null)
  if (permit.next_gate === 'close_out') return over ? 'close_out' : null
  return ['requested', 'endorsed', 'approved'].includes(permit.status) ? permit.next_gate : null
}
