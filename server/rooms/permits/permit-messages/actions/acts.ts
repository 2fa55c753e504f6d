import type { Because } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { ActFlags } from '../../../../kernel/tasks/door.ts'
import { judge, standingAt } from '../../kit/actions/facts.ts'
import { permitFlags } from '../../kit/domain/flags.ts'
import { permitsById } from '../../kit/queries/permits.ts'

/** Whether the caller can take the gate of a task: the card tells a stage-2 member why they can't issue. */
export const actsOn: ActFlags = {
  subject_kind: 'permit',
  async of(ctx, tasks) {
    const out = new Map<Id, { allowed: boolean; because: Because[] }>()
    for (const [site_id, own] of Map.groupBy(tasks, task => task.site_id)) {
      const there = await standingAt(ctx, site_id)
      const rows = await permitsById(
        ctx.db,
        site_id,
        own.map(task => task.subject_id),
      )
      const judged = await judge(there, site_id, rows, null)
      for (const task of own) {
        const all = judged.get(task.subject_id)
        const flag = all === undefined ? undefined : permitFlags(all.facts, all.graph)[task.kind.replace(/_permit$/, '')]
        if (flag !== undefined) out.set(task.id, flag)
      }
    }
    return out
  },
}
