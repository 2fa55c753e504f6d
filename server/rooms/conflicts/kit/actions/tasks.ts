// The tasks of episodes (`conflict-and-planning.md` §0.3, §3): who is asked to settle a clash, and when.

import { defaultFor } from '../../../../../shared/conflicts/consequences.ts'
import { HOUR, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { hold, share } from '../../../../kernel/records/door.ts'
import { moveTask, type Raised, raiseTasks, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { keepTaskState, lockAsked, type TaskFacts, type TaskState, taskFacts } from '../queries/tasks.ts'

const WORK = 'clashes'

/** Makes the work on a site's clashes one at a time. */
export const takeClashes = (ctx: Ctx, site_id: Id): Promise<void> => hold(ctx, WORK, site_id)

/** Returns when people are asked about an episode, and when its owner is late. */
function dueTimes(facts: TaskFacts): Pick<TaskState, 'task_at' | 'overdue_at'> {
  const { status, severity, next_at, has_consequence, lead_hours, settled, due_at } = facts
  const lead = has_consequence ? lead_hours : defaultFor(severity).task_lead_hours
  const asked = status === 'open' && !settled && lead !== null && next_at !== null
  return { task_at: asked ? later(next_at, -lead * HOUR) : null, overdue_at: status === 'open' && !settled ? due_at : null }
}

/** Raises and resolves the tasks of these episodes, or of the open ones of a rule, as their facts are now. */
export async function judgeTasks(ctx: Ctx, site_id: Id, of: readonly Id[] | { rule_id: Id }): Promise<void> {
  // What is being found now follows the consequence as it was, and can’t be seen before it is committed.
  if ('rule_id' in of) await share(ctx, WORK, site_id)
  const those = 'rule_id' in of ? of : { ids: of }
  await lockAsked(ctx.db, site_id, those)
  const episodes = await taskFacts(ctx.db, site_id, those)
  const raised: Raised[] = []
  const changed: TaskState[] = []
  const gone: { id: Id; kind: string }[] = []
  for (const facts of episodes) {
    const { id, label, next_at, due_at, owner_user_id, owner_is_here, owner_contractor_id } = facts
    const { task_at, overdue_at } = dueTimes(facts)
    const subject = { kind: 'clash_episode', id, label }
    const task_raised = task_at !== null && task_at <= ctx.now
    const overdue_raised = overdue_at !== null && overdue_at <= ctx.now
    if (task_raised && !facts.task_raised) raised.push({ kind: 'resolve_clash', subject, bands: ['coordinate'], due_at: next_at })
    // A clash that now starts earlier or later has to be settled by then.
    if (task_raised && facts.task_raised && task_at !== facts.task_at)
      await moveTask(ctx, site_id, id, 'resolve_clash', { due_at: next_at, attention_at: ctx.now })
    if (!task_raised && facts.task_raised) gone.push({ id, kind: 'resolve_clash' })
    if (facts.overdue_raised && (!overdue_raised || overdue_at !== facts.overdue_at)) gone.push({ id, kind: 'overdue_resolving' })
    if (overdue_raised && (!facts.overdue_raised || overdue_at !== facts.overdue_at))
      raised.push({
        ...{ kind: 'overdue_resolving', subject, due_at },
        // A person who has left can't do anything about it, so coordinators are asked.
        ...(owner_user_id === null
          ? { contractor_id: owner_contractor_id }
          : owner_is_here
            ? { user_ids: [owner_user_id] }
            : { bands: ['coordinate' as const] }),
      })
    const next = { id, task_at, task_raised, overdue_at, overdue_raised }
    if ((['task_at', 'task_raised', 'overdue_at', 'overdue_raised'] as const).some(key => next[key] !== facts[key])) changed.push(next)
  }
  for (const [kind, ids] of Map.groupBy(gone, one => one.kind))
    await resolveTasks(
      ctx,
      site_id,
      ids.map(one => one.id),
      { only: [kind] },
      'not_needed',
    )
  if (raised.length > 0) await raiseTasks(ctx, site_id, raised)
  await keepTaskState(ctx.db, site_id, changed)
}
