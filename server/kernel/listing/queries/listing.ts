// Lists of a table as data: the order, the filters and the search make the query schema, the SQL, the pages and the count. A list that needs a join, or
// a place on the map, is written by hand.
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { PAGE, readCursor, writeCursor } from '../../../base/paging.ts'
import type { ColumnName, Row, TableName } from '../../../base/rows.ts'
import { flag, id, instant, list, object, oneOf, onSite, optional, paging, type TSchema, text } from '../../../base/schema.ts'
import { keysOf } from '../domain.ts'
import { type Condition, countRows, readPage, readRows } from './pages.ts'
import { mentions } from './search.ts'

/** A filter of a list: the schema of its query parameter, and the condition for a value of it on a column. */
export type Filter = {
  schema: TSchema
  column?: string
  where(column: Condition, value: unknown, ctx: Ctx): Condition | Promise<Condition>
}

const filter = (schema: TSchema, where: Filter['where'], column?: string): Filter => ({
  schema: optional(schema),
  where,
  ...(column === undefined ? {} : { column }),
})

/** Filters by what a column contains. Its name is that of its column, unless another column is given. */
export const filters = {
  /** One of these records. */
  among: (description: string, max = 200): Filter =>
    filter(list(id(description), description, { max }), (column, ids) => sql`${column} = any(${ids}::uuid[])`),
  /** One of these values. */
  oneOf: (values: readonly string[], description: string): Filter =>
    filter(
      list(oneOf(values, description), description, { max: values.length }),
      (column, chosen) => sql`${column} = any(${chosen}::text[])`,
    ),
  /** Whether a flag is set. */
  flag: (description: string): Filter => filter(flag(description), (column, wanted) => sql`${column} = ${wanted}`),
  /** Whether a column has a value: `revoked: filters.present('revoked_at', …)`. */
  present: (column: string, description: string): Filter =>
    filter(flag(description), (of, wanted) => sql`(${of} is not null) = ${wanted}`, column),
  /** At or after an instant, on another column than the name says: `from: filters.since('end_at', …)`. */
  since: (column: string, description: string): Filter =>
    filter(instant(description), (of, at) => sql`${of} >= ${at}::timestamptz`, column),
  /** Before an instant: `to: filters.before('start_at', …)`. */
  before: (column: string, description: string): Filter =>
    filter(instant(description), (of, at) => sql`${of} < ${at}::timestamptz`, column),
}

/** What a list of a table is. */
export type GivenListing<T extends TableName> = {
  /** Order by columns (see `keysOf`). The route's description must state it. */
  order: readonly string[]
  /** Filters in addition to `id` and `updated_since`, by the name of their query parameter. */
  filters?: Readonly<Record<string, Filter>>
  /** Columns in which `q` looks for text, whatever their case and accents. */
  search?: readonly ColumnName<T>[]
  /** Which rows the caller can see, if not all of the site. */
  sees?(ctx: Ctx, site_id: Id): Promise<Condition | null> | Condition | null
  /** Whether `site_id` is in the query (paths outside `/sites/:site_id`). */
  site_in_query?: boolean
}

/** A page of a list. `total` is null if the list is too long to be counted. */
export type ListPage<T extends TableName> = { rows: Row<T>[]; next: string | null; total: number | null }

/** A list of a table. */
export type Listing<T extends TableName> = {
  /** Query parameters, for the route. */
  query: ReturnType<typeof object>
  /** Reads a page. `query` has been checked against the schema. */
  page(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<ListPage<T>>
  /** Returns the conditions of a query, for a statement of its own over the same rows, called `t`. */
  where(ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<Condition[]>
  /** Reads all rows that meet further conditions, in an order of its own, or in any; one more than `most` if there are more. `from`: a query with the same columns, instead of the table. */
  whole(
    ctx: Ctx,
    site_id: Id,
    query: Record<string, unknown>,
    and: { also: readonly Condition[]; order?: readonly string[]; most: number; from?: Condition },
  ): Promise<Row<T>[]>
}

/** Makes the list of a table. */
export function listing<T extends TableName>(table: T, given: GivenListing<T>): Listing<T> {
  const keys = keysOf(given.order)
  const all: Record<string, Filter> = {
    id: filters.among('Ids', 500),
    updated_since: filters.since('updated_at', 'Earliest time of the last change'),
    ...given.filters,
  }
  const search = given.search ?? []
  const texts = search.map(column => sql`t.${sql.ref(column)}`)
  const conditions = async (ctx: Ctx, site_id: Id, query: Record<string, unknown>): Promise<Condition[]> => {
    const seen = (await given.sees?.(ctx, site_id)) ?? null
    const filtered = Object.entries(all).flatMap(
      ([name, one]) => (query[name] === undefined ? [] : [one.where(sql`t.${sql.ref(one.column ?? name)}`, query[name], ctx)]), // checked by the schema
    )
    return [
      ...(seen === null ? [] : [seen]),
      ...(await Promise.all(filtered)),
      ...(typeof query.q === 'string' && search.length > 0 ? [mentions(texts, query.q)] : []),
    ]
  }
  const rowOf = (row: Record<string, unknown>) => row as Row<T> // every column of the table
  return {
    query: object({
      ...(given.site_in_query ? onSite : {}),
      ...Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.schema])),
      ...(search.length === 0 ? {} : { q: optional(text(`Text to search for in ${search.join(', ')}`, { max: 200, example: 'north' })) }),
      ...paging,
    }),
    where: conditions,
    async page(ctx, site_id, query) {
      const where = await conditions(ctx, site_id, query)
      const limit = typeof query.limit === 'number' ? query.limit : PAGE
      const after = readCursor(typeof query.cursor === 'string' ? query.cursor : undefined, keys.length)
      const [read, counted] = await Promise.all([
        readPage(ctx.db, table, site_id, where, keys, { limit, after }),
        countRows(ctx.db, table, site_id, where),
      ])
      const kept = read.slice(0, limit)
      const last = kept.at(-1)
      return {
        rows: kept.map(({ row }) => rowOf(row)),
        next: read.length > limit && last !== undefined ? writeCursor(last.keys) : null,
        total: counted,
      }
    },
    async whole(ctx, site_id, query, { also, order, most, from }) {
      const where = [...(await conditions(ctx, site_id, query)), ...also]
      return (await readRows(ctx.db, from ?? table, site_id, where, order === undefined ? [] : keysOf(order), most)).map(rowOf)
    },
  }
}
