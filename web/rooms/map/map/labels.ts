// Text labels as plain data.
import { lonLat } from '../../../../shared/geometry/plane.ts'
import type { Draft } from './moving.ts'
import type { TextLabel } from './signs.ts'

/** Lines that are longer than this are broken, in units of the size of the text. */
export const LINE_EM = 20

/** Returns the name of a label where there is room for one line: its first. */
export const labelName = ({ text }: Pick<TextLabel, 'text'>): string => text.trim().split('\n')[0] ?? text

/** Returns labels with the colour that was chosen for each; null for one whose colour is only that of its contractor, because its style says how it looks. */
export const withOwnColours = (
  labels: readonly TextLabel[],
  contractors: readonly { id: string; colour: string }[] | undefined,
): TextLabel[] => {
  const colours = new Map(contractors?.map(one => [one.id, one.colour]))
  // Until the contractors are loaded, only a label without one is known to have its own colour.
  const isOwn = ({ contractor_id, colour }: TextLabel) =>
    contractor_id === null || (contractors !== undefined && colour !== colours.get(contractor_id))
  return labels.map(label => (label.colour === null || isOwn(label) ? label : { ...label, colour: null }))
}

/** Returns the labels while one of them is being moved or turned. */
export const labelsWith = (labels: readonly TextLabel[], draft: Draft | null): readonly TextLabel[] =>
  draft === null || !labels.some(({ id }) => id === draft.id)
    ? labels
    : labels.map(label =>
        label.id !== draft.id
          ? label
          : {
              ...label,
              rotation_deg: draft.turn ?? label.rotation_deg,
              place: draft.to === null ? label.place : { ...label.place, point: lonLat(draft.to) },
            },
      )

/** Orders labels for a list, by their text. */
export const byText = (labels: readonly TextLabel[]): TextLabel[] =>
  labels.toSorted((a, b) => labelName(a).localeCompare(labelName(b)) || a.id.localeCompare(b.id))

/** About the width of a letter, and the height of a line, for each pixel of the size of a text. */
const [LETTER, LINE] = [0.56, 1.2]
/** The widest box, and the steps between widths: boxes of about the same size are one image. */
const [MOST_PX, STEP_PX] = [512, 16]

/**
 * Returns the size of the box behind turned words, as the end of the name of its image. The map library can't turn a box whose middle part alone grows with the
 * text (its corners would stay where they are), so turned words have a box of about their own size, which the library fits to them.
 */
export function plateSize({ text, size_px }: Pick<TextLabel, 'text' | 'size_px'>): string {
  const widths = text.split('\n').map(line => line.length * LETTER)
  const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / LINE_EM)), 0)
  const [width, height] = [Math.min(LINE_EM, Math.max(...widths)) * size_px, rows * LINE * size_px]
  const part = Math.min(1, MOST_PX / width)
  return `-${Math.max(1, Math.round((width * part) / STEP_PX)) * STEP_PX}x${Math.round(height * part)}`
}
