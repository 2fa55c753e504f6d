// The duties of a person whose membership ended: a task lists them until others have taken them over (`site-and-people.md` §0.2, `reassign_duties`).
import { jobActor } from '../../../../base/actor.ts'
import { type Ctx, type House, reading } from '../../../../base/ctx.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { dutiesOf, raiseTask, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { lockTaskOf, type MembershipRow, openTasksOf } from '../queries.ts'

const KIND = 'reassign_duties'
const LONGEST = 300

/** Returns what the task says: the duties, cut off if there are many. */
const listed = (duties: readonly string[]): string => duties.join(', ').slice(0, LONGEST)

/** Raises the task for these duties; an open one gets their list. */
export const raiseHandover = (ctx: Ctx, { site_id, id }: Pick<MembershipRow, 'site_id' | 'id'>, duties: readonly string[]): Promise<void> =>
  raiseTask(ctx, site_id, { kind: KIND, subject: { kind: 'membership', id, label: listed(duties) }, bands: ['administer'] })

/**
 * Resolves the tasks of which no duty is left, because others have taken them over; the others list what is left. It looks at all tasks first, so that it only
 * writes where something has changed.
 */
export async function settleHandovers(house: House): Promise<{ resolved: number }> {
  let resolved = 0
  const work = { actor: jobActor('handovers'), cause: 'membership.handover' }
  const ctx = reading(house, work)
  const tasks = await openTasksOf(ctx.db, KIND)
  const left = tasks.length === 0 ? [] : await dutiesOf(ctx, tasks)
  for (const task of tasks.filter(({ says }, i) => listed(left[i] ?? []) !== says)) {
    const settle = async (ctx: Ctx) => {
      // The person can have become a member again meanwhile, which resolved the task.
      if (!(await lockTaskOf(ctx.db, task.site_id, task.id, KIND))) return
      const [duties = []] = await dutiesOf(ctx, [task])
      if (duties.length > 0) return raiseHandover(ctx, task, duties)
      await resolveTasks(ctx, task.site_id, task.id, { only: [KIND] }, 'done_by_step')
      resolved++
    }
    await writingOn(house, work, task.site_id, settle, { passes_lock: true })
  }
  return { resolved }
}
