// What is visible on the map: data in, sources out.

import type { GeoJSONSourceSpecification } from 'maplibre-gl'
import { isOneOf } from '../../../../shared/narrow.ts'
import { type Alert, faceOf } from '../../messages/alerts/door.tsx'
import type { Area } from './areas/areas.ts'
import { activeShapes } from './areas/sources.ts'
import { type Between, betweenShapes, clashOf, clashShapes, countsOf, type MapClash } from './clashes/clashes.ts'
import { APART, anew, type Collection, collection, type Keep, shape } from './collections.ts'
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
import { reachShapes, tokenShapes } from './token-sources.ts'
import type { Token } from './tokens.ts'
import { wordShapes } from './word-sources.ts'

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

const NONE: readonly never[] = []
const SEPARATE = ['tokens', 'reach'] as const

/** Returns everything that is visible, by source. What `keep` has made of the same before, it returns again. */
export function sceneOf(given: Given, keep: Keep = anew): Scene {
  const { boundary, frame, permits, markers, points = NONE, words = NONE, tokens = NONE, alerts = NONE, active = NONE } = given
  const { clashes = NONE, floor, chosen, label } = given
  /** What is selected, if it is one of these: the others don't change with it. */
  const chosenOf = (list: readonly { id: string }[]) => (list.some(one => one.id === chosen) ? chosen : null)
  const inFrame = chosen !== null && frame.has(chosen) ? chosen : null
  const all = (kind: Feature['kind']) => [...frame.values()].filter(one => one.kind === kind)
  const drawn = (feature: Feature) =>
    shape(groundOf(feature), { id: feature.id, label: label(feature), zone_type: feature.zone_type, chosen: feature.id === inFrame })
  const inSight = ({ place }: { place: Place }) => onFloor(place.building_id, levelsOf(place, frame), floor)
  const counts = countsOf(clashes)
  const chosenMarker = chosen !== null && markers.some(one => one.ids.includes(chosen)) ? chosen : null
  return {
    boundary: keep('boundary', [boundary], () => (boundary === null ? [] : [shape(boundary, {})])),
    areas: keep('areas', [frame, label, inFrame], () => all('area').map(drawn)),
    buildings: keep('buildings', [frame, label, inFrame, floor], () =>
      all('building').map(one => {
        const made = drawn(one)
        return { ...made, properties: { ...made.properties, chosen: one.id === inFrame || one.id === floor?.building } }
      }),
    ),
    zones: keep('zones', [frame, label, inFrame, floor], () =>
      all('zone')
        .filter(one => onFloor(one.building_id, one.level_from === null ? null : [one.level_from, one.level_to ?? one.level_from], floor))
        .map(drawn),
    ),
    active: keep('active', [active, chosenOf(active)], () =>
      activeShapes(active, chosen).map(({ ground, properties }) => shape(ground, properties)),
    ),
    places: keep('places', [permits, frame, floor, chosenOf(permits)], () =>
      permits.flatMap(permit =>
        permit.place !== null && isGround(permit.place.polygon) && inSight({ place: permit.place })
          ? [shape(permit.place.polygon, { id: permit.id, standing: permit.standing, chosen: permit.id === chosen })]
          : [],
      ),
    ),
    reach: keep('reach', [tokens, frame, floor, chosenOf(tokens)], () => reachShapes(tokens.filter(inSight), chosen)),
    tokens: keep('tokens', [tokens, frame, floor, chosenOf(tokens), clashes], () => tokenShapes(tokens.filter(inSight), chosen, counts)),
    clashes: keep('clashes', [clashes, clashOf(clashes, chosen)], () =>
      clashShapes(clashes, chosen).map(({ geometry, properties }) => shape(geometry, properties)),
    ),
    points: keep('points', [points, frame, floor, chosenOf(points)], () =>
      points.filter(inSight).flatMap(point => {
        const spot = spotIn(point.place.point)
        const { id, poi_kind: kind, name: says, emergency } = point
        return spot === null ? [] : [shape({ type: 'Point', coordinates: [...spot] }, { id, kind, says, emergency, chosen: id === chosen })]
      }),
    ),
    words: keep('words', [words, frame, floor, chosenOf(words)], () => wordShapes(words.filter(inSight), chosen)),
    markers: keep('markers', [markers, chosenMarker], () =>
      markers.map(({ key, standing, says, slot, mine, from, to, spot, ids }) =>
        shape(
          { type: 'Point', coordinates: [...spot] },
          { key, standing, says, slot, mine, from, to, chosen: chosen !== null && ids.includes(chosen) },
        ),
      ),
    ),
    ...alertSources(alerts, floor, chosen, keep),
    here: keep('here', [], () => []),
  }
}

/** Returns whether an alert covers what is selected for viewing: without a building it covers every level. */
const covers = ({ place, levels }: Alert, floor: Floor): boolean =>
  floor === null ||
  place?.building_id == null ||
  (place.building_id === floor.building && (levels.length === 0 || floor.level === null || levels.includes(floor.level)))

/** Returns the sources of alerts: the ground that they cover, and a pin in its middle. One for the whole site is on no place of the map. */
function alertSources(alerts: readonly Alert[], floor: Floor, chosen: string | null, keep: Keep): Pick<Scene, 'alerts' | 'alert-pins'> {
  const drawn = alerts.flatMap(alert => {
    const ground = groundIn(alert.area)
    return ground === null || !covers(alert, floor) ? [] : [{ alert, ground }]
  })
  const of = [alerts, floor, alerts.some(one => one.id === chosen) ? chosen : null]
  const says = ({ id, title, ...alert }: Alert) => ({ id, says: title, kind: faceOf(alert).kind, chosen: id === chosen })
  return {
    alerts: keep('alerts', of, () => drawn.map(({ alert, ground }) => shape(ground, says(alert)))),
    'alert-pins': keep('alert-pins', of, () =>
      drawn.map(({ alert, ground }) =>
        shape({ type: 'Point', coordinates: [...(spotIn(alert.place?.point) ?? middleOf(ground))] }, says(alert)),
      ),
    ),
  }
}

/** Empty sources, which are filled when data arrives. */
export const emptySource = (source = ''): GeoJSONSourceSpecification => ({
  type: 'geojson',
  data: { type: 'FeatureCollection', features: [] },
  ...(isOneOf(SEPARATE, source) ? { promoteId: APART[source] } : {}),
})

/** Returns what is visible, with lines between things instead of the clashes of an instant. */
export const withLines = (scene: Scene, lines: readonly Between[], chosen: string | null = null): Scene => ({
  ...scene,
  clashes: collection(betweenShapes(lines, chosen).map(({ geometry, properties }) => shape(geometry, properties))),
})
