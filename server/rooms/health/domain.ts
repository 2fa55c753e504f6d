/** How one thing that the service leans on is. */
export type Check = { status: 'ok' | 'degraded' | 'down'; latency_ms: number; since: string; message: string }

/** Without these no request can be answered; everything else can only degrade (`site-and-people.md` §8). */
const VITAL = new Set(['database', 'migrations'])

/** The whole from its parts: down when a vital part is, degraded when any part is not well. */
export function overall(checks: Record<string, Pick<Check, 'status'>>): Check['status'] {
  const entries = Object.entries(checks)
  if (entries.some(([name, check]) => VITAL.has(name) && check.status === 'down')) return 'down'
  return entries.some(([, check]) => check.status !== 'ok') ? 'degraded' : 'ok'
}

/** Names of what keeps this process from taking requests. */
export const notReady = (checks: Record<string, Pick<Check, 'status'>>): string[] =>
  Object.entries(checks)
    .filter(([name, check]) => (VITAL.has(name) || name === 'pool') && check.status === 'down')
    .map(([name]) => name)
