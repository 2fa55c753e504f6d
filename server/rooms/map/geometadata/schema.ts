import {
  anything,
  colour,
  flag,
  id,
  integer,
  list,
  name,
  number,
  object,
  oneOf,
  onSite,
  optional,
  orNull,
  paging,
  record,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { bbox, nearby } from '../../../kernel/placed/schema.ts'
import { KINDS } from '../reference-features/domain/features.ts'
import { QUALITY_LEVELS, ROLES, STATUSES, UTILITIES } from './domain.ts'

const property = (description: string, example: string) => text(description, { min: 1, max: 200, example })

const Style = object(
  {
    stroke: colour('Colour of lines, #rrggbb', '#1d70b8'),
    fill: colour('Colour of surfaces, #rrggbb', '#1d70b8'),
    width: number('Width of lines, pixels', { min: 0.5, max: 20, example: 2 }),
    label_property: optional(orNull(property('Property that is shown as the label; null for none', 'ref'))),
  },
  'How the layer is drawn; default by its role and utility',
)

const Mapping = object(
  {
    key: property('Property by which a new file finds the same feature again; unique in the file', 'id'),
    name: property('Property with the name; the key if it is empty', 'name'),
    code: optional(orNull(property('Property with the code', 'code'))),
    levels: optional(
      orNull(property('Property with the number of storeys, or a list of levels such as B1, G, 1, 2; buildings only', 'storeys')),
    ),
    zone_type: optional(orNull(property('Property with the purpose; zones only', 'use'))),
  },
  'Properties of the features that become fields of areas, buildings or zones',
)

/** The fields of a layer, by the name of their column. */
export const fields = {
  name: name('Name', { example: 'Gas mains' }),
  role: oneOf(ROLES, 'What the layer is for', { example: 'utilities' }),
  source: orNull(text('Where the layer comes from; null if unknown', { max: 500, example: 'Cadent, plan 2026-114' })),
  surveyed_on: orNull(workDate('Day of the survey; null if unknown')),
  style: Style,
  visible: flag('Whether the layer is shown on the map', { example: true }),
  sort: integer('Position in the list of layers, from the lowest number', { min: -10_000, max: 10_000, example: 0 }),
  utility: orNull(oneOf(UTILITIES, 'Buried service; null for layers that aren’t services', { example: 'gas' })),
  quality_level: orNull(
    oneOf(QUALITY_LEVELS, 'Survey quality by PAS 128: QL-D records, QL-C site visit, QL-B detected, QL-A exposed; null for other layers', {
      example: 'QL-D',
    }),
  ),
  reference_kind: orNull(oneOf(KINDS, 'What the features become; null for layers that are only shown', { example: 'building' })),
  map: orNull(Mapping),
}

const Refusal = object({
  index: integer('Position of the feature in the file, from 0'),
  reason: text('Why it was refused', { max: 20_000, example: 'Its polygon crosses itself at lon -0.0877, lat 51.5079.' }),
})

const Saved = object(
  {
    created: list(id('Feature'), 'Features that were created', { max: 100_000 }),
    changed: list(id('Feature'), 'Features with a new version', { max: 100_000 }),
    unchanged: integer('Number of features that are as they were'),
    ended: list(id('Feature'), 'Features that ended because their key is no longer in the file', { max: 100_000 }),
  },
  'What became of the features of a layer with the role reference; only in responses to uploads',
)

const Warning = object({
  code: text('Code', { max: 60, example: 'outside_site' }),
  detail: text('Description', { max: 1000, example: 'No feature is within 2 km of the site.' }),
})

/** The computed fields of a layer. */
export const computed = {
  status: oneOf(STATUSES, 'Whether the features can be used', { example: 'ready' }),
  crs: orNull(text('Grid of the file that was read; null before the first file', { max: 60, example: 'EPSG:27700' })),
  accuracy_m: orNull(
    number('How far positions can be off because they were converted from that grid, metres; null if less than a decimetre', {
      min: 0,
      example: 5,
    }),
  ),
  feature_count: integer('Number of features'),
  bounds: orNull(
    list(number('Degrees', { min: -180, max: 180 }), 'Bounding box, minlon, minlat, maxlon, maxlat; null without features', { max: 4 }),
  ),
  property_schema: list(
    object({
      name: text('Name', { max: 200, example: 'diameter' }),
      type: oneOf(['text', 'number', 'boolean', 'mixed', 'empty'], 'Kind of its values', { example: 'number' }),
      samples: list(anything('Value'), 'Some of its values', { max: 5 }),
    }),
    'Properties of the features',
    { max: 200 },
  ),
  content_version: integer('Number of the content: each file with other features raises it'),
  accepted: optional(integer('Number of features that were stored; only in responses to uploads')),
  refused: optional(list(Refusal, 'Features that were left out, at most 1,000; only in responses to uploads', { max: 1000 })),
  saved: optional(Saved),
  warnings: optional(list(Warning, 'Advice about the file; only in responses to uploads', { max: 10 })),
}

const { reference_kind, map } = fields
const { name: _name, role, ...others } = fields
const optionalFields = {
  role: optional(role),
  ...Object.fromEntries(Object.entries({ ...others, reference_kind, map }).map(([field, schema]) => [field, optional(schema)])),
}
const crs = optional(
  text('Grid of the positions if the file doesn’t name it: WGS84, Web Mercator, UTM or British National Grid', {
    max: 100,
    example: 'EPSG:27700',
  }),
)

/** The body that creates a layer. */
export const NewLayer = shape('NewGeodataLayer', 'A layer to create', {
  ...onSite,
  name: fields.name,
  ...optionalFields,
  crs,
  features: optional(anything('A GeoJSON FeatureCollection with at most 5,000 features')),
})

/** The fields of an upload, besides the file. */
export const Upload = shape('GeodataUpload', 'A file of a layer, and what is said about it', {
  ...onSite,
  layer_id: optional(id('Layer whose features are replaced; a new layer if left out')),
  name: optional(fields.name),
  ...optionalFields,
  crs,
  skip_refused: optional(flag('Whether to store the others if features are refused')),
  end_missing: optional(flag('Whether areas, buildings or zones of the layer end if their key is no longer in the file')),
})

export const UploadQuery = object({ site_id: optional(id('Site; also accepted as a form field')) })

export const FeaturesQuery = object({
  bbox: optional(bbox),
  near: nearby('Position, lon,lat: returns only what is within `within_m` of it, nearest first, with `distance_m`'),
  within_m: optional(number('Largest distance from `near`, metres; default 50', { min: 0, max: 5000, example: 50 })),
  simplify_m: optional(number('How far simplified lines can be from the surveyed ones, metres', { min: 0, max: 1000, example: 0.5 })),
  ...paging,
})

export const LayerFeatures = shape('GeodataFeatures', 'Features of a layer as a GeoJSON FeatureCollection', {
  type: oneOf(['FeatureCollection'], 'Always FeatureCollection'),
  features: list(
    object({
      type: oneOf(['Feature'], 'Always Feature'),
      id: text('Layer and position in its file', { max: 60, example: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e/0' }),
      geometry: anything('Geometry, WGS84'),
      properties: record(anything('Value'), 'Properties of the file, and `distance_m` with `near`'),
    }),
    'Features, in the order of the file; with `near`, the nearest first',
    { max: 1000 },
  ),
})
