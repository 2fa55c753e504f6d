// When clashes start and end (`site-and-people.md` §17).
import { NO_CHANGES } from '../../../../kernel/changes/domain.ts'
import { type ChangeSource, countChanges } from '../../../../kernel/changes/door.ts'
import { pendingOn } from '../../kit/actions/caught-up.ts'
import { clashesOf, clashSpans } from '../queries/list.ts'
import { scopeOfCaller, withoutTelling } from './seeing.ts'

/** Changes of the clashes that the caller sees. A filter finds them as it does in a list; clashes have no shape that a box could contain. */
export const clashChanges: ChangeSource = {
  kind: 'clash',
  caughtUp: pendingOn,
  async read(ctx, site_id, { from, to, by: { bbox, ...by } }) {
    if (!ctx.actor.can('clash_view') || bbox !== undefined) return NO_CHANGES
    const scope = await scopeOfCaller(ctx)
    const filter = { ...by, from, to, now: ctx.now, scope }
    const ids = Object.values(by).some(value => value !== undefined)
      ? (await withoutTelling(ctx, site_id, await clashesOf(ctx.db, site_id, filter, null), by)).map(one => one.id)
      : undefined
    return countChanges(ctx.db, clashSpans(site_id, from, to, scope, ids), from, to)
  },
}
