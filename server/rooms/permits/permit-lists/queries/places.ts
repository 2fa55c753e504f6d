// Where permits are, and which still need a place.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Viewer } from '../../kit/domain/visibility.ts'
import { visibleTo } from '../../kit/queries/visible.ts'

/**
 * Returns open permits by their building or zone, counted at or after an instant: those whose window ends after it, and up to today those that are live or
 * expired, because the work front is theirs until they are closed out. `levels` limits this to permits with one of these levels.
 */
export async function countByPlace(
  db: Db,
  site_id: Id,
  ids: readonly Id[],
  scope: { now: Instant; from: Instant; levels: readonly number[] | null },
): Promise<Map<Id, number>> {
  const { now, from, levels } = scope
  const standing = (column: 'building_id' | 'zone_id') => sql`
    select ${sql.ref(column)} as id from permit
    where site_id = ${site_id} and ${sql.ref(column)} = any(${ids}::uuid[]) and status not in ('closed', 'rejected', 'withdrawn')
      and (end_at is null or end_at > ${from}::timestamptz or (status in ('issued', 'expired') and ${from <= now}))
      ${levels === null ? sql`` : sql`and level_index = any(${levels}::int[])`}`
  const { rows } = await sql<{ id: Id; n: number }>`
    select id, count(*) as n from (${standing('building_id')} union all ${standing('zone_id')}) s group by 1`.execute(db)
  return new Map(rows.map(row => [row.id, row.n]))
}

/** An imported permit whose place is only text. */
export type UnplacedPermit = {
  id: Id
  permit_number: string
  set_id: Id | null
  location: string | null
  zone_text: string | null
  level_text: string | null
}

/** Lists imported permits that describe a place and have none yet, as far as the viewer sees them; of one import, or of all. */
export async function unplacedPermits(db: Db, site_id: Id, viewer: Viewer, set_id?: Id): Promise<UnplacedPermit[]> {
  const { rows } = await sql<UnplacedPermit>`
    select p.id, p.permit_number, p.set_id, p.location, p.zone_text, p.level_text from permit p
    where p.site_id = ${site_id} and p.source = 'imported' and p.building_id is null and p.zone_id is null
      and coalesce(p.location, p.zone_text, p.level_text) is not null and ${visibleTo(viewer)}
      ${set_id === undefined ? sql`` : sql`and p.set_id = ${set_id}`}
    order by p.permit_number`.execute(db)
  return rows
}
