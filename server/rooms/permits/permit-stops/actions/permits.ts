// The permits of a stop: which live ones are in it, and what stopping one does.

import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { forgetFetched } from '../../../../base/memo.ts'
import type { Ground, Where } from '../../../messages/alerts/domain.ts'
import { areaStopsOf, wheresOf } from '../../kit/actions/area-stops.ts'
import { judge, judgedOf, siteFacts, viewerOn } from '../../kit/actions/facts.ts'
import { isSingleStage } from '../../kit/domain/facts.ts'
import { isUnderWay, placement } from '../../kit/domain/stops.ts'
import { seesPermit } from '../../kit/domain/visibility.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { insertStopped, permitsWith, reasonsOf, underWay } from '../queries.ts'

/** The live permits of a site with everything that is known about where they are. */
export type Live = { permits: PermitRow[]; wheres: Map<Id, Where[]> }

/** Reads the live permits of a site. */
export async function livePermits(ctx: Ctx, site_id: Id): Promise<Live> {
  const permits = await underWay(ctx.db, site_id)
  return { permits, wheres: permits.length === 0 ? new Map() : await wheresOf(ctx, site_id, permits) }
}

/** Returns the live permits that are in an area, and those of which nobody knows. */
export function sorted(ground: Ground, { permits, wheres }: Live): { inside: PermitRow[]; unknown: PermitRow[] } {
  const of = (which: string) => permits.filter(({ id }) => placement(ground, wheres.get(id) ?? []) === which)
  return { inside: of('inside'), unknown: of('unknown') }
}

/** Returns those of these permits that the caller sees, as the API shows them. */
export async function named(ctx: Ctx, site_id: Id, permits: readonly PermitRow[]): Promise<Record<string, unknown>[]> {
  const viewer = await viewerOn(ctx, site_id)
  return permits
    .filter(permit => seesPermit(permit, viewer))
    .map(({ id, permit_number, title, location, categories }) => ({ id, permit_number, title, location, categories }))
}

/** Stops live permits, and notifies their people. */
export async function stopPermits(
  ctx: Ctx,
  site_id: Id,
  stop: { id: Id; reason: string },
  permits: readonly PermitRow[],
  cause: 'stop' | 'went_live',
): Promise<void> {
  const ids = permits.map(({ id }) => id)
  const fresh = await insertStopped(ctx.db, site_id, stop.id, ids, cause)
  const stopped = permits.filter(({ id }) => fresh.has(id))
  if (stopped.length === 0) return
  const judged = await judge(ctx, site_id, stopped, null)
  for (const permit of stopped) {
    const { facts, graph, policy } = judgedOf(judged, permit)
    const about = { stop_id: stop.id, reason: stop.reason }
    tellPermit(ctx, 'permit.stopped', permit, permit.status, isSingleStage(facts.permit, facts.set), graph, policy, about)
  }
  forgetFetched(ctx)
}

/** Stops the permits that an import brought into active stops, or whose place was found there later. */
export async function stopLanded(ctx: Ctx, site_id: Id, permit_ids: readonly Id[]): Promise<void> {
  const { stops } = await siteFacts(ctx, site_id)
  if (permit_ids.length > 0 && stops.some(stop => stop.area_stop_id !== null))
    await stopArrivals(ctx, site_id, await permitsWith(ctx.db, site_id, permit_ids))
}

/** Stops permits that have just gone live inside active stops. */
export async function stopArrivals(ctx: Ctx, site_id: Id, arrived: readonly PermitRow[]): Promise<void> {
  const live = arrived.filter(isUnderWay)
  const covered = await areaStopsOf(ctx, site_id, live)
  const stop_ids = new Set([...covered.values()].flat().flatMap(stop => stop.area_stop_id ?? []))
  if (stop_ids.size === 0) return
  const reasons = await reasonsOf(ctx.db, site_id, [...stop_ids])
  for (const id of stop_ids) {
    const inside = live.filter(permit => covered.get(permit.id)?.some(stop => stop.area_stop_id === id))
    await stopPermits(ctx, site_id, { id, reason: reasons.get(id) ?? '' }, inside, 'went_live')
  }
}
