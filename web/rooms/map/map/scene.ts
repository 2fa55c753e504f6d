// What is visible on the map: data in, sources out.

import type { GeoJSONSourceSpecification } from 'maplibre-gl'
import { type Alert, faceOf } from '../../messages/alerts/door.tsx'
import type { Area } from './areas/areas.ts'
import { activeShapes } from './areas/sources.ts'
import { type ClashCounts, clashShapes, countsOf, type MapClash } from './clashes/clashes.ts'
import {
  type Feature,
  type Frame,
  type Ground,
  groundIn,
  groundOf,
  isGround,
  levelsOf,
  type Marked,
  type Marker,
  middleOf,
  onFloor,
  type Place,
  spotIn,
} from './model.ts'
import type { Poi, TextLabel } from './signs.ts'
import { alarmOf, reachOf, saysOf, type Token, tokenSpot } from './tokens.ts'

type Shape = {
  type: 'Feature'
  id?: number
  geometry: Ground | { type: 'Point'; coordinates: number[] } | { type: 'LineString'; coordinates: number[][] }
  properties: Record<string, unknown>
}
/** The content of one source. */
export type Collection = { type: 'FeatureCollection'; features: Shape[] }

/** Our own sources on the map. */
export const SOURCES = [
  'boundary',
  'areas',
  'buildings',
  'zones',
  'active',
  'places',
  'reach',
  'clashes',
  'tokens',
  'points',
  'words',
  'markers',
  'alerts',
  'alert-pins',
  'here',
] as const
/** What is visible: a collection for each source. */
export type Scene = Record<(typeof SOURCES)[number], Collection>
/** What is selected for viewing: a building, and one of its levels. */
export type Floor = { building: string; level: number | null } | null

/** Returns the content of a source. */
export const collection = (features: Shape[]): Collection => ({ type: 'FeatureCollection', features })
/** Returns something that a source draws. */
export const shape = (geometry: Shape['geometry'], properties: Record<string, unknown>): Shape => ({
  type: 'Feature',
  geometry,
  properties,
})

type Given = {
  boundary: Ground | null
  frame: Frame
  permits: readonly Marked[]
  markers: readonly Marker[]
  /** Points of interest and words on the map; none where the map is about something else. */
  points?: readonly Poi[]
  words?: readonly TextLabel[]
  /** Workers, gangs and plant. */
  tokens?: readonly Token[]
  /** Alerts that are active. */
  alerts?: readonly Alert[]
  /** Active areas. */
  active?: readonly Area[]
  /** Clashes of the instant. */
  clashes?: readonly MapClash[]
  floor: Floor
  /** What is selected: a feature of the frame, or a permit. */
  chosen: string | null
  /** Returns the label of a place. */
  label(feature: Feature): string
}

