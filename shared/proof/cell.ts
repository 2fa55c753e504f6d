// Cells of a CSV that a spreadsheet would run as a formula. The public verify page loads this folder alone, so this is here and not in `shared/csv.ts`.

/**
 * What makes a spreadsheet run a cell: = + - @ at its start, even after blanks, invisible characters and quotes, which programs skip, and a tab or
 * line break there, which moves what follows into a cell of its own. Full-width and small forms (＝ ＋ － ＠) count, because programs fold them.
 */
const RUNS = /^[\s\p{Cf}"'`´‘’“”]*[=+\-@\t\r\n]/u

/** Returns whether a spreadsheet would run a cell with this text as a formula. */
export const runs = (text: string): boolean => RUNS.test(text.normalize('NFKC'))

/** Returns the text of a cell without the apostrophe that `cellOf` put before it. */
export const plainCell = (cell: string): string => (cell.startsWith("'") && runs(cell.slice(1)) ? cell.slice(1) : cell)
