// Values of rows as the database takes them: those of JSON columns as text.
import type { Insertable, Updateable } from 'kysely'
import { jsonb } from './db.ts'
import type { NewRow, TableName } from './rows.ts'
import { JSON_COLUMNS, type Tables } from './tables.gen.ts'

/** Returns values of a table’s columns as the database takes them. */
export function columnsOf(table: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const json = JSON_COLUMNS[table] ?? []
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, json.includes(column) && value != null ? jsonb(value) : value]),
  )
}

/** Returns a new row as the database takes it. */
export const newColumns = <T extends TableName>(table: T, row: NewRow<T>) => columnsOf(table, row) as Insertable<Tables[T]> // the same columns

/** Returns changes of a row as the database takes them. */
export const setColumns = <T extends TableName>(table: T, set: Partial<NewRow<T>>) => columnsOf(table, set) as Updateable<Tables[T]> // the same columns
