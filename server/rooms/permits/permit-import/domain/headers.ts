// Which row of a sheet is its header, and which column feeds which field (`permits-decisions.md` §6, Headers).
import { listed } from '../../../../../shared/text.ts'
import { invalid, type Refusal } from '../../../../base/errors.ts'
import type { Row } from '../../../../kernel/imports/domain/cells.ts'
import { shown } from '../../../../kernel/imports/domain/shown.ts'
import { type Field, type Format, usualHeader } from './formats.ts'

/** How many rows of a sheet are searched for a header. */
export const HEADER_WITHIN = 20

/** Header names of a site, by field: setting `import_headers` of a format. Names for unknown fields are ignored. */
export type SiteHeaders = { readonly [field: string]: readonly string[] | undefined }

/** A column that feeds a field: its position, from 0, and its header as written, without spaces at its ends. */
export type Mapped = { field: Field; column: number; header: string }
/** What a header row says; `passed_over` are columns whose field has another column with a more important header, `unknown` are headers that no field has. */
export type HeaderRow = { row: number; mapped: Mapped[]; passed_over: Mapped[]; unknown: string[]; found: string[] }
/** A field by header, and the position of the name in the field's list. */
export type HeaderNames = ReadonlyMap<string, { field: Field; rank: number }>

/** Returns the part of a header that is compared: no case, no white space, no `.`, `:` or `*` at the end. */
export const headerKey = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u200b\u2060\ufeff]+/g, '')
    .replace(/[.:*]+$/, '')

/** Returns the header names of a format with those of the site, which come first; a name that the site gives to one field belongs to no other. */
export function headerNames(format: Format, site: SiteHeaders = {}): HeaderNames {
  const names = new Map<string, { field: Field; rank: number }>()
  const add = (field: Field, list: readonly string[], from: number) => {
    for (const [i, header] of list.entries()) {
      const key = headerKey(header)
      if (key !== '' && !names.has(key)) names.set(key, { field, rank: from + i })
    }
  }
  for (const { field } of format.columns) add(field, own(site, field), 0)
  for (const { field, headers } of format.columns) add(field, headers, own(site, field).length)
  return names
}

const own = (site: SiteHeaders, field: Field): readonly string[] => (Object.hasOwn(site, field) ? (site[field] ?? []) : [])

/** Reads a row as a header. If several columns fit a field, the most important name counts, then the leftmost column. */
export function headersIn(row: Row, names: HeaderNames): HeaderRow {
  const best = new Map<Field, Mapped & { rank: number }>()
  const fitting: Mapped[] = []
  const found: string[] = []
  const unknown: string[] = []
  for (const cell of row.cells) {
    const header = shown(cell)?.trim() ?? ''
    if (header === '') continue
    found.push(header)
    const known = names.get(headerKey(header))
    if (known === undefined) {
      unknown.push(header)
      continue
    }
    const mapped = { field: known.field, column: cell.column, header }
    fitting.push(mapped)
    const other = best.get(known.field)
    if (other === undefined || known.rank < other.rank) best.set(known.field, { ...mapped, rank: known.rank })
  }
  const mapped = fitting.filter(one => best.get(one.field)?.column === one.column)
  return { row: row.number, mapped, passed_over: fitting.filter(one => !mapped.includes(one)), unknown, found }
}

/** Returns the fields that a format requires and a header row lacks. */
export const missingIn = (header: HeaderRow, format: Format): Field[] =>
  format.columns.filter(c => c.required && !header.mapped.some(m => m.field === c.field)).map(c => c.field)

/** A header row, and the sheet that it belongs to. */
export type Place = { sheet: number; header: HeaderRow }

/**
 * Looks for the header while rows are read: `look` returns true for the first row that has all required columns. For the refusal, `best` is the fullest row
 * with a permit number, and `nearest` the fullest of all.
 */
export function headerSearch(format: Format, names: HeaderNames) {
  let best: Place | null = null
  let nearest: Place | null = null
  const fuller = (header: HeaderRow, than: Place | null) => than === null || header.mapped.length > than.header.mapped.length
  return {
    look(sheet: number, row: Row): HeaderRow | null {
      if (row.number > HEADER_WITHIN) return null
      const header = headersIn(row, names)
      if (header.found.length === 0) return null
      const missing = missingIn(header, format)
      if (missing.length === 0) return header
      if (fuller(header, nearest)) nearest = { sheet, header }
      if (!missing.includes('permit_number') && fuller(header, best)) best = { sheet, header }
      return null
    },
    best: (): Place | null => best,
    nearest: (): Place | null => nearest,
  }
}

const HEADERS_SHOWN = 100

/** Returns a header, cut if it is too long for a message. */
export const shortHeader = (header: string): string => header.slice(0, 200).toWellFormed()

/** Refuses a file without a permit-number column: 422 with the missing fields, and the headers that the file has instead. */
export function noRegister(format: Format, nearest: Place | null): Refusal {
  const headers_found = (nearest?.header.found ?? []).slice(0, HEADERS_SHOWN).map(shortHeader)
  const missing_columns = nearest === null ? format.columns.filter(c => c.required).map(c => c.field) : missingIn(nearest.header, format)
  const wanted = listed(missing_columns.map(field => usualHeader(format, field)))
  const message =
    headers_found.length === 0
      ? `The first ${HEADER_WITHIN} rows of every sheet are empty. Add a header row with these columns: ${wanted}.`
      : `The first ${HEADER_WITHIN} rows of the sheets contain no column for the permit number. Add these columns: ${wanted}. The file has these headers: ${listed(headers_found)}.`
  return invalid([{ path: 'file', message }], { missing_columns, headers_found })
}
