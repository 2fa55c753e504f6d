// CSV as conventions §1 require it: RFC 4180, UTF-8 with a byte order mark, CRLF. A cell that a spreadsheet would run as a formula is neutralised.

import { runs } from './proof/cell.ts'

/** Returns one cell: quoted where necessary, and with a leading apostrophe where a spreadsheet would take it for a formula. */
export function cellOf(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && runs(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a row without its line end. */
export const csvRow = (row: readonly (string | number | boolean | null | undefined)[]): string => row.map(cellOf).join(',')

/** Returns a whole file from a header and rows. */
export const csvOf = (header: readonly string[], rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string =>
  `\ufeff${[header, ...rows].map(row => `${csvRow(row)}\r\n`).join('')}`
