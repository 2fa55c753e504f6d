// Text labels as plain data.
import { lonLat } from '../../../../shared/geometry/plane.ts'
import type { Draft } from './dragged.ts'
import type { TextLabel } from './signs.ts'

/** Returns the name of a label where there is room for one line: its first. */
export const labelName = ({ text }: Pick<TextLabel, 'text'>): string => text.trim().split('\n')[0] ?? text

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
