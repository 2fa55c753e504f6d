// The meaning of a push service's response (`messages.md` §4, Rules). This file is pure.
import { HOUR, type Instant, later, ms } from '../../../../shared/time.ts'

/** A response: its status, or null if there was none. */
export type Heard = { status: number; retry_after: string | null } | { status: null }

/** What to do about the message and the subscription. */
export type Verdict = { is: 'sent' } | { is: 'remove' } | { is: 'failed' } | { is: 'later'; after: Instant }

const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT = HOUR

/** Reads `Retry-After`: seconds, or a date; null if it is neither. */
function asked(text: string | null, now: Instant): Instant | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text.trim())) return later(now, Number(text) * 1000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : later(now, Math.max(0, at - ms(now)))
}

/**
 * Decides what a response means. `tries`: attempts, including this one. `until`: when the message is no longer useful. `current`: the subscription uses
 * the key that is given to devices now.
 */
export function judged(heard: Heard, facts: { now: Instant; tries: number; until: Instant; current: boolean }): Verdict {
  const { status } = heard
  if (status !== null) {
    if (status >= 200 && status < 300) return { is: 'sent' }
    if (status === 404 || status === 410) return { is: 'remove' }
    if (status === 403 && !facts.current) return { is: 'remove' }
    if (status !== 429 && status < 500) return { is: 'failed' }
  }
  const wait = Math.min(FIRST_WAIT_SECONDS * 1000 * 2 ** (facts.tries - 1), LONGEST_WAIT)
  const after = (heard.status === null ? null : asked(heard.retry_after, facts.now)) ?? later(facts.now, wait)
  return after < facts.until ? { is: 'later', after } : { is: 'failed' }
}
