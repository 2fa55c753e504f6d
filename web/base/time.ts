// Instants as people on a site read them: always in the site's own time zone. The viewer's own time is in the title where it differs.
import { DAY, HOUR, type Instant, instant, instantOf, MINUTE, ms, wallOf } from '../../shared/time.ts'
import { t } from './words.ts'

const format = (zone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
const formats = new Map<string, Intl.DateTimeFormat>()
const by = (zone: string, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${zone} ${name}`
  const known = formats.get(key) ?? format(zone, options)
  formats.set(key, known)
  return known
}

/** `07:30`. */
export const clockOf = (at: Instant, zone: string): string => by(zone, 'clock', { hour: '2-digit', minute: '2-digit' }).format(ms(at))
const yearOf = (at: Instant, zone: string): string => wallOf(zone, at).date.slice(0, 4)

/** Formats a day: `Mon 16 Mar`, with the year when it isn't the current one on site. */
export function dayOf(at: Instant, zone: string, now = Date.now()): string {
  const same = yearOf(at, zone) === yearOf(instant(now), zone)
  return by(zone, same ? 'day' : 'day-year', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(same ? {} : { year: 'numeric' }),
  })
    .format(ms(at))
    .replace(',', '')
}
/** Formats an instant: `Mon 16 Mar 07:30`. */
export const momentOf = (at: Instant, zone: string): string => `${dayOf(at, zone)} ${clockOf(at, zone)}`
/** Formats an instant with its year, for paper: `Mon 16 Mar 2026 07:30`. */
export const stampOf = (at: Instant, zone: string): string => `${dayOf(at, zone, 0)} ${clockOf(at, zone)}`
/** Formats a window as briefly as possible: `Mon 16 Mar 07:30–18:00`, `Mon 16 Mar 07:30 – Wed 18 Mar 12:00`. */
export function windowOf(from: Instant, to: Instant, zone: string): string {
  const [a, b] = [dayOf(from, zone), dayOf(to, zone)]
  return a === b ? `${a} ${clockOf(from, zone)}–${clockOf(to, zone)}` : `${a} ${clockOf(from, zone)} – ${b} ${clockOf(to, zone)}`
}

/** Formats a window in two lines: `Mon 16 Mar`, `07:30–18:00`; or `Mon 16 Mar 07:30 –`, `Wed 18 Mar 12:00`. */
export function windowLines(from: Instant, to: Instant, zone: string): [string, string] {
  const [a, b] = [dayOf(from, zone), dayOf(to, zone)]
  return a === b ? [a, `${clockOf(from, zone)}–${clockOf(to, zone)}`] : [`${a} ${clockOf(from, zone)} –`, `${b} ${clockOf(to, zone)}`]
}

/** Formats the time since or until an instant: `in 3 hours`, `20 minutes ago`. The minutes that are left are never rounded up, as in the wallet. */
export function awayOf(at: Instant, now = Date.now()): string {
  const apart = ms(at) - now
  const size = Math.abs(apart)
  const way = apart <= 0 ? 'ago' : 'in'
  if (size < MINUTE) return apart <= 0 ? t('ago.now') : t('in.minutes', { n: 1 })
  if (size < HOUR) return t(`${way}.minutes`, { n: way === 'in' ? Math.floor(size / MINUTE) : Math.round(size / MINUTE) })
  if (size < 2 * DAY) return t(`${way}.hours`, { n: Math.round(size / HOUR) })
  return t(`${way}.days`, { n: Math.round(size / DAY) })
}

/** Returns how long something usually lasts: in days when it is a whole number of them, otherwise in hours. Nothing is rounded. */
export const durationOf = (hours: number): string =>
  hours % 24 === 0 ? t('length.days', { n: hours / 24 }) : t('length.hours', { n: hours })

let own: string | undefined

/** Formats an instant in the viewer's own time where it differs; otherwise undefined. */
export function ownTimeOf(at: Instant, zone: string): string | undefined {
  own ??= Intl.DateTimeFormat().resolvedOptions().timeZone
  if (own === zone) return undefined
  return momentOf(at, own) === momentOf(at, zone) ? undefined : t('common.your_time', { time: momentOf(at, own) })
}

/** Returns an instant in site time for a `datetime-local` field. */
export function fieldOf(at: Instant | null, zone: string): string {
  if (at === null) return ''
  const { date, time } = wallOf(zone, at)
  return `${date}T${time}`
}
/** Returns the instant of a `datetime-local` field in site time; null when it is empty. */
export function instantOfField(value: string, zone: string): Instant | null {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(value)
  return parts === null ? null : instantOf(zone, parts[1] ?? '', parts[2] ?? '')
}
