// When other floor plans become active (`site-and-people.md` §17).
import { NO_CHANGES } from '../../../../kernel/changes/domain.ts'
import { type ChangeSource, countChanges } from '../../../../kernel/changes/door.ts'
import { planSpans } from '../queries.ts'

/** Changes of the active floor plans. They belong to a building and a level, and to no contractor. */
export const planChanges: ChangeSource = {
  kind: 'floor_plan',
  async read(ctx, site_id, { from, to, by: { contractor_id, building_id, level_index, zone_id }, box }) {
    if (contractor_id !== undefined || box !== undefined || (building_id !== undefined && zone_id !== undefined)) return NO_CHANGES
    return countChanges(ctx.db, planSpans(site_id, from, to, { feature_id: building_id ?? zone_id, level_index }), from, to)
  },
}
