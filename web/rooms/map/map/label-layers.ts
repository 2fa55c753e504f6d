// Text labels on the map: each in its style, size and direction. They are in one layer, however many styles a site has.
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { Theme } from '../../../base/theme/themes.ts'
import { FALLBACK, fontOf, inkOf, type LabelStyles, plateOf } from './looks.ts'

type Style = NonNullable<LabelStyles>['styles'][number]
/** What a label looks like until the styles of the site are loaded. */
type Plain = { 'text-color': string; 'text-halo-color': string; 'text-halo-width': number }

const CHOSEN_PX = 3

/** Returns the layer of the text labels. `plain`: the theme's own text; `focus`: the colour around what is selected. */
export function labelLayer(
  plain: Plain,
  focus: string,
  filter: ExpressionSpecification,
  styles: LabelStyles,
  theme: Theme,
): LayerSpecification {
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
  return {
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
      'text-justify': 'auto',
      'text-max-width': 20,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
      // The box behind the text turns with it.
      'icon-image': ofStyle(style => plateOf(style)?.image ?? '', ''),
      'icon-text-fit': 'both',
      'icon-rotate': ['get', 'turn'],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
    paint: {
      'text-color': ofStyle(style => ink(style).text, plain['text-color']),
      'text-halo-color': ['case', ['get', 'chosen'], focus, ofStyle(style => ink(style).halo, plain['text-halo-color'])],
      'text-halo-width': ['case', ['get', 'chosen'], CHOSEN_PX, ofStyle(style => ink(style).halo_px, plain['text-halo-width'])],
    },
  }
}
