// Tells people when a permit gets another conflict or loses one (`messages.md` §0.3, `permit.conflicts_changed`): it follows the clashes, which follow the site.
import { COUNTED } from '../../../../shared/conflicts/effective.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Consumer, EventRow } from '../../../kernel/events/door.ts'
import { storedConflicts } from '../../conflicts/comparisons/door.ts'
import { judge, judgedOf } from '../kit/actions/facts.ts'
import { isSingleStage } from '../kit/domain/facts.ts'
import { tellPermit } from '../permit-messages/door.ts'
import { permitsOfEpisodes, saveTold } from './queries.ts'

/** Counts the conflicts of the permits of these clashes again, and tells of those whose counts have changed. */
async function compare(ctx: Ctx, events: readonly EventRow[]): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const { site_id } = first
  const found = await permitsOfEpisodes(
    ctx.db,
    site_id,
    events.map(event => event.subject_id),
  )
  if (found.length === 0) return
  const { of } = await storedConflicts(
    ctx,
    site_id,
    found.map(permit => permit.id),
  )
  const changed = found.flatMap(({ told, ...permit }) => {
    const conflicts = of.get(permit.id)?.conflicts ?? []
    const red = conflicts.filter(one => one.severity === 'red').length
    const amber = conflicts.length - red
    return red === told.red && amber === told.amber ? [] : [{ permit, told, red, amber }]
  })
  await saveTold(
    ctx.db,
    site_id,
    changed.map(({ permit, red, amber }) => ({ permit_id: permit.id, red, amber })),
  )
  const counted = changed.filter(({ permit }) => COUNTED.includes(permit.status))
  const judged = await judge(
    ctx,
    site_id,
    counted.map(({ permit }) => permit),
    null,
  )
  for (const { permit, told, red, amber } of counted) {
    const { facts, graph, policy } = judgedOf(judged, permit)
    tellPermit(ctx, 'permit.conflicts_changed', permit, permit.status, isSingleStage(facts.permit, facts.set), graph, policy, {
      ...{ red, amber, red_before: told.red, amber_before: told.amber },
      red_rose: red > told.red,
    })
  }
}

/** The consumer that tells of conflicts between permits. */
export const conflictTeller: Consumer = {
  name: 'permit_conflicts',
  says: 'Tells people when a permit gets another conflict with a permit, or loses one.',
  kinds: () => ['opened', 'worsened', 'eased', 'ended', 'reopened'].map(verb => `clash.${verb}`),
  handle: (ctx, event) => compare(ctx, [event]),
  handle_all: compare,
}
