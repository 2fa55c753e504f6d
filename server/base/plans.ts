// How a statement is written, so that PostgreSQL keeps its plan. It plans a prepared statement for the values of each call as long as that looks cheaper than one
// plan for any value, and planning takes longer than reading a page. What it can't estimate without the values makes it do so forever: it expects a tenth of
// the table for a limit that is a parameter, and ten rows for an array.
import { sql } from 'kysely'

export const PLANNED_PER_CALL = '/* planned for its values */'

/**
 * Begins a statement that PostgreSQL plans for its values, each time it is sent: for lists whose filter may select everything or nothing. Planning takes a
 * millisecond or two; a plan for any value may read a million rows to find none.
 */
export const plannedPerCall = sql.raw(PLANNED_PER_CALL)

type Part = ReturnType<typeof sql>
type Element = 'uuid' | 'text' | 'int'

/** Returns the condition that a column has one of these values. One value is compared as such, so that the plan is kept. */
export const among = (column: string, values: readonly (string | number)[], type: Element): Part =>
  values.length === 1
    ? sql`${sql.ref(column)} = ${values[0]}::${sql.raw(type)}`
    : sql`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`

/** The most values that are parameters of their own. */
const FEW = 3

/**
 * Returns the condition that a column has one of a few values, for a statement that nearly always has the same number of them. Each value is a parameter of its own, so
 * that their number is known without them and the plan is kept; more values than a few are an array.
 */
export const amongFew = (column: string, values: readonly string[], type: Element): Part =>
  values.length > FEW
    ? among(column, values, type)
    : sql`${sql.ref(column)} in (${sql.join(values.map(value => sql`${value}::${sql.raw(type)}`))})`

/** Returns the further condition that a column has one of these values; none if nothing is asked for. */
export const andAmong = (column: string, values: readonly (string | number)[] | undefined, type: Element): Part =>
  values === undefined ? sql`` : sql`and ${among(column, values, type)}`

/** Returns the further condition that a row was changed at or after an instant; none if nothing is asked for. */
export const andSince = (column: string, since: string | undefined): Part =>
  since === undefined ? sql`` : sql`and ${sql.ref(column)} >= ${since}::timestamptz`

/** The lengths of pages that the app and most callers ask for. Each is a statement of its own, therefore others remain parameters. */
const USUAL_LENGTHS = new Set([50, 100, 200, 500, 1000])

/** Returns a limit for a page of this length, and one row more, which shows whether there are more. A usual one is part of the text, so that the plan is kept. */
export const onePast = (length: number): Part => (USUAL_LENGTHS.has(length) ? sql.raw(String(length + 1)) : sql`${length + 1}`)
