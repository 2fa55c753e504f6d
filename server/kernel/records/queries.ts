import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { AnyRow } from './domain.ts'

/** The site and kind of a record; null when no such record was ever written. */
export async function directoryEntry(db: Db, id: Id): Promise<{ site_id: Id; kind: string } | null> {
  return (await db.selectFrom('record_directory').select(['site_id', 'kind']).where('id', '=', id).executeTakeFirst()) ?? null
}

/** A row of a table by site and id, locked when it is about to be written. */
export async function rowOf(db: Db, table: string, site_id: Id, id: Id, lock: boolean): Promise<AnyRow | null> {
  const { rows } =
    await sql<AnyRow>`select * from ${sql.table(table)} where site_id = ${site_id} and id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(
      db,
    )
  return rows[0] ?? null
}
