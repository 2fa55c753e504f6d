import type { Ctx } from '../../../../base/ctx.ts'
import { enforce, invalid, notFound, refuse } from '../../../../base/errors.ts'
import { cantDelete, cantResolve, cantRestart, endFaults, endOf } from '../domain.ts'
import { type BlockerRow, blockerOfSite, endEntries, entriesOf, markDeleted, saveResolved } from '../queries.ts'
import type { ResolveBlocker } from '../schema.ts'
import { standingOf } from './seeing.ts'
import { shownBlocker } from './show.ts'
import { tell } from './tell.ts'

/** Resolves a blocker: the work that it still stops goes on from the time when its cause was cleared, or a little later. */
export async function resolveBlocker(ctx: Ctx, row: BlockerRow, { cleared_at = ctx.now, how, restart = [] }: ResolveBlocker) {
  const entries = await entriesOf(ctx.db, row.site_id, [row.id])
  const who = await standingOf(ctx)
  enforce([cantResolve(row, entries, who), cantRestart(entries, restart, who)])
  const faults = endFaults(row, entries, cleared_at, restart, ctx.now)
  if (faults.length > 0) refuse(invalid(faults))
  await saveResolved(ctx.db, row, { cleared_at, cleared_how: how })
  await endEntries(
    ctx.db,
    row.site_id,
    entries
      .filter(entry => entry.to_at === null)
      .map(entry => ({
        id: entry.id,
        to_at: endOf(entry, cleared_at, restart),
        restart_reason: restart.find(one => one.affected_id === entry.id)?.reason ?? null,
      })),
  )
  ctx.note(row.id, { action: 'transition', reason: how })
  const after = (await blockerOfSite(ctx.db, row.site_id, row.id, false)) ?? refuse(notFound())
  await tell(ctx, 'resolved', after)
  return shownBlocker(ctx, after)
}

/** Deletes a blocker that should not have been declared. It stays in the audit log. */
export async function deleteBlocker(ctx: Ctx, row: BlockerRow): Promise<void> {
  const entries = await entriesOf(ctx.db, row.site_id, [row.id])
  enforce([cantDelete(row, entries, await standingOf(ctx), ctx.now)])
  ctx.note(row.id, { action: 'delete' })
  await tell(ctx, 'deleted', row)
  await markDeleted(ctx.db, row, ctx.now)
}
