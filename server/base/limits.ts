// Limits on requests a minute, in each process: against loops and floods, not for fairness. Until its token is verified, a request counts against its IP address.
import { isIPv6 } from 'node:net'
import { rateLimited, refuse } from './errors.ts'

const MINUTE_MS = 60_000

/** A limit: `take` counts a request and refuses it above the limit, `give` uncounts one. */
export type Limiter = { take(who: string, weight?: number): void; give(who: string, weight?: number): void }

/** Counts requests of each person and IP address in windows of a minute. */
export function limiter(per_minute: number, now: () => number = () => performance.now()): Limiter {
  let window = now()
  let counts = new Map<string, number>()
  return {
    take(who, weight = 1) {
      const at = now()
      if (at - window > MINUTE_MS) {
        window = at
        counts = new Map()
      }
      const count = (counts.get(who) ?? 0) + weight
      // Refused requests are not counted, so that a flood can’t make the map grow.
      if (count > per_minute) refuse(rateLimited(Math.max(1, Math.ceil((MINUTE_MS - (at - window)) / 1000))))
      counts.set(who, count)
    },
    give(who, weight = 1) {
      const count = counts.get(who)
      if (count !== undefined) counts.set(who, Math.max(0, count - weight))
    },
  }
}

/** Returns the subscriber of an IP address: the IPv4 address itself, or the /64 of an IPv6 address, because one subscriber has all of it. */
export function subscriberOf(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'))
  const [first, last] = [groups(head), groups(tail)]
  const whole = tail === undefined ? first : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return `${whole
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
