// Buried services near permits for breaking ground: the review must see them (`map.md` §9, HSG47).
import type { Geometry } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Nearby, nearby } from '../../../map/geometadata/door.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import { GROUND_WORKS, SERVICES_WITHIN_M } from '../domain/services.ts'

/** What decides where a permit is, and whether it is for breaking ground. */
type Placed = { id: Id; categories: readonly string[]; place_geometry: Geometry | null; zone_id: Id | null; building_id: Id | null }

/** Returns the buried services near each of these permits that is for breaking ground, the nearest first. */
export async function servicesNear(ctx: Ctx, site_id: Id, permits: readonly Placed[]): Promise<Map<Id, Nearby[]>> {
  const found = new Map<Id, Nearby[]>()
  const digging = permits.filter(permit => permit.categories.includes(GROUND_WORKS))
  if (digging.length === 0) return found
  const places = digging.flatMap(permit => (permit.place_geometry === null ? (permit.zone_id ?? permit.building_id ?? []) : []))
  const shapes = await shapesAt(ctx.db, site_id, ctx.now, [...new Set(places)])
  for (const { id, place_geometry, zone_id, building_id } of digging) {
    const geometry = place_geometry ?? shapes.get(zone_id ?? building_id ?? '') ?? null
    if (geometry !== null) found.set(id, await nearby(ctx, site_id, geometry, ['utilities'], SERVICES_WITHIN_M))
  }
  return found
}
