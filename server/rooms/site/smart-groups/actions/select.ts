// Smart groups as filters of other areas.
import { moves } from '../../../../../shared/predicates/literals.ts'
import { expanded } from '../../../../../shared/predicates/nested.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { invalidField, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Selected } from '../../../../kernel/changes/door.ts'
import { predicateSql, subjectOf } from '../../../../kernel/predicates/door.ts'
import { siteOf } from '../../../../kernel/site/door.ts'
import { leavesIn } from '../domain.ts'
import { myGroups } from './show.ts'

/** Fields that change with the site day although nobody writes them. */
const DAILY = ['examination_state']

/** Returns the condition of a group for a whole period. Refuses a group that the caller doesn't see, or whose members change with the clock. `path`: where it was named. */
export async function selectionOf(ctx: Ctx, site_id: Id, group_id: Id, path: string): Promise<Selected> {
  const known = await myGroups(ctx, site_id)
  const group = known.get(group_id)
  if (group === undefined) return refuse(invalidField(path, 'isn’t a smart group of this site that you can see.'))
  const subject = subjectOf(group.subject)
  const predicate = expanded(subject, group.predicate, known)
  if (leavesIn(subject, predicate).some(leaf => moves(leaf.value) || DAILY.includes(leaf.field)))
    refuse(
      invalidField(
        path,
        `can’t be followed through a period: the condition of “${group.name}” depends on the current time or day. Choose another group, or leave it out.`,
      ),
    )
  const { timezone } = await siteOf(ctx, site_id)
  return { subject: subject.name, condition: predicateSql(subject, predicate, { now: ctx.now, timezone }) }
}
