// The look of workers, gangs and plant on the map. Red dashes are only for the zone that everyone keeps out of.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { fontOf } from './looks.ts'

type Ink = Record<'ink' | 'card' | 'stop' | 'brand' | 'soft' | 'focus', string>

/** What is large enough to be seen, or far enough from the others, at the current zoom. */
const SEEN: ExpressionSpecification = ['>=', ['zoom'], ['get', 'from']]

/** Returns the layers of the ground that tokens take up; they are below the labels of places. */
export const reachLayers = (ink: Ink): LayerSpecification[] => [
  {
    id: 'reach-fill',
    type: 'fill',
    source: 'reach',
    filter: ['all', SEEN, ['!=', ['get', 'part'], 'working']],
    paint: {
      'fill-antialias': false, // the next two layers draw its edge
      'fill-color': ['match', ['get', 'part'], 'exclusion', ink.stop, 'footprint', ink.ink, ['coalesce', ['get', 'colour'], ink.brand]],
      'fill-opacity': ['match', ['get', 'part'], 'exclusion', 0.07, 'footprint', 0.75, 0.22],
    },
  },
  {
    id: 'reach-exclusion',
    type: 'line',
    source: 'reach',
    filter: ['==', ['get', 'part'], 'exclusion'],
    paint: { 'line-color': ink.stop, 'line-width': ['case', ['get', 'chosen'], 3, 1.5], 'line-dasharray': [4, 2] },
  },
  {
    id: 'reach-line',
    type: 'line',
    source: 'reach',
    filter: ['all', SEEN, ['!=', ['get', 'part'], 'exclusion']],
    paint: {
      'line-color': ['match', ['get', 'part'], 'area', ['coalesce', ['get', 'colour'], ink.brand], ink.soft],
      'line-width': ['case', ['get', 'chosen'], 3, 1.2],
    },
  },
]

/** Returns the layers of the tokens themselves. */
export const tokenLayers = (ink: Ink): LayerSpecification[] => [
  {
    id: 'tokens-chosen',
    type: 'symbol',
    source: 'tokens',
    filter: ['get', 'chosen'],
    layout: { 'icon-image': 'halo-chosen', 'icon-allow-overlap': true, 'icon-ignore-placement': true },
  },
  {
    // One that something is wrong with is larger, and has a thick edge.
    id: 'tokens-dots',
    type: 'circle',
    source: 'tokens',
    filter: ['!', SEEN],
    paint: {
      'circle-radius': ['case', ['get', 'alarm'], 5, 3.5],
      'circle-color': ['coalesce', ['get', 'colour'], ink.soft],
      'circle-stroke-color': ['case', ['get', 'alarm'], ink.ink, ink.card],
      'circle-stroke-width': ['case', ['get', 'alarm'], 2.5, 1],
    },
  },
  {
    id: 'tokens-colour',
    type: 'circle',
    source: 'tokens',
    filter: SEEN,
    paint: {
      'circle-radius': 13,
      'circle-color': ['coalesce', ['get', 'colour'], ink.soft],
      'circle-stroke-color': ink.card,
      'circle-stroke-width': 1.5,
    },
  },
  {
    id: 'tokens',
    type: 'symbol',
    source: 'tokens',
    filter: SEEN,
    layout: {
      'icon-image': ['concat', 'token-', ['get', 'token'], ['case', ['get', 'alarm'], '-alarm', '']],
      'icon-allow-overlap': true,
      'icon-ignore-placement': false,
      'text-field': ['step', ['zoom'], '', 16.5, ['get', 'says']],
      'text-font': fontOf('regular', false),
      'text-size': 12,
      'text-max-width': 10,
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': 1.3,
      'text-optional': true,
    },
    paint: { 'text-color': ink.ink, 'text-halo-color': ink.card, 'text-halo-width': 1.6 },
  },
]
