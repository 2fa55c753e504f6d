/** The state of something that the service depends on. */
export type Check = { status: 'ok' | 'degraded' | 'down'; latency_ms: number; since: string; message: string }

/** Returns the result of a check that took more than a second: the first time it is degraded, because a busy machine can be slow for a moment; twice in a row it is down. */
export const silence = (before: boolean): Pick<Check, 'status' | 'message'> => ({
  status: before ? 'down' : 'degraded',
  message: before ? 'No response within a second, twice in a row.' : 'No response within a second.',
})

/** Without these no request can be handled; a failure of anything else only degrades the service (`site-and-people.md` §8). */
const VITAL = new Set(['database', 'migrations'])

/** Returns the state of the whole service: down when a vital check is down, degraded when any check isn't ok. */
export function overall(checks: Record<string, Pick<Check, 'status'>>): Check['status'] {
  const entries = Object.entries(checks)
  if (entries.some(([name, check]) => VITAL.has(name) && check.status === 'down')) return 'down'
  return entries.some(([, check]) => check.status !== 'ok') ? 'degraded' : 'ok'
}

/** Returns the names of the checks that keep this process from accepting requests. */
export const notReady = (checks: Record<string, Pick<Check, 'status'>>): string[] =>
  Object.entries(checks)
    .filter(([name, check]) => VITAL.has(name) && check.status === 'down')
    .map(([name]) => name)
