// Reads extension requests. The permits room writes them, because a step of the permit itself can end them.
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { ExtensionRow } from '../kit/queries/permits.ts'

/** Lists the extension requests of permits, oldest first. */
export async function extensionsOf(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<ExtensionRow[]> {
  const { rows } =
    await sql<ExtensionRow>`select * from permit_extension where site_id = ${site_id} and permit_id = any(${permit_ids}::uuid[]) order by requested_at, id`.execute(
      db,
    )
  return rows
}

/** Returns a request by its id, locked when it is about to be decided. */
export async function extensionRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<ExtensionRow | null> {
  const query = db.selectFrom('permit_extension').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row ?? null
}
