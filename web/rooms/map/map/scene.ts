// The look of the map: data in, sources and layers out. Colours are the theme's tokens; what a colour says, a dash, a shape or a word
// says too.

import type { ExpressionSpecification, GeoJSONSourceSpecification, LayerSpecification } from 'maplibre-gl'
import { mapValues } from '../../../../shared/narrow.ts'
import { hexOf } from '../../../base/theme/contrast.ts'
import type { Theme } from '../../../base/theme/themes.ts'
import { COLOURS } from '../../../base/theme/tokens.ts'
import { fontOf, type LabelStyles, lookOf, type Named } from './looks.ts'
import {
  type Feature,
  type Frame,
  type Ground,
  groundOf,
  isGround,
  levelsOf,
  MARKER_PX,
  type Marked,
  type Marker,
  onFloor,
  type Place,
} from './model.ts'

type Shape = {
  type: 'Feature'
  id?: number
  geometry: Ground | { type: 'Point'; coordinates: number[] }
  properties: Record<string, unknown>
}
/** The content of one source. */
export type Collection = { type: 'FeatureCollection'; features: Shape[] }

/** Our own sources on the map. */
export const SOURCES = ['boundary', 'areas', 'buildings', 'zones', 'places', 'markers', 'here'] as const
/** What is visible: a collection for each source. */
export type Scene = Record<(typeof SOURCES)[number], Collection>
/** What is selected for viewing: a building, and one of its levels. */
export type Floor = { building: string; level: number | null } | null

const collection = (features: Shape[]): Collection => ({ type: 'FeatureCollection', features })
const shape = (geometry: Shape['geometry'], properties: Record<string, unknown>): Shape => ({ type: 'Feature', geometry, properties })

type Given = {
  boundary: Ground | null
  frame: Frame
  permits: readonly Marked[]
  markers: readonly Marker[]
  floor: Floor
  /** What is selected: a feature of the frame, or a permit. */
  chosen: string | null
  /** Returns the label of a place. */
  label(feature: Feature): string
}

/** Returns everything that is visible, by source. */
export function sceneOf({ boundary, frame, permits, markers, floor, chosen, label }: Given): Scene {
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
    places: collection(
      permits.flatMap(permit =>
        permit.place !== null && isGround(permit.place.polygon) && inSight(permit.place)
          ? [shape(permit.place.polygon, { id: permit.id, standing: permit.standing, chosen: permit.id === chosen })]
          : [],
      ),
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
    here: collection([]),
  }
}

/** Empty sources, which are filled when data arrives. */
export const emptySource = (): GeoJSONSourceSpecification => ({ type: 'geojson', data: { type: 'FeatureCollection', features: [] } })

/** The markers to show at the current zoom. */
const IN_SIGHT: ExpressionSpecification = ['all', ['>=', ['zoom'], ['get', 'from']], ['<', ['zoom'], ['get', 'to']]]

const FONT = fontOf('regular', false)

/** The colour of each status; the same as on the card. Never orange, which is only for what waits for the person who looks. */
export const HUES = {
  draft: 'soft',
  requested: 'brand',
  endorsed: 'brand',
  approved: 'brand',
  awaiting_countersign: 'act',
  not_started: 'safe',
  issued: 'safe',
  window_ended: 'stop',
  expired: 'stop',
  handed_back: 'act-text',
  corrections_requested: 'warn-text',
  closed: 'soft',
  rejected: 'stop',
  withdrawn: 'soft',
} as const

const STOPPING = ['exclusion', 'restricted']
const WARNING = ['hazardous_area', 'lifting']
const WAYS = ['vehicle_route', 'pedestrian_route']
/** Positions in a row to the right of the middle; there are as many to its left. */
const SLOTS = Array.from({ length: 11 }, (_, i) => i + 1)

type Layers = LayerSpecification[]

