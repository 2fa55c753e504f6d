// The duties of a person whose membership ended: a task lists them until others have taken them over (`site-and-people.md` §0.2, `reassign_duties`).
import { jobActor } from '../../../../base/actor.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { dutiesOf, openSubjects, raiseTask, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { type MembershipRow, membershipById } from '../queries.ts'

const KIND = 'reassign_duties'
const LONGEST = 300

/** Returns what the task says: the duties, cut off if there are many. */
const listed = (duties: readonly string[]): string => duties.join(', ').slice(0, LONGEST)

/** Raises the task for these duties; an open one gets their list. */
export const raiseHandover = (ctx: Ctx, { site_id, id }: Pick<MembershipRow, 'site_id' | 'id'>, duties: readonly string[]): Promise<void> =>
  raiseTask(ctx, site_id, { kind: KIND, subject: { kind: 'membership', id, label: listed(duties) }, bands: ['administer'] })

/** Resolves the tasks of which no duty is left, because others have taken them over; the others list what is left. */
export async function settleHandovers(house: House): Promise<{ resolved: number }> {
  let resolved = 0
  const work = { actor: jobActor('handovers'), cause: 'membership.handover' }
  for (const { site_id, subject_id, subject_label } of await openSubjects(house.database.db, KIND))
    await writingOn(
      house,
      work,
      site_id,
      async ctx => {
        const row = await membershipById(ctx.db, site_id, subject_id)
        if (row === null) return
        const duties = await dutiesOf(ctx, site_id, row.user_id)
        if (duties.length === 0) {
          await resolveTasks(ctx, site_id, subject_id, { only: [KIND] }, 'done_by_step')
          resolved++
        } else if (listed(duties) !== subject_label) await raiseHandover(ctx, row, duties)
      },
      { passes_lock: true },
    )
  return { resolved }
}
