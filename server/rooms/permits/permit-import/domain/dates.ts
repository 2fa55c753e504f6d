// Reads a date cell as a wall-clock time of the site, or says why it isn't one (`permits-decisions.md` §6, Cells). Other forms are refused, never
// guessed.
import { type Instant, instantOf, plusDays, type WallTime, type WorkDate } from '../../../../../shared/time.ts'
import { type Cell, wallOfSerial } from '../../../../kernel/imports/domain/cells.ts'

/** Which number of `03/04/2026` is the day. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'
/** The wall-clock time that a cell gives; `timed` if it has a time of day, and not only a day. */
export type Wall = { date: WorkDate; time: WallTime; seconds: number; timed: boolean }
/** Why a cell isn't a date, as the end of a sentence that starts with the cell. */
export type NoDate = { why: string }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME = '(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d{1,9})?)?(?: ?([ap]m))?'
const at = (day: string, separator: string) => new RegExp(`^${day}(?:${separator}${TIME})?$`, 'i')
const FORMS = {
  dmy: at('(?<d>\\d{1,2})/(?<m>\\d{1,2})/(?<y>\\d{4})', ' '),
  mdy: at('(?<m>\\d{1,2})/(?<d>\\d{1,2})/(?<y>\\d{4})', ' '),
  ymd: at('(?<y>\\d{4})/(?<m>\\d{1,2})/(?<d>\\d{1,2})', ' '),
  iso: at('(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})', '[ T]'),
  named: at('(?<d>\\d{1,2})-(?<name>[a-z]{3})-(?<y>\\d{4})', ' '),
} as const
const SLASHES = { dmy: 'dd/mm/yyyy', mdy: 'mm/dd/yyyy', ymd: 'yyyy/mm/dd' } as const

const two = (n: number) => String(n).padStart(2, '0')
const dateOf = (year: number, month: number, day: number): WorkDate => `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`

/** Returns whether a day exists, in the years that an instant can have. */
function exists(year: number, month: number, day: number): boolean {
  if (year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
}

/** Reads a cell as a wall-clock time. A bare number is the serial of a day from 1950 on; smaller ones are years, counts and slips. */
export function wallIn(cell: Cell, order: DateOrder, date1904: boolean): Wall | NoDate {
  switch (cell.kind) {
    case 'text':
      return wallOfText(cell.text, order)
    case 'date':
      if (cell.serial < 1 && cell.shows !== 'date') return { why: `is a time without a date. ${howTo(order)}` }
      return wallOfParts(cell, cell.shows !== 'date')
    case 'number': {
      const parts = wallOfSerial(cell.value, date1904)
      if (parts === null || parts.year < 1950) return { why: `is a number that isn’t a date. ${howTo(order)}` }
      return wallOfParts(parts, false)
    }
    case 'error':
      return {
        why:
          cell.why === 'error_value'
            ? 'is an error value. Correct the cell'
            : 'is a formula without a stored result. Open the file in Excel and save it again',
      }
    case 'boolean':
      return { why: `isn’t a date. ${howTo(order)}` }
  }
}

type Parts = { year: number; month: number; day: number; hour: number; minute: number; second: number }

function wallOfParts(parts: Parts, timed: boolean): Wall | NoDate {
  if (!exists(parts.year, parts.month, parts.day)) return { why: 'isn’t between the years 1900 and 2200. Correct the date' }
  return {
    date: dateOf(parts.year, parts.month, parts.day),
    time: `${two(parts.hour)}:${two(parts.minute)}`,
    seconds: parts.second,
    timed: timed || parts.hour + parts.minute + parts.second > 0,
  }
}

function wallOfText(text: string, order: DateOrder): Wall | NoDate {
  const none = { why: `isn’t a date. ${howTo(order)}` }
  if (text.length > 100) return none
  const bare = text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?([/:-]) ?/g, '$1')
  const found = FORMS[order].exec(bare) ?? FORMS.iso.exec(bare) ?? FORMS.named.exec(bare)
  if (found === null) return none
  const { d = '', m = '', y = '', name } = found.groups ?? {}
  const month = name === undefined ? Number(m) : MONTHS.indexOf(name.toLowerCase()) + 1
  if (!exists(Number(y), month, Number(d))) return { why: `isn’t an existing date. ${howTo(order)}` }
  const date = dateOf(Number(y), month, Number(d))
  // The groups of the date are named. Those of the time always come last.
  const [hour, minute, second, half] = found.slice(-4)
  if (hour === undefined) return { date, time: '00:00', seconds: 0, timed: false }
  const time = timeOf(Number(hour), Number(minute), half)
  if (time === null || Number(second ?? 0) > 59) return { why: 'has an invalid time. Write the time as hh:mm' }
  return { date, time, seconds: Number(second ?? 0), timed: true }
}

function timeOf(hour: number, minute: number, half: string | undefined): WallTime | null {
  if (minute > 59) return null
  if (half === undefined) return hour > 23 ? null : `${two(hour)}:${two(minute)}`
  if (hour < 1 || hour > 12) return null
  return `${two((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0))}:${two(minute)}`
}

const howTo = (order: DateOrder) => `Write it as ${SLASHES[order]}, yyyy-mm-dd or dd-Mmm-yyyy, followed by a time as hh:mm`

const EARLIEST = '1900-01-01T00:00:00.000Z'
const LATEST = '2201-01-01T00:00:00.000Z'

/**
 * Returns the window between two wall-clock times of a site; null when the finish isn't after the start. The same day twice without times is the
 * whole of that day, whether it has 23, 24 or 25 hours.
 */
export function windowOf(start: Wall, end: Wall, timezone: string): { start_at: Instant; end_at: Instant } | null {
  const whole = !start.timed && !end.timed && start.date === end.date
  const start_at = instantOf(timezone, start.date, start.time, start.seconds)
  const end_at = whole ? instantOf(timezone, plusDays(end.date, 1), '00:00') : instantOf(timezone, end.date, end.time, end.seconds)
  return end_at > start_at && start_at >= EARLIEST && end_at < LATEST ? { start_at, end_at } : null
}
