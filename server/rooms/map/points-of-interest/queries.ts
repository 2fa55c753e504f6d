import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** Returns whether a site has another assembly point now. */
export async function otherAssemblyPoints(db: Db, site_id: Id, but: Id, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    select 1 from poi t where t.site_id = ${site_id} and t.poi_kind = 'assembly_point' and t.id <> ${but} and t.deleted_at is null
      and tstzrange(t.start_at, t.end_at) @> ${now}::timestamptz limit 1`.execute(db)
  return rows.length > 0
}
