// A workbook as all other code sees it: sheets of numbered rows of cells, whatever program wrote it. A date is wall-clock time without a time zone.

/** Limits of a workbook. A larger one is refused completely, never cut. */
export const LIMITS = {
  bytes: 20 * 1024 * 1024,
  /** Number of parts in the package, uncompressed size of one and of all, and the largest compression ratio of a large part. */
  parts: 2000,
  part_bytes: 150 * 1024 * 1024,
  all_bytes: 200 * 1024 * 1024,
  ratio: 200,
  ratio_from_bytes: 1024 * 1024,
  /** Rows of a sheet, by the number of its last row with a value; cells with a value in the workbook; text of all rows and of one. */
  rows: 50_000,
  cells: 2_000_000,
  text_bytes: 200 * 1024 * 1024,
  row_bytes: 2 * 1024 * 1024,
  /** For reading one workbook: processor time, time without output on a machine that has other work, memory of the scripts, and memory in total. */
  milliseconds: 20_000,
  silence_ms: 60_000,
  heap_mb: 512,
  memory_mb: 1536,
} as const

/** A date cell as wall-clock time; `serial` is the stored number. */
export type DateCell = {
  column: number
  kind: 'date'
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  serial: number
  /** What the cell's format shows. A time alone is on day zero of its workbook. */
  shows: 'date' | 'time' | 'both'
  format: string
}

/** A cell with content; `column` counts from 0. An error cell has an error value, or a formula whose result was never stored. */
export type Cell =
  | { column: number; kind: 'text'; text: string }
  /** `text` if the format shows more than the number (leading zeros, a prefix), otherwise null. */
  | { column: number; kind: 'number'; value: number; text: string | null }
  | { column: number; kind: 'boolean'; value: boolean }
  | { column: number; kind: 'error'; text: string; why: 'error_value' | 'no_stored_value' }
  | DateCell

/** What an empty cell is read as. */
export const EMPTY = { kind: 'empty' } as const
export type Empty = typeof EMPTY

/** A row with cells; `number` is its number on the worksheet, from 1. Rows without cells are left out. */
export type Row = { number: number; cells: Cell[] }

/** A merged range; only its top left cell has a value. Rows from 1, columns from 0, including both ends. */
export type Merge = { first_row: number; last_row: number; first_column: number; last_column: number }

/** The properties of a sheet, sent before its rows. */
export type SheetHead = { name: string; state: 'visible' | 'hidden' | 'very_hidden'; row_count: number; merges: Merge[] }

/** A notice for the person who imports the workbook, with the first place where it applies (`C12`). */
export type Notice = {
  code: 'hidden_sheet' | 'merged_cells' | 'error_values' | 'formulas_without_value' | 'digits_lost'
  sheet: string
  count: number
  first: string | null
  detail: string
}

/** A whole workbook. */
export type Workbook = { sheets: (SheetHead & { rows: Row[] })[]; notices: Notice[] }

/** Returns the cell of a row in this column. */
export function cellAt(row: Row, column: number): Cell | Empty {
  for (const cell of row.cells) if (cell.column === column) return cell
  return EMPTY
}

/** Returns a cell address: `C12` for row 12 and column 2. */
export function placeOf(row: number, column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return `${letters}${row}`
}

const DAY_ZERO_1900 = Date.UTC(1899, 11, 31)
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1)
const SECONDS = 86_400

/**
 * Returns the wall-clock time of a serial date, to the second as a sheet shows it. The 1900 system has a 29 February 1900 that never existed: serial 60
 * is returned as that day, so that the caller can refuse it. Returns null for a number that isn't a serial date (negative, or beyond the year 9999).
 */
export function wallOfSerial(serial: number, date1904: boolean): Omit<DateCell, 'column' | 'kind' | 'serial' | 'shows' | 'format'> | null {
  const total = Math.round(serial * SECONDS)
  const days = Math.floor(total / SECONDS)
  if (!Number.isFinite(serial) || total < 0 || days > 2_958_465) return null
  const rest = total - days * SECONDS
  const time = { hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60 }
  if (!date1904 && days === 60) return { year: 1900, month: 2, day: 29, ...time }
  const zero = date1904 ? DAY_ZERO_1904 : DAY_ZERO_1900
  const date = new Date(zero + (date1904 || days < 60 ? days : days - 1) * SECONDS * 1000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...time }
}

/** Returns the first section of a number format without literals, colours, conditions and locales. */
export function bareFormat(format: string): string {
  return (format.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase()
}

/**
 * Returns what a number format turns a number into: a date, a time, both, or (null) a plain number. `[h]:mm` counts elapsed hours, which are a duration and not a time.
 */
export function formatShows(format: string): DateCell['shows'] | null {
  const bare = bareFormat(format).replace(/s[.,]0+/g, 's')
  if (bare === '' || /general|standard|[0#?@]|\[(h+|m+|s+)\]/.test(bare)) return null
  const time = /h|s|am\/pm|a\/p/.test(bare)
  // An m next to hours or seconds means minutes, any other m means months.
  const date = /[dyegb]/.test(bare) || /m/.test(bare.replace(/am\/pm|a\/p/g, '').replace(/h+[^dymh]*?m+|m+[^dymh]*?s/g, ''))
  if (!time && !date) return null
  return time && date ? 'both' : time ? 'time' : 'date'
}
