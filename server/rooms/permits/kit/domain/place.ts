import type { Geometry } from '../../../../../shared/geometry/plane.ts'
import type { Id } from '../../../../base/ids.ts'

/** The columns of a permit that say where it is. */
export type PlaceColumns = { building_id: Id | null; level_index: number | null; zone_id: Id | null; place_geometry: Geometry | null }

/** Returns the place of a permit as the API and a signature have it; null when it has none. */
export function placeOfRow(row: PlaceColumns): Record<string, unknown> | null {
  const geometry = row.place_geometry
  const point =
    geometry?.type === 'Point' && Array.isArray(geometry.coordinates)
      ? { lon: geometry.coordinates[0], lat: geometry.coordinates[1] }
      : null
  const polygon = geometry !== null && geometry.type !== 'Point' ? geometry : null
  if (row.building_id === null && row.level_index === null && row.zone_id === null && geometry === null) return null
  return {
    building_id: row.building_id,
    level_index: row.level_index,
    zone_id: row.zone_id,
    ...(point === null ? {} : { point }),
    ...(polygon === null ? {} : { polygon }),
  }
}
