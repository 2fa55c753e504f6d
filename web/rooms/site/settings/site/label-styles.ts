// Changes of a site's label styles. The service keeps them as one document, so each change is a new document.
import type { LabelStyles, NewLabelStyles } from './data.ts'

/** A style of labels. */
export type Style = LabelStyles['styles'][number]
/** A layer with labels. */
export type LayerName = keyof LabelStyles['layers']
/** How one layer is labelled. */
export type Layer = LabelStyles['layers'][LayerName]
type Document = Pick<LabelStyles, 'styles' | 'layers'>

/** The style that always exists, and replaces one that was removed. */
export const FALLBACK = 'note'

const KEY_LENGTH = 40

/** Returns the styles in their order on the site. */
export const ordered = (styles: readonly Style[]): Style[] => styles.toSorted((a, b) => a.sort - b.sort)

/** Returns a key for a new style: from its name, and different from those that exist. A name without Latin letters gives “style”. */
export function keyFor(name: string, styles: readonly Pick<Style, 'key'>[]): string {
  const plain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const stem = plain === '' ? 'style' : plain
  const taken = new Set(styles.map(style => style.key))
  for (let n = 1; ; n++) {
    const tail = n === 1 ? '' : `-${n}`
    const key = `${stem.slice(0, KEY_LENGTH - tail.length)}${tail}`
    if (!taken.has(key)) return key
  }
}

/** Returns the styles with this one at a position: the one that was there is replaced, and after the last one it is added. */
export const withStyle = ({ styles, layers }: Document, at: number, style: Style): Document => ({
  styles: at < styles.length ? styles.map((one, i) => (i === at ? style : one)) : [...styles, style],
  layers,
})

/** Returns the styles without one of them; layers that used it use the note, as the labels that name it do. */
export function withoutStyle({ styles, layers }: Document, key: string): Document {
  const changed = Object.entries(layers).map(([name, layer]) => [name, layer.style_key === key ? { ...layer, style_key: FALLBACK } : layer])
  return { styles: styles.filter(style => style.key !== key), layers: Object.fromEntries(changed) as Document['layers'] } // the same layers
}

/** Returns the styles with one moved by one position; unchanged at the ends. */
export function withMoved({ styles, layers }: Document, key: string, by: -1 | 1): Document {
  const list = ordered(styles)
  const at = list.findIndex(style => style.key === key)
  const other = list[at + by]
  const positions = new Map(list.map((style, i) => [style.key, i]))
  if (other !== undefined) {
    positions.set(key, at + by)
    positions.set(other.key, at)
  }
  return { styles: ordered(styles.map(style => ({ ...style, sort: positions.get(style.key) ?? style.sort }))), layers }
}

/** Returns the document with one layer changed. */
export const withLayer = ({ styles, layers }: Document, name: LayerName, layer: Layer): Document => ({
  styles,
  layers: { ...layers, [name]: layer },
})

/** Returns the document without a layer: the service gives it the standard settings. */
export function withoutLayer({ styles, layers }: Document, name: LayerName): NewLabelStyles {
  const { [name]: _, ...others } = layers
  return { styles, layers: others }
}

/** Returns the fields of a label after one was chosen at a position; none removes it. A field appears once. */
export function fieldsWith(fields: readonly string[], at: number, field: string): string[] {
  const rest = fields.map((one, i) => (i === at ? field : one === field ? '' : one))
  return [...rest, ...(at >= fields.length ? [field] : [])].filter(one => one !== '')
}
