// What people type about a text label, as plain data.

import { limits } from '../../../../contract/limits.gen.ts'
import { chosenFrom } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import { FALLBACK, type LabelStyles } from './looks.ts'
import type { TextLabel } from './signs.ts'

/** The parts of a text that can be at its place. */
export const ANCHORS = ['center', 'left', 'right', 'top', 'bottom'] as const

/** A form as it is typed. Numbers are text while they are typed. */
export type Typed = {
  text: string
  style_key: string
  size_px: string
  rotation_deg: string
  anchor: TextLabel['anchor']
  min_zoom: string
  max_zoom: string
  place: Schemas['GivenPlace'] | null
  contractor_id: string
  /** The label's own colour; null: that of its style. */
  colour: string | null
  start_at: string | null
  end_at: string | null
  notes: string
}

const EMPTY: Typed = {
  ...{ text: '', style_key: FALLBACK, size_px: '14', rotation_deg: '0', anchor: 'center', min_zoom: '0', max_zoom: '24' },
  ...{ place: null, contractor_id: '', colour: null, start_at: null, end_at: null, notes: '' },
}

type Styles = NonNullable<LabelStyles>['styles']
const sizeOf = (styles: Styles, key: string): string => String(styles.find(style => style.key === key)?.size_px ?? EMPTY.size_px)

/** Returns what a form starts with: a label, or a new one at a place, in the size of its style. */
export function startOf(label: TextLabel | null, place: Typed['place'], styles: Styles): Typed {
  if (label === null) return { ...EMPTY, place, size_px: sizeOf(styles, FALLBACK) }
  const { text, style_key, size_px, rotation_deg, anchor, min_zoom, max_zoom, contractor_id, colour, start_at, end_at, notes } = label
  const numbers = { size_px: String(size_px), rotation_deg: String(rotation_deg), min_zoom: String(min_zoom), max_zoom: String(max_zoom) }
  return {
    ...{ text, style_key, ...numbers, anchor, place: label.place },
    ...{ contractor_id: contractor_id ?? '', colour, start_at, end_at, notes: notes ?? '' },
  }
}

/** Returns a form with another style. The size follows the style, unless the person has chosen their own. */
export function withStyle(typed: Typed, key: string, styles: Styles): Partial<Typed> {
  const own = typed.size_px !== sizeOf(styles, typed.style_key)
  return { style_key: key, ...(own ? {} : { size_px: sizeOf(styles, key) }) }
}

/** Returns the sample of what is typed; null if the site has no styles. A size or a turn that can’t be drawn is that of a new label. */
export function sampleOf({ text, style_key, size_px, rotation_deg, colour }: Typed, styles: Styles) {
  const style = styles.find(({ key }) => key === style_key) ?? styles.find(({ key }) => key === FALLBACK)
  if (style === undefined) return null
  const { min, max } = limits.NewTextLabel.size_px
  const [size, turn] = [Number(size_px), Number(rotation_deg)]
  return {
    style: { ...style, size_px: size >= min && size <= max ? size : style.size_px },
    text: text.trim(),
    colour,
    turn: Number.isFinite(turn) ? turn : 0,
  }
}

/** Returns a form with another anchor. */
export const withAnchor = (value: string): Partial<Typed> => ({ anchor: chosenFrom(ANCHORS, value) })

/** Returns what is sent. People who can write for any contractor say for which; the others write for their own. */
export function bodyOf(typed: Typed, anyones: boolean) {
  const { text, style_key, anchor, place, contractor_id, colour, start_at, end_at, notes } = typed
  return {
    text: text.trim(),
    style_key,
    size_px: Number(typed.size_px),
    rotation_deg: Number(typed.rotation_deg),
    anchor,
    min_zoom: Number(typed.min_zoom),
    max_zoom: Number(typed.max_zoom),
    place: place ?? {},
    colour,
    end_at,
    notes: notes || null,
    ...(start_at === null ? {} : { start_at }),
    ...(anyones ? { contractor_id: contractor_id || null } : {}),
  }
}
