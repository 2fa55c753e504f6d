// What alerts look like and say, without a page. Pure.
import type { Schemas } from '../../../base/api.ts'
import { momentOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'

/** An alert. */
export type Alert = Schemas['Alert']

/** Alerts that people raise with one tap; their title is their text. */
export const PRESETS = {
  keep_away: { severity: 'danger', category: 'other' },
  way_closed: { severity: 'warning', category: 'access' },
  live_service: { severity: 'danger', category: 'utilities' },
  fire: { severity: 'danger', category: 'fire' },
  wind: { severity: 'warning', category: 'weather' },
} as const satisfies Record<string, Pick<Alert, 'severity' | 'category'>>

/** The states in which an alert is active. */
const ACTIVE: readonly Alert['state'][] = ['active', 'overdue']

/** Returns whether an alert is active. */
export const isActive = ({ state }: Pick<Alert, 'state'>): boolean => ACTIVE.includes(state)

/** How often alerts are read whose time has come: the service takes up to a minute to start or end one. */
const DUE_MS = 15_000

/** Returns how long a list of alerts stays right by the clock: until one starts or ends, and `most_ms` at most. No event says that an alert has lapsed. */
export function untilStep(alerts: readonly Pick<Alert, 'state' | 'start_at' | 'end_at'>[], now: number, most_ms: number): number {
  const next = alerts.flatMap(({ state, start_at, end_at }) =>
    state === 'scheduled' ? start_at : state === 'active' ? (end_at ?? []) : [],
  )
  return Math.min(most_ms, ...next.map(at => Math.max(Date.parse(at) - now, DUE_MS)))
}

/** Returns whether an alert is over. */
export const isOver = ({ state }: Pick<Alert, 'state'>): boolean => state === 'resolved' || state === 'lapsed'

/** Returns whether an alert is one of danger, or stops work. */
export const isGrave = ({ severity, effect }: Pick<Alert, 'severity' | 'effect'>): boolean => severity === 'danger' || effect === 'stops'

/** The icon and the colour of an alert: the shape says it, too. */
export const faceOf = (alert: Pick<Alert, 'severity' | 'effect'>): { glyph: 'stop' | 'warning' | 'must'; kind: 'stop' | 'warn' | 'act' } =>
  isGrave(alert)
    ? { glyph: 'stop', kind: 'stop' }
    : alert.severity === 'warning'
      ? { glyph: 'warning', kind: 'warn' }
      : { glyph: 'must', kind: 'act' }

/** Returns what an alert stops, in words; null if it stops nothing. */
export const stopsOf = ({ activities }: Pick<Alert, 'activities'>): string | null =>
  activities.length === 0 ? null : t('alert.stops', { what: activities.map(one => tOf('alert_activity', one)).join(', ') })

/** Returns from when to when an alert is active, in site time. */
export function whenOf(alert: Pick<Alert, 'state' | 'severity' | 'effect' | 'start_at' | 'end_at' | 'periods'>, zone: string): string {
  const last = alert.periods.at(-1)
  if (isOver(alert) && last?.to != null) return t('alert.was', { from: momentOf(last.from, zone), to: momentOf(last.to, zone) })
  const start = t(alert.state === 'scheduled' ? 'alert.from' : 'alert.since', { time: momentOf(alert.start_at, zone) })
  const until =
    alert.end_at === null || isGrave(alert) ? t('alert.until_resolved') : t('alert.until', { time: momentOf(alert.end_at, zone) })
  return `${start}, ${until}`
}

/** What a person has read on this device: for each alert, in which period. */
export type Read = Readonly<Record<string, number>>

/** Returns the alerts of the banner: those that are grave and active, until the person has read them. A reopened one has to be read again. */
export const toRead = (alerts: readonly Alert[], read: Read, me: string): Alert[] =>
  alerts.filter(one => isActive(one) && isGrave(one) && one.created_by !== me && read[one.id] !== one.periods.length)

/** Returns the number that a phone can call; null for a text that says more than one number, such as an extension. */
export const dialled = (phone: string): string | null => {
  const number = phone.replace(/[\s().-]/g, '')
  return /^\+?\d{2,}$/.test(number) ? number : null
}
