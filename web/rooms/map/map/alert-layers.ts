// The look of alerts on the map: hatched ground with an edge, and a pin whose shape says how grave it is.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { fontOf } from './looks.ts'

type Ink = Record<'stop' | 'warn-text' | 'act-text', string>

/** The colour of an alert. */
const hue = (ink: Ink): ExpressionSpecification => ['match', ['get', 'kind'], 'stop', ink.stop, 'warn', ink['warn-text'], ink['act-text']]

/** Returns the layers of the ground that alerts cover. */
export const alertLayers = (ink: Ink): LayerSpecification[] => [
  { id: 'alerts-fill', type: 'fill', source: 'alerts', paint: { 'fill-pattern': ['concat', 'hatch-', ['get', 'kind']] } },
  { id: 'alerts-line', type: 'line', source: 'alerts', paint: { 'line-color': hue(ink), 'line-width': ['case', ['get', 'chosen'], 5, 3] } },
]

/** Returns the layer of the pins, above everything that people do. */
export const alertPins = (halo: Record<string, string | number>): LayerSpecification => ({
  id: 'alert-pins',
  type: 'symbol',
  source: 'alert-pins',
  layout: {
    'icon-image': ['concat', 'alert-', ['get', 'kind']],
    'icon-anchor': 'bottom',
    'icon-allow-overlap': true,
    'icon-ignore-placement': false,
    'text-field': ['step', ['zoom'], '', 16, ['get', 'says']],
    'text-font': fontOf('bold', false),
    'text-size': 13,
    'text-max-width': 12,
    'text-anchor': 'top',
    'text-offset': [0, 0.3],
    'text-optional': true,
  },
  paint: { ...halo, 'text-halo-width': 2.5 },
})
