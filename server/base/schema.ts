// Schemas of requests and responses: one function for each kind of value, so that every field has a description, a limit and an example. TypeBox gives the
// type, ajv checks requests, and the serialiser drops fields that are not listed. The rules are those of conventions §1 and §5.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { type Instant, isWallTime, isWorkDate, readInstant } from '../../shared/time.ts'
import type { Because } from './errors.ts'
import { isId } from './ids.ts'

export { type Static, type TSchema, Type }

/** The schema that a `$ref` refers to, stored with it so that code that walks a schema finds every named one. */
export const TARGET: unique symbol = Symbol('target of a $ref')

/** The kind of record that an id refers to, stored with its schema so that the kernel `resource` can check that the record is on the site. */
export const REFERS: unique symbol = Symbol('kind that an id refers to')

/** What code that walks schemas reads in them: the keywords of JSON Schema that this file writes. */
export type Loose = {
  $ref?: string
  $id?: string
  type?: string | string[]
  format?: string
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  minLength?: number
  properties?: Record<string, Loose>
  required?: string[]
  items?: Loose
  maxItems?: number
  minItems?: number
  uniqueItems?: boolean
  anyOf?: Loose[]
  additionalProperties?: boolean | Loose
  verbatim?: boolean
  [TARGET]?: Loose
  [REFERS]?: string
}

/** Returns a schema as code that walks it reads it; one without any keyword if there is none. */
export const loose = (schema: TSchema | Loose | null | undefined): Loose => schema ?? {}

/** Keeps text as it was sent: neither trimmed nor normalised (passwords). */
export const VERBATIM = 'verbatim'

/** Returns whether a field is text that can be null: empty text in it is then no text, as an empty field of a form is. */
export const isTextOrNone = (schema: Loose | undefined): boolean =>
  Array.isArray(schema?.type) &&
  schema.type.includes('string') &&
  schema.type.includes('null') &&
  schema.enum === undefined &&
  schema.format === undefined &&
  !schema.verbatim &&
  (schema.minLength ?? 0) === 0

type Words = { example?: unknown }

const extra = (words: Words): Record<string, unknown> => (words.example === undefined ? {} : { examples: [words.example] })

