import { HOUR, MINUTE } from '../../../../shared/time.ts'

/**
 * The meaning of a refusal: the address doesn't exist, the refusal is temporary, or the fault is ours (`site-and-people.md` §10, which bounces
 * count).
 */
export type Bounce = 'hard' | 'soft' | 'ours'

/**
 * Classifies a refusal at RCPT and a report that arrives later in the same way: by the enhanced status (RFC 3463) if there is one. A basic reply code
 * is less precise, so only codes about the mailbox itself count as hard.
 */
export function bounceOf(status: string | null, reply: number | null): Bounce {
  if (status !== null) {
    if (status.startsWith('4')) return 'soft'
    if (status === '5.2.2') return 'soft'
    if (status === '5.3.4' || status.startsWith('5.6.') || status.startsWith('5.7.')) return 'ours'
    return status.startsWith('5') ? 'hard' : 'soft'
  }
  if (reply === null || reply < 500) return 'soft'
  if (reply === 550 || reply === 551 || reply === 553) return 'hard'
  return reply === 552 ? 'soft' : 'ours'
}

const WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR]

/** Returns the milliseconds until the next attempt after this many; null after the last one (`messages.md` §3.2). */
export const nextTry = (tries: number): number | null => WAITS[tries] ?? null

/** Returns the key by which addresses are compared, without regard to case. */
export const addressKey = (email: string): string => email.normalize('NFC').toLowerCase()
