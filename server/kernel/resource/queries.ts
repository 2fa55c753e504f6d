import { columnsOf } from '../../base/columns.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Row, TableName } from '../../base/rows.ts'

/** Writes a row. */
export async function insertRow(db: Db, table: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  const pairs = Object.entries(columnsOf(table, values))
  await sql`insert into ${sql.table(table)} (${sql.join(pairs.map(([column]) => sql.ref(column)))})
    values (${sql.join(pairs.map(([, value]) => sql`${value}`))})`.execute(db)
}

/** Changes columns of a row. */
export async function updateRow(db: Db, table: string, site_id: Id, id: Id, values: Readonly<Record<string, unknown>>): Promise<void> {
  const pairs = Object.entries(columnsOf(table, values))
  await sql`update ${sql.table(table)} set ${sql.join(pairs.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where site_id = ${site_id} and id = ${id}`.execute(db)
}

/** Writes several rows in one statement; each has the same columns. */
export async function insertRows(db: Db, table: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(Object.keys(first).map(column => sql.ref(column)))
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${jsonb(rows)}::jsonb)`.execute(
    db,
  )
}

/** Changes the same columns of several rows of a site in one statement; each row has its id. */
export async function updateRows(
  db: Db,
  table: string,
  site_id: Id,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return
  const set = sql.join(columns.map(column => sql`${sql.ref(column)} = r.${sql.ref(column)}`))
  await sql`update ${sql.table(table)} t set ${set} from jsonb_populate_recordset(null::${sql.table(table)}, ${jsonb(rows)}::jsonb) r
    where t.site_id = ${site_id} and t.id = r.id`.execute(db)
}

async function rowsOf<T extends TableName>(db: Db, table: T, site_id: Id, ids: readonly Id[], lock: boolean): Promise<Row<T>[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} t where t.site_id = ${site_id} and t.id = any(${ids}::uuid[]) order by t.id
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows
}

/** Returns rows by their ids, in the order of their ids. */
export const readRows = <T extends TableName>(db: Db, table: T, site_id: Id, ids: readonly Id[]): Promise<Row<T>[]> =>
  rowsOf(db, table, site_id, ids, false)

/** Returns rows by their ids, in the order of their ids, locked for a write. */
export const lockRows = <T extends TableName>(db: Db, table: T, site_id: Id, ids: readonly Id[]): Promise<Row<T>[]> =>
  rowsOf(db, table, site_id, ids, true)

/** Gives a row a new version without changing it, because something that belongs to it has changed. */
export async function touchRow(db: Db, table: string, site_id: Id, id: Id): Promise<void> {
  await sql`update ${sql.table(table)} set id = id where site_id = ${site_id} and id = ${id}`.execute(db)
}

/** Deletes a row. */
export async function deleteRow(db: Db, table: string, site_id: Id, id: Id): Promise<void> {
  await sql`delete from ${sql.table(table)} where site_id = ${site_id} and id = ${id}`.execute(db)
}

/** Returns the id of another record with the same values in these columns, whatever the case of text; null if there is none. */
export async function sameAs(
  db: Db,
  table: string,
  site_id: Id,
  values: Readonly<Record<string, unknown>>,
  but: Id,
  binned: boolean,
): Promise<Id | null> {
  const equal = Object.entries(values).map(([column, value]) =>
    typeof value === 'string'
      ? sql`fold_text(t.${sql.ref(column)}::text) = fold_text(${value})`
      : sql`t.${sql.ref(column)} is not distinct from ${value}`,
  )
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(table)} t where t.site_id = ${site_id} and t.id <> ${but} ${binned ? sql`and t.deleted_at is null` : sql``}
      and ${sql.join(equal, sql` and `)} limit 1`.execute(db)
  return rows[0]?.id ?? null
}
