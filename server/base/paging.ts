import { fieldsIn } from '../../shared/narrow.ts'
import { note } from './clean-text.ts'
import { type FieldFault, invalidField, refuse } from './errors.ts'
import { sha256 } from './ids.ts'

/** Where a page ended: the sort values of its last row. */
export type Cursor = (string | number | null)[]

const OTHER_LIST = 'isn’t a cursor of this list. Start again without a cursor.'

/** Writes a cursor as opaque text. */
export const writeCursor = (values: Cursor): string => Buffer.from(JSON.stringify(values)).toString('base64url')

/** Characters at the end of a cursor that say which list sent it. */
const MARK = 8
const markOf = (list: string, cursor: string): string => sha256(`${list} ${cursor}`).slice(0, MARK)

/** Writes a cursor as a list sends it: with a mark, so that one that was altered, or that another list sent, is found before it is read. */
export const markCursor = (list: string, cursor: string): string => cursor + markOf(list, cursor)

/** Replaces the cursor in the query of a list by the cursor without its mark; adds a fault if the mark is a different one. */
export function unmarkCursor(list: string, query: Record<string, unknown>, faults: FieldFault[]): void {
  const { cursor: text } = query
  if (typeof text !== 'string' || faults.some(({ path }) => path === 'cursor')) return
  const cursor = text.slice(0, -MARK)
  if (text === markCursor(list, cursor)) query.cursor = cursor
  else note(faults, { path: 'cursor', message: OTHER_LIST })
}

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
  return refuse(invalidField('cursor', OTHER_LIST))
}

/** Reads the cursor of a list whose rows are numbered: the number of the last row of the page before; undefined at the beginning. */
export function numberIn(cursor: unknown): number | undefined {
  const [last] = readCursor(typeof cursor === 'string' ? cursor : undefined, 1) ?? []
  if (last === undefined) return undefined
  return typeof last === 'number' && Number.isSafeInteger(last) && last >= 0 ? last : refuse(invalidField('cursor', OTHER_LIST))
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

/** Where the next page of a list begins that is made as a whole: after this many rows, of which the last one had this id or key (null if its rows have none). */
export type Position = { after: number; id: string | null }

/** The longest list that is made as a whole. */
const LONGEST = 100_000

/** Reads the cursor of a list that is made as a whole. */
export function positionIn(cursor: unknown): Position {
  const values = readCursor(typeof cursor === 'string' ? cursor : undefined, 2)
  if (values === null) return { after: 0, id: null }
  const [after, id] = values
  if (!Number.isInteger(after) || typeof after !== 'number' || after < 0 || after > LONGEST || typeof id === 'number')
    return refuse(invalidField('cursor', OTHER_LIST))
  return { after, id: id ?? null }
}

/**
 * Cuts a page out of a list that was made as a whole, or at least up to the end of the page (`more`: the list goes on): it begins after the row with which the
 * last page ended, wherever that row is by now.
 */
export function slice<T>(rows: readonly T[], { after, id }: Position, limit: number, more = false): { rows: T[]; next: string | null } {
  const idOf = (row: T | undefined): string | null => {
    const { id: own, key = own } = fieldsIn(row)
    return typeof key === 'string' ? key : null
  }
  const there = id === null || idOf(rows[after - 1]) === id ? after - 1 : rows.findIndex(row => idOf(row) === id)
  // If that row is no longer there, the rows after it have moved up by one.
  const start = there === -1 && id !== null ? Math.max(0, after - 1) : there + 1
  const end = start + limit
  const shown = rows.slice(start, end)
  const goes_on = rows.length > end || (more && shown.length > 0)
  return { rows: shown, next: goes_on ? writeCursor([start + shown.length, idOf(shown.at(-1))]) : null }
}
