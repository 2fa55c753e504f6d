/** Every status of a permit (`permits.md`, States). */
export const PERMIT_STATUSES = [
  'draft',
  'requested',
  'endorsed',
  'approved',
  'issued',
  'expired',
  'closed',
  'rejected',
  'withdrawn',
  'corrections_requested',
] as const
/** A status of a permit. */
export type PermitStatus = (typeof PERMIT_STATUSES)[number]
