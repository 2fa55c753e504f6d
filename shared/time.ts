// Instants, site days and wall time: the one implementation of the rule in conventions §1, for the server and the browser.

/** A moment: RFC 3339 in UTC with milliseconds, `2026-03-29T00:30:00.000Z`. Instants sort as text. */
export type Instant = string
/** A calendar day on a site: `YYYY-MM-DD`. */
export type WorkDate = string
/** A wall-clock time on a site: `HH:MM`. */
export type WallTime = string

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2201, 0, 1)
const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/** Returns the milliseconds since 1970 of an instant. */
export const ms = (instant: Instant): number => Date.parse(instant)

/** Returns the instant of a number of milliseconds since 1970. */
export const instant = (milliseconds: number): Instant => new Date(milliseconds).toISOString()

/** Returns the instant this many milliseconds later (or earlier, when negative). */
export const later = (from: Instant, milliseconds: number): Instant => instant(ms(from) + milliseconds)

/**
 * Reads RFC 3339 text with any offset as an instant. Returns null for text in another form, for a day that does not exist, and outside the years 1900 to 2200.
 * A leap second counts as the second after it.
 */
export function readInstant(text: string): Instant | null {
  const parts = RFC3339.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = parts
  const date = `${year}-${month}-${day}`
  if (!isWorkDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE * (sign === '-' ? -1 : 1)
  const milliseconds = Number(`${fraction}000`.slice(0, 3))
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), milliseconds) - offset
  return at >= EARLIEST && at < LATEST ? instant(at) : null
}

