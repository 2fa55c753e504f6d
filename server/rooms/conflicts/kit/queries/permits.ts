// The permits of a site as conflicts compare them, with the things that are linked to them and the shapes of the places that they name. Read only: the rooms of
// permits and of the map write these tables.
import { COUNTED } from '../../../../../shared/conflicts/effective.ts'
import type { Areal, Box } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { ON_MAP } from '../../../logistics/deliveries/domain.ts'
import type { LinkedRow, PermitSideRow, ShapeRow } from '../domain/permit-sides.ts'
import { endOf } from './things.ts'

const COLUMNS = sql`
  p.id, p.permit_number, p.title, p.status, p.source, p.categories, p.contractor_id, p.start_at, p.end_at, p.fire_watch_until,
  case when p.handed_back_complete then p.handed_back_at end as handed_back_complete_at, p.building_id, p.level_index, p.zone_id, p.place_geometry,
  p.reissued_from_id, case when p.parent_id is null then '{}' else (
    with recursive above as (
      select q.id, q.parent_id, 1 as depth from permit q where q.site_id = p.site_id and q.id = p.parent_id
      union all select q.id, q.parent_id, above.depth + 1 from above join permit q on q.site_id = p.site_id and q.id = above.parent_id where above.depth < 50)
    select coalesce(array_agg(above.id order by above.depth), '{}') from above) end as ancestor_ids`

/** Returns permits by their ids, in any state. */
export async function permitSideRows(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitSideRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<PermitSideRow>`
    select ${COLUMNS} from permit p where p.site_id = ${site_id} and p.id = any(${ids}::uuid[]) order by p.id`.execute(db)
  return rows
}

/**
 * Which permits are compared: those that count at some time of a period. With a box, only those that have a place in it, or linked things, or no drawn place. `placeless`: only those
 * whose place neither they themselves nor a zone or building says; linked things can still say it.
 */
export type PermitSearch = { from: Instant; to: Instant | null; box: Box | null; placeless?: boolean }

const PLACELESS = sql`
  coalesce(p.place_geometry ->> 'type', 'LineString') = 'LineString' and not exists (select 1 from reference_feature_version v
    where v.site_id = p.site_id and v.feature_id in (p.zone_id, p.building_id) and (v.valid_to is null or v.valid_to > v.valid_from))`

/**
 * Returns the permits that may count in a period: those in review and live, by their window and fire watch, and expired ones that nobody has closed.
 * `effectiveTime` decides on the rest.
 */
export async function countedPermits(db: Db, site_id: Id, { from, to, box, placeless = false }: PermitSearch): Promise<PermitSideRow[]> {
  const near =
    box === null
      ? sql`true`
      : sql`(p.place_bounds is null or p.place_bounds && box(point(${box[0]}, ${box[1]}), point(${box[2]}, ${box[3]}))
          or exists (select 1 from permit_entity l where l.site_id = p.site_id and l.permit_id = p.id))`
  const { rows } = await sql<PermitSideRow>`
    select ${COLUMNS} from permit p
    where p.site_id = ${site_id} and p.status = any(${COUNTED}::text[])
      and (${to}::timestamptz is null or p.start_at < ${to}::timestamptz)
      and (p.end_at > ${from}::timestamptz or p.fire_watch_until > ${from}::timestamptz or (p.status = 'expired' and p.source = 'requested'))
      and ${near} and ${placeless ? PLACELESS : sql`true`}
    order by p.id`.execute(db)
  return rows
}

/** Returns the workers, machines and deliveries that are linked to permits, each while it is there. */
export async function linkedThings(db: Db, site_id: Id, permit_ids: readonly Id[], now: Instant): Promise<LinkedRow[]> {
  if (permit_ids.length === 0) return []
  const links = sql`permit_entity l join`
  const these = sql`l.site_id = ${site_id} and l.permit_id = any(${permit_ids}::uuid[]) and t.deleted_at is null`
  const shared = sql`l.permit_id, t.id, t.start_at, t.building_id, t.level_index, t.zone_id, t.lon, t.lat, t.place -> 'polygon' as polygon`
  const none = sql`null::double precision as length_m, null::double precision as width_m, null::double precision as bearing_deg,
    null::double precision as slew_from_deg, null::double precision as slew_to_deg, null::double precision as tail_swing_m,
    null::double precision as exclusion_radius_m`
  const { rows } = await sql<LinkedRow>`
    select ${shared}, 'worker' as kind, t.end_at, t.radius_m, ${none}
      from ${links} worker t on t.site_id = l.site_id and t.id = l.entity_id where ${these} and l.entity_type = 'worker'
    union all
    select ${shared}, 'delivery' as kind, ${endOf('delivery', now)} as end_at, t.radius_m, ${none}
      from ${links} delivery t on t.site_id = l.site_id and t.id = l.entity_id
      where ${these} and l.entity_type = 'delivery' and t.status = any(${ON_MAP}::text[])
    union all
    select ${shared}, 'plant' as kind, t.end_at, null as radius_m, t.length_m, t.width_m, t.bearing_deg, t.slew_from_deg, t.slew_to_deg, t.tail_swing_m,
      t.exclusion_radius_m
      from ${links} plant t on t.site_id = l.site_id and t.id = l.entity_id where ${these} and l.entity_type = 'plant'
    order by start_at, id`.execute(db)
  return rows
}

/** Returns the shapes of zones and buildings as they are at an instant, or else as they were last. */
export async function shapesNamed(db: Db, site_id: Id, ids: readonly Id[], at: Instant): Promise<Map<Id, ShapeRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ShapeRow & { id: Id; geometry: Areal }>`
    select distinct on (v.feature_id) v.feature_id as id, v.geometry, v.building_id, v.level_from, v.level_to from reference_feature_version v
    where v.site_id = ${site_id} and v.feature_id = any(${ids}::uuid[]) and (v.valid_to is null or v.valid_to > v.valid_from)
    order by v.feature_id, tstzrange(v.valid_from, v.valid_to) @> ${at}::timestamptz desc, v.valid_from desc`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** Returns a position near the middle of a site: of its boundary, or where people say it is, or that of its first permit with a place; null while nothing is known. */
export async function middleOfSite(db: Db, site_id: Id): Promise<{ lon: number; lat: number } | null> {
  const { rows } = await sql<{ lon: number | null; lat: number | null }>`
    select m.spot[0] as lon, m.spot[1] as lat from site s cross join lateral (select coalesce(center(s.boundary_bounds), point(s.location_lon, s.location_lat), (
      select center(p.place_bounds) from permit p where p.site_id = s.site_id and p.place_bounds is not null order by p.id limit 1)) as spot) m
    where s.site_id = ${site_id}`.execute(db)
  const { lon = null, lat = null } = rows[0] ?? {}
  return lon === null || lat === null ? null : { lon, lat }
}
