// Sizes to start with when something is drawn (`map.md` §10). They are copied when a thing is made: a changed default moves nothing that exists.
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { once } from '../../../base/memo.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'geometry_default.per_category': Record<string, number>
  }
}

/** The sizes of a site; metres, or square metres where the name says so. */
export type GeometryDefaults = {
  worker_radius_m: number
  delivery_radius_m: number
  slew_clearance_m: number
  plant_margin_m: number
  /** Margins of single categories of plant. */
  per_category: Record<string, number>
  snap_m: number
  hole_buffer_m: number
  min_part_m2: number
  min_width_m: number
  fill_min_part_m2: number
  fill_min_width_m: number
  simplify_m: number
}

/** The sizes of a site that has saved none. */
export const STANDARD_DEFAULTS: GeometryDefaults = {
  worker_radius_m: 2,
  delivery_radius_m: 5,
  slew_clearance_m: 0.5,
  plant_margin_m: 1,
  per_category: {},
  snap_m: 0.2,
  hole_buffer_m: 0,
  min_part_m2: 1,
  min_width_m: 0.5,
  fill_min_part_m2: 5,
  fill_min_width_m: 1,
  simplify_m: 0.02,
}

/** The columns with the sizes. */
const SIZES = [
  ...(['worker_radius_m', 'delivery_radius_m', 'slew_clearance_m', 'plant_margin_m', 'per_category', 'snap_m', 'hole_buffer_m'] as const),
  ...(['min_part_m2', 'min_width_m', 'fill_min_part_m2', 'fill_min_width_m', 'simplify_m'] as const),
]

/**
 * Returns the sizes of a site.
 * @public used by what is drawn with them
 */
export const defaultsOf = (ctx: Ctx, site_id: Id): Promise<GeometryDefaults> =>
  // Once in a transaction: each occurrence of a schedule starts with the same sizes.
  once(ctx, `sizes ${site_id}`, async () => {
    const row = await ctx.db.selectFrom('geometry_default').select(SIZES).where('site_id', '=', site_id).executeTakeFirst()
    return row ?? STANDARD_DEFAULTS
  })
