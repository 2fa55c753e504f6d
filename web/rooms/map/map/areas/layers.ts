// The look of active areas: what everyone has to respect is red or yellow, the rest is in the contractor's colour; a thick edge means that nobody else can be in
// it, and dots mean that it was filled.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { fontOf } from '../looks.ts'

type Ink = Record<'ink' | 'card' | 'stop' | 'warn' | 'warn-text' | 'brand' | 'focus', string>

const toned = (stop: string, warn: string, own: string): ExpressionSpecification => [
  'match',
  ['get', 'tone'],
  'stop',
  stop,
  'warn',
  warn,
  ['coalesce', ['get', 'colour'], own],
]

const dash = (id: string, is_filled: boolean, ink: Ink): LayerSpecification => ({
  id,
  type: 'line',
  source: 'active',
  filter: ['==', ['get', 'filled'], is_filled],
  paint: {
    'line-color': toned(ink.stop, ink['warn-text'], ink.brand),
    'line-width': ['case', ['get', 'chosen'], 5, ['get', 'exclusive'], 3.5, 1.8],
    ...(is_filled ? { 'line-dasharray': [1, 2] } : {}),
  },
})

/** Returns the layers of active areas; they are above zones, and below the people and machines in them. */
export const activeLayers = (ink: Ink): LayerSpecification[] => [
  {
    id: 'active-fill',
    type: 'fill',
    source: 'active',
    paint: {
      'fill-color': toned(ink.stop, ink.warn, ink.brand),
      'fill-opacity': ['case', ['get', 'chosen'], 0.5, ['get', 'filled'], 0.16, 0.3],
    },
  },
  dash('active-line', false, ink),
  dash('active-dots', true, ink),
]

/** Returns the layer of the labels of active areas: their names, and what everyone has to respect in words. */
export const activeLabels = (ink: Ink): LayerSpecification => ({
  id: 'active-label',
  type: 'symbol',
  source: 'active',
  minzoom: 16,
  layout: {
    'text-field': ['get', 'says'],
    'text-font': fontOf('regular', false),
    'text-size': 12,
    'text-max-width': 9,
    'text-padding': 4,
    'text-optional': true,
    'text-variable-anchor': ['center', 'top', 'bottom'],
    'text-radial-offset': 0.8,
  },
  paint: { 'text-color': ink.ink, 'text-halo-color': ink.card, 'text-halo-width': 1.6 },
})
