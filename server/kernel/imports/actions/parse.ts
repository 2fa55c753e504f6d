// The only file that uses the spreadsheet library. It runs in the reading process only, because the library can loop and use any amount of memory on
// damaged files.
import * as XLSX from '@e965/xlsx'
import { saidOf } from '../../../base/zip.ts'
import { LIMITS, type Merge, type SheetHead } from '../domain/cells.ts'
import type { Container, Extension, Problem } from '../domain/refusals.ts'
import { guarded, type Parts } from './guard.ts'

/** A cell as the library returns it. `z` is its number format. */
export type RawCell = { t: 'n' | 's' | 'b' | 'e' | 'd' | 'z'; v?: unknown; f?: string; F?: string; z?: string | number }
/** A sheet as the library returns it: rows and cells by index, with gaps. */
export type RawSheet = SheetHead & { data: (RawCell | undefined)[][] }
/** A workbook as the library returns it. */
export type RawBook = { date1904: boolean; sheets: RawSheet[] }

/** The name of a stream in the form that the directory of a compound file uses. */
const STREAM = (name: string) => Buffer.from(name, 'utf16le')

type Parsed = Pick<XLSX.WorkBook, 'SheetNames' | 'Workbook'> & { Sheets: Record<string, LibrarySheet | undefined> }
type LibrarySheet = { '!data'?: RawCell[][]; '!merges'?: XLSX.Range[]; '!type'?: string }
type Options = XLSX.ParsingOptions & { cellHTML: boolean }

// `cellDates: true` would turn durations into dates; texts are made when they are needed.
const OPTIONS: Options = { type: 'buffer', dense: true, cellDates: false, cellNF: true, cellText: false, cellHTML: false }

/** Reads a workbook, or returns what is wrong with it. `promised` is the type that its name promises. */
export async function parsed(packed: Buffer, container: Container, promised: Extension): Promise<RawBook | Problem> {
  if (container === 'ole') return promised === 'xls' ? oleBook(packed) : oleUnderZipName(packed)
  const parts = await guarded(packed)
  return parts instanceof Map ? zipBook(parts) : parts
}

declare module '@e965/xlsx' {
  /** Reads a package that is already unpacked; it is exported, but not in the library's types. */
  export function parse_zip(container: unknown, options: Options): Parsed
}

function zipBook(parts: Parts): RawBook | Problem {
  let formulas = false
  for (const [name, part] of parts) {
    if (!part.includes('sheetData')) continue
    if (lastRowWithValue(part) > LIMITS.rows) return { problem: 'too_many_rows', said: sheetFile(name) }
    formulas ||= ['<f>', '<f ', '<f/', ':f>', ':f '].some(tag => part.includes(tag))
  }
  const container = XLSX.CFB.utils.cfb_new({ fileType: 'zip' })
  for (const [name, part] of parts) XLSX.CFB.utils.cfb_add(container, name, withWholeCharacters(part), { unsafe: true })
  // Stubs show formulas without a stored value, which are otherwise left out; the row limit bounds the number of stubs that styled empty cells can make. Both
  // cost a fifth of the time, so a workbook without formulas is read without them.
  return attempt(() =>
    XLSX.parse_zip(container, formulas ? { ...OPTIONS, sheetStubs: true, sheetRows: LIMITS.rows } : { ...OPTIONS, cellFormula: false }),
  )
}

/**
 * Returns a part with characters beyond U+FFFF written out, because the library cuts `&#x20000;` down to its last 16 bits, which gives another
 * character (here U+0000).
 */
function withWholeCharacters(part: Buffer): Buffer {
  if (!part.includes('&#') || part[0] === 0xff || part[0] === 0xfe) return part
  const text = part.toString('latin1').replace(/&#(x[0-9a-f]{5,8}|\d{5,8});/gi, (written, number: string) => {
    const code = Number(number.toLowerCase().startsWith('x') ? `0${number.toLowerCase()}` : number)
    return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : written
  })
  return Buffer.from(text, 'latin1')
}

const sheetFile = (name: string) => name.slice(name.lastIndexOf('/') + 1)

async function oleBook(packed: Buffer): Promise<RawBook | Problem> {
  // BIFF5 stores its text in a code page, and its stream has another name. The tables take longer to load than most workbooks to read.
  if (!packed.includes(STREAM('Workbook'))) XLSX.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  const book = attempt(() => XLSX.read(packed, OPTIONS))
  if ('problem' in book) return isEncrypted(packed) ? { problem: 'encrypted' } : book
  const long = book.sheets.find(sheet => sheet.row_count > LIMITS.rows)
  return long === undefined ? book : { problem: 'too_many_rows', said: long.name }
}

