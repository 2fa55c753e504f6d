import { keysOf, recordOf } from '../../../../shared/narrow.ts'
import {
  colour,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  optional,
  optionals,
  orNull,
  type Static,
  shape,
  type TSchema,
  text,
} from '../../../base/schema.ts'
import { LAYERS, type LayerName, REGISTRY, WEIGHTS } from './domain.ts'

const key = text('Key', {
  max: 40,
  pattern: ['^[a-z0-9_-]{1,40}$', 'can contain only the letters a to z, digits, underscores and hyphens.'],
  example: 'note',
})

const looks = {
  name: name('Name', { example: 'Note' }),
  text_colour: colour('Text colour', '#1f2933'),
  halo_colour: colour('Halo colour', '#1f2933'),
  halo_px: number('Halo width, pixels', { min: 0, max: 6, example: 2 }),
  background: orNull(colour('Colour behind the text; null for none', '#1f2933')),
  border_colour: orNull(colour('Border colour; null for none', '#1f2933')),
  weight: oneOf(WEIGHTS, 'Weight'),
  italic: flag('Whether the text is italic'),
  uppercase: flag('Whether the text is in capitals'),
  size_px: number('Size, pixels', { min: 8, max: 72, example: 14 }),
  padding_px: number('Padding around the text, pixels', { min: 0, max: 16, example: 2 }),
  sort: integer('Position in the list; default: the order in the request', { max: 1000, example: 0 }),
}

const layer = <L extends LayerName>(of: L) => {
  const fields = keysOf(REGISTRY[of])
  return {
    visible: flag('Whether labels are shown', { example: true }),
    min_zoom: number('Lowest zoom level at which labels are shown', { min: 0, max: 24, example: 17 }),
    max_zoom: number('Zoom level from which labels are no longer shown', { min: 0, max: 24, example: 24 }),
    style_key: key,
    fields: list(oneOf<readonly string[]>(fields, 'Field that this layer can show'), 'Fields shown in the label, in order', {
      min: 1,
      max: 3,
      unique: true,
    }),
    max_chars: integer('Maximum number of characters; longer labels are cut off', { min: 1, max: 200, example: 30 }),
  }
}
const LAYER = recordOf(LAYERS, layer)

const Styles = <T extends TSchema>(style: T) => list(style, 'Text styles; one of them must have the key `note`', { min: 1, max: 50 })
const Style = object({ key, ...looks })
const GivenStyle = object({ key, ...optionals(looks) })

const Warning = object({
  code: oneOf(['low_contrast', 'no_ground'], 'Warning code'),
  style_key: key,
  detail: text('Problem description', { max: 500 }),
  contrast: orNull(
    number('Contrast ratio, for example 3.2 for 3.2:1; null if there is nothing to compare the text with', {
      min: 1,
      max: 21,
      example: 3.2,
    }),
  ),
})
const RegistryField = object({
  key: text('Field', { max: 60, example: 'headcount' }),
  label: text('Field name', { max: 100, example: 'Number' }),
})

export const LabelStyles = shape('LabelStyles', 'Label styles of a site’s map', {
  site_id: id('Site'),
  styles: Styles(Style),
  layers: object(
    Object.fromEntries(LAYERS.map(of => [of, object(LAYER[of], `Label style of the layer ${of}`)])),
    'Label style of each layer',
  ),
  warnings: list(Warning, 'Warnings about legibility; they don’t prevent saving', { max: 100 }),
  registry: object(
    Object.fromEntries(LAYERS.map(of => [of, list(RegistryField, `Label fields of ${of}`, { max: 20 })])),
    'Fields that a label can show, by layer',
  ),
  valid_from: instant('Start of this version'),
  valid_to: orNull(instant('End of this version (exclusive); null while this version is active')),
  permissions: flags(['edit']),
  version: integer('Version number'),
  created_at: instant('Creation time of this version'),
  created_by: orNull(id('Author; null if no person wrote the version')),
})

export const NewLabelStyles = shape(
  'NewLabelStyles',
  'All label styles; a style that is left out is removed, a layer that is left out is reset',
  {
    styles: Styles(GivenStyle),
    layers: optional(
      object(
        recordOf(LAYERS, of => optional(object(optionals(LAYER[of]), `Label style of the layer ${of}`))),
        'Label styles by layer; a layer that is left out gets the standard style',
      ),
    ),
  },
)

export const StylesQuery = object({
  at: optional(instant('Point in time to show; default now')),
  version: optional(integer('Version', { min: 1 })),
})

export type NewLabelStyles = Static<typeof NewLabelStyles>
export type StylesQuery = Static<typeof StylesQuery>
