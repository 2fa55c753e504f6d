import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { GeometryDefaults } from '../../kit/defaults.ts'

/** A site's row. */
export type DefaultsRow = GeometryDefaults & { site_id: Id; id: Id; version: number; updated_at: string }

/** Returns a site's row, locked when it is about to be written; null before the first save. */
export async function defaultsRow(db: Db, site_id: Id, lock: boolean): Promise<DefaultsRow | null> {
  const { rows } =
    await sql<DefaultsRow>`select * from geometry_default where site_id = ${site_id} ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** Inserts a site's row; false when a parallel request has just done so. */
export async function insertDefaults(db: Db, { per_category, ...row }: GeometryDefaults & { site_id: Id; id: Id }): Promise<boolean> {
  const made = await db
    .insertInto('geometry_default')
    .values({ ...row, per_category: jsonb(per_category) })
    .onConflict(conflict => conflict.column('site_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Changes a site's row. */
export async function saveDefaults(db: Db, site_id: Id, { per_category, ...sizes }: GeometryDefaults): Promise<void> {
  await db
    .updateTable('geometry_default')
    .set({ ...sizes, per_category: jsonb(per_category) })
    .where('site_id', '=', site_id)
    .execute()
}
