// How the reading process sends a workbook: JSON lines, each small enough that handling one blocks nothing.
import { type Cell, formatShows, type Notice, type Row, type SheetHead, wallOfSerial } from './cells.ts'
import type { Problem } from './refusals.ts'

/** A value as it is sent: text, number, boolean; `[serial, format]` for a date; `{n, t}` for a number with its own text; `{e, w}` for an error. */
export type WireValue = string | number | boolean | [number, number] | { n: number; t: string } | { e: string; w?: 1 }
/** A row as it is sent: its number, then column and value in turn. */
export type WireRow = (number | WireValue)[]
/** A line. `formats` are added to the earlier ones; `rows` belong to the sheet that was named last. */
export type Line =
  | { book: SheetHead[]; date1904: boolean }
  | { formats: string[] }
  | { sheet: number }
  | { rows: WireRow[] }
  | { notices: Notice[] }
  | { end: true }
  | { problem: Problem }

/** A piece of a workbook as it arrives: first the list of sheets, then for each sheet its rows in order and its notices. */
export type Piece =
  | { kind: 'book'; sheets: SheetHead[]; date1904: boolean }
  | { kind: 'rows'; sheet: number; rows: Row[] }
  | { kind: 'sheet_end'; sheet: number; notices: Notice[] }
  | { kind: 'end' }
  | { kind: 'problem'; problem: Problem }

/** Reads lines in their order; returns null for a line that only prepares for the next ones. */
export function decoding(): (line: Line) => Piece | null {
  const formats: { format: string; shows: 'date' | 'time' | 'both' }[] = []
  let sheet = 0
  let date1904 = false
  const cellOf = (column: number, value: WireValue): Cell => {
    if (typeof value === 'string') return { column, kind: 'text', text: value }
    if (typeof value === 'number') return { column, kind: 'number', value, text: null }
    if (typeof value === 'boolean') return { column, kind: 'boolean', value }
    if (Array.isArray(value)) {
      const [serial, index] = value
      const wall = wallOfSerial(serial, date1904)
      const format = formats[index]
      if (wall === null || format === undefined) return { column, kind: 'number', value: serial, text: null }
      return { column, kind: 'date', ...wall, serial, shows: format.shows, format: format.format }
    }
    if ('n' in value) return { column, kind: 'number', value: value.n, text: value.t }
    return { column, kind: 'error', text: value.e, why: value.w === 1 ? 'no_stored_value' : 'error_value' }
  }
  return line => {
    if ('book' in line) {
      date1904 = line.date1904
      return { kind: 'book', sheets: line.book, date1904 }
    }
    if ('formats' in line) {
      for (const format of line.formats) formats.push({ format, shows: formatShows(format) ?? 'both' })
      return null
    }
    if ('sheet' in line) {
      sheet = line.sheet
      return null
    }
    if ('rows' in line) return { kind: 'rows', sheet, rows: line.rows.map(row => rowOf(row, cellOf)) }
    if ('notices' in line) return { kind: 'sheet_end', sheet, notices: line.notices }
    if ('end' in line) return { kind: 'end' }
    return { kind: 'problem', problem: line.problem }
  }
}

function rowOf(wire: WireRow, cellOf: (column: number, value: WireValue) => Cell): Row {
  const cells: Cell[] = []
  // The walk over the sheets writes a column number before each value.
  for (let i = 1; i < wire.length; i += 2) {
    const [column, value] = [wire[i], wire[i + 1]]
    if (typeof column === 'number' && value !== undefined) cells.push(cellOf(column, value))
  }
  return { number: Number(wire[0]), cells }
}
