import { integer, number, oneOf, text } from '../../../base/schema.ts'
import { placedComputed, placedFields } from '../../../kernel/placed/schema.ts'

/** The fields of a text label, by the name of their column. */
export const fields = {
  text: text('Text, at most 5 lines', { min: 1, max: 200, example: 'Haul road one way' }),
  rotation_deg: number('Rotation clockwise, degrees; default 0', { min: -180, max: 180, example: 0 }),
  size_px: number('Height of the text, pixels; default 14', { min: 8, max: 72, example: 14 }),
  style_key: text('Label style of the site; default `note`', { min: 1, max: 60, example: 'note' }),
  anchor: oneOf(['center', 'left', 'right', 'top', 'bottom'], 'Part of the text that is at the position; default `center`', {
    example: 'center',
  }),
  min_zoom: integer('Lowest zoom at which it is shown; default 0', { min: 0, max: 24, example: 0 }),
  max_zoom: integer('Highest zoom at which it is shown; default 24', { min: 0, max: 24, example: 24 }),
  ...placedFields({ open_ended: true }),
}
export const computed = placedComputed
