import { position } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { FieldFault } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import type { GivenPlace } from '../../../../kernel/placed/schema.ts'
import { placeOf } from '../../../map/reference-features/door.ts'
import { type PlaceColumns, placeOfRow } from '../../kit/domain/place.ts'
import type { PermitSet } from '../queries/permits.ts'

/** The columns of a permit without a place. */
export const NOWHERE: PlaceColumns = { building_id: null, level_index: null, zone_id: null, place_geometry: null }

const said = (place: object): string => canonical(Object.fromEntries(Object.entries(place).filter(([, value]) => value != null)))

/**
 * Returns the columns of a place in a request body, checked against the site's frame as it is when the work starts, but not before now. The place that the
 * permit already has is accepted as it is, even if its building has since ended, so that a client can submit what it has read.
 */
export async function placeColumns(
  ctx: Ctx,
  site_id: Id,
  given: GivenPlace | null,
  before: PlaceColumns,
  begins: Instant | null,
  faults: FieldFault[],
): Promise<PermitSet> {
  if (given === null) return NOWHERE
  const had = placeOfRow(before)
  if (had !== null && said(had) === said(given)) return {}
  const at = begins !== null && begins > ctx.now ? begins : ctx.now
  const { place, faults: found } = await placeOf(ctx, site_id, given, { at })
  faults.push(...found)
  if (place === null) return NOWHERE
  const { building_id, level_index, zone_id, point, polygon } = place
  return {
    building_id: building_id ?? null,
    level_index: level_index ?? null,
    zone_id: zone_id ?? null,
    place_geometry: point === undefined ? (polygon ?? null) : { type: 'Point', coordinates: position(point) },
  }
}
