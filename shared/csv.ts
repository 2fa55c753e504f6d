// CSV as conventions §1 want it: RFC 4180, UTF-8 with a byte order mark, CRLF; a cell that a spreadsheet would run is neutralised.

const RUNS = /^[=+\-@\t]/

/** One cell: quoted where it must be, and with a leading apostrophe where a spreadsheet would take it for a formula. */
export function cellOf(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && RUNS.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row, without its line end. */
export const csvRow = (row: readonly (string | number | boolean | null | undefined)[]): string => row.map(cellOf).join(',')

/** A whole file from a header and rows. */
export const csvOf = (header: readonly string[], rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): string =>
  `\ufeff${[header, ...rows].map(row => `${csvRow(row)}\r\n`).join('')}`
