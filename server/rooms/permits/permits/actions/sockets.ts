// What permits contribute to shared mechanisms: whether the caller can act on a task, what a person is responsible for, who uses a
// contractor.
import type { Ctx } from '../../../../base/ctx.ts'
import type { Because } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Members, Reference } from '../../../../kernel/predicates/door.ts'
import type { Use } from '../../../../kernel/records/door.ts'
import type { ActFlags, Duties } from '../../../../kernel/tasks/door.ts'
import { permitFlags } from '../domain/flags.ts'
import { countByContractor, permitsById } from '../queries/lists.ts'
import { permitLabels, permitsAsMembers } from '../queries/subject.ts'
import { dutiesIn } from '../queries/sweeps.ts'
import { judge, standingAt, viewerOn } from './facts.ts'
import { placeUse } from './place.ts'

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

/** Lists a person's duties: as receiver of open permits, and as the only appointed issuer of a type. */
export const dutiesOf: Duties = async (ctx: Ctx, site_id: Id, user_id: Id) => {
  const { received, only_issuer_of } = await dutiesIn(ctx.db, site_id, user_id)
  return [...received.map(number => `receiver of ${number}`), ...only_issuer_of.map(code => `only issuer for ${code}`)]
}

const contractors = (name: string, when: Use['when'], which: 'all' | 'open' | 'live'): Use => ({
  of: 'contractor',
  name,
  when,
  count: (ctx, site_id, ids) => countByContractor(ctx.db, site_id, ids, which),
})

/** How permits use contractors, and the site's frame. */
export const permitUses: readonly Use[] = [
  contractors('permits', 'ever', 'all'),
  contractors('open_permits', 'ahead', 'open'),
  contractors('live_permits', 'now', 'live'),
  placeUse,
]

/** Permits that conditions can select: those that the caller sees (R10), or all for rules. */
export const permitMembers: Members = {
  subject: 'permit',
  at: async (ctx, site_id, _at, whole) => permitsAsMembers(site_id, whole ? null : await viewerOn(ctx, site_id)),
}

/** Permits that conditions refer to. */
export const permitReference: Reference = {
  name: 'permit',
  ids: async (ctx, site_id, ids) => permitLabels(ctx.db, site_id, await viewerOn(ctx, site_id), ids),
}
