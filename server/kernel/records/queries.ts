import { at } from '../../../shared/narrow.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Row, TableName } from '../../base/rows.ts'
import type { AnyRow } from './domain.ts'

/**
 * Locks a name until the end of the transaction: for rules about rows that don't exist yet, or that have none to lock. Two versions of the service that run at
 * the same time wait for each other only if they lock the same name, so a name never changes.
 */
export async function hold({ db }: { db: Db }, ...name: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name.join(' ')}, 0))`.execute(db)
}

/** Locks a name against `hold` until the end of the transaction, but not against others that share it. */
export async function share({ db }: { db: Db }, ...name: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name.join(' ')}, 0))`.execute(db)
}

/** Returns the site and kind of a record; null if it was never written. */
export async function directoryEntry(db: Db, id: Id): Promise<{ site_id: Id; kind: string } | null> {
  return (await db.selectFrom('record_directory').select(['site_id', 'kind']).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns a row of a table by site (null: a table of the platform) and id; with `lock`, locks it for a write. */
export async function rowOf(db: Db, table: string, site_id: Id | null, id: Id, lock: boolean): Promise<AnyRow | null> {
  const { rows } = await sql<AnyRow>`
    select * from ${sql.table(table)} where ${site_id === null ? sql`` : sql`site_id = ${site_id} and`} id = ${id}
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** Returns a row of a table of records, with all its columns; null if it doesn't exist. */
export async function tableRow<T extends TableName>(db: Db, table: T, site_id: Id, id: Id, lock: boolean): Promise<Row<T> | null> {
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} where site_id = ${site_id} and id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/**
 * Keeps a row from being deleted until the end of the transaction, for a record that will refer to it; waits for a deletion that has begun. Changes of the row
 * don't wait for this. The reference itself would lock it in the same way, but only when it is written, and a row that is kept as deleted satisfies it.
 */
export async function keepRow(db: Db, table: string, site_id: Id, id: Id): Promise<void> {
  await sql`select 1 from ${sql.table(table)} where site_id = ${site_id} and id = ${id} for key share`.execute(db)
}

/** Locks rows that will be deleted, before their uses are counted: waits for every record that will refer to them (`keepRow`). */
export async function lockForDeletion(db: Db, table: string, site_id: Id, ids: readonly Id[]): Promise<void> {
  await sql`
    select count(*) from (select from ${sql.table(table)} where site_id = ${site_id} and id = any(${ids}::uuid[]) order by id for update) locked`.execute(
    db,
  )
}

/** Returns a row in the form of the audit log: every column as JSON; null if it doesn't exist. */
export async function rowAsJson(db: Db, table: string, site_id: Id, id: Id): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where site_id = ${site_id} and id = ${id}`.execute(db)
  return rows[0]?.row ?? null
}

/** Makes a row of this table from the known values of a past state; the other columns are null. */
export async function rowFrom(db: Db, table: string, values: Record<string, unknown>): Promise<AnyRow> {
  const { rows } =
    await sql<AnyRow>`select r.* from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(values)}::jsonb) r`.execute(db)
  return at(rows, 0)
}

/** Removes permanently deleted records from the directory. */
export async function forgetRecords(db: Db, ids: readonly Id[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('record_directory')
      .where('id', 'in', [...ids])
      .execute()
}

/** Returns which of these ids any of these foreign keys refers to. */
export async function keysUsed(db: Db, site_id: Id, keys: readonly { table: string; column: string }[], ids: readonly Id[]): Promise<Id[]> {
  if (keys.length === 0 || ids.length === 0) return []
  const any = keys.map(
    ({ table, column }) => sql`exists (select 1 from ${sql.table(table)} t where t.site_id = ${site_id} and t.${sql.ref(column)} = i.id)`,
  )
  // For one record the plan is kept; planning for the length of an array each time takes two milliseconds.
  const asked = ids.length === 1 ? sql`(values (${ids[0]}::uuid))` : sql`unnest(${ids}::uuid[])`
  const { rows } = await sql<{ id: Id }>`select i.id from ${asked} as i(id) where ${sql.join(any, sql` or `)}`.execute(db)
  return rows.map(row => row.id)
}

/** Counts the rows that refer to each of these records by a column: only those with one of these states, without those that are deleted, or without some. */
export async function countUses(
  db: Db,
  table: string,
  column: string,
  site_id: Id,
  ids: readonly Id[],
  { status = null, there = false, but = [] }: { status?: readonly string[] | null; there?: boolean; but?: readonly Id[] },
): Promise<Map<Id, number>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    select ${sql.ref(column)} as id, count(*) as n from ${sql.table(table)}
    where site_id = ${site_id} and ${sql.ref(column)} = any(${ids}::uuid[]) ${status === null ? sql`` : sql`and status = any(${status}::text[])`}
      ${there ? sql`and deleted_at is null` : sql``} ${but.length === 0 ? sql`` : sql`and id <> all(${but}::uuid[])`} group by 1`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, row.n]))
}
