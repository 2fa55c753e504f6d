// Where permits are, and which active area stops cover them (`permits-decisions.md` §4, 7).
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import type { Where } from '../../../messages/alerts/domain.ts'
import { placement } from '../domain/stops.ts'
import { linkedNow } from '../queries/area-stops.ts'
import type { ActiveStop } from '../queries/facts.ts'
import type { CardRow } from '../queries/permits.ts'
import { siteFacts } from './facts.ts'

/** What says where a permit is. */
export type Placed = Pick<CardRow, 'id' | 'place_geometry' | 'zone_id' | 'building_id' | 'level_index'>

/** Returns everything that is known about where permits are now: their own places, and those of the things that are linked to them. */
export async function wheresOf(ctx: Ctx, site_id: Id, permits: readonly Placed[]): Promise<Map<Id, Where[]>> {
  const named = permits.flatMap(permit => (permit.place_geometry === null ? (permit.zone_id ?? permit.building_id ?? []) : []))
  const [shapes, linked] = await Promise.all([
    shapesAt(ctx.db, site_id, ctx.now, [...new Set(named)]),
    linkedNow(
      ctx.db,
      site_id,
      permits.map(({ id }) => id),
      ctx.now,
    ),
  ])
  const found = new Map<Id, Where[]>()
  for (const { id, place_geometry, zone_id, building_id, level_index } of permits)
    found.set(id, [{ geometry: place_geometry ?? shapes.get(zone_id ?? building_id ?? '') ?? null, building_id, level_index }])
  for (const { permit_id, ...where } of linked) found.get(permit_id)?.push(where)
  return found
}

/** Returns for each permit the active area stops that cover it and for which it hasn’t been revalidated, the newest first. */
export async function areaStopsOf(ctx: Ctx, site_id: Id, permits: readonly Placed[]): Promise<Map<Id, ActiveStop[]>> {
  const { stops } = await siteFacts(ctx, site_id)
  const active = stops.filter(stop => stop.area_stop_id !== null && stop.start_at <= ctx.now)
  if (active.length === 0 || permits.length === 0) return new Map()
  const wheres = await wheresOf(ctx, site_id, permits)
  return new Map(
    permits.map(({ id }) => [id, active.filter(stop => !stop.released.includes(id) && placement(stop, wheres.get(id) ?? []) === 'inside')]),
  )
}
