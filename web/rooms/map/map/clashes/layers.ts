// The look of clashes on the map: a red clash is a thick solid line with an octagon, an amber one a thin dashed line with a triangle, and a settled one a dotted line with
// the same shape, empty and with a tick, so that colour never says it alone.
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { Severity } from './clashes.ts'

type Ink = Record<'card' | 'stop' | 'warn-text' | 'focus', string>

/** How far a sign is from the middle of its line, in pixels: it leaves the things at the ends free. */
const AWAY_PX = 24
const isRed: ExpressionSpecification = ['==', ['get', 'severity'], 'red']
const chosen = (yes: number, no: number): ExpressionSpecification => ['case', ['get', 'chosen'], yes, no]
const isSettled: ExpressionSpecification = ['get', 'settled']
const lines = (severity: Severity): FilterSpecification => [
  'all',
  ['==', ['geometry-type'], 'LineString'],
  ['==', ['get', 'severity'], severity],
  ['!', isSettled],
]

/** Returns the layers of the lines; they are below the people and machines at their ends. */
export const clashLines = (ink: Ink): LayerSpecification[] => [
  {
    id: 'clashes-casing',
    type: 'line',
    source: 'clashes',
    filter: ['==', ['geometry-type'], 'LineString'],
    layout: { 'line-cap': 'round' },
    paint: {
      'line-color': ['case', ['get', 'chosen'], ink.focus, ink.card],
      'line-width': ['case', ['get', 'chosen'], 13, isSettled, 7, isRed, 9, 7],
    },
  },
  {
    id: 'clashes-settled',
    type: 'line',
    source: 'clashes',
    filter: ['all', ['==', ['geometry-type'], 'LineString'], isSettled],
    layout: { 'line-cap': 'round' },
    // A length of almost nothing with round ends is a dot.
    paint: { 'line-color': ['case', isRed, ink.stop, ink['warn-text']], 'line-width': chosen(4.5, 3), 'line-dasharray': [0.01, 2] },
  },
  {
    id: 'clashes-amber',
    type: 'line',
    source: 'clashes',
    filter: lines('amber'),
    paint: { 'line-color': ink['warn-text'], 'line-width': chosen(4.5, 3), 'line-dasharray': [2, 1.3] },
  },
  {
    id: 'clashes-red',
    type: 'line',
    source: 'clashes',
    filter: lines('red'),
    layout: { 'line-cap': 'round' },
    paint: { 'line-color': ink.stop, 'line-width': chosen(7, 5) },
  },
]

/** Returns the layer of the signs, above the people and machines. */
export const clashSigns = (): LayerSpecification => ({
  id: 'clash-signs',
  type: 'symbol',
  source: 'clashes',
  filter: ['==', ['geometry-type'], 'Point'],
  layout: {
    'icon-image': [
      'concat',
      'clash-',
      ['get', 'severity'],
      ['case', isSettled, '-settled', ''],
      ['case', ['get', 'chosen'], '-chosen', ''],
    ],
    'icon-offset': ['match', ['get', 'side'], 'right', ['literal', [AWAY_PX, 0]], ['literal', [0, -AWAY_PX]]],
    'icon-size': ['interpolate', ['linear'], ['zoom'], 15, 0.65, 18, 1],
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
    'symbol-sort-key': ['case', ['get', 'chosen'], 3, isSettled, 0, isRed, 2, 1],
  },
})
