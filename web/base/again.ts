// When a call that failed for now is made again. A busy service says how long to wait (`Retry-After`); everyone waits a little longer than that, each
// by another amount, so that a crowd that was refused together doesn't return together.

/** The part of a fault that decides. */
type Failed = { unreached: boolean; status: number; retry_after: number | null }

/** How often a read is repeated that the service was too busy for. After that the page says so, and offers to try again. */
export const BUSY_TRIES = 5
const OTHER_TRIES = 2
const LONGEST_MS = 30_000

/** Whether the service asked to wait: it is busy, and nothing was done. */
export const isBusy = ({ status, retry_after }: Pick<Failed, 'status' | 'retry_after'>): boolean => status === 503 && retry_after !== null

/** Returns whether a read is worth repeating after this many failures. */
export function isWorthAgain(failures: number, fault: Failed): boolean {
  if (isBusy(fault)) return failures < BUSY_TRIES
  return failures < OTHER_TRIES && (fault.unreached || fault.status >= 502) && fault.status !== 507
}

/** Returns how long to wait before the next try, in milliseconds. `random`: at least 0 and below 1. */
export function againAfter(failures: number, fault: Failed, random: number): number {
  if (!isBusy(fault)) return 500 * 2 ** failures
  const asked = (fault.retry_after ?? 0) * 1000
  return Math.min(LONGEST_MS, Math.max(1000, asked) * (1 + random * (1 + failures / 2)))
}

/** Reads `Retry-After` in seconds; null if it isn't there or is a date. */
export function retryAfterOf(headers: Pick<Headers, 'get'>): number | null {
  const text = headers.get('retry-after')
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null
}
