import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** Returns the active members of a site among these people. */
export async function membersNamed(db: Db, site_id: Id, user_ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{
    user_id: Id
  }>`select user_id from membership where site_id = ${site_id} and status = 'active' and user_id = any(${user_ids}::uuid[])`.execute(db)
  return rows.map(row => row.user_id)
}

/** Returns the contractors of a site among these. */
export async function contractorsNamed(db: Db, site_id: Id, ids: readonly Id[]): Promise<{ id: Id; name: string; status: string }[]> {
  return db
    .selectFrom('contractor')
    .select(['id', 'name', 'status'])
    .where('site_id', '=', site_id)
    .where('id', 'in', [...ids])
    .execute()
}
