// The name of a permit's place, the same wherever a permit is shown.
import type { Schemas } from './api.ts'
import { t } from './words.ts'

type Feature = Pick<Schemas['ReferenceFeature'], 'id' | 'name' | 'code' | 'levels' | 'building_id'>
/** Buildings and zones of a site; undefined until they have loaded, or for people who can't see them. */
export type Frame = readonly Feature[] | undefined
/** The part of a permit that says where it is. */
export type Placed = { location: string | null; place: Schemas['Place'] | null }

const known = new WeakMap<readonly Feature[], ReadonlyMap<string, Feature>>()

/** The features of a frame by their ids, cached per frame, because every card of a board needs them. */
function byIdOf(frame: Frame): ReadonlyMap<string, Feature> {
  if (frame === undefined) return new Map()
  const byId = known.get(frame) ?? new Map(frame.map(one => [one.id, one]))
  known.set(frame, byId)
  return byId
}

/**
 * Returns the name of a permit's place: building, level and zone; else its location in words. A place that can't be named is at least marked on the map. Null only
 * when the permit has no place at all.
 */
export function placeName({ location, place }: Placed, frame: Frame): string | null {
  const features = byIdOf(frame)
  const zone = features.get(place?.zone_id ?? '')
  const building = features.get(place?.building_id ?? zone?.building_id ?? '')
  const index = building === undefined ? null : (place?.level_index ?? null)
  const level = index === null ? null : (building?.levels?.find(one => one.index === index)?.name ?? t('permit.level', { level: index }))
  const parts = [building?.name ?? building?.code, level, zone?.name ?? zone?.code].filter(part => part != null && part !== '')
  if (parts.length > 0) return parts.join(', ')
  const marked = [place?.building_id, place?.zone_id, place?.point, place?.polygon].some(one => one != null)
  return location ?? (marked ? t('permit.place_marked') : null)
}

/** Returns the name of a permit's place, and after it the location in words that a person added. */
export function placeText(permit: Placed, frame: Frame): string | null {
  const name = placeName(permit, frame)
  return name === null || permit.location === null || permit.location === name ? name : `${name} · ${permit.location}`
}
