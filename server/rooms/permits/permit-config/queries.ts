import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Policy } from '../kit/domain/policy.ts'

/** A site's row. */
export type ConfigRow = Policy & { site_id: Id; id: Id; version: number; updated_at: string; regime: string | null }

/** Returns a site's row, locked when it is about to be written; null before the first save. */
export async function configRow(db: Db, site_id: Id, lock: boolean): Promise<ConfigRow | null> {
  const { rows } =
    await sql<ConfigRow>`select * from permit_config where site_id = ${site_id} ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** Inserts a site's row; false when a parallel request has just done so. */
export async function insertConfig(db: Db, row: Policy & { site_id: Id; id: Id; regime: string | null }): Promise<boolean> {
  const made = await db
    .insertInto('permit_config')
    .values(row)
    .onConflict(oc => oc.column('site_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Changes a site's row. */
export async function saveConfig(db: Db, site_id: Id, set: Partial<Policy> & { regime?: string | null }): Promise<void> {
  await db.updateTable('permit_config').set(set).where('site_id', '=', site_id).execute()
}

/** Returns the policies of sites, for the app's first call. */
export async function policiesOf(
  db: Db,
  site_ids: readonly Id[],
): Promise<Map<Id, { coverage_policy_enabled: boolean; close_out_gate_enabled: boolean; regime: string | null }>> {
  if (site_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('permit_config')
    .select(['site_id', 'coverage_policy_enabled', 'close_out_gate_enabled', 'regime'])
    .where('site_id', 'in', [...site_ids])
    .execute()
  return new Map(rows.map(({ site_id, ...policy }) => [site_id, policy]))
}

/** Returns the active members among these people. */
export async function membersAmong(db: Db, site_id: Id, user_ids: readonly Id[]): Promise<Set<Id>> {
  const { rows } = await sql<{
    user_id: Id
  }>`select user_id from membership where site_id = ${site_id} and status = 'active' and user_id = any(${user_ids}::uuid[])`.execute(db)
  return new Set(rows.map(row => row.user_id))
}
