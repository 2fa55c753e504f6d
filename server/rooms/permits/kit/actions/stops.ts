// Alerts that stop work at the place of a permit (`site-and-people.md` §16). They change no permit: they are shown with it.
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { shapesAt } from '../../../map/reference-features/door.ts'
import { concernsTypes, isIn } from '../../../messages/alerts/domain.ts'
import type { CardRow } from '../queries/permits.ts'
import { siteFacts } from './facts.ts'

/** An alert that stops the work of a permit, as the permit shows it. */
export type StoppedBy = { id: Id; title: string; severity: string; activities: string[]; start_at: Instant }

/** The states in which someone is about to decide on the work, or the work goes on. */
const CONCERNED = ['requested', 'endorsed', 'approved', 'issued']

/** Returns for each of these permits the worst alert that stops work at its place now. */
export async function stopsOf(ctx: Ctx, site_id: Id, permits: readonly CardRow[]): Promise<Map<Id, StoppedBy>> {
  const found = new Map<Id, StoppedBy>()
  const stops = (await siteFacts(ctx, site_id)).stops.filter(stop => stop.start_at <= ctx.now)
  const open = stops.length === 0 ? [] : permits.filter(permit => CONCERNED.includes(permit.status))
  if (open.length === 0) return found
  const named = open.flatMap(permit => (permit.place_geometry === null ? (permit.zone_id ?? permit.building_id ?? []) : []))
  const shapes = await shapesAt(ctx.db, site_id, ctx.now, [...new Set(named)])
  for (const { id, categories, contractor_id, place_geometry, zone_id, building_id, level_index } of open) {
    const geometry = place_geometry ?? shapes.get(zone_id ?? building_id ?? '') ?? null
    const stop = stops.find(
      one =>
        !one.released.includes(id) &&
        isIn(one, { geometry, building_id, level_index }) &&
        concernsTypes(one.activities, categories) &&
        (one.contractor_ids.length === 0 || (contractor_id !== null && one.contractor_ids.includes(contractor_id))),
    )
    if (stop !== undefined)
      found.set(id, { id: stop.id, title: stop.title, severity: stop.severity, activities: stop.activities, start_at: stop.start_at })
  }
  return found
}