/** Returns the problem of a compound file that is called .xlsx: a workbook with a password, or an old one with a new name. */
const oleUnderZipName = (packed: Buffer): Problem =>
  isEncrypted(packed) ? { problem: 'encrypted' } : { problem: 'wrong_extension', said: '.xls' }

const isEncrypted = (packed: Buffer) => packed.includes(STREAM('EncryptedPackage')) || packed.includes(STREAM('EncryptionInfo'))

function attempt(read: () => Parsed): RawBook | Problem {
  let book: Parsed
  try {
    book = read()
  } catch (error) {
    const said = saidOf(error)
    if (/password|encrypt/i.test(said)) return { problem: 'encrypted' }
    // The library reports missing streams if this is a compound file of another program.
    if (/Cannot find Workbook stream|Could not find workbook/i.test(said)) return { problem: 'other_document', said: 'no workbook inside' }
    return { problem: 'damaged', said }
  }
  return sheetsOf(book)
}

const STATES = ['visible', 'hidden', 'very_hidden'] as const

function sheetsOf(book: Parsed): RawBook | Problem {
  const names = book.SheetNames ?? []
  if (names.length === 0) return { problem: 'damaged', said: 'it has no sheets' }
  if (new Set(names).size < names.length) return { problem: 'damaged', said: 'two of its sheets have the same name' }
  const sheets: RawSheet[] = []
  for (const [i, name] of names.entries()) {
    const sheet = book.Sheets[name]
    // The library hides errors within a sheet and leaves the sheet out. That counts as a failed read, not as an empty sheet.
    if (sheet === undefined) return { problem: 'damaged', said: `its sheet “${name.slice(0, 60)}” can’t be read` }
    if (sheet['!type'] === 'chart') continue
    const data = sheet['!data'] ?? []
    const merges = (sheet['!merges'] ?? []).filter(range => range.s !== undefined && range.e !== undefined).map(mergeOf)
    sheets.push({ name, state: STATES[book.Workbook?.Sheets?.[i]?.Hidden ?? 0] ?? 'visible', row_count: rowCount(data), merges, data })
  }
  return { date1904: book.Workbook?.WBProps?.date1904 === true, sheets }
}

const mergeOf = ({ s, e }: XLSX.Range): Merge => ({ first_row: s.r + 1, last_row: e.r + 1, first_column: s.c, last_column: e.c })

/** Returns the indexes that a sparse list has, in order: a damaged file may place a row at four billion. */
export const indexes = (list: readonly unknown[], below: number): number[] => {
  const found: number[] = []
  for (const key of Object.keys(list)) {
    const index = Number(key)
    if (index >= below) break
    if (list[index] != null) found.push(index)
  }
  return found
}

/** Maximum number of rows and columns of a sheet. */
export const GRID = { rows: 1_048_576, columns: 16_384 } as const

/** Returns whether a cell has content. */
export const holds = (cell: RawCell | undefined): cell is RawCell =>
  cell !== undefined && (cell.t !== 'z' || cell.f !== undefined || cell.F !== undefined)

function rowCount(data: RawSheet['data']): number {
  const rows = indexes(data, GRID.rows)
  for (let i = rows.length - 1; i >= 0; i--) {
    const index = rows[i] ?? 0
    if (data[index]?.some(cell => holds(cell) && cell.v !== '')) return index + 1
  }
  return 0
}

/**
 * Returns the number of the last row in a sheet's XML that has a value, because the library stops reading at its limit without saying so. Rows without
 * a number are counted.
 */
export function lastRowWithValue(xml: Buffer): number {
  const end = xml.lastIndexOf('sheetData>')
  const values = ['<v>', ':v>', '<is>', ':is>', '<f>', '<f '].map(tag => xml.lastIndexOf(tag, end))
  const value = Math.max(...values)
  if (value < 0) return 0
  const row = Math.max(...['<row ', '<row>', ':row ', ':row>'].map(tag => xml.lastIndexOf(tag, value)))
  if (row < 0) return 0
  const tag = xml.toString('latin1', row, Math.min(row + 400, xml.length)).split('>')[0] ?? ''
  const number = /\sr=["'](\d+)["']/.exec(tag)?.[1]
  return number !== undefined ? Number(number) : (xml.toString('latin1', 0, value).match(/<(\w+:)?row[ >]/g)?.length ?? 0)
}