/** Returns everything that is visible, by source. */
export function sceneOf({
  boundary,
  frame,
  permits,
  markers,
  points = [],
  words = [],
  tokens = [],
  alerts = [],
  active = [],
  clashes = [],
  floor,
  chosen,
  label,
}: Given): Scene {
  const all = [...frame.values()]
  const drawn = (feature: Feature) =>
    shape(groundOf(feature), { id: feature.id, label: label(feature), zone_type: feature.zone_type, chosen: feature.id === chosen })
  const inSight = (place: Place) => onFloor(place.building_id, levelsOf(place, frame), floor)
  return {
    boundary: collection(boundary === null ? [] : [shape(boundary, {})]),
    areas: collection(all.filter(one => one.kind === 'area').map(drawn)),
    buildings: collection(
      all
        .filter(one => one.kind === 'building')
        .map(one => {
          const made = drawn(one)
          return { ...made, properties: { ...made.properties, chosen: one.id === chosen || one.id === floor?.building } }
        }),
    ),
    zones: collection(
      all
        .filter(one => one.kind === 'zone')
        .filter(one => onFloor(one.building_id, one.level_from === null ? null : [one.level_from, one.level_to ?? one.level_from], floor))
        .map(drawn),
    ),
    active: collection(activeShapes(active, chosen).map(({ ground, properties }) => shape(ground, properties))),
    places: collection(
      permits.flatMap(permit =>
        permit.place !== null && isGround(permit.place.polygon) && inSight(permit.place)
          ? [shape(permit.place.polygon, { id: permit.id, standing: permit.standing, chosen: permit.id === chosen })]
          : [],
      ),
    ),
    ...tokenSources(
      tokens.filter(({ place }) => inSight(place)),
      chosen,
      countsOf(clashes),
    ),
    clashes: collection(clashShapes(clashes, chosen).map(({ geometry, properties }) => shape(geometry, properties))),
    points: collection(
      points
        .filter(({ place }) => inSight(place))
        .flatMap(point => {
          const spot = spotIn(point.place.point)
          return spot === null
            ? []
            : [
                shape(
                  { type: 'Point', coordinates: [...spot] },
                  { id: point.id, kind: point.poi_kind, says: point.name, emergency: point.emergency, chosen: point.id === chosen },
                ),
              ]
        }),
    ),
    words: collection(
      words
        .filter(({ place }) => inSight(place))
        .flatMap(({ place, text, size_px, rotation_deg, anchor, min_zoom, max_zoom, colour }) => {
          const spot = spotIn(place.point)
          return spot === null
            ? []
            : [
                shape(
                  { type: 'Point', coordinates: [...spot] },
                  { text, size: size_px, turn: rotation_deg, anchor, from: min_zoom, to: max_zoom + 1, colour },
                ),
              ]
        }),
    ),
    markers: collection(
      markers.map(marker =>
        shape(
          { type: 'Point', coordinates: [...marker.spot] },
          {
            key: marker.key,
            standing: marker.standing,
            says: marker.says,
            slot: marker.slot,
            mine: marker.mine,
            from: marker.from,
            to: marker.to,
            chosen: chosen !== null && marker.ids.includes(chosen),
          },
        ),
      ),
    ),
    ...alertSources(alerts, floor, chosen),
    here: collection([]),
  }
}

/** Returns whether an alert covers what is selected for viewing: without a building it covers every level. */
const covers = ({ place, levels }: Alert, floor: Floor): boolean =>
  floor === null ||
  place?.building_id == null ||
  (place.building_id === floor.building && (levels.length === 0 || floor.level === null || levels.includes(floor.level)))

/** Returns the sources of alerts: the ground that they cover, and a pin in its middle. One for the whole site is on no place of the map. */
function alertSources(alerts: readonly Alert[], floor: Floor, chosen: string | null): Pick<Scene, 'alerts' | 'alert-pins'> {
  const drawn = alerts.flatMap(alert => {
    const ground = groundIn(alert.area)
    return ground === null || !covers(alert, floor) ? [] : [{ alert, ground }]
  })
  const says = ({ id, title, ...alert }: Alert) => ({ id, says: title, kind: faceOf(alert).kind, chosen: id === chosen })
  return {
    alerts: collection(drawn.map(({ alert, ground }) => shape(ground, says(alert)))),
    'alert-pins': collection(
      drawn.map(({ alert, ground }) =>
        shape({ type: 'Point', coordinates: [...(spotIn(alert.place?.point) ?? middleOf(ground))] }, says(alert)),
      ),
    ),
  }
}

/** Returns the sources of workers, gangs and plant: the ground that they take up, and themselves; a red clash is a mark on them. */
function tokenSources(tokens: readonly Token[], chosen: string | null, counts: ClashCounts): Pick<Scene, 'reach' | 'tokens'> {
  return {
    reach: collection(
      tokens.flatMap(token =>
        reachOf(token).map(({ part, ground }) => shape(ground, { id: token.id, part, colour: token.colour, chosen: token.id === chosen })),
      ),
    ),
    tokens: collection(
      tokens.flatMap(token => {
        const spot = tokenSpot(token)
        const alarm = alarmOf(token) !== null || (counts.get(token.id)?.red ?? 0) > 0
        const drawn = { token: token.token, says: saysOf(token), colour: token.colour, alarm }
        return spot === null
          ? []
          : [shape({ type: 'Point', coordinates: [...spot] }, { id: token.id, ...drawn, chosen: token.id === chosen })]
      }),
    ),
  }
}

/** Empty sources, which are filled when data arrives. */
export const emptySource = (): GeoJSONSourceSpecification => ({ type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
