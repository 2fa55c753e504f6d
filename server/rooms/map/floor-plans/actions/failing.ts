import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Batch } from '../../../../kernel/jobs/door.ts'
import { LOST } from '../../kit/actions/failure.ts'
import { endedPlan, type FloorPlanRow, lostPlans, passOn, plansOfLevel, savePlan } from '../queries.ts'
import { holdLevels, IMPORT, levelLock, PROCESS, told } from './change.ts'

/** Plans in one transaction. */
const AT_ONCE = 50

/** Records that a plan failed: the one that it ended or replaced is active again, until its earlier end or the next plan. The caller locks its level first. */
export async function fail(ctx: Ctx, row: FloorPlanRow, reason: string): Promise<void> {
  if (row.status === 'failed') return
  const { site_id, ended_id, ended_end_at } = row
  ctx.note(row.id, { action: 'transition', reason })
  await savePlan(ctx.db, site_id, row.id, { status: 'failed', status_reason: reason })
  // A plan that ended this one has now ended what this one had ended, in case that it fails, too.
  await passOn(ctx.db, site_id, row.id, { ended_id, ended_end_at })
  const before = ended_id === null ? null : await endedPlan(ctx.db, site_id, ended_id)
  if (before !== null && (before.deleted_at === null ? before.end_at === row.start_at : before.start_at === row.start_at)) {
    const all = await plansOfLevel(ctx.db, site_id, row.feature_id, row.level_index)
    const next = all.find(one => one.start_at > row.start_at)?.start_at ?? null
    const end_at = next === null || (ended_end_at !== null && ended_end_at < next) ? ended_end_at : next
    await savePlan(ctx.db, site_id, before.id, { end_at, deleted_at: null, ...(before.deleted_at === null ? {} : await goOn(ctx, before)) })
  }
  told(ctx, row, 'floor_plan.failed', reason)
  ctx.redraw(site_id, 'plans')
}

/** Queues the work on a plan that was replaced: while it was away, its job may have found nothing to do. */
async function goOn(ctx: Ctx, { id, site_id, name, source_kind }: FloorPlanRow): Promise<{ job_id: Id }> {
  const job = source_kind === 'dxf' ? IMPORT : PROCESS
  return { job_id: await ctx.enqueue(job, { floor_plan_id: id }, { site_id, message: `Waiting to read ${name}` }) }
}

/** Records why a plan that was read has no new tiles: one that has older ones stays on the map with them, and the one before it stays ended. */
export async function stop(ctx: Ctx, row: FloorPlanRow, reason: string): Promise<void> {
  ctx.note(row.id, { action: 'transition', reason })
  await savePlan(ctx.db, row.site_id, row.id, { ...(row.content_version > 0 ? {} : { status: 'needs_placement' }), status_reason: reason })
  ctx.redraw(row.site_id, 'plans')
}

/** Ends the wait of plans that no job will finish: one that was never read has failed, one that was read can be placed again, and one that has older tiles says so. */
export async function endLost(ctx: Ctx, site_id: Id): Promise<Batch> {
  // An upload locks the level first, and then the plan that it ends.
  const found = await lostPlans(ctx.db, site_id, AT_ONCE, false)
  await holdLevels(ctx, found)
  const held = new Set(found.map(levelLock))
  const rows = (await lostPlans(ctx.db, site_id, AT_ONCE, true)).filter(row => held.has(levelLock(row)))
  for (const row of rows) {
    if (row.status === 'processing') await fail(ctx, row, LOST.read)
    else await stop(ctx, row, row.content_version > 0 ? LOST.outdated : LOST.drawn)
  }
  return { done: rows.length, more: found.length === AT_ONCE }
}
