// When a call that failed for now is made again. A busy service says how long to wait (`Retry-After`); everyone waits a little longer than that, each
// by a different amount, so that a crowd that was refused together doesn't return together.

import { fieldsIn } from '../../shared/narrow.ts'

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

/** How often a form's call is repeated that the service was too busy for. After that the form shows the refusal. */
const FORM_TRIES = 2

/** Returns whether a call changes something: it then has a key, or the version that it changes. Some reads are sent as POST, because they ask for much. */
export const isWrite = ({ headers }: Pick<Request, 'headers'>): boolean => headers.has('idempotency-key') || headers.has('if-match')

/**
 * Returns whether a form's call is sent again: the service was too busy for it, and sending it twice has one effect, because of its key or of the version that
 * it sends. If the service doesn't know whether it was saved (`in_doubt`), only a key makes that safe. Reads and steps repeat their calls themselves.
 */
export async function isWorthSendingAgain(
  failures: number,
  request: Pick<Request, 'headers'>,
  answer: Pick<Response, 'status' | 'headers' | 'clone'>,
): Promise<boolean> {
  if (failures > FORM_TRIES || !isWrite(request)) return false
  if (!isBusy({ status: answer.status, retry_after: retryAfterOf(answer.headers) })) return false
  if (request.headers.has('idempotency-key')) return true
  // A proxy's page isn't in the error format.
  const said: unknown = await answer
    .clone()
    .json()
    .catch(() => null)
  const { error } = fieldsIn(said)
  return error !== undefined && fieldsIn(error).in_doubt !== true
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
