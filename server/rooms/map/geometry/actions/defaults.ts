import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../../base/ctx.ts'
import { expectVersion, explain, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { flagsFor } from '../../../../kernel/access/domain.ts'
import { type GeometryDefaults, STANDARD_DEFAULTS } from '../../kit/defaults.ts'
import { categoryFaults } from '../domain.ts'
import { type DefaultsRow, defaultsRow, insertDefaults, saveDefaults } from '../queries/defaults.ts'

/** Returns the sizes without the other columns of their row. */
function sizesOf(row: DefaultsRow | null): GeometryDefaults {
  if (row === null) return STANDARD_DEFAULTS
  const { worker_radius_m, delivery_radius_m, slew_clearance_m, plant_margin_m, per_category, snap_m, hole_buffer_m } = row
  const { min_part_m2, min_width_m, fill_min_part_m2, fill_min_width_m, simplify_m } = row
  const drawn = { worker_radius_m, delivery_radius_m, slew_clearance_m, plant_margin_m, per_category, snap_m, hole_buffer_m }
  return { ...drawn, min_part_m2, min_width_m, fill_min_part_m2, fill_min_width_m, simplify_m }
}

const shown = (ctx: Ctx, site_id: Id, row: DefaultsRow | null): Record<string, unknown> => ({
  site_id,
  ...sizesOf(row),
  permissions: flagsFor(ctx.actor, { edit: explain([ctx.actor.lacks('geometry_defaults_manage')]) }),
  version: row?.version ?? 0,
  updated_at: row?.updated_at ?? null,
})

/** Returns the sizes of a site, or the standard ones before the first save. */
export const showDefaults = async (ctx: Ctx, site_id: Id): Promise<Record<string, unknown>> =>
  shown(ctx, site_id, await defaultsRow(ctx.db, site_id, false))

/** Gives a new site the sizes of another one. */
export async function copyDefaults(ctx: Ctx, site_id: Id, from_site_id: Id): Promise<string[]> {
  const row = await defaultsRow(ctx.db, from_site_id, false)
  if (row !== null) await insertDefaults(ctx.db, { ...sizesOf(row), site_id, id: ids.next() })
  return []
}

/** Changes sizes. What is already on the map keeps the sizes that it was made with. */
export async function changeDefaults(
  ctx: Ctx,
  site_id: Id,
  change: Partial<GeometryDefaults>,
  if_match: string | undefined,
): Promise<Record<string, unknown>> {
  const faults = categoryFaults(change.per_category ?? {})
  if (faults.length > 0) refuse(invalid(faults))
  const row = await defaultsRow(ctx.db, site_id, true)
  expectVersion(if_match, row?.version ?? 0)
  const before = sizesOf(row)
  const next = { ...before, ...change }
  if (row === null) {
    // If two first saves come at the same time, the second continues from the row of the first.
    if (!(await insertDefaults(ctx.db, { ...next, site_id, id: ids.next() }))) return changeDefaults(ctx, site_id, change, if_match)
  } else if (!isDeepStrictEqual(before, next)) await saveDefaults(ctx.db, site_id, next)
  return showDefaults(ctx, site_id)
}
