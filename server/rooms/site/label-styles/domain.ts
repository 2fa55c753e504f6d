// How labels look on a map: the styles, and for each layer its style, its fields and the zoom from which it appears (`site-and-people.md` §7).
import { keysOf, recordOf } from '../../../../shared/narrow.ts'
import type { FieldFault } from '../../../base/errors.ts'
import { contrast } from '../contractors/domain.ts'

/** The fields that a label of each layer can show. No names of people: the map shows none. */
export const REGISTRY = {
  area: { name: 'Name', code: 'Code' },
  building: { name: 'Name', code: 'Code' },
  zone: { name: 'Name', code: 'Code', zone_type: 'Purpose', contractor_short_name: 'Contractor’s short name' },
  active_area: {
    name: 'Name',
    area_kind: 'Purpose',
    contractor_name: 'Contractor',
    contractor_short_name: 'Contractor’s short name',
    end_time: 'End, site time',
  },
  worker: {
    name: 'Gang name',
    trade: 'Trade',
    headcount: 'Number',
    contractor_name: 'Contractor',
    contractor_short_name: 'Contractor’s short name',
  },
  plant: {
    name: 'Name',
    category: 'Machine type',
    fleet_number: 'Fleet number',
    contractor_name: 'Contractor',
    contractor_short_name: 'Contractor’s short name',
  },
  delivery: {
    name: 'Name',
    contractor_name: 'Contractor',
    contractor_short_name: 'Contractor’s short name',
    start_time: 'Start, site time',
  },
  poi: { name: 'Name', poi_kind: 'Kind' },
  alert: { title: 'Title', severity: 'Severity', category: 'Category' },
} as const
export type LayerName = keyof typeof REGISTRY
export const LAYERS = keysOf(REGISTRY)

export const WEIGHTS = ['regular', 'medium', 'bold'] as const

/** A style of labels. */
export type Style = {
  key: string
  name: string
  text_colour: string
  halo_colour: string
  halo_px: number
  background: string | null
  border_colour: string | null
  weight: (typeof WEIGHTS)[number]
  italic: boolean
  uppercase: boolean
  size_px: number
  padding_px: number
  sort: number
}

/** How one layer is labelled. */
export type LayerStyle = { visible: boolean; min_zoom: number; max_zoom: number; style_key: string; fields: string[]; max_chars: number }

/** The whole document. */
export type StyleDocument = { styles: Style[]; layers: Record<LayerName, LayerStyle> }

/** The style that always exists, and replaces one that was deleted. */
export const FALLBACK = 'note'

const PLAIN: Omit<Style, 'key' | 'name' | 'sort'> = {
  text_colour: '#1f2933',
  halo_colour: '#ffffff',
  halo_px: 2,
  background: null,
  border_colour: null,
  weight: 'regular',
  italic: false,
  uppercase: false,
  size_px: 14,
  padding_px: 2,
}

const layer = (min_zoom: number, style_key: string, ...fields: string[]): LayerStyle => ({
  visible: true,
  min_zoom,
  max_zoom: 24,
  style_key,
  fields,
  max_chars: 30,
})

/** Each layer appears from the zoom at which it doesn't crowd: at 14 a site fills the screen, at 19 there is room for the name of a gang. */
const SHIPPED_LAYERS: Record<LayerName, LayerStyle> = {
  area: layer(14, 'title', 'name'),
  building: layer(16, 'title', 'name'),
  zone: layer(17, 'note', 'name'),
  active_area: layer(17, 'note', 'name', 'contractor_short_name'),
  worker: layer(19, 'note', 'name', 'headcount'),
  plant: layer(18, 'note', 'name'),
  delivery: layer(18, 'note', 'name'),
  poi: layer(17, 'note', 'name'),
  alert: layer(13, 'warning', 'title'),
}

