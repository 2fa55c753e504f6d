import type { LonLat } from '../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { Condition } from '../../../kernel/listing/door.ts'

/** Returns whether a site has another assembly point now. */
export async function otherAssemblyPoints(db: Db, site_id: Id, but: Id, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    select 1 from poi t where t.site_id = ${site_id} and t.poi_kind = 'assembly_point' and t.id <> ${but} and t.deleted_at is null
      and tstzrange(t.start_at, t.end_at) @> ${now}::timestamptz limit 1`.execute(db)
  return rows.length > 0
}

/** Returns where the points are that meet these conditions, at most `most` of them. */
export async function positionsOf(db: Db, site_id: Id, where: readonly Condition[], most: number): Promise<(LonLat & { id: Id })[]> {
  const { rows } = await sql<LonLat & { id: Id }>`
    select t.id, t.lon, t.lat from poi t where ${sql.join([sql`t.site_id = ${site_id}`, ...where], sql` and `)} order by t.id limit ${most}`.execute(
    db,
  )
  return rows
}
