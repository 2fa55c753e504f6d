import { type Areal, boundsOf, middleOf, planeAt } from '../../../../../shared/geometry/plane.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { unitsSuspect } from '../../kit/domain/dxf-report.ts'
import { outlinesAt } from '../../reference-features/door.ts'
import type { FloorPlanRow } from '../queries.ts'

/** Returns the outline of what a plan shows, at an instant; null if it isn't there. */
export async function footprintOf(ctx: Ctx, site_id: Id, feature_id: Id, at: string): Promise<Areal | null> {
  const [feature] = await outlinesAt(ctx, site_id, at, { id: [feature_id] })
  return feature?.geometry ?? null
}

/** Returns what is wrong with a feature and a level for a plan that starts at an instant. */
export async function levelFaults(ctx: Ctx, site_id: Id, feature_id: Id, level_index: number, at: string): Promise<FieldFault[]> {
  const [feature] = await outlinesAt(ctx, site_id, at, { id: [feature_id] })
  if (feature === undefined)
    return [{ path: 'feature_id', message: 'isn’t a building, zone or area that is active on this site when the plan starts.' }]
  const home = feature.kind === 'zone' ? feature.building_id : feature.kind === 'building' ? feature.id : null
  const [building] = home === null ? [] : home === feature.id ? [feature] : await outlinesAt(ctx, site_id, at, { id: [home] })
  if (building === undefined || building.levels.length === 0)
    return level_index === 0 ? [] : [{ path: 'level_index', message: `must be 0, because ${feature.name} has no levels.` }]
  return building.levels.some(level => level.index === level_index)
    ? []
    : [{ path: 'level_index', message: `is ${level_index}, a level that ${building.name} doesn’t have.` }]
}

/** Returns the longer side of the box around an outline, metres. */
function longSide(outline: Areal): number {
  const [west, south, east, north] = boundsOf(outline)
  const plane = planeAt(middleOf([west, south, east, north]))
  const [a, b] = [plane.metres([west, south]), plane.metres([east, north])]
  return Math.max(b[0] - a[0], b[1] - a[1])
}

/** Returns the warning about units of a drawing that make it much larger or smaller than its building. */
export async function suspectOf(ctx: Ctx, row: FloorPlanRow): Promise<{ kind: 'units_suspect'; message: string }[]> {
  if (row.sheet === null) return []
  const outline = await footprintOf(ctx, row.site_id, row.feature_id, row.start_at)
  const found = outline === null ? null : unitsSuspect(row.sheet.units, row.sheet.extents, longSide(outline))
  return found === null ? [] : [found]
}
