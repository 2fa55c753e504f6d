// Turns the library's result into lines to send: only cells with content, rows in order, and the notices.
import { formatShows, LIMITS, type Notice, placeOf, type SheetHead } from '../domain/cells.ts'
import type { Problem } from '../domain/refusals.ts'
import type { Line, WireRow, WireValue } from '../domain/wire.ts'
import { GRID, holds, indexes, type RawBook, type RawCell, type RawSheet } from './parse.ts'

const PIECE_BYTES = 48 * 1024
const MERGES_AT_MOST = 10_000

const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
}

/** A number format that puts zeros or words before a whole number. People read the formatted number as a name. */
const PADDED = /^(?:"[^"]*"|\\.|[-_/ ])*0{2,}(?:"[^"]*"|\\.)*$|^(?:"[^"]*"|\\.|[-_/ ])+0+(?:"[^"]*"|\\.)*$/

/** Yields all lines of a workbook. Text is counted along the way, because one long string can be in a million cells. */
export function* linesOf(book: RawBook, format: (code: string, value: number) => string): Generator<Line> {
  let merges_left = MERGES_AT_MOST
  const heads = book.sheets.map(({ data: _data, ...head }): SheetHead => {
    const merges = head.merges.slice(0, merges_left)
    merges_left -= merges.length
    return { ...head, merges }
  })
  yield { book: heads, date1904: book.date1904 }
  const formats = new Map<string, number | null>()
  let fresh: string[] = []
  let cells = 0
  let bytes = 0
  const formatIndex = (code: string): number | null => {
    const known = formats.get(code)
    if (known !== undefined) return known
    if (formatShows(code) === null) {
      formats.set(code, null)
      return null
    }
    const index = [...formats.values()].filter(i => i !== null).length
    formats.set(code, index)
    fresh.push(code)
    return index
  }
  for (const [i, sheet] of book.sheets.entries()) {
    const notices = noticesOf()
    notices.sheet(sheet)
    yield { sheet: i }
    let rows: WireRow[] = []
    let size = 0
    for (const r of indexes(sheet.data, GRID.rows)) {
      const row: WireRow = [r + 1]
      let row_bytes = 8
      const raw = sheet.data[r] ?? []
      for (const c of indexes(raw, GRID.columns)) {
        const cell = raw[c]
        if (!holds(cell)) continue
        const value = wireValue(cell, formatIndex, format)
        if (value === null) continue
        notices.cell(sheet.name, r + 1, c, value)
        row.push(c, value)
        row_bytes += 12 + (typeof value === 'string' ? value.length * 2 : 8)
        cells++
      }
      if (row.length === 1) continue
      bytes += row_bytes
      size += row_bytes
      const tooMuch = beyond(cells, bytes, row_bytes, r + 1)
      if (tooMuch !== null) return yield { problem: tooMuch }
      rows.push(row)
      if (size < PIECE_BYTES) continue
      if (fresh.length > 0) yield { formats: fresh }
      yield { rows }
      fresh = []
      rows = []
      size = 0
    }
    if (fresh.length > 0) yield { formats: fresh }
    if (rows.length > 0) yield { rows }
    fresh = []
    yield { notices: notices.all() }
  }
  yield { end: true }
}

function beyond(cells: number, bytes: number, row_bytes: number, row: number): Problem | null {
  if (cells > LIMITS.cells) return { problem: 'too_many_cells', said: `over ${LIMITS.cells} cells` }
  if (bytes > LIMITS.text_bytes) return { problem: 'too_many_cells', said: 'too much text' }
  return row_bytes > LIMITS.row_bytes ? { problem: 'too_many_cells', said: `row ${row} alone has too much text` } : null
}

/** Returns the form in which a cell is sent; null if it is empty after all. */
function wireValue(
  cell: RawCell,
  formatIndex: (code: string) => number | null,
  format: (code: string, value: number) => string,
): WireValue | null {
  switch (cell.t) {
    case 'z':
      return { e: `=${cell.f ?? cell.F ?? ''}`, w: 1 }
    case 's':
      return typeof cell.v === 'string' && cell.v !== '' ? cell.v : null
    case 'b':
      return cell.v === true
    case 'e':
      return { e: ERRORS[Number(cell.v)] ?? '#ERROR' }
    case 'n':
    case 'd': {
      const value = Number(cell.v)
      if (!Number.isFinite(value)) return { e: '#NUM!' }
      const code = typeof cell.z === 'string' ? cell.z : 'General'
      const index = formatIndex(code)
      if (index !== null && value >= 0) return [value, index]
      if (!Number.isInteger(value) || value < 0 || !PADDED.test(code)) return value
      return { n: value, t: format(code, value) }
    }
    default:
      // The library passes on any type that a damaged file names.
      return { e: '#ERROR' }
  }
}

/** Collects and counts the notices about a sheet. The sheet is read all the same. */
function noticesOf() {
  const found = new Map<Notice['code'], Notice>()
  const add = (code: Notice['code'], sheet: string, first: string | null, detail: string): void => {
    const known = found.get(code)
    if (known === undefined) found.set(code, { code, sheet, count: 1, first, detail })
    else known.count++
  }
  return {
    sheet({ name, state, merges }: RawSheet): void {
      if (state !== 'visible') add('hidden_sheet', name, null, `The sheet “${name}” is hidden.`)
      const merged = `The sheet “${name}” has merged cells; only their top-left cell is read.`
      for (const merge of merges) add('merged_cells', name, placeOf(merge.first_row, merge.first_column), merged)
    },
    cell(name: string, row: number, column: number, value: WireValue): void {
      const place = () => placeOf(row, column)
      if (typeof value === 'number') {
        if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
          add('digits_lost', name, place(), `The sheet “${name}” has numbers too long to be exact.`)
        return
      }
      if (typeof value !== 'object' || !('e' in value)) return
      if (value.w === 1) add('formulas_without_value', name, place(), `The sheet “${name}” has formulas without a stored result.`)
      else add('error_values', name, place(), `The sheet “${name}” has cells that show an error.`)
    },
    all: (): Notice[] => [...found.values()],
  }
}
