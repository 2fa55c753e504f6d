// The types of rows, made from the generated tables, so that a renamed column doesn't compile.
import type { Insertable, Selectable } from 'kysely'
import type { JsonColumns } from './json-columns.ts'
import type { Tables } from './tables.gen.ts'

/** Name of a table. */
export type TableName = keyof Tables & string

/** Name of a column of a table. */
export type ColumnName<T extends TableName> = keyof Tables[T] & string

/** A row of a table as it is read: instants and dates as text, JSON columns with their content. */
export type Row<T extends TableName> = Selectable<Tables[T]>

type Given<T extends TableName, C, Otherwise> = `${T}.${C & string}` extends infer K
  ? K extends keyof JsonColumns
    ? JsonColumns[K]
    : Otherwise
  : never

/** What is written for a new row. The stamps are left out, because the record trigger writes them; JSON columns are given as values. */
export type NewRow<T extends TableName> = { [C in keyof Insertable<Tables[T]>]: Given<T, C, Insertable<Tables[T]>[C]> }
