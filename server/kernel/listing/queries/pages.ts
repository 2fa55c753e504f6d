import type { RawBuilder } from 'kysely'
import { at } from '../../../../shared/narrow.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { onePast } from '../../../base/plans.ts'
import { beyond, type Key } from '../domain.ts'

/** A condition in SQL. */
export type Condition = RawBuilder<unknown>

const expression = (key: Key) => sql.raw(key.by.startsWith('lower(') ? key.by.replace('(', '(t.') : `t.${key.by}`)

/** Writes the order of a list. */
const orderBy = (keys: readonly Key[]) =>
  sql.join(
    keys.map(
      key => sql`${expression(key)} ${sql.raw(key.descending ? 'desc' : 'asc')}${sql.raw(key.nulls === null ? '' : ` nulls ${key.nulls}`)}`,
    ),
  )

/** Writes the condition of a following page: one comparison of rows where the index can answer it, otherwise key by key. */
function after(keys: readonly Key[], last: readonly (string | number | null)[]): Condition {
  const [first] = keys
  const plain = keys.every(key => key.nulls === null && key.descending === first?.descending)
  if (plain && first !== undefined)
    return sql`(${sql.join(keys.map(expression))}) ${sql.raw(first.descending ? '<' : '>')} (${sql.join(last.map(value => sql`${value}`))})`
  const ways = beyond(keys, last).map(({ equal, key, how }) => {
    const of = (i: number) => expression(at(keys, i))
    const value = sql`${last[key]}`
    const past =
      how === 'is not null'
        ? sql`${of(key)} ${sql.raw(how)}`
        : how.endsWith('or null')
          ? sql`(${of(key)} ${sql.raw(how.startsWith('less') ? '<' : '>')} ${value} or ${of(key)} is null)`
          : sql`${of(key)} ${sql.raw(how === 'less' ? '<' : '>')} ${value}`
    return sql`(${sql.join([...equal.map(i => sql`${of(i)} is not distinct from ${last[i]}`), past], sql` and `)})`
  })
  return ways.length === 0 ? sql`false` : sql`(${sql.join(ways, sql` or `)})`
}

/** Counting a thousand rows takes a millisecond; more than that takes longer than the page itself. */
const COUNTED = 1000
/** How many rows of a list are read to count it: one more than are counted. */
export const UNTIL_COUNTED: Condition = sql.raw(String(COUNTED + 1))

/** The statement that reads rows of a table, or of a query with the same columns, in the order of keys, or in any without keys; `also`: further columns. */
const reading = (
  table: string | Condition,
  site_id: Id,
  where: readonly Condition[],
  keys: readonly Key[],
  most: number,
  also: Condition = sql``,
) => sql<Record<string, unknown>>`
    select t.*${also} from ${typeof table === 'string' ? sql.table(table) : table} t where ${sql.join([sql`t.site_id = ${site_id}`, ...where], sql` and `)} ${keys.length === 0 ? sql`` : sql`order by ${orderBy(keys)}`} limit ${onePast(most)}`

/** Reads all rows of a table, or of a query with the same columns; one more than `most` if there are more. */
export async function readRows(
  db: Db,
  table: string | Condition,
  site_id: Id,
  where: readonly Condition[],
  keys: readonly Key[],
  most: number,
): Promise<Record<string, unknown>[]> {
  return (await reading(table, site_id, where, keys, most).execute(db)).rows
}

const keyOf = (value: unknown): string | number | null => (typeof value === 'number' ? value : value === null ? null : String(value))

/** Reads a page of a table: the rows, one more than asked for if there are more, each with its keys as `keys`. */
export async function readPage(
  db: Db,
  table: string,
  site_id: Id,
  where: readonly Condition[],
  keys: readonly Key[],
  page: { limit: number; after: readonly (string | number | null)[] | null },
): Promise<{ row: Record<string, unknown>; keys: (string | number | null)[] }[]> {
  const names = keys.map((_, i) => `key_${i}`)
  const named = keys.map((key, i) => sql`, ${expression(key)} as ${sql.ref(at(names, i))}`)
  const conditions = page.after === null ? where : [...where, after(keys, page.after)]
  const { rows } = await reading(table, site_id, conditions, keys, page.limit, sql.join(named, sql``)).execute(db)
  const own = Object.keys(rows[0] ?? {}).filter(name => !names.includes(name))
  return rows.map(found => ({
    row: Object.fromEntries(own.map(name => [name, found[name]])),
    keys: names.map(name => keyOf(found[name])),
  }))
}

/**
 * A count inside a statement, of the rows that `from` (`permit p where …`) selects; `countShown` reads it. `order` is that of the list: it makes PostgreSQL count
 * along the index of the list. Without it, it reads the table from anywhere, which takes seconds where a small site shares it with a large one.
 */
export const countIn = (from: Condition, order: Condition): Condition =>
  sql`(select count(*) from (select 1 from ${from} ${order} limit ${UNTIL_COUNTED}) s)`

/** Returns a count as a header shows it; null if there are more than a header needs. */
export const countShown = (n: number): number | null => (n > COUNTED ? null : n)

/** Counts the rows that `from` selects; null if there are more than a header needs. */
export async function countUpTo(db: Db, from: Condition, order: Condition = sql``): Promise<number | null> {
  const { rows } = await sql<{ n: number }>`select ${countIn(from, order)} as n`.execute(db)
  return countShown(rows[0]?.n ?? 0)
}

/** Counts the rows of a list; null if there are more than a header needs. */
export const countRows = (db: Db, table: string, site_id: Id, where: readonly Condition[]): Promise<number | null> =>
  countUpTo(db, sql`${sql.table(table)} t where ${sql.join([sql`t.site_id = ${site_id}`, ...where], sql` and `)}`)
