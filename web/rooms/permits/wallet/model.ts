// What a permit in the wallet requires, by the phone's clock: offline, nothing else shows that its window has ended.
import type { Schemas } from '../../../base/api.ts'

/** A permit as it appears in the wallet. */
export type WalletPermit = Schemas['WalletPermit']

/** The first message of a card: stop, sign, start, or wait. */
export type Call = 'stopped' | 'alert' | 'over' | 'countersign' | 'issue' | 'handed_back' | 'live' | 'not_yet' | 'waits'

type Judged = Pick<WalletPermit, 'status' | 'awaiting_countersign' | 'handed_back_at' | 'start_at' | 'end_at' | 'permissions'> &
  Partial<Pick<WalletPermit, 'stopped_by_alert' | 'stopped'>>

/** Returns what a permit requires at this moment. */
export function callOf(permit: Judged, now: number): Call {
  if (permit.handed_back_at !== null && permit.status !== 'approved') return 'handed_back'
  if (permit.status === 'expired') return 'over'
  if (permit.status === 'issued') {
    if ((permit.stopped ?? []).length > 0) return 'stopped'
    if (permit.end_at !== null && Date.parse(permit.end_at) <= now) return 'over'
    // An alert leaves the permit as it is (`site-and-people.md` §16): the card must not say that work can go ahead.
    if (permit.stopped_by_alert != null) return 'alert'
    return permit.start_at !== null && Date.parse(permit.start_at) > now ? 'not_yet' : 'live'
  }
  if (permit.permissions.countersign.allowed) return 'countersign'
  if (permit.permissions.issue.allowed) return 'issue'
  return 'waits'
}

const RANK: Record<Call, number> = {
  stopped: 0,
  alert: 0,
  over: 0,
  countersign: 1,
  issue: 1,
  live: 2,
  not_yet: 2,
  handed_back: 3,
  waits: 4,
}

/** Sorts the wallet: permits that an area stop or an alert stops come first, then those that are over, whatever the last response of the service said; the others keep its order. */
export function byUrgency<P extends Judged>(permits: readonly P[], now: number): P[] {
  const stopped = (permit: P) => (permit.stopped_by_alert == null && (permit.stopped ?? []).length === 0 ? 1 : 0)
  return [...permits].sort((a, b) => stopped(a) - stopped(b) || RANK[callOf(a, now)] - RANK[callOf(b, now)])
}

/** Returns the time until an instant in hours and minutes; never negative, never rounded up. */
export function untilOf(at: string, now: number): { days: number; hours: number; minutes: number } {
  const left = Math.max(0, Math.floor((Date.parse(at) - now) / 60_000))
  return { days: Math.floor(left / 1440), hours: Math.floor((left % 1440) / 60), minutes: left % 60 }
}

/** Which time is shown with what a permit requires, and from when to when it is; null for none. Only where people can work is what is left of the window time to work. */
export function countOf(
  call: Call,
  { start_at, end_at }: Pick<WalletPermit, 'start_at' | 'end_at'>,
  now: number,
): { says: 'over' | 'until' | 'left' | 'window'; to: string; from: number } | null {
  if (end_at === null || call === 'handed_back') return null
  if (Date.parse(end_at) <= now) return { says: 'over', to: new Date(now).toISOString(), from: Date.parse(end_at) }
  if (start_at !== null && Date.parse(start_at) > now) return { says: 'until', to: start_at, from: now }
  return { says: call === 'live' ? 'left' : 'window', to: end_at, from: now }
}

/** Steps that are taken in the field, in the order of their buttons. */
export const FIELD_STEPS = ['revalidate', 'countersign', 'issue', 'close_out', 'hand_back', 'request_extension'] as const

type Content = Readonly<Record<string, unknown>>

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Fields whose changes a person must see before signing; ids and numbers are left out. */
export const changedFields = (seen: Content, now: Content): string[] =>
  Object.keys(now).filter(
    field => !['permit_id', 'site_id', 'permit_number', 'requestor_id'].includes(field) && !same(seen[field], now[field]),
  )
