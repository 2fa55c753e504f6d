// Photos of what a gang or a machine did on a day: which day a new one belongs to, and how they are shown by day.
import { DAY, dateOn, type Instant, instant, ms, plusDays, type WorkDate } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'

/** A photo of a day. */
export type DayPhoto = Schemas['TokenPhoto']

type Life = { start_at: Instant; end_at: Instant | null }

/**
 * Returns the site day that a photo taken now belongs to: today, or the last day of what has ended. A night shift belongs to the day on which it started.
 * Null for what hasn’t started.
 */
export function dayForPhoto({ start_at, end_at }: Life, zone: string, now: number): WorkDate | null {
  const today = dateOn(zone, instant(now))
  const first = dateOn(zone, start_at)
  if (today < first) return null
  if (end_at === null) return today
  const last = dateOn(zone, instant(ms(end_at) - 1))
  const at_night = last === plusDays(first, 1) && ms(end_at) - ms(start_at) < DAY
  return at_night ? first : today < last ? today : last
}

/** Returns photos by day, the last day first, each in its order. */
export function byDay(photos: readonly DayPhoto[]): { work_date: WorkDate; photos: DayPhoto[] }[] {
  const days = new Map<WorkDate, DayPhoto[]>()
  for (const photo of photos) days.set(photo.work_date, [...(days.get(photo.work_date) ?? []), photo])
  return [...days].sort(([a], [b]) => (a < b ? 1 : -1)).map(([work_date, of_day]) => ({ work_date, photos: of_day }))
}

const DAYS_SHOWN = 14

/** Returns the first day of the photos that are loaded before anyone asks for earlier ones: two weeks up to now, or up to the end of what has ended. */
export const firstShown = ({ end_at }: Pick<Life, 'end_at'>, zone: string, now: number): WorkDate =>
  plusDays(dateOn(zone, end_at === null || ms(end_at) > now ? instant(now) : end_at), 1 - DAYS_SHOWN)
