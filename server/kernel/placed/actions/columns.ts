// What the mechanism reads in a row and in a body: the columns that `make_placed` gives every table on the map.
import { type Areal, lonLat, position } from '../../../../shared/geometry/plane.ts'
import { fieldsIn, isRecord, textIn, textOrNull } from '../../../../shared/narrow.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { pointOn } from '../../geometry/door.ts'
import type { Life } from '../domain.ts'
import type { StoredPlace } from '../queries.ts'
import type { GivenPlace } from '../schema.ts'
import { placeReader } from './reading.ts'

const isAreal = (value: unknown): value is Areal => isRecord(value) && (value.type === 'Polygon' || value.type === 'MultiPolygon')

/** Reads a stored place. */
function storedIn(value: unknown): StoredPlace {
  const { building_id, level_index, zone_id, point, polygon } = fieldsIn(value)
  const { lon, lat } = fieldsIn(point)
  return {
    ...(typeof building_id === 'string' ? { building_id } : {}),
    ...(typeof level_index === 'number' ? { level_index } : {}),
    ...(typeof zone_id === 'string' ? { zone_id } : {}),
    ...(typeof lon === 'number' && typeof lat === 'number' ? { point: { lon, lat } } : {}),
    ...(isAreal(polygon) ? { polygon } : {}),
  }
}

/** Reads a place as a body gives it. */
export function givenIn(value: unknown): GivenPlace {
  const { building_id, level_index, zone_id, point, polygon } = fieldsIn(value)
  return {
    building_id: textOrNull(building_id),
    level_index: typeof level_index === 'number' ? level_index : null,
    zone_id: textOrNull(zone_id),
    point,
    polygon,
  }
}

/** Reads the columns that every table on the map has. */
export function columnsIn(row: object): Life & { site_id: Id; id: Id; contractor_id: Id | null; place: StoredPlace } {
  const { site_id, id, contractor_id, start_at, end_at, place } = fieldsIn(row)
  return {
    site_id: textIn(site_id),
    id: textIn(id),
    contractor_id: textOrNull(contractor_id),
    start_at: textIn(start_at),
    end_at: textOrNull(end_at),
    place: storedIn(place),
  }
}

/** Returns what is outside the building or zone that a person named, as these were at its start: they can have moved or ended since it was put there. */
export async function offPlace(ctx: Ctx, site_id: Id, rows: readonly ReturnType<typeof columnsIn>[]): Promise<Set<Id>> {
  const named = rows.flatMap(({ id, start_at, place }) => {
    const geometry = shapeOf(place)
    if (geometry === null) return []
    const features = [place.building_id, place.zone_id].flatMap(feature => feature ?? [])
    return features.map(feature_id => ({ id, feature_id, at: start_at, where: middleOn(geometry) }))
  })
  const off = named.length === 0 ? [] : await placeReader().off(ctx, site_id, named)
  return new Set(named.flatMap(({ id }, i) => (off[i] ? [id] : [])))
}

/** Returns a point on a geometry. */
export const middleOn = (geometry: Exclude<ReturnType<typeof shapeOf>, null>) =>
  geometry.type === 'Point' ? lonLat(geometry.coordinates) : pointOn(geometry)

/** Returns the place of a record as the API shows it. */
export function shownPlaceOf(row: object): Record<string, unknown> {
  const { building_id, level_index, zone_id, place } = fieldsIn(row)
  const { point, polygon } = storedIn(place)
  return { building_id, level_index, zone_id, ...(point === undefined ? {} : { point }), ...(polygon === undefined ? {} : { polygon }) }
}

const pointed = (value: unknown): string => {
  const { building_id = null, level_index = null, zone_id = null, point = null, polygon = null } = fieldsIn(value)
  return canonicalJson({ building_id, level_index, zone_id, point, polygon })
}

/** Returns whether a place in a body is the one that a record has: as it is shown, or as a person gave it. */
export const isPlaceOf = (row: object, value: unknown): boolean =>
  [shownPlaceOf(row), fieldsIn(row).place].some(place => pointed(place) === pointed(value))

/** Returns the geometry of a place. */
export const shapeOf = ({ point, polygon }: StoredPlace) =>
  polygon ?? (point === undefined ? null : { type: 'Point' as const, coordinates: position(point) })

/** Returns the geometry of a place that is stored; null if it has none. */
export const geometryIn = (place: unknown): ReturnType<typeof shapeOf> => shapeOf(storedIn(place))
