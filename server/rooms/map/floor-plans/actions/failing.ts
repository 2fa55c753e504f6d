import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Batch } from '../../../../kernel/jobs/door.ts'
import { LOST } from '../../kit/actions/failure.ts'
import { type FloorPlanRow, lostPlans, planRow, savePlan } from '../queries.ts'
import { told } from './change.ts'

/** Plans in one transaction. */
const AT_ONCE = 50

/** Records that a plan failed: the one that it ended is active again. */
export async function fail(ctx: Ctx, row: FloorPlanRow, reason: string): Promise<void> {
  if (row.status === 'failed') return
  ctx.note(row.id, { action: 'transition', reason })
  await savePlan(ctx.db, row.site_id, row.id, { status: 'failed', status_reason: reason })
  const ended = row.ended_id === null ? null : await planRow(ctx.db, row.site_id, row.ended_id, true)
  if (ended !== null && ended.end_at === row.start_at) await savePlan(ctx.db, row.site_id, ended.id, { end_at: row.ended_end_at })
  told(ctx, row, 'floor_plan.failed', reason)
  ctx.redraw(row.site_id, 'plans')
}

/** Ends the wait of plans that no job will finish: one that was never read has failed, one that was read can be placed again, and one that has older tiles says so. */
export async function endLost(ctx: Ctx, site_id: Id): Promise<Batch> {
  const rows = await lostPlans(ctx.db, site_id, AT_ONCE)
  for (const row of rows) {
    if (row.status === 'processing') await fail(ctx, row, LOST.read)
    else {
      // One that has tiles stays ready with them, and says that they are older.
      const reason = row.content_version > 0 ? LOST.outdated : LOST.drawn
      ctx.note(row.id, { action: 'transition', reason })
      await savePlan(ctx.db, site_id, row.id, { ...(row.content_version > 0 ? {} : { status: 'needs_placement' }), status_reason: reason })
      ctx.redraw(site_id, 'plans')
    }
  }
  return { done: rows.length, more: rows.length === AT_ONCE }
}
