// CSV as conventions §1 require it: RFC 4180, UTF-8 with a byte order mark, CRLF. A cell that a spreadsheet would run as a formula is neutralised.

/**
 * What makes a spreadsheet run a cell: = + - @ at its start, also behind blanks, invisible characters and quotes, which programs skip, and a tab or line
 * break there, which moves what follows into a cell of its own. Full-width and small forms (＝ ＋ － ＠) count, because programs fold them.
 */
const RUNS = /^[\s\p{Cf}"'`´‘’“”]*[=+\-@\t\r\n]/u

const runs = (text: string): boolean => RUNS.test(text.normalize('NFKC'))

/** The text of a cell without the apostrophe that `cellOf` put before it. */
export const plainCell = (cell: string): string => (cell.startsWith("'") && runs(cell.slice(1)) ? cell.slice(1) : cell)

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
