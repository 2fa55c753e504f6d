// Permits on the map, for files for other programs.
import type { Geometry } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Wanted } from '../../../../kernel/exports/domain.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import { belongsTo } from '../../../../kernel/site/door.ts'
import type { Viewer } from '../../kit/domain/visibility.ts'
import { visibleTo } from '../../kit/queries/visible.ts'

/** A permit, without names of people. */
export type PermitOnMap = {
  id: Id
  permit_number: string | null
  title: string | null
  status: string
  categories: string[]
  contractor_id: Id | null
  building_id: Id | null
  level_index: number | null
  zone_id: Id | null
  place_geometry: Geometry | null
  start_at: Instant | null
  end_at: Instant | null
}

/** Statuses of permits that aren't on the map. */
export const NOT_ON_MAP: readonly string[] = ['draft', 'withdrawn', 'rejected']

/**
 * Lists permits with a place whose window contains an instant or meets a period, by id: those that the viewer sees, except drafts and what was withdrawn or rejected. With
 * `changed_since`, those that could have been so then, too: permits that existed then and have changed.
 */
export async function permitsOnMap(
  db: Db,
  site_id: Id,
  viewer: Viewer,
  { from, to, level_index, building_id, contractor_id, box }: Wanted,
  changed_since: Instant | null,
  page: { after: Id | null; limit: number },
): Promise<PermitOnMap[]> {
  const when =
    to === null
      ? sql`p.start_at <= ${from}::timestamptz and p.end_at > ${from}::timestamptz`
      : sql`p.start_at < ${to}::timestamptz and p.end_at > ${from}::timestamptz`
  const fits = sql`${when} and p.status <> all(${NOT_ON_MAP}::text[])`
  const then =
    changed_since === null
      ? fits
      : sql`p.created_at <= ${changed_since}::timestamptz and (p.updated_at > ${changed_since}::timestamptz or ${fits})`
  const { rows } = await sql<PermitOnMap>`
    select p.id, p.permit_number, p.title, p.status, p.categories, p.contractor_id, p.building_id, p.level_index, p.zone_id, p.place_geometry, p.start_at, p.end_at
    from permit p
    where p.site_id = ${site_id} and ${then}
      and (p.place_geometry is not null or p.zone_id is not null or p.building_id is not null) and ${visibleTo(viewer)}
      ${level_index === undefined ? sql`` : sql`and p.level_index = ${level_index}::integer`}
      ${building_id === undefined ? sql`` : sql`and p.building_id = any(${building_id}::uuid[])`}
      ${contractor_id === undefined ? sql`` : sql`and ${belongsTo(contractor_id, 'p')}`}
      ${box === undefined ? sql`` : sql`and p.place_bounds && ${boxed(box)}`}
      ${page.after === null ? sql`` : sql`and p.id > ${page.after}::uuid`}
    order by p.id limit ${page.limit}`.execute(db)
  return rows
}
