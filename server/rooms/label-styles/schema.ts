import {
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
  orNull,
  type Static,
  shape,
  type TSchema,
  text,
} from '../../base/schema.ts'
import { LAYERS, type LayerName, REGISTRY, WEIGHTS } from './domain.ts'

const colour = (description: string) => text(description, { max: 7, pattern: '^#[0-9a-fA-F]{6}$', example: '#1f2933' })
const key = text('Key', { max: 40, pattern: '^[a-z0-9_-]{1,40}$', example: 'note' })

const looks = {
  name: name('What it is called', { example: 'Note' }),
  text_colour: colour('Colour of the text'),
  halo_colour: colour('Colour of the halo around it'),
  halo_px: number('Width of the halo, pixels', { min: 0, max: 6, example: 2 }),
  background: orNull(colour('Colour behind the text; null: none')),
  border_colour: orNull(colour('Colour of the border; null: none')),
  weight: oneOf(WEIGHTS, 'Weight'),
  italic: flag('Slanted'),
  uppercase: flag('All in capitals'),
  size_px: number('Size, pixels', { min: 8, max: 72, example: 14 }),
  padding_px: number('Room around the text, pixels', { min: 0, max: 16, example: 2 }),
  sort: integer('Place in the list; default the one it was sent in', { max: 1000, example: 0 }),
}

type Optional<T extends Record<string, TSchema>> = { [K in keyof T]: ReturnType<typeof optional<T[K]>> }
const optionally = <T extends Record<string, TSchema>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, optional(schema)])) as Optional<T>

const layer = <L extends LayerName>(of: L) => {
  const fields = Object.keys(REGISTRY[of]) as (keyof (typeof REGISTRY)[L] & string)[] // its own keys
  return {
    visible: flag('Labelled at all', { example: true }),
    min_zoom: number('From this zoom', { min: 0, max: 24, example: 17 }),
    max_zoom: number('Up to this zoom', { min: 0, max: 24, example: 24 }),
    style_key: key,
    fields: list(oneOf(fields, 'Field of the layer'), 'What the label says, in this order', { min: 1, max: 3, unique: true }),
    max_chars: integer('Longer words are cut', { min: 1, max: 200, example: 30 }),
  }
}
const LAYER = Object.fromEntries(LAYERS.map(of => [of, layer(of)])) as Record<LayerName, ReturnType<typeof layer>> // one for each name

const Styles = (style: TSchema) => list(style, 'Styles, with one called note', { min: 1, max: 50 })
const Style = object({ key, ...looks })
const GivenStyle = object({ key, ...optionally(looks) })

const Warning = object({
  code: oneOf(['low_contrast', 'no_ground'], 'What it is'),
  style_key: key,
  detail: text('The same in words', { max: 500 }),
  contrast: orNull(number('Contrast, to one', { min: 1, max: 21, example: 3.2 })),
})
const RegistryField = object({
  key: text('Field', { max: 60, example: 'headcount' }),
  label: text('What it is', { max: 100, example: 'How many' }),
})

export const LabelStyles = shape('LabelStyles', 'How words look on the map and prints of a site', {
  site_id: id('Site'),
  styles: Styles(Style),
  layers: object(Object.fromEntries(LAYERS.map(of => [of, object(LAYER[of], `Labels of the layer ${of}`)])), 'How each layer is labelled'),
  warnings: list(Warning, 'What is hard to read; refused is none of it', { max: 100 }),
  registry: object(
    Object.fromEntries(LAYERS.map(of => [of, list(RegistryField, `Fields of the layer ${of}`, { max: 20 })])),
    'Fields that a label may show, by layer',
  ),
  valid_from: instant('From when it is in force'),
  valid_to: orNull(instant('Until when (exclusive); null: it is')),
  permissions: flags(['edit']),
  version: integer('Number of the version'),
  created_at: instant('When this version was written'),
  created_by: orNull(id('Who wrote it')),
})

export const NewLabelStyles = shape('NewLabelStyles', 'The whole document; what is left out is gone, or at its default', {
  styles: Styles(GivenStyle),
  layers: optional(
    object(
      Object.fromEntries(LAYERS.map(of => [of, optional(object(optionally(LAYER[of]), `Labels of the layer ${of}`))])),
      'How layers are labelled; one left out is as shipped',
    ),
  ),
})

export const StylesQuery = object({
  at: optional(instant('As it was at this instant; default now')),
  version: optional(integer('Or this version', { min: 1 })),
})

export type NewLabelStyles = Static<typeof NewLabelStyles>
export type StylesQuery = Static<typeof StylesQuery>
