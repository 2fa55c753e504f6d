// Text labels on the map: each in its style, size and direction. They are in one layer, however many styles a site has.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Theme } from '../../../base/theme/themes.ts'
import { LINE_EM } from './labels.ts'
import { FALLBACK, fontOf, HALO_PX, inkOf, type LabelStyles, plateOf } from './looks.ts'

type Style = NonNullable<LabelStyles>['styles'][number]
/** What a label looks like until the styles of the site are loaded. */
type Plain = { 'text-color': string; 'text-halo-color': string; 'text-halo-width': number }

/** The ring around the place of what is selected, in pixels. */
const [RING_PX, STROKE_PX] = [21.5, 2]
/** The radius of a label that is a dot, in pixels. */
const DOT_PX = 2.5

/** Returns the layers of the text labels. `plain`: the theme's own text; `focus`: the colour of the ring around what is selected. */
export function labelLayers(
  plain: Plain,
  focus: string,
  filter: ExpressionSpecification,
  styles: LabelStyles,
  theme: Theme,
): LayerSpecification[] {
  const note = styles?.styles.find(({ key }) => key === FALLBACK)
  /** A property of a label’s style; each style has its own value. */
  const ofStyle = <T extends string | number | ExpressionSpecification>(
    value: (style: Style) => T,
    rest: T,
  ): T | ExpressionSpecification => {
    if (note === undefined) return rest
    const others = (styles?.styles ?? []).filter(style => style !== note)
    return ['match', ['get', 'style'], FALLBACK, value(note), ...others.flatMap(style => [style.key, value(style)]), value(note)]
  }
  const ink = (style: Style) => inkOf(style, theme)
  /** A property of a label with its own colour, or of its style. */
  const own = <T extends string | number | ExpressionSpecification>(
    value: T | ExpressionSpecification,
    rest: T | ExpressionSpecification,
  ): ExpressionSpecification => ['case', ['has', 'colour'], value, rest]
  const ring: LayerSpecification = {
    id: 'words-chosen',
    type: 'circle',
    source: 'words',
    filter: ['all', filter, ['get', 'chosen']],
    paint: { 'circle-radius': RING_PX, 'circle-opacity': 0, 'circle-stroke-color': focus, 'circle-stroke-width': STROKE_PX },
  }
  const dots: LayerSpecification = {
    id: 'words-dots',
    type: 'circle',
    source: 'words',
    filter: ['all', ['>=', ['zoom'], ['get', 'dot']], ['<', ['zoom'], ['get', 'from']], ['<', ['zoom'], ['get', 'to']]],
    paint: {
      'circle-radius': DOT_PX,
      'circle-color': own(['get', 'colour'], plain['text-color']),
      'circle-stroke-color': plain['text-halo-color'],
      'circle-stroke-width': 1,
    },
  }
  const words: LayerSpecification = {
    id: 'words',
    type: 'symbol',
    source: 'words',
    filter,
    layout: {
      'text-field': ['get', 'text'],
      'text-font': ofStyle<ExpressionSpecification>(
        ({ weight, italic }) => ['literal', fontOf(weight, italic)],
        ['literal', fontOf('bold', false)],
      ),
      'text-transform': ofStyle(({ uppercase }) => (uppercase ? 'uppercase' : 'none'), 'none'),
      'text-size': ['get', 'size'],
      'text-rotate': ['get', 'turn'],
      'text-anchor': ['get', 'anchor'],
      'symbol-sort-key': ['case', ['get', 'chosen'], 1, 0],
      'text-justify': 'auto',
      'text-max-width': LINE_EM,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
      // The box behind the text turns with it.
      'icon-image': ofStyle<string | ExpressionSpecification>(style => {
        const plate = plateOf(style)
        return plate === null ? '' : ['concat', plate.image, ['get', 'fit']]
      }, ''),
      'icon-text-fit': 'both',
      'icon-rotate': ['get', 'turn'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
    paint: {
      'text-color': own(
        ['get', 'colour'],
        ofStyle(style => ink(style).text, plain['text-color']),
      ),
      'text-halo-color': own(
        ['get', theme === 'dark' ? 'night' : 'day'],
        ofStyle(style => ink(style).halo, plain['text-halo-color']),
      ),
      'text-halo-width': own(
        ofStyle(style => Math.max(ink(style).halo_px, HALO_PX), plain['text-halo-width']),
        ofStyle(style => ink(style).halo_px, plain['text-halo-width']),
      ),
    },
  }
  return [ring, dots, words]
}
