// Quiet hours and digests, in wall-clock time: windows past midnight and days of 23 or 25 hours need no special rule.
import { dateOn, HOUR, type Instant, instant, instantOf, ms, plusDays, type WallTime, weekdayOf } from '../../../../shared/time.ts'

/** Hours without interruptions; `weekdays` are those on which the window starts. */
export type QuietHours = { from: WallTime; to: WallTime; weekdays?: readonly number[]; timezone?: string }

/** When a digest is sent. */
export type DigestTime = { at: WallTime; weekdays: readonly number[] }

export const ALL_WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]
/** Before the shift. */
export const USUAL_DIGEST: DigestTime = { at: '06:30', weekdays: ALL_WEEKDAYS }

/** Returns the end of the quiet hours at an instant; null outside quiet hours. */
export function quietUntil(hours: QuietHours | null, now: Instant, site_zone: string): Instant | null {
  if (hours === null) return null
  const zone = hours.timezone ?? site_zone
  const today = dateOn(zone, now)
  for (const date of [plusDays(today, -1), today]) {
    if (!(hours.weekdays ?? ALL_WEEKDAYS).includes(weekdayOf(date))) continue
    const begin = instantOf(zone, date, hours.from)
    const end = instantOf(zone, hours.to <= hours.from ? plusDays(date, 1) : date, hours.to)
    if (begin <= now && now < end) return end
  }
  return null
}

/** Returns the next time at which a daily digest is sent. */
export function nextDigest(digest: DigestTime, now: Instant, zone: string): Instant {
  const today = dateOn(zone, now)
  for (let day = 0; day <= 8; day++) {
    const date = plusDays(today, day)
    const at = instantOf(zone, date, digest.at)
    if (at > now && (digest.weekdays.length === 0 || digest.weekdays.includes(weekdayOf(date)))) return at
  }
  return instantOf(zone, plusDays(today, 1), digest.at)
}

/** Returns the next full hour. */
export const nextHour = (now: Instant): Instant => instant((Math.floor(ms(now) / HOUR) + 1) * HOUR)

/** Returns until when a message is delayed; null: it is sent immediately. A critical message is never delayed. */
export function heldUntil(
  how: { urgency: string; delivery: 'immediate' | 'hourly' | 'daily'; quiet: QuietHours | null; digest: DigestTime },
  now: Instant,
  zone: string,
): Instant | null {
  if (how.urgency === 'critical') return null
  const due = how.delivery === 'immediate' ? now : how.delivery === 'hourly' ? nextHour(now) : nextDigest(how.digest, now, zone)
  const quiet = quietUntil(how.quiet, due, zone)
  return quiet ?? (due === now ? null : due)
}
