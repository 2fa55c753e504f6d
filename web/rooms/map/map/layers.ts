// The look of the map: the layers of our sources. Colours are the theme's tokens; what a colour says, a dash, a shape or a word says too.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { mapValues } from '../../../../shared/narrow.ts'
import { hexOf } from '../../../base/theme/contrast.ts'
import type { Theme } from '../../../base/theme/themes.ts'
import { COLOURS } from '../../../base/theme/tokens.ts'
import { alertLayers, alertPins } from './alert-layers.ts'
import { activeLabels, activeLayers } from './areas/layers.ts'
import { clashLines, clashSigns } from './clashes/layers.ts'
import { labelLayers } from './label-layers.ts'
import { fontOf, type LabelStyles, lookOf, type Named } from './looks.ts'
import { MARKER_PX } from './model.ts'
import { reachLayers, tokenLayers } from './token-layers.ts'

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
  stopped: 'stop',
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
    ...activeLayers(ink),
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
    ...reachLayers(ink),
    ...alertLayers(ink),
    activeLabels(ink),
    label('areas', 12, 13),
    label('zones', 12, 16),
    label('buildings', 14, 14),
    ...labelLayers(halo, ink.focus, IN_SIGHT, styles, theme),
    {
      id: 'points-chosen',
      type: 'symbol',
      source: 'points',
      filter: ['get', 'chosen'],
      layout: { 'icon-image': 'halo-chosen', 'icon-allow-overlap': true, 'icon-ignore-placement': true },
    },
    {
      id: 'points',
      type: 'symbol',
      source: 'points',
      layout: {
        'icon-image': ['concat', 'sign-', ['get', 'kind']],
        // A sign that helps in an emergency is never left out.
        'icon-allow-overlap': true,
        'icon-ignore-placement': false,
        'icon-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          15.5,
          ['case', ['get', 'emergency'], 0.65, 0.5],
          18,
          ['case', ['get', 'emergency'], 1, 0.85],
        ],
        'symbol-sort-key': ['case', ['get', 'emergency'], 1, 0],
        'text-field': ['step', ['zoom'], '', 18, ['get', 'says']],
        'text-font': FONT,
        'text-size': 12,
        'text-max-width': 9,
        'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
        'text-radial-offset': 1.1,
        'text-optional': true,
      },
      paint: halo,
    },
    ...clashLines(ink),
    ...tokenLayers(ink),
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
    clashSigns(),
    alertPins(halo),
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