/** Returns a theme's layers, from the bottom up. `base`: the installation has a base map below them; `styles`: the site's label styles. */
export function layersOf(theme: Theme, base: boolean, styles: LabelStyles): Layers {
  const ink = mapValues(COLOURS[theme], hexOf)
  const strong = theme === 'outdoor' ? 1.5 : 1
  const chosen = (yes: number, no: number): ExpressionSpecification => ['case', ['get', 'chosen'], yes, no]
  const byType = (stop: string, warn: string, way: string, rest: string): ExpressionSpecification => [
    'match',
    ['get', 'zone_type'],
    STOPPING,
    stop,
    WARNING,
    warn,
    WAYS,
    way,
    rest,
  ]
  const bySlot = (value: (slot: number) => [number, number]): ExpressionSpecification => {
    const at = (slot: number): ExpressionSpecification => ['literal', value(slot)]
    return ['match', ['get', 'slot'], 0, at(0), ...SLOTS.flatMap(slot => [slot, at(slot), -slot, at(-slot)]), ['literal', [0, 0]]]
  }
  const halo = { 'text-color': ink.ink, 'text-halo-color': ink.card, 'text-halo-width': 1.6 }
  const ground: Layers = base ? [] : [{ id: 'ground', type: 'background', paint: { 'background-color': ink.ground } }]
  const label = (source: Named, size: number, minzoom: number): Layers[number] => {
    const look = lookOf(source, styles, theme)
    return {
      id: `${source}-label`,
      type: 'symbol',
      source,
      minzoom,
      ...look,
      layout: {
        'text-field': ['get', 'label'],
        'text-font': FONT,
        'text-size': size,
        'text-max-width': 9,
        'text-padding': 4,
        // If one side is occupied, the next is tried.
        'text-variable-anchor': ['bottom', 'top', 'left', 'right'],
        'text-radial-offset': 1.5,
        'text-justify': 'auto',
        ...look?.layout,
      },
      paint: { ...halo, ...look?.paint },
    }
  }
  return [
    ...ground,
    { id: 'boundary-fill', type: 'fill', source: 'boundary', paint: { 'fill-color': ink.card, 'fill-opacity': base ? 0.12 : 1 } },
    { id: 'areas-fill', type: 'fill', source: 'areas', paint: { 'fill-color': ink.sunken, 'fill-opacity': base ? 0.1 : 0.7 } },
    {
      id: 'areas-line',
      type: 'line',
      source: 'areas',
      paint: { 'line-color': ink.soft, 'line-width': chosen(3, 1), 'line-dasharray': [6, 3] },
    },
    {
      id: 'zones-fill',
      type: 'fill',
      source: 'zones',
      paint: {
        'fill-color': byType(ink.stop, ink.warn, ink.edge, ink['brand-tint']),
        'fill-opacity': ['case', ['get', 'chosen'], 0.5, ['match', ['get', 'zone_type'], [...STOPPING, ...WARNING], 0.22, 0.32]],
      },
    },
    {
      id: 'buildings-fill',
      type: 'fill',
      source: 'buildings',
      paint: { 'fill-color': ink.line, 'fill-opacity': theme === 'outdoor' ? chosen(0.1, 0.25) : chosen(0.35, 0.75) },
    },
    {
      id: 'buildings-line',
      type: 'line',
      source: 'buildings',
      paint: { 'line-color': ['case', ['get', 'chosen'], ink.brand, ink.soft], 'line-width': chosen(4 * strong, 1.5 * strong) },
    },
    {
      id: 'zones-line',
      type: 'line',
      source: 'zones',
      filter: ['!', ['in', ['get', 'zone_type'], ['literal', [...STOPPING, ...WARNING, 'pedestrian_route']]]],
      paint: { 'line-color': byType(ink.stop, ink['warn-text'], ink.edge, ink.brand), 'line-width': chosen(4 * strong, 1.5 * strong) },
    },
    {
      id: 'zones-dashed',
      type: 'line',
      source: 'zones',
      filter: ['in', ['get', 'zone_type'], ['literal', [...STOPPING, ...WARNING, 'pedestrian_route']]],
      paint: {
        'line-color': byType(ink.stop, ink['warn-text'], ink.edge, ink.brand),
        'line-width': chosen(5 * strong, 2.5 * strong),
        'line-dasharray': [3, 1.5],
      },
    },
    {
      id: 'boundary-line',
      type: 'line',
      source: 'boundary',
      paint: { 'line-color': ink.ink, 'line-width': 2 * strong, 'line-dasharray': [8, 2, 2, 2] },
    },
    {
      id: 'places-fill',
      type: 'fill',
      source: 'places',
      paint: { 'fill-color': byStanding(ink), 'fill-opacity': chosen(0.45, 0.25) },
    },
    { id: 'places-line', type: 'line', source: 'places', paint: { 'line-color': byStanding(ink), 'line-width': chosen(4, 2) } },
    label('areas', 12, 13),
    label('zones', 12, 16),
    label('buildings', 14, 14),
    {
      id: 'markers-mine',
      type: 'symbol',
      source: 'markers',
      filter: ['all', IN_SIGHT, ['any', ['get', 'mine'], ['get', 'chosen']]],
      layout: {
        'icon-image': ['case', ['get', 'chosen'], 'halo-chosen', 'halo-mine'],
        'icon-offset': bySlot(slot => [(slot * MARKER_PX) / 2, 0]),
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
    },
    {
      id: 'markers',
      type: 'symbol',
      source: 'markers',
      filter: IN_SIGHT,
      layout: {
        'icon-image': ['concat', 'marker-', ['get', 'standing']],
        'icon-offset': bySlot(slot => [(slot * MARKER_PX) / 2, 0]),
        'icon-allow-overlap': true, // never left out, and the labels of places avoid it
        'icon-ignore-placement': false,
        'text-field': ['get', 'says'],
        'text-font': FONT,
        'text-size': 13,
        'text-offset': bySlot(slot => [(slot * MARKER_PX) / 2 / 13, 1.7]),
        'text-allow-overlap': true,
        'text-ignore-placement': false,
      },
      paint: { ...halo, 'text-halo-width': 2.5 },
    },
    { id: 'here-fill', type: 'fill', source: 'here', paint: { 'fill-color': ink.focus, 'fill-opacity': 0.25 } },
    { id: 'here-line', type: 'line', source: 'here', paint: { 'line-color': ink.focus, 'line-width': 3 } },
    {
      id: 'here-point',
      type: 'circle',
      source: 'here',
      filter: ['==', ['geometry-type'], 'Point'],
      paint: { 'circle-color': ink.focus, 'circle-radius': 9, 'circle-stroke-color': ink.card, 'circle-stroke-width': 3 },
    },
  ]
}

function byStanding(ink: Record<(typeof HUES)[keyof typeof HUES], string>): ExpressionSpecification {
  const { draft, ...others } = HUES
  const pairs = Object.entries(others).flatMap(([standing, hue]) => [standing, ink[hue]])
  return ['match', ['get', 'standing'], 'draft', ink[draft], ...pairs, ink.soft]
}
