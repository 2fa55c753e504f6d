import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { tidied } from '../../../../kernel/versions/domain.ts'
import { FRAME } from '../domain/features.ts'
import { alignParents, copyParents } from '../queries/parents.ts'
import { dropVersions, extendVersions, manyVersions } from '../queries/versions.ts'

/**
 * Deletes versions without length and joins neighbours that are equal. No response for any instant changes: responses already show a run of equal
 * versions as one, and the records themselves stay.
 */
export async function cleanUpVersions(ctx: Ctx, site_id: Id, dry_run: boolean): Promise<{ removed: number; joined: number }> {
  if (!dry_run) await hold(ctx, FRAME, site_id)
  const byFeature = Map.groupBy(await manyVersions(ctx.db, site_id), version => version.feature_id)
  const plans = [...byFeature.values()].map(tidied)
  const removed = plans.flatMap(plan => plan.removed)
  const joined = plans.flatMap(plan => plan.joined)
  const gone = joined.flatMap(join => join.gone)
  if (!dry_run && removed.length + gone.length > 0) {
    const pairs = joined.flatMap(join => join.gone.map(from => ({ from, to: join.keep })))
    await copyParents(ctx.db, site_id, pairs)
    await dropVersions(ctx.db, site_id, [...removed, ...gone])
    await extendVersions(
      ctx.db,
      site_id,
      joined.map(({ keep, valid_to }) => ({ id: keep, valid_to })),
    )
    await alignParents(
      ctx.db,
      site_id,
      joined.map(join => join.keep),
    )
  }
  return { removed: removed.length, joined: gone.length }
}
