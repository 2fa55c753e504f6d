import { HOUR, MINUTE } from '../../../../shared/time.ts'

/** What a refusal says: the address is dead, it may work again, or the fault is ours (`site-and-people.md` §10, which bounces count). */
export type Bounce = 'hard' | 'soft' | 'ours'

/**
 * One function for a refusal at RCPT and for a report that comes later. By the enhanced status (RFC 3463) where there is one; a bare reply
 * code says less, so only those that speak of the mailbox alone count as hard.
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

/** Milliseconds until the next try after so many; null when it is given up (`messages.md` §3.2). */
export const nextTry = (tries: number): number | null => WAITS[tries] ?? null

/** How addresses are compared: case folded. */
export const addressKey = (email: string): string => email.normalize('NFC').toLowerCase()
