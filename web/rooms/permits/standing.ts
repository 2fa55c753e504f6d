import type { Schemas } from '../../base/api.ts'

/** Where a permit stands, as people say it: awaiting a countersignature and handed back are states of their own to the eye. */
export type Standing =
  | 'draft'
  | 'requested'
  | 'endorsed'
  | 'approved'
  | 'awaiting_countersign'
  | 'issued'
  | 'expired'
  | 'handed_back'
  | 'corrections_requested'
  | 'closed'
  | 'rejected'
  | 'withdrawn'

/** What the eye is shown of a permit. */
export const standingOf = (permit: { status: string; awaiting_countersign: boolean; handed_back_at: string | null }): Standing =>
  permit.awaiting_countersign
    ? 'awaiting_countersign'
    : permit.handed_back_at !== null && (permit.status === 'issued' || permit.status === 'expired')
      ? 'handed_back'
      : (permit.status as Standing) // the statuses of the API, all named above

/** Whether this permit waits for the caller: something that leads it on is his to do. */
export const waitsForMe = (permit: Pick<Schemas['PermitCard'], 'permissions' | 'status'>): boolean => {
  const { endorse, approve, issue, countersign, close_out } = permit.permissions
  if ([endorse, approve, issue, countersign].some(flag => flag.allowed)) return true
  return permit.status === 'expired' && close_out.allowed
}
