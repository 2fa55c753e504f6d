// How the labels of places look on the map: the label styles of the site (`site-and-people.md` §7), in the form that the map library needs.
import type { SymbolLayerSpecification } from 'maplibre-gl'
import type { Schemas } from '../../../base/api.ts'
import { contrast } from '../../../base/theme/contrast.ts'
import type { Theme } from '../../../base/theme/themes.ts'
import type { Feature } from './model.ts'

/** A site's label styles; null until they are loaded. */
export type LabelStyles = Schemas['LabelStyles'] | null
type Style = NonNullable<LabelStyles>['styles'][number]
/** The sources with labels, and the layer of the label styles that applies to each source. */
const LAYER_OF = { areas: 'area', buildings: 'building', zones: 'zone' } as const
/** The layers in which the map draws label styles. */
export const LABELLED = Object.values(LAYER_OF)
/** The style that every site has; a label without its own style has this one. */
export const FALLBACK = 'note'
/** A source with labels. */
export type Named = keyof typeof LAYER_OF

/** Returns the code of a place; null if it has none, or if its name contains it: nobody calls a place “A Block A”. */
export const ownCode = ({ code, name }: Pick<Feature, 'code' | 'name'>): string | null =>
  code === null || ` ${name} `.includes(` ${code} `) ? null : code

/** Names for what a feature contains only as a code or an id. */
export type Says = { zone_type(code: string): string; contractor(id: string): string | null }

/** Returns the label of a place: the fields that the site chose, in its order, cut to its length. */
export function labelOf(feature: Feature, styles: LabelStyles, says: Says): string {
  const { name, zone_type, contractor_id } = feature
  const layer = styles?.layers[feature.kind]
  if (layer === undefined) return [ownCode(feature), name].filter(part => part !== null).join(' · ')
  const code = layer.fields.includes('name') ? ownCode(feature) : feature.code
  const fields: Record<string, string | null> = {
    name,
    code,
    zone_type: zone_type === null ? null : says.zone_type(zone_type),
    contractor_short_name: contractor_id === null ? null : says.contractor(contractor_id),
  }
  return labelText(
    layer.fields.map(field => fields[field] ?? ''),
    layer.max_chars,
  )
}

/** Returns a label of these texts: each one once, and cut to a length. */
export function labelText(texts: readonly string[], max_chars: number): string {
  const letters = [...[...new Set(texts.filter(text => text !== ''))].join(' · ')]
  return letters.length <= max_chars ? letters.join('') : `${letters.slice(0, max_chars - 1).join('')}…`
}

const WEIGHTS = { regular: 'Regular', medium: 'Medium', bold: 'Bold' } as const
/** The fonts of all text on the map. The first name includes the weight, which the library reads from it; the browser uses the second name. */
export const fontOf = (weight: keyof typeof WEIGHTS, italic: boolean): string[] => [
  `IBM Plex Sans ${WEIGHTS[weight]}${italic ? ' Italic' : ''}`,
  'IBM Plex Sans',
  'sans-serif',
]

/** The box behind a label's text, as image of the map: it leaves the padding free around the text, whatever layer uses it. */
export type Plate = { image: string; background: string | null; border: string | null; padding: number }

/** Images of boxes begin with this. */
export const PLATES = 'plate-'

/** Returns the box of a style; null if a style has neither background nor border. */
export const plateOf = (style: Pick<Style, 'key' | 'background' | 'border_colour' | 'padding_px'>): Plate | null =>
  style.background === null && style.border_colour === null
    ? null
    : { image: `${PLATES}${style.key}`, background: style.background, border: style.border_colour, padding: style.padding_px }

/** Returns the colours of a style’s text in a theme, and the width of its halo. */
export function inkOf(style: Pick<Style, 'text_colour' | 'halo_colour' | 'halo_px' | 'background'>, theme: Theme) {
  const { text_colour, halo_colour } = style
  const halo_px = style.background === null ? style.halo_px : 0
  // On a dark map, text and halo swap colours: the contrast is the same, and nothing glares.
  const dark = theme === 'dark' && halo_px > 0
  return dark ? { text: halo_colour, halo: text_colour, halo_px } : { text: text_colour, halo: halo_colour, halo_px }
}

/** The narrowest halo of a text in its own colour, which may be close to the colour of what is below it. */
export const HALO_PX = 1.5
const [DAY, NIGHT] = ['#ffffff', '#000000']
/** The contrast of a text with its halo, by WCAG 2.2. Every colour reaches it with white or with black. */
const LEGIBLE = 4.5

/** Returns the colours of a text that has its own: the halo is white by day and black at night, or the other one if only that makes the text legible. */
export function ownInk(colour: string, halo_px: number, theme: Theme) {
  const [first, other] = theme === 'dark' ? [NIGHT, DAY] : [DAY, NIGHT]
  return { text: colour, halo: contrast(colour, first) >= LEGIBLE ? first : other, halo_px: Math.max(halo_px, HALO_PX) }
}

/** Returns what the map library has to know about a label's own colour: the halo by day and at night, too. */
export const ownLook = (colour: string | null) =>
  colour === null ? {} : { colour, day: ownInk(colour, 0, 'light').halo, night: ownInk(colour, 0, 'dark').halo }

type Look = Pick<SymbolLayerSpecification, 'minzoom' | 'maxzoom'> & {
  layout: SymbolLayerSpecification['layout']
  paint: SymbolLayerSpecification['paint']
}

/** Returns the style of a source's labels; null if the site has none yet, and the theme's own style is used. */
export function lookOf(source: Named, styles: LabelStyles, theme: Theme): Look | null {
  const layer = styles?.layers[LAYER_OF[source]]
  const style = styles?.styles.find(one => one.key === layer?.style_key) ?? styles?.styles.find(one => one.key === FALLBACK)
  if (layer === undefined || style === undefined) return null
  const ink = inkOf(style, theme)
  const plate = plateOf(style)
  return {
    minzoom: layer.min_zoom,
    maxzoom: layer.max_zoom,
    layout: {
      visibility: layer.visible ? 'visible' : 'none',
      'text-font': fontOf(style.weight, style.italic),
      'text-size': style.size_px,
      'text-transform': style.uppercase ? 'uppercase' : 'none',
      ...(plate !== null && { 'icon-image': plate.image, 'icon-text-fit': 'both' }),
    },
    paint: {
      'text-color': ink.text,
      'text-halo-color': ink.halo,
      'text-halo-width': ink.halo_px,
    },
  }
}
