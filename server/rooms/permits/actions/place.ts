import type { Ctx } from '../../../base/ctx.ts'
import type { FieldFault } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { PermitSet } from '../queries/permits.ts'

const NOWHERE: PermitSet = { building_id: null, level_index: null, zone_id: null, place_geometry: null, place_bounds: null }

/** Columns of a place. While a site has no frame of buildings and zones, no place can be named. */
export async function placeColumns(_ctx: Ctx, _site_id: Id, place: unknown, faults: FieldFault[]): Promise<PermitSet> {
  if (place !== null) faults.push({ path: 'place', message: 'cannot be named: the site has no buildings or zones yet.' })
  return NOWHERE
}
