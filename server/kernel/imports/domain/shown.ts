// A cell as a person sees it on the sheet, for reports and for columns of text.
import { type Cell, type DateCell, type Empty, formatShows } from './cells.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const two = (n: number) => String(n).padStart(2, '0')
const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]|am\/pm|a\/p|y+|m+|d+|h+|s+(?:[.,]0+)?|./giu

/** Writes a number without an exponent and without superfluous decimals: `192132`. */
export const plainNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) >= 1e21 ? BigInt(value).toString() : Number.isInteger(value) ? value.toFixed(0) : String(value)

/** Writes a date cell the way its format shows it; as year, month and day if the format has other elements (eras, other calendars). */
export function shownDate(cell: DateCell): string {
  const section = cell.format.replace(/("[^"]*"|\\.)|;.*$/gs, (_, literal?: string) => literal ?? '')
  const plain = formatShows(section) === null || /[egb]/i.test(section.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''))
  const tokens = [...section.matchAll(TOKEN)]
  if (plain || tokens.length > 60) return isoLike(cell)
  const twelve = /am\/pm|a\/p/i.test(section)
  const hour = twelve ? cell.hour % 12 || 12 : cell.hour
  let minutes = false
  return tokens
    .map(([token, quoted, escaped], i) => {
      if (quoted !== undefined) return quoted
      if (escaped !== undefined) return escaped
      const lower = token.toLowerCase()
      const length = lower.length
      if (lower.startsWith('y')) return length < 3 ? two(cell.year % 100) : String(cell.year).padStart(4, '0')
      if (lower.startsWith('d')) return dayToken(cell, length)
      if (lower.startsWith('h')) {
        minutes = true
        return length > 1 ? two(hour) : String(hour)
      }
      if (lower.startsWith('s')) return length > 1 ? two(cell.second) : String(cell.second)
      if (lower.startsWith('m')) {
        const isMinute = length < 3 && (minutes || secondsFollow(tokens, i))
        minutes = false
        return isMinute ? (length > 1 ? two(cell.minute) : String(cell.minute)) : monthToken(cell, length)
      }
      if (lower === 'am/pm' || lower === 'a/p')
        return cell.hour < 12 ? token.slice(0, length === 5 ? 2 : 1) : token.slice(length === 5 ? 3 : 2)
      return /^[[_*@]/.test(token) ? '' : token
    })
    .join('')
    .trim()
}

const secondsFollow = (tokens: RegExpMatchArray[], from: number): boolean => {
  const next = tokens.slice(from + 1).find(([token]) => /^[ymdhs]/i.test(token))
  return next !== undefined && /^s/i.test(next[0])
}

function dayToken(cell: DateCell, length: number): string {
  if (length < 3) return length === 2 ? two(cell.day) : String(cell.day)
  const name = WEEKDAYS[new Date(Date.UTC(cell.year, cell.month - 1, cell.day)).getUTCDay()] ?? ''
  return length === 3 ? name.slice(0, 3) : name
}

function monthToken(cell: DateCell, length: number): string {
  const name = MONTHS[cell.month - 1] ?? ''
  if (length > 2) return length === 3 ? name.slice(0, 3) : length === 5 ? name.slice(0, 1) : name
  return length === 2 ? two(cell.month) : String(cell.month)
}

function isoLike(cell: DateCell): string {
  const date = `${String(cell.year).padStart(4, '0')}-${two(cell.month)}-${two(cell.day)}`
  const time = `${two(cell.hour)}:${two(cell.minute)}${cell.second === 0 ? '' : `:${two(cell.second)}`}`
  return cell.shows === 'date' ? date : cell.shows === 'time' ? time : `${date} ${time}`
}

/** Writes a cell the way the sheet shows it: its text, its number or its date; null if it is empty. */
export function shown(cell: Cell | Empty): string | null {
  switch (cell.kind) {
    case 'empty':
      return null
    case 'text':
    case 'error':
      return cell.text
    case 'number':
      return cell.text ?? plainNumber(cell.value)
    case 'boolean':
      return cell.value ? 'TRUE' : 'FALSE'
    case 'date':
      return shownDate(cell)
  }
}
