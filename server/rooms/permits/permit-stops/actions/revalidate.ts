import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { forgetFetched } from '../../../../base/memo.ts'
import { judgeOne } from '../../kit/actions/facts.ts'
import { adviceOn } from '../../kit/domain/advice.ts'
import { isSingleStage } from '../../kit/domain/facts.ts'
import { revalidating } from '../../kit/domain/flags.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { showPermit } from '../../permit-lists/door.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { sign } from '../../permit-signatures/door.ts'
import { saveRevalidation } from '../queries.ts'

type Given = { note?: string | null; presence?: unknown; content_hash?: string | null; stop_ids?: readonly Id[] | null }

/** Signs that the work under a stopped permit can go on; one signature counts for every stop that the signer has read. The route has locked the permit. */
export async function revalidatePermit(ctx: Ctx, permit: PermitRow, given: Given): Promise<Record<string, unknown>> {
  const { site_id } = permit
  const { facts, graph, around, policy } = await judgeOne(ctx, permit, {})
  enforce(revalidating(facts, graph))
  const stopped = facts.stopped ?? []
  const read = given.stop_ids ?? null
  if (read !== null && stopped.some(stop => !read.includes(stop.stop_id)))
    refuse(
      conflict('stale_preview', 'Work under this permit was stopped again since you opened it. Reload, and read why before you sign.', {
        stop_ids: stopped.map(stop => stop.stop_id),
      }),
    )
  const warnings = adviceOn(graph, 'revalidate', facts)
  const signature_id = ids.next()
  const note = given.note ?? null
  const signing = { note, presence: given.presence ?? null, seen_hash: given.content_hash ?? null }
  await sign(ctx, signature_id, { permit, around, signing, on_behalf_of: null }, permit, 'revalidate')
  await saveRevalidation(ctx.db, site_id, permit.id, ctx.now, signature_id)
  for (const { stop_id } of stopped)
    tellPermit(ctx, 'permit.revalidated', permit, permit.status, isSingleStage(facts.permit, facts.set), graph, policy, {
      stop_id,
      reason: note,
      signature_id,
    })
  forgetFetched(ctx)
  return showPermit(ctx, site_id, permit.id, warnings)
}
