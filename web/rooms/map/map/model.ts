// What the map shows, as plain data: where a permit is, which permits are open at an instant, and what is drawn of the site frame.
import { fieldsIn, isRecord } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Standing } from '../../permits/permits/door.tsx'
import { FIRST, type Marker, type Spot } from './markers.ts'
import { FURTHEST, type Row, spread } from './spread.ts'

export { FIRST, type Marker, type Spot } from './markers.ts'

/** A GeoJSON geometry. */
export type Ground = { type: 'Polygon'; coordinates: number[][][] } | { type: 'MultiPolygon'; coordinates: number[][][][] }
/** An area, a building or a zone of the site frame. */
export type Feature = Schemas['ReferenceFeature']
/** The place of a permit. */
export type Place = Schemas['Place']
/** The part of a permit that the map uses. */
export type Placed = {
  id: string
  place: Place | null
  start_at: string | null
  end_at: string | null
  status: Schemas['PermitCard']['status']
}
/** West, south, east, north. */
export type Box = readonly [number, number, number, number]
/** Features of the frame by their ids. */
export type Frame = ReadonlyMap<string, Feature>

/** Returns how many lists deep a value is: coordinates of a Polygon are three, of a MultiPolygon four. */
const depthOf = (value: unknown): number => (Array.isArray(value) ? 1 + depthOf(value[0]) : 0)

/** Returns whether a value is an area in GeoJSON. Of its corners it reads the first. */
export const isGround = (value: unknown): value is Ground =>
  isRecord(value) &&
  ((value.type === 'Polygon' && depthOf(value.coordinates) === 3) || (value.type === 'MultiPolygon' && depthOf(value.coordinates) === 4))

/** Returns an area of the service; null if there is none. */
export const groundIn = (value: unknown): Ground | null => (isGround(value) ? value : null)

/** Returns a point of a place, as the service or the map gives it; null if there is none. */
export function spotIn(point: unknown): Spot | null {
  const { lon, lat } = fieldsIn(point)
  return typeof lon === 'number' && typeof lat === 'number' ? [lon, lat] : null
}

const NOWHERE: Ground = { type: 'MultiPolygon', coordinates: [] }

/** Returns the area of a feature. */
export const groundOf = (feature: Pick<Feature, 'geometry'>): Ground => groundIn(feature.geometry) ?? NOWHERE
const ringsOf = (ground: Ground): number[][] => (ground.type === 'Polygon' ? ground.coordinates : ground.coordinates.flat()).flat()

/** Returns the box around shapes and points; null when there are none. */
export function boxOf(grounds: readonly Ground[], spots: readonly Spot[] = []): Box | null {
  const all = [...grounds.flatMap(ringsOf), ...spots]
  if (all.length === 0) return null
  const extreme = (pick: typeof Math.min, axis: 0 | 1, start: number) => all.reduce((so, point) => pick(so, point[axis] ?? 0), start)
  return [extreme(Math.min, 0, Infinity), extreme(Math.min, 1, Infinity), extreme(Math.max, 0, -Infinity), extreme(Math.max, 1, -Infinity)]
}

/** Returns the middle of a shape that a person drew: accurate enough for a marker. */
export function middleOf(ground: Ground): Spot {
  const [west, south, east, north] = boxOf([ground]) ?? [0, 0, 0, 0]
  return [(west + east) / 2, (south + north) / 2]
}

/** Returns the middle of the top of a shape: text there covers none of it. */
export function topOf(ground: Ground): Spot {
  const [west, , east, north] = boxOf([ground]) ?? [0, 0, 0, 0]
  return [(west + east) / 2, north]
}

/** Returns the position of the marker of a place: its own point or shape, else its zone, else its building. */
export function spotOf(place: Place | null, frame: Frame): Spot | null {
  if (place === null) return null
  if (place.point != null) return [place.point.lon, place.point.lat]
  if (isGround(place.polygon)) return middleOf(place.polygon)
  const named = frame.get(place.zone_id ?? '') ?? frame.get(place.building_id ?? '')
  return named === undefined ? null : [named.centre.lon, named.centre.lat]
}

/** Returns the levels that a place is on: [lowest, highest]; null for the ground, or any level. */
export function levelsOf(place: Place, frame: Frame): readonly [number, number] | null {
  if (place.level_index != null) return [place.level_index, place.level_index]
  const zone = frame.get(place.zone_id ?? '')
  return zone?.level_from == null ? null : [zone.level_from, zone.level_to ?? zone.level_from]
}

/** Returns whether something is on the selected level; without a selected level, everything is. */
export function onFloor(
  building_id: string | null | undefined,
  levels: readonly [number, number] | null,
  floor: { building: string; level: number | null } | null,
): boolean {
  if (floor === null || building_id == null) return true
  if (building_id !== floor.building) return floor.level === null
  return floor.level === null || levels === null || (levels[0] <= floor.level && floor.level <= levels[1])
}