/** A UUID. */
export const id = (description: string, words: Words = {}) =>
  Type.String({ format: 'uuid', description, ...extra({ example: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e', ...words }) })

/** The id of a record of this kind on the same site: `recordId('contractor', 'Contractor in charge')`. */
export const recordId = (kind: string, description: string) => Type.Unsafe<string>({ ...id(description), [REFERS]: kind })

/** A regular expression, and what is said of text that doesn't match it: people can't read the expression. */
export type Pattern = readonly [expression: string, fault: string]

const faults = new Map<string, string>()

/** Returns what is said of text that doesn't match a regular expression of a schema. */
export const faultOfPattern = (expression: string): string => faults.get(expression) ?? 'isn’t in the right format.'

/** Returns the keyword of a schema for text that must match a pattern. */
export function matching([pattern, fault]: Pattern): { pattern: string } {
  if (faults.has(pattern) && faults.get(pattern) !== fault) throw new Error(`Two faults are said of text that doesn't match ${pattern}.`)
  faults.set(pattern, fault)
  return { pattern }
}

/** Text of at most `max` characters (10,000 unless stated; names 200), trimmed and NFC-normalised when it is read. */
export const text = (description: string, options: Words & { max?: number; min?: number; pattern?: Pattern } = {}) =>
  Type.String({
    description,
    maxLength: options.max ?? 10_000,
    ...(options.min === undefined ? {} : { minLength: options.min }),
    ...(options.pattern === undefined ? {} : matching(options.pattern)),
    ...extra({ example: options.example ?? (options.pattern === undefined ? 'text' : undefined) }),
  })

/** A colour, `#rrggbb`. */
export const colour = (description: string, example = '#128189') =>
  text(description, {
    max: 7,
    pattern: ['^#[0-9a-fA-F]{6}$', 'must be a colour in the form #rrggbb, such as #128189.'],
    example,
  })

/** A password as it was typed, neither trimmed nor shown. The code that checks passwords decides how long it can be. */
export const secret = (description: string) =>
  Type.String({
    description,
    minLength: 1,
    maxLength: 1000,
    [VERBATIM]: true,
    ...extra({ example: 'wet paint on the door' }),
  })

/** A name: 1 to 200 characters. */
export const name = (description: string, words: Words = {}) => text(description, { min: 1, max: 200, example: 'Block A', ...words })

/** An instant, RFC 3339; written in any offset, read in UTC with milliseconds. */
export const instant = (description: string, words: Words = {}) =>
  Type.Unsafe<Instant>({ type: 'string', format: 'date-time', description, ...extra({ example: '2026-03-29T07:30:00.000Z', ...words }) })

/** A site day, `YYYY-MM-DD`. */
export const workDate = (description: string, words: Words = {}) =>
  Type.String({ format: 'date', description, ...extra({ example: '2026-03-29', ...words }) })

/** A wall-clock time on site, `HH:MM`. */
export const wallTime = (description: string, words: Words = {}) =>
  Type.String({ format: 'wall-time', description, ...extra({ example: '07:30', ...words }) })

/** A whole number. */
export const integer = (description: string, options: Words & { min?: number; max?: number } = {}) =>
  Type.Integer({
    description,
    minimum: options.min ?? 0,
    maximum: options.max ?? 2_147_483_647,
    ...extra({ example: options.example ?? options.min ?? 1 }),
  })

/** A number. */
export const number = (description: string, options: Words & { min?: number; max?: number } = {}) =>
  Type.Number({
    description,
    minimum: options.min ?? -1e12,
    maximum: options.max ?? 1e12,
    ...extra({ example: options.example ?? options.min ?? 1.5 }),
  })

/** True or false. */
export const flag = (description: string, words: Words = {}) => Type.Boolean({ description, ...extra({ example: false, ...words }) })

/** One of these values. */
export const oneOf = <const T extends readonly string[]>(values: T, description: string, words: Words = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description, ...extra({ example: values[0], ...words }) })

/** A list, at most `max` long. */
export const list = <T extends TSchema>(items: T, description: string, options: { max?: number; min?: number; unique?: boolean } = {}) =>
  Type.Array(items, {
    description,
    maxItems: options.max ?? 1000,
    ...(options.min === undefined ? {} : { minItems: options.min }),
    ...(options.unique ? { uniqueItems: true } : {}),
  })

/** Also allows null. */
export function orNull<T extends TSchema>(schema: T) {
  const { type, enum: values, ...rest } = loose(schema)
  if (type === undefined) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }], ...describing(schema) })
  return Type.Unsafe<Static<T> | null>({
    ...rest,
    type: [...(Array.isArray(type) ? type : [type]), 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

const describing = (schema: TSchema) => {
  const { description } = loose(schema)
  return description === undefined ? {} : { description }
}

/** A field that can be left out. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** An object without a name of its own: these fields and no others. */
export const object = <T extends TProperties>(fields: T, description?: string): TObject<T> =>
  Type.Object(fields, { additionalProperties: false, ...(description === undefined ? {} : { description }) })

/** An object whose keys are not known beforehand. */
export const record = <T extends TSchema>(values: T, description: string) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: values, description })

/** Any JSON value, for content that is passed on unchanged. */
export const anything = (description: string) => Type.Unsafe<unknown>({ description })

/** A schema with a name: it appears once in the API document. */
export const shape = <T extends TProperties>($id: string, description: string, fields: T): TObject<T> =>
  Type.Object(fields, { $id, description, additionalProperties: false })

/** A reference to a named shape. */
export function ref<T extends TSchema>(target: T, description?: string) {
  const { $id } = loose(target)
  if ($id === undefined) throw new Error('Only a named shape can be referred to.')
  return Type.Unsafe<Static<T>>({ $ref: `${$id}#`, ...(description === undefined ? {} : { description }), [TARGET]: target })
}

/** Makes every field optional. */
export const optionals = <T extends TProperties>(fields: T): { [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>> } =>
  Object.assign({}, ...Object.entries(fields).map(([key, schema]) => ({ [key]: optional(schema) })))

/** A shape whose fields are all optional: for PATCH. */
export const partial = <T extends TProperties>($id: string, description: string, fields: T) => shape($id, description, optionals(fields))

const Reason = object({
  code: text('Gate, guard, reason or permission that refuses the action', { max: 100, example: 'no_active_appointment' }),
  detail: text('Reason in a sentence', { max: 2000, example: 'You aren’t appointed to issue HW permits.' }),
})

/** Whether an action is possible now, and if not, why: the most important reason first. */
export const Flag = shape('Flag', 'Whether the caller can do this now; if not, why', {
  allowed: flag('Whether the caller can do this now'),
  because: list(Reason, 'Reasons why the action is refused, the most important first; empty if it is allowed', { max: 50 }),
})

/**
 * `permissions` of a record: `{action: {allowed, because[]}}` and, for each, the plain boolean `can_<action>`. `words` describe actions whose names don't
 * say enough.
 */
export function flags<const T extends readonly string[]>(
  actions: T,
  words: Readonly<Record<string, string>> = {},
  description = 'Actions available to the caller',
) {
  type Shown = { [K in T[number]]: { allowed: boolean; because: Because[] } } & { [K in T[number] as `can_${K}`]: boolean }
  const fields: Record<string, TSchema> = {}
  for (const action of actions) {
    fields[action] = ref(Flag, `Whether the caller can ${words[action] ?? action.replaceAll('_', ' ')}`)
    fields[`can_${action}`] = flag(`Short for ${action}.allowed`)
  }
  return Type.Unsafe<Shown>({ type: 'object', properties: fields, required: Object.keys(fields), additionalProperties: false, description })
}

/** A point, WGS84. */
export const Point = shape('Point', 'A point, WGS84', {
  lon: number('Degrees east', { min: -180, max: 180, example: -0.0877 }),
  lat: number('Degrees north', { min: -85.05, max: 85.05, example: 51.5079 }),
})

/** A GeoJSON geometry object; when writing, also an array of `{lon, lat}` (conventions §1). */
export const geometry = (description: string) =>
  Type.Unsafe<unknown>({
    description,
    examples: [
      {
        type: 'Polygon',
        coordinates: [
          [
            [-0.088, 51.507],
            [-0.087, 51.507],
            [-0.087, 51.508],
            [-0.088, 51.508],
            [-0.088, 51.507],
          ],
        ],
      },
    ],
  })

/** Descriptions of parameters in paths that aren't ids. */
export const IN_PATHS: Readonly<Record<string, string>> = {
  kind: 'Kind of notification',
  channel: 'Channel',
  email: 'Email address',
  entity_type: 'Kind of record',
  z: 'Zoom',
  x: 'Column of the tile, from the west',
  y: 'Row of the tile, from the north',
  ext: 'Format of the tile: webp, png or jpg',
  tms: 'How rows are counted: xyz from the north, tms from the south',
  level_index: 'Level of the building',
  token: 'Token',
  version: 'Version',
}

/** Query parameters that every list has. */
export const paging = {
  limit: optional(integer('Rows per page, at most 1000; default 200', { min: 1, max: 1000, example: 200 })),
  cursor: optional(text('Cursor, from the Link header of the previous page', { example: 'WzQyXQ513bdc8a' })),
}

/** The query parameter of a list whose rows show when they were changed. */
export const changedSince = { updated_since: optional(instant('Earliest time of the last change')) }

/** The query parameter `site_id`. */
export const onSite = { site_id: id('Site') }

/** Formats that ajv checks. */
export const FORMATS: Record<string, (value: string) => boolean> = {
  uuid: isId,
  date: isWorkDate,
  'date-time': value => readInstant(value) !== null,
  'wall-time': isWallTime,
}
