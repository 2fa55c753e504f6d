// The channels on which a person is notified of a kind (`messages.md` §2): the first source with a setting wins, and the result says which source that was.
import { type Id, PLATFORM } from '../../../base/ids.ts'
import { type DigestTime, type QuietHours, USUAL_DIGEST } from './hours.ts'
import type { Channel, NoticeKind, Urgency } from './kinds.ts'

/** When emails of a kind are sent. */
export const DELIVERIES = ['immediate', 'hourly', 'daily'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** Where a setting comes from. */
export const SOURCES = ['unavailable', 'mandatory', 'own_site', 'own', 'own_all', 'rule', 'default'] as const
export type Source = (typeof SOURCES)[number]

/** A person's preference. The platform's id means all sites, and kind `all` means all kinds. */
export type Preference = {
  site_id: Id
  user_id: Id
  kind: string
  channel: Channel
  enabled: boolean | null
  delivery: Delivery | null
  quiet_hours: QuietHours | null
  digest_at: string | null
  digest_weekdays: number[] | null
  /** 0 before the first save. */
  version: number
}

/** Returns a person's own preference for a kind on a channel, on one site or (the platform's id) on all of them. */
export const ownPreference = (own: readonly Preference[], kind: string, channel: Channel, site_id: Id): Preference | undefined =>
  own.find(row => row.kind === kind && row.channel === channel && row.site_id === site_id)

/** Why a channel can't reach a person; null: it can. */
export type Unavailable = 'not_configured' | 'no_address' | 'not_verified' | 'suppressed' | 'no_subscription' | null

/** Whether one kind reaches one person on one channel, and why. */
export type Resolved = { enabled: boolean; source: Source; locked: boolean; why: Unavailable }

/** A registered kind, or a site's own rule. */
export type KindChannels = Pick<NoticeKind, 'kind' | 'channels' | 'mandatory'>

/** Returns the first of a person's own preferences that has a value, with its source. */
function ownAnswer<T>(
  own: readonly Preference[],
  kind: string,
  channel: Channel,
  site_id: Id | null,
  read: (row: Preference) => T | null,
): { value: T; source: Source } | null {
  const places: [string, Id | null, Source][] = [
    [kind, site_id, 'own_site'],
    [kind, PLATFORM, 'own'],
    ['all', site_id, 'own_all'],
    ['all', PLATFORM, 'own_all'],
  ]
  for (const [name, place, source] of places) {
    const row = place === null ? undefined : ownPreference(own, name, channel, place)
    const value = row === undefined ? null : read(row)
    if (value !== null) return { value, source }
  }
  return null
}

/** Returns whether a channel is on. `rule`: the channels of the rule that fired, if the site chose them. */
export function channelFor(
  kind: KindChannels,
  channel: Channel,
  site_id: Id | null,
  own: readonly Preference[],
  unavailable: Unavailable,
  rule: readonly Channel[] | null,
): Resolved {
  const mandatory = kind.mandatory?.includes(channel) === true
  if (unavailable !== null) return { enabled: false, source: 'unavailable', locked: mandatory, why: unavailable }
  if (mandatory) return { enabled: true, source: 'mandatory', locked: true, why: null }
  const answer = ownAnswer(own, kind.kind, channel, site_id, row => row.enabled)
  if (answer !== null) return { enabled: answer.value, source: answer.source, locked: false, why: null }
  if (rule !== null) return { enabled: rule.includes(channel), source: 'rule', locked: false, why: null }
  return { enabled: kind.channels.includes(channel), source: 'default', locked: false, why: null }
}

/** Returns when emails of a kind are sent; by default, those that only inform are collected for a daily digest. */
export const deliveryFor = (kind: string, urgency: Urgency, site_id: Id | null, own: readonly Preference[]): Delivery =>
  ownAnswer(own, kind, 'email', site_id, row => row.delivery)?.value ?? (urgency === 'info' ? 'daily' : 'immediate')

/** Returns the quiet hours of a channel on a site. */
export const quietFor = (channel: Channel, site_id: Id | null, own: readonly Preference[]): QuietHours | null =>
  channel === 'in_app' ? null : (ownAnswer(own, 'all', channel, site_id, row => row.quiet_hours)?.value ?? null)

/** Returns when digests are sent on a site. */
export const digestFor = (site_id: Id | null, own: readonly Preference[]): DigestTime => ({
  at: ownAnswer(own, 'all', 'email', site_id, row => row.digest_at)?.value ?? USUAL_DIGEST.at,
  weekdays: ownAnswer(own, 'all', 'email', site_id, row => row.digest_weekdays)?.value ?? USUAL_DIGEST.weekdays,
})