/** Returns the building of a place, named by the place or by its zone. */
export const buildingOf = (place: Place, frame: Frame): string | null =>
  place.building_id ?? frame.get(place.zone_id ?? '')?.building_id ?? null

const OPEN = new Set(['issued', 'expired'])
const GONE = new Set(['rejected', 'withdrawn', 'closed'])

/**
 * Returns whether a permit belongs on the map of an instant: its window includes it, and it wasn't over. Live or expired permits that are not closed out are there whatever their window, because
 * people may still be working; but what is still `ahead` is shown as it is planned.
 */
export function standsAt(permit: Placed, at: number, ahead: boolean): boolean {
  if (GONE.has(permit.status)) return false
  if (!ahead && OPEN.has(permit.status)) return true
  if (permit.start_at === null || permit.end_at === null) return false
  return Date.parse(permit.start_at) <= at && at < Date.parse(permit.end_at)
}

/** The width of a marker in a row, and its height with the number below it, in pixels. */
export const MARKER_PX = 28

/** A permit as the map shows it. */
export type Marked = Placed & { standing: Standing; mine: boolean }

/** Returns the markers of permits: those at one position in a row, one for each status; and one for all of them, when zoomed out. */
export function markersOf(permits: readonly Marked[], frame: Frame): Marker[] {
  const spots = new Map<string, { spot: Spot; permits: Marked[] }>()
  for (const permit of permits) {
    const spot = spotOf(permit.place, frame)
    if (spot === null) continue
    const key = `${spot[0].toFixed(6)} ${spot[1].toFixed(6)}`
    const known = spots.get(key) ?? { spot, permits: [] }
    known.permits.push(permit)
    spots.set(key, known)
  }
  const rows = [...spots].map(([key, { spot, permits: here }]): Row => {
    const groups = Map.groupBy(here, permit => permit.standing)
    const standings = FIRST.filter(standing => groups.has(standing))
    const markers = standings.map((standing, i) => {
      const own = groups.get(standing) ?? []
      const ids = own.map(permit => permit.id)
      const mine = own.some(permit => permit.mine)
      return {
        key: `${key} ${standing}`,
        spot,
        standing,
        ids,
        slot: 2 * i - (standings.length - 1),
        mine,
        from: 0,
        to: FURTHEST,
        says: ids.length > 1 ? String(ids.length) : '',
        together: false,
      }
    })
    return { key, spot, width: standings.length * MARKER_PX, markers }
  })
  return spread(rows)
}

/** Returns the position of the selected permit, with all permits there; those under the same marker first. Null when it has no marker. */
export function pickedAt(markers: readonly Marker[], chosen: string | null): { spot: Spot; ids: string[] } | null {
  const rows = markers.filter(marker => !marker.together)
  const own = rows.find(marker => chosen !== null && marker.ids.includes(chosen))
  if (own === undefined) return null
  return { spot: own.spot, ids: [...new Set([own, ...rows.filter(marker => marker.spot === own.spot)].flatMap(marker => marker.ids))] }
}

/** Returns the view in which the positions of a marker are apart; null for a marker of one position. */
export function partedAt(markers: readonly Marker[], marker: Marker): View | null {
  if (!marker.together) return null
  const spots = [...new Set(markers.filter(one => !one.together && one.ids.some(id => marker.ids.includes(id))).map(one => one.spot))]
  if (spots.length < 2) return null
  const middle = (axis: 0 | 1) => {
    const along = spots.map(spot => spot[axis])
    return (Math.min(...along) + Math.max(...along)) / 2
  }
  return { spot: [middle(0), middle(1)], zoom: marker.to }
}

/** A view of the map: its centre and its zoom. */
export type View = { spot: Spot; zoom: number }

/** From this zoom on, the surroundings of a point can be distinguished. */
const NEAR_ZOOM = 17

/** Returns a view of a point with its surroundings; `least` is the zoom from which it is drawn. */
export const nearTo = (spot: Spot | null, least = 0): View | null => (spot === null ? null : { spot, zoom: Math.max(NEAR_ZOOM, least) })

/** Reads a view from the URL; returns null if it contains no valid one. */
export function viewOf(text: string | undefined): View | null {
  const [lat, lon, zoom] = (text ?? '').split(',').map(Number)
  if (lat === undefined || lon === undefined || zoom === undefined) return null
  const fits = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && zoom >= 0 && zoom <= 24
  return fits ? { spot: [lon, lat], zoom } : null
}
/** Returns a view for the URL. */
export const sayView = ({ spot, zoom }: View): string => `${spot[1].toFixed(5)},${spot[0].toFixed(5)},${zoom.toFixed(1)}`
