// How the labels of places look on the map: the label styles of the site (`site-and-people.md` §7), in the form that the map library needs.
import type { SymbolLayerSpecification } from 'maplibre-gl'
import type { Schemas } from '../../base/api.ts'
import type { Theme } from '../../base/theme/themes.ts'
import type { Feature } from './model.ts'

/** The label styles of a site; null until they are loaded. */
export type LabelStyles = Schemas['LabelStyles'] | null
/** The sources with labels, and the layer of the label styles that applies to each. */
const LAYER_OF = { areas: 'area', buildings: 'building', zones: 'zone' } as const
/** A source with labels. */
export type Named = keyof typeof LAYER_OF

/** Names for what a feature contains only as a code or an id. */
export type Says = { zone_type(code: string): string; contractor(id: string): string | null }

/** Returns the label of a place: the fields that the site chose, in its order, cut to its length. */
export function labelOf(feature: Feature, styles: LabelStyles, says: Says): string {
  const { code, name, zone_type, contractor_id } = feature
  const layer = styles?.layers[feature.kind]
  if (layer === undefined) return code === null || code === name ? name : `${code} · ${name}`
  const fields: Record<string, string | null> = {
    name,
    code,
    zone_type: zone_type === null ? null : says.zone_type(zone_type),
    contractor_short_name: contractor_id === null ? null : says.contractor(contractor_id),
  }
  const shown = layer.fields.map(field => fields[field] ?? '').filter(text => text !== '')
  const letters = [...[...new Set(shown)].join(' · ')]
  return letters.length <= layer.max_chars ? letters.join('') : `${letters.slice(0, layer.max_chars - 1).join('')}…`
}

const WEIGHTS = { regular: 'Regular', medium: 'Medium', bold: 'Bold' } as const
/** The fonts of all text on the map. The first name includes the weight, which the library reads from it; the browser uses the second name. */
export const fontOf = (weight: keyof typeof WEIGHTS, italic: boolean): string[] => [
  `IBM Plex Sans ${WEIGHTS[weight]}${italic ? ' Italic' : ''}`,
  'IBM Plex Sans',
  'sans-serif',
]

type Look = Pick<SymbolLayerSpecification, 'minzoom' | 'maxzoom'> & {
  layout: SymbolLayerSpecification['layout']
  paint: SymbolLayerSpecification['paint']
}

/** Returns the style of a source's labels; null where the site has none yet, and the theme's own style is used. */
export function lookOf(source: Named, styles: LabelStyles, theme: Theme): Look | null {
  const layer = styles?.layers[LAYER_OF[source]]
  const style = styles?.styles.find(one => one.key === layer?.style_key) ?? styles?.styles.find(one => one.key === 'note')
  if (layer === undefined || style === undefined) return null
  // On a dark map, text and halo swap colours: the contrast is the same, and nothing glares.
  const dark = theme === 'dark' && style.background === null && style.halo_px > 0
  const behind = style.background ?? style.halo_colour
  return {
    minzoom: layer.min_zoom,
    maxzoom: layer.max_zoom,
    layout: {
      visibility: layer.visible ? 'visible' : 'none',
      'text-font': fontOf(style.weight, style.italic),
      'text-size': style.size_px,
      'text-transform': style.uppercase ? 'uppercase' : 'none',
    },
    paint: {
      'text-color': dark ? style.halo_colour : style.text_colour,
      'text-halo-color': dark ? style.text_colour : behind,
      'text-halo-width': style.background === null ? style.halo_px : Math.max(style.halo_px, style.padding_px),
    },
  }
}
