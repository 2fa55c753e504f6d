// How values of the database are read: instants, whole numbers, days, and lists of texts. Everything else as `pg` reads it.
import pg from 'pg'
import { readInstant } from '../../shared/time.ts'

const { builtins } = pg.types

/**
 * Instants as the database writes them, and converted. A board that is read again has the same seven hundred in each of its pages, and to put one together takes five
 * strings: a third of all memory that outlived a page was this.
 */
const instants = new Map<string, string>()
const INSTANTS_KEPT = 20_000

function instantOf(text: string): string {
  const known = instants.get(text)
  if (known !== undefined) return known
  if (instants.size >= INSTANTS_KEPT) instants.clear()
  const made = convertedInstant(text)
  instants.set(text, made)
  return made
}

/** Converts `2026-03-29 00:30:00.5+00` to `2026-03-29T00:30:00.500Z`. Sessions run in UTC, so nothing needs to be computed. */
function convertedInstant(text: string): string {
  if (text.length === 22 && text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`
  const dot = text.indexOf('.')
  if (dot !== 19 || !text.endsWith('+00')) return readInstant(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')) ?? text
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${`${text.slice(20, -3)}00`.slice(0, 3)}Z`
}

/** The types text[] and uuid[]. */
const TEXTS: number = 1009
const UUIDS: number = 2951
/** An array without quotes, escapes or inner arrays. */
const PLAIN_ARRAY = /^\{[^"\\{}]*\}$/
const quotedArray = pg.types.getTypeParser(TEXTS)

/** Reads an array of texts. Almost all are lists of ids or codes, for which the parser for every kind of array takes as long as for the rest of their row. */
function textsOf(text: string): (string | null)[] {
  if (text === '{}') return []
  if (!PLAIN_ARRAY.test(text)) return quotedArray(text)
  const texts = text.slice(1, -1).split(',')
  return text.includes('NULL') ? texts.map(one => (one === 'NULL' ? null : one)) : texts
}

function countOf(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`The number ${text} is beyond 2^53.`)
  return value
}

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, countOf],
  [builtins.DATE, text => text],
  [builtins.TIMESTAMPTZ, instantOf],
  [builtins.INTERVAL, text => text],
  [builtins.TIME, text => text],
  [603, text => text], // box
  [TEXTS, textsOf],
  [UUIDS, textsOf],
  [1182, textsOf], // date[]
  [1185, text => textsOf(text).map(one => (one === null ? null : instantOf(one)))], // timestamptz[]
])

/** How columns are read. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'], // pg's overloads tie the format to the result
}
