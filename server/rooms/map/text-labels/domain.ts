// Words on the map (`map.md` §6). Pure.
import type { FieldFault } from '../../../base/errors.ts'

/** What a label has if its body doesn’t say. */
export const DEFAULTS = { rotation_deg: 0, size_px: 14, style_key: 'note', anchor: 'center', min_zoom: 0, max_zoom: 24 } as const

const MOST_LINES = 5

/** Returns what is wrong with the text. */
export const textFaults = (text: string): FieldFault[] =>
  text.split('\n').length > MOST_LINES ? [{ path: 'text', message: `has more than ${MOST_LINES} lines.` }] : []

/** Returns what is wrong with the zooms. */
export const zoomFaults = ({ min_zoom, max_zoom }: { min_zoom: number; max_zoom: number }): FieldFault[] =>
  min_zoom <= max_zoom
    ? []
    : [
        { path: 'min_zoom', message: 'is higher than max_zoom.' },
        { path: 'max_zoom', message: 'is lower than min_zoom.' },
      ]
