// What the answer of a push service means (`messages.md` §4, Rules): pure.
import { HOUR, type Instant, later, ms } from '../../../../shared/time.ts'

/** An answer: its status, or that there was none. */
export type Heard = { status: number; retry_after: string | null } | { status: null }

/** What follows for the subscription. */
export type Verdict = { is: 'sent' } | { is: 'remove' } | { is: 'failed' } | { is: 'later'; after: Instant }

const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT = HOUR

/** `Retry-After`: seconds, or a date; null for what is neither. */
function asked(text: string | null, now: Instant): Instant | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text.trim())) return later(now, Number(text) * 1000)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : later(now, Math.max(0, at - ms(now)))
}

/**
 * Judges an answer. `tries`: this one included. `until`: when the message is worth nothing any more. `current`: the subscription was made under the key that
 * is given out today.
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
