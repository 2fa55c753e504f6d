// When another site map becomes active (`site-and-people.md` §17).
import { NO_CHANGES } from '../../../../kernel/changes/domain.ts'
import { type ChangeSource, countChanges } from '../../../../kernel/changes/door.ts'
import { activationSpans } from '../queries.ts'

/** Changes of the active site map. It belongs to the whole site. */
export const siteMapChanges: ChangeSource = {
  kind: 'site_map',
  async read(ctx, site_id, { from, to, by }) {
    if (Object.values(by).some(filter => filter !== undefined)) return NO_CHANGES
    return countChanges(ctx.db, activationSpans(site_id, from, to), from, to)
  },
}