/** Returns whether the text is a day that exists, `YYYY-MM-DD`, in the years 1900 to 2200. */
export function isWorkDate(text: string): boolean {
  if (!/^(19|2[01])\d{2}-\d{2}-\d{2}$/.test(text) && !/^2200-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Returns whether the text is a wall-clock time, `00:00` to `23:59`. */
export const isWallTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** Returns the day this many calendar days later (or earlier, when negative). */
export const plusDays = (date: WorkDate, days: number): WorkDate => instant(Date.parse(`${date}T00:00:00Z`) + days * DAY).slice(0, 10)

/** Returns the calendar days from `a` to `b`, negative when `b` comes first. */
export const daysBetween = (a: WorkDate, b: WorkDate): number =>
  Math.round((Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / DAY)

/** Returns the ISO weekday of a day: 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: WorkDate): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** Returns the Monday of the week of a day. */
export const mondayOf = (date: WorkDate): WorkDate => plusDays(date, 1 - weekdayOf(date))

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const parts = {
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts })
  formats.set(zone, made)
  return made
}

/** Returns the wall-clock time of a zone at an instant, as if it were UTC: milliseconds since 1970. */
function wallAsUtc(zone: string, at: number): number {
  let year = 0
  let month = 0
  let day = 0
  let hour = 0
  let minute = 0
  let second = 0
  for (const { type, value } of formatOf(zone).formatToParts(at)) {
    if (type === 'year') year = Number(value)
    else if (type === 'month') month = Number(value)
    else if (type === 'day') day = Number(value)
    else if (type === 'hour') hour = Number(value)
    else if (type === 'minute') minute = Number(value)
    else if (type === 'second') second = Number(value)
  }
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
}

/** Returns the offset of a zone from UTC at an instant, in milliseconds: one hour east is 3,600,000. */
export const offsetAt = (zone: string, at: number): number => wallAsUtc(zone, at) - at

/** From when on a zone has an offset, both in milliseconds. */
export type OffsetChange = { from: number; offset: number }

const changes = new Map<string, readonly OffsetChange[]>()
const CHANGES_FROM = Date.UTC(2010, 0, 1)
const CHANGES_UNTIL = Date.UTC(2050, 0, 1)
// Two changes that cancel out are at least a month apart: in Morocco, the clocks go back for Ramadan.
const STEP = 14 * DAY

/** Lists the offsets of a zone from 2010 to 2049, each with the instant from which it applies; the first one applies from 2010 on. */
export function offsetChanges(zone: string): readonly OffsetChange[] {
  const known = changes.get(zone)
  if (known !== undefined) return known
  const found: OffsetChange[] = [{ from: CHANGES_FROM, offset: offsetAt(zone, CHANGES_FROM) }]
  for (let at = CHANGES_FROM; at < CHANGES_UNTIL; at += STEP) {
    const before = offsetAt(zone, at)
    if (offsetAt(zone, at + STEP) === before) continue
    let [early, late] = [at, at + STEP]
    while (late - early > MINUTE) {
      const middle = early + Math.floor((late - early) / 2 / MINUTE) * MINUTE
      if (offsetAt(zone, middle) === before) early = middle
      else late = middle
    }
    found.push({ from: late, offset: offsetAt(zone, late) })
  }
  changes.set(zone, found)
  return found
}

const days = new Map<string, Map<number, number>>()

/** Returns the offset for a whole UTC day, or null when it changes during the day. It seldom changes, so the result is cached. */
function steadyOffset(zone: string, at: number): number | null {
  const known = days.get(zone) ?? new Map<number, number>()
  days.set(zone, known)
  const day = Math.floor(at / DAY)
  let offset = known.get(day)
  if (offset === undefined) {
    const first = offsetAt(zone, day * DAY)
    // The database has no two changes within one day that cancel out, and a single change makes the two ends differ.
    offset = offsetAt(zone, (day + 1) * DAY) === first && offsetAt(zone, day * DAY + DAY / 2) === first ? first : Number.NaN
    if (known.size > 20_000) known.clear()
    known.set(day, offset)
  }
  return Number.isNaN(offset) ? null : offset
}

const quickOffset = (zone: string, at: number): number => steadyOffset(zone, at) ?? offsetAt(zone, at)

/**
 * Returns the instant of a wall-clock time on a site, by the rule `compatible` of Temporal and RFC 5545 (conventions §1): a time that is skipped in spring is
 * read with the offset before the gap, and of a time that occurs twice in autumn, the first is taken. `seconds` are added within the minute, for sources that
 * have them.
 */
export function instantOf(zone: string, date: WorkDate, time: WallTime, seconds = 0): Instant {
  const wall = Date.parse(`${date}T${time}:00Z`) + seconds * 1000
  const before = quickOffset(zone, wall - DAY)
  const after = quickOffset(zone, wall + DAY)
  const early = wall - Math.max(before, after)
  if (quickOffset(zone, early) === wall - early) return instant(early)
  const late = wall - Math.min(before, after)
  if (before !== after && quickOffset(zone, late) === wall - late) return instant(late)
  return instant(wall - before)
}

/** Returns the wall-clock time of a site at an instant. */
export function wallOf(zone: string, at: Instant): { date: WorkDate; time: WallTime; seconds: number } {
  const wall = instant(ms(at) + quickOffset(zone, ms(at)))
  return { date: wall.slice(0, 10), time: wall.slice(11, 16), seconds: Number(wall.slice(17, 19)) }
}

/** Returns the site day of an instant. */
export const dateOn = (zone: string, at: Instant): WorkDate => wallOf(zone, at).date

/** Returns the first instant of a site day: midnight, or the first moment after it where midnight is skipped. */
export const startOfDay = (zone: string, date: WorkDate): Instant => instantOf(zone, date, '00:00')

/** Returns the first instant of the site day that an instant belongs to. */
export const startOfDayAt = (zone: string, at: Instant): Instant => startOfDay(zone, dateOn(zone, at))

/** Returns the start of the hour of an instant; hours start at full hours of UTC. */
export const hourOf = (at: Instant): Instant => instant(Math.floor(ms(at) / HOUR) * HOUR)

/**
 * Returns whether a period is longer than this number of days. Where the clocks go back, days of a site are longer than 24 hours: up to the same time of day that many site
 * days later, a period isn’t longer.
 */
export function isLonger(zone: string, from: Instant, to: Instant, days: number): boolean {
  if (ms(to) - ms(from) <= days * DAY) return false
  const { date, time, seconds } = wallOf(zone, from)
  return to > instantOf(zone, plusDays(date, days), time, seconds + (ms(from) % 1000) / 1000)
}

/** Returns a day, for sentences: `28 Mar 2026`. */
export const spokenDate = (date: WorkDate, locale = 'en-GB'): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(ms(`${date}T00:00:00Z`))

/** Returns an instant in site time, for sentences: `Sat 28 Mar 2026, 22:00`. */
export function spoken(zone: string, at: Instant, locale = 'en-GB'): string {
  return new Intl.DateTimeFormat(locale, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(ms(at))
}
