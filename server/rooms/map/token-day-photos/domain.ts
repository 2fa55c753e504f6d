// Photos of what is on site on a day (`map.md` §13). Pure.
import { DAY, dateOn, type Instant, instant, later, ms, type WorkDate } from '../../../../shared/time.ts'
import { type FieldFault, forbidden, type Verdict } from '../../../base/errors.ts'
import { MAP_ANY } from '../../../kernel/placed/domain.ts'

/** What can have photos: each kind is one that permits can cover (`kernel/covers`), whose room says where it is and when. */
export const TOKEN_KINDS = ['worker', 'plant', 'delivery'] as const
/** What a photo shows of the day. */
export const PHOTO_KINDS = ['progress', 'start', 'finish', 'condition', 'delivery'] as const

/** Most photos of one of them on a day. */
export const PHOTOS_AT_MOST = 30
/** For this long, people can delete photos that they added. */
const OWN_FOR = DAY

type Life = { start_at: Instant; end_at: Instant | null }

/** Returns the first and the last site day of a time; the last is null if the time has no end. A night shift has two days. */
export const daysOf = ({ start_at, end_at }: Life, zone: string): { first: WorkDate; last: WorkDate | null } => ({
  first: dateOn(zone, start_at),
  last: end_at === null ? null : dateOn(zone, instant(ms(end_at) - 1)),
})

const FULL = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'full' })
const spelt = (date: WorkDate): string => FULL.format(Date.parse(date))

/** Returns why a photo can’t belong to a day; null if it can. */
export function dayFault(
  token: Life & { label: string },
  day: WorkDate,
  { zone, today }: { zone: string; today: WorkDate },
): FieldFault | null {
  const { first, last } = daysOf(token, zone)
  if (day > today) return { path: 'work_date', message: `is in the future. Today on site is ${spelt(today)}.` }
  if (day >= first && (last === null || day <= last)) return null
  const days = last === null ? `${spelt(first)} or later` : first === last ? spelt(first) : `between ${spelt(first)} and ${spelt(last)}`
  return { path: 'work_date', message: `must be ${days}: that is when ${token.label} is on site.` }
}

/** Returns whether a photo was taken on another site day than the one it belongs to. */
export const isOtherDay = (taken_at: Instant | null, day: WorkDate, zone: string): boolean =>
  taken_at !== null && dateOn(zone, taken_at) !== day

/** Returns why someone can’t delete a photo: the person who added it can for 24 hours, coordinators can always. */
export function cantDelete(
  photo: { created_by: string | null; created_at: Instant },
  by: { id: string | null; any: boolean; now: Instant },
): Verdict {
  if (by.any) return null
  if (photo.created_by === null || photo.created_by !== by.id)
    return forbidden(MAP_ANY, 'Only the person who added this photo, or a coordinator, can delete it.')
  return later(photo.created_at, OWN_FOR) >= by.now
    ? null
    : forbidden(MAP_ANY, 'You added this photo more than 24 hours ago. Only a coordinator can still delete it.')
}
