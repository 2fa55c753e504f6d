// Lifting machines under permits: the review and the walk-down must see those without a valid thorough examination (`map.md` §4).
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { whileUnchanged } from '../../../../kernel/site/door.ts'
import type { LinkedMachine } from '../domain/machines.ts'
import { machinesOn } from '../queries/machines.ts'

/** Returns the lifting machines that permits cover. Reads share them until something on the site changes. */
export async function machinesOf(ctx: Ctx, site_id: Id): Promise<ReadonlyMap<Id, readonly LinkedMachine[]>> {
  return whileUnchanged(ctx, site_id, 'lifting machines of permits', async () =>
    Map.groupBy(await machinesOn(ctx.db, site_id), machine => machine.permit_id),
  )
}
