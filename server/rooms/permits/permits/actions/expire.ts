// Expires many permits of a site at once: each is checked on its own, and all are written in a few statements.
import type { Ctx } from '../../../../base/ctx.ts'
import { Refused } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { decide } from '../../../../kernel/lifecycle/domain/decide.ts'
import { judge } from '../../kit/actions/facts.ts'
import { isSingleStage } from '../../kit/domain/facts.ts'
import { words } from '../../kit/domain/words.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { askNextGates, expiryOf, shareAppointed, tellPermit } from '../../permit-messages/door.ts'
import { expireRows } from '../queries/sweeps.ts'
import { act } from './act.ts'

/**
 * Expires permits whose rows are locked. Usual ones are written together; a permit that needs more (an open extension request, a workflow that leads
 * elsewhere) takes the step alone. Returns how many expired, and those that their workflow doesn't let expire.
 */
export async function expirePermits(ctx: Ctx, site_id: Id, permits: readonly PermitRow[]): Promise<{ expired: number; stuck: Id[] }> {
  const together: { permit: PermitRow; single_stage: boolean; graph: Parameters<typeof decide>[0] }[] = []
  const stuck: Id[] = []
  let alone = 0
  if (permits.length > 0) await shareAppointed(ctx, site_id)
  const judged = await judge(ctx, site_id, permits, {})
  for (const permit of permits) {
    const found = judged.get(permit.id)
    if (found === undefined) throw new Error('The permit has no facts.')
    const { facts, graph } = found
    const plan = decide(graph, words, permit.status, 'expire', facts, {})
    if (plan.refusals.length > 0) {
      stuck.push(permit.id)
    } else if (plan.to === 'expired' && facts.open_extension === null) {
      together.push({
        permit: { ...permit, status: 'expired', expired_at: ctx.now },
        single_stage: isSingleStage(facts.permit, facts.set),
        graph,
      })
    } else {
      try {
        await act(ctx, permit, 'expire', {})
        alone++
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        stuck.push(permit.id)
      }
    }
  }
  const policy = [...judged.values()][0]?.policy
  if (policy !== undefined && together.length > 0) {
    for (const { permit, single_stage, graph } of together) {
      ctx.note(permit.id, { action: 'transition' })
      tellPermit(ctx, 'permit.expired', permit, 'issued', single_stage, graph, policy, expiryOf(permit))
    }
    await expireRows(
      ctx.db,
      site_id,
      together.map(({ permit }) => permit.id),
      ctx.now,
    )
    await askNextGates(ctx, site_id, together, policy, true)
  }
  return { expired: together.length + alone, stuck }
}
