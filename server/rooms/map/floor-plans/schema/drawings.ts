import { flag, id, instant, integer, list, number, object, oneOf, orNull, record, shape, text } from '../../../../base/schema.ts'
import { IMPORT_STATES } from '../domain/plans.ts'

const count = record(integer('Number'), 'Numbers by type')

export const InspectedDrawing = shape('InspectedDrawing', 'What a DXF drawing contains', {
  session_id: id('Inspected drawing'),
  expires_at: instant('Until when it can be imported'),
  version: text('Version of the format', { max: 20, example: 'AC1032' }),
  units: orNull(integer('Units of the drawing, as in $INSUNITS; 0 for none; null if it doesn’t say', { max: 2 ** 31 - 1, example: 4 })),
  units_guess: orNull(integer('Units with which the drawing has the size of a building; null if none does', { max: 24, example: 4 })),
  extents: orNull(
    list(number('Units of the drawing'), 'Smallest box around the model space: left, bottom, right, top', { min: 4, max: 4 }),
  ),
  layers: list(
    object({
      name: text('Layer', { max: 1000, example: 'A-WALL' }),
      colour: integer('Colour number', { max: 100_000, example: 7 }),
      off: flag('Whether it is off'),
      frozen: flag('Whether it is frozen'),
      counts: count,
      suggested: flag('Whether to import it'),
    }),
    'Layers',
    { max: 5000 },
  ),
  blocks: list(object({ name: text('Block', { max: 1000, example: 'DOOR-900' }), entities: integer('Number of entities') }), 'Blocks', {
    max: 5000,
  }),
  layouts: list(text('Layout', { max: 1000, example: 'Model' }), 'Layouts', { max: 500 }),
  unsupported: record(integer('Number'), 'Entities that aren’t drawn, by type'),
  xrefs: list(text('File', { max: 1000 }), 'Other drawings that it refers to', { max: 500 }),
  warnings: list(
    object({
      kind: oneOf(['no_units', 'units_suspect', 'xrefs', 'unreadable', 'strays', 'empty'], 'Kind'),
      message: text('What it means', { max: 500 }),
    }),
    'What to check',
    { max: 10 },
  ),
})

export const ImportProgress = shape('DrawingImport', 'How far the import of a drawing is', {
  session_id: id('Inspected drawing'),
  file_name: text('Name of the file', { max: 200 }),
  state: oneOf(IMPORT_STATES, 'State'),
  progress: number('Progress, 0 to 1', { min: 0, max: 1, example: 0.4 }),
  message: orNull(text('Present step; null if there is none', { max: 500 })),
  floor_plan_id: orNull(id('Floor plan; null until it is imported')),
  counts: record(integer('Number'), 'Numbers of lines by what they show'),
  error: orNull(text('Why it failed; null unless it did', { max: 1000 })),
  expires_at: instant('Until when it can be imported'),
})