/** The document of a new site. */
export const SHIPPED: StyleDocument = {
  styles: [
    { ...PLAIN, key: 'note', name: 'Note', sort: 0 },
    { ...PLAIN, key: 'title', name: 'Title', text_colour: '#0b1f33', weight: 'bold', size_px: 18, sort: 1 },
    {
      ...PLAIN,
      key: 'warning',
      name: 'Warning',
      text_colour: '#ffffff',
      halo_px: 0,
      background: '#b42318',
      weight: 'bold',
      padding_px: 4,
      sort: 2,
    },
    { ...PLAIN, key: 'route', name: 'Route', text_colour: '#0b4a8f', italic: true, sort: 3 },
    { ...PLAIN, key: 'restriction', name: 'Restriction', text_colour: '#8a1c1c', weight: 'bold', uppercase: true, size_px: 13, sort: 4 },
  ],
  layers: SHIPPED_LAYERS,
}

/** A document as the caller sends it: a style needs its key, everything else can be left out. */
export type GivenDocument = {
  styles: readonly (Partial<Style> & { key: string })[]
  layers?: { [layer in LayerName]?: Partial<LayerStyle> }
}

/** Returns the complete document: whatever the caller left out has its default. A layer whose own style is missing is drawn as a note. */
export function documentFrom(given: GivenDocument): StyleDocument {
  const colour = (text: string | null) => text?.toLowerCase() ?? null
  const styles = given.styles.map((style, i): Style => {
    const whole = { ...PLAIN, name: style.key, sort: i, ...style }
    return {
      ...whole,
      text_colour: whole.text_colour.toLowerCase(),
      halo_colour: whole.halo_colour.toLowerCase(),
      background: colour(whole.background),
      border_colour: colour(whole.border_colour),
    }
  })
  const keys = new Set(styles.map(style => style.key))
  const layers = recordOf(LAYERS, (name): LayerStyle => {
    const shipped = SHIPPED_LAYERS[name]
    const style_key = keys.has(shipped.style_key) ? shipped.style_key : FALLBACK
    return { ...shipped, style_key, ...given.layers?.[name] }
  })
  return { styles, layers }
}

/** Returns the faults of a document: no note, a key twice, a layer with an unknown style, zooms that exclude each other. */
export function documentFaults({ styles, layers }: StyleDocument): FieldFault[] {
  const faults: FieldFault[] = []
  const keys = new Set<string>()
  for (const [i, { key }] of styles.entries()) {
    if (keys.has(key)) faults.push({ path: `styles[${i}].key`, message: `${key} appears twice. Each style needs its own key.` })
    keys.add(key)
  }
  if (!keys.has(FALLBACK))
    faults.push({
      path: 'styles',
      message: 'must include a style with the key "note": labels without a style of their own use that style.',
    })
  for (const name of LAYERS) {
    const { style_key, min_zoom, max_zoom } = layers[name]
    // A layer that uses the missing note is not reported as well, because the missing note already is.
    if (!keys.has(style_key) && !(style_key === FALLBACK))
      faults.push({ path: `layers.${name}.style_key`, message: `isn’t the key of one of these styles: “${style_key}”.` })
    if (min_zoom > max_zoom)
      faults.push({ path: `layers.${name}.min_zoom`, message: 'can’t be above max_zoom. Choose a lower zoom level.' })
  }
  return faults
}

const LEAST_CONTRAST = 4.5

/** A warning about a document. */
export type StyleWarning = { code: 'low_contrast' | 'no_ground'; style_key: string; detail: string; contrast: number | null }

/** Warns about styles that can't be read in sunlight: text under 4.5 : 1 (WCAG 2.2, 1.4.3) on its background, or with no background. */
export function warningsOf({ styles }: StyleDocument): StyleWarning[] {
  return styles.flatMap((style): StyleWarning[] => {
    const { key, name, text_colour, background, halo_colour, halo_px } = style
    const ground = background !== null ? { on: 'background', colour: background } : halo_px > 0 ? { on: 'halo', colour: halo_colour } : null
    if (ground === null)
      return [
        {
          code: 'no_ground',
          style_key: key,
          detail: `${name} has neither a halo nor a background, so the map shows through the text.`,
          contrast: null,
        },
      ]
    const found = Math.floor(contrast(text_colour, ground.colour) * 100) / 100
    if (found >= LEAST_CONTRAST) return []
    const detail = `${name}: the contrast of the text with its ${ground.on} is ${found}:1. Text needs at least ${LEAST_CONTRAST}:1 to be readable.`
    return [{ code: 'low_contrast', style_key: key, detail, contrast: found }]
  })
}
