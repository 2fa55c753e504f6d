import { invalidField, refuse } from './errors.ts'

/** Where a page ended: the sort values of its last row. */
export type Cursor = (string | number | null)[]

/** Writes a cursor as opaque text. */
export const writeCursor = (values: Cursor): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** Reads a cursor with this many values; null at the beginning of a list. Any other text is refused. */
export function readCursor(text: string | undefined, length: number): Cursor | null {
  if (text === undefined) return null
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (
      Array.isArray(values) &&
      values.length === length &&
      values.every(v => v === null || typeof v === 'string' || typeof v === 'number')
    )
      return values
  } catch {
    // falls through to the refusal
  }
  return refuse(invalidField('cursor', 'isn’t a cursor of this list. Start again without a cursor.'))
}

/** Rows of a page unless the caller asks for another number (conventions §1, Lists). */
export const PAGE = 200

/** Cuts the rows (one more than the page was read) to the page, and returns where the next page begins. */
export function cut<T>(rows: T[], limit: number, keyOf: (row: T) => Cursor): { rows: T[]; next: string | null } {
  if (rows.length <= limit) return { rows, next: null }
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  return { rows: kept, next: last === undefined ? null : writeCursor(keyOf(last)) }
}
