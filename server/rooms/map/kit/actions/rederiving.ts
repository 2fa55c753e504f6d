// Schedules of a site whose time zone was corrected (`map.md` §0.5 rule 4): their wall-clock times stay, so the instants of what is ahead change.

import { rederive } from '../../../../../shared/schedule-groups/reconcile.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { TableName } from '../../../../base/rows.ts'
import type { Rederive } from '../../../../kernel/site/door.ts'
import { type GroupRow, lockGroupsAhead } from '../queries/schedules.ts'
import { type OfArea, occurrencesOf, storedIn, subjectOf } from './occurrences.ts'

/** Gives what is ahead of one schedule, and follows it, its times in another time zone; returns how many occurrences were changed or removed. */
async function rederiveGroup<T extends TableName>(ctx: Ctx, of: OfArea<T>, group: GroupRow, timezone: string): Promise<number> {
  const rows = await occurrencesOf(ctx, of, group)
  const { change, remove } = rederive(group, rows.map(storedIn), ctx.now, timezone)
  const gone = new Set(remove.map(({ id }) => id))
  const times = new Map(change.map(({ id, start_at, end_at }) => [id, { start_at, end_at }]))
  const picked = (ids: { has(id: Id): boolean }) => rows.filter(row => ids.has(storedIn(row).id))
  await of.area.removeAll(ctx, picked(gone), `The clocks of ${timezone} leave ${group.name} no time on that day.`, subjectOf(of, group))
  await of.area.putAll(ctx, picked(times), row => times.get(storedIn(row).id) ?? {}, subjectOf(of, group))
  return gone.size + times.size
}

/** Makes what recomputes the schedules of an area. */
export const rederivingOf =
  <T extends TableName>(of: OfArea<T>): Rederive =>
  async (ctx, site_id, timezone) => {
    let moved = 0
    for (const group of await lockGroupsAhead(ctx.db, of.schedule, of.table, site_id, ctx.now))
      moved += await rederiveGroup(ctx, of, group, timezone)
    return moved
  }
