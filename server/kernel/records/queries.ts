import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { AnyRow } from './domain.ts'

/** The site and kind of a record; null when no such record was ever written. */
export async function directoryEntry(db: Db, id: Id): Promise<{ site_id: Id; kind: string } | null> {
  return (await db.selectFrom('record_directory').select(['site_id', 'kind']).where('id', '=', id).executeTakeFirst()) ?? null
}

/** A row of a table by site (null: a table of the platform) and id, locked when it is about to be written. */
export async function rowOf(db: Db, table: string, site_id: Id | null, id: Id, lock: boolean): Promise<AnyRow | null> {
  const { rows } = await sql<AnyRow>`
    select * from ${sql.table(table)} where ${site_id === null ? sql`` : sql`site_id = ${site_id} and`} id = ${id}
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** A row as the audit log spells it: every column as JSON; null when it doesn't exist. */
export async function rowAsJson(db: Db, table: string, site_id: Id, id: Id): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where site_id = ${site_id} and id = ${id}`.execute(db)
  return rows[0]?.row ?? null
}

/** A row of this table as it was, from the values that are known of it; what is not known is null. */
export async function rowFrom(db: Db, table: string, values: Record<string, unknown>): Promise<AnyRow | null> {
  const { rows } =
    await sql<AnyRow>`select r.* from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(values)}::jsonb) r`.execute(db)
  return rows[0] ?? null
}

/** Removes permanently deleted records from the directory. */
export async function forgetRecords(db: Db, ids: readonly Id[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('record_directory')
      .where('id', 'in', [...ids])
      .execute()
}
