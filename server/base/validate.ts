// Checks requests and writes responses by schema: text is trimmed and normalised, every fault is reported at once, and responses contain only listed fields.
// Everything is compiled on its first use, so that hundreds of routes are ready immediately.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { isRecord, itemsIn } from '../../shared/narrow.ts'
import { counted } from '../../shared/text.ts'
import { CONTROL, cleanText, note } from './clean-text.ts'
import { type FieldFault, REPEATED } from './errors.ts'
import { DEEPEST, MOST_UNKNOWN } from './intake.ts'
import { writeLong } from './long-responses.ts'
import { remembered } from './memo.ts'
import { FORMATS, faultOfPattern, isTextOrNone, type Loose, loose, TARGET, type TSchema, VERBATIM } from './schema.ts'
import { type Writer, writerOf } from './writers.ts'

/** Returns the schema that a reference refers to. */
const behind = (schema: Loose): Loose => schema[TARGET] ?? schema

/** Finds every named schema that these schemas refer to. */
export function namedShapes(schemas: Iterable<TSchema>): Map<string, TSchema> {
  const found = new Map<string, TSchema>()
  const walk = (schema: Loose) => {
    const target = behind(schema)
    if (target.$id !== undefined) {
      const known = found.get(target.$id)
      if (known !== undefined) {
        if (known !== target) throw new Error(`Two shapes are called ${target.$id}.`)
        return
      }
      found.set(target.$id, target)
    }
    for (const inner of Object.values(target.properties ?? {})) walk(inner)
    for (const inner of target.anyOf ?? []) walk(inner)
    if (target.items !== undefined) walk(target.items)
    if (typeof target.additionalProperties === 'object') walk(target.additionalProperties)
  }
  for (const schema of schemas) walk(loose(schema))
  return found
}

/** Returns the members of a union that fit a value like this one; a schema that isn't a union is its own only member. */
function fitting(schema: Loose | undefined, value: unknown): Loose[] {
  if (schema === undefined) return []
  const target = behind(schema)
  if (target.anyOf === undefined) return [target]
  const wanted = Array.isArray(value) ? 'array' : typeof value
  return target.anyOf
    .map(behind)
    .filter(s => s.type === wanted || (Array.isArray(s.type) && s.type.includes(wanted)) || s.anyOf !== undefined)
}

/** Returns the only member of a union whose required fields the value has; the schema itself if it isn't a union, or if that leaves a choice. */
function memberFor(schema: TSchema, value: unknown): TSchema {
  const { anyOf } = behind(loose(schema))
  if (anyOf === undefined || !isRecord(value)) return schema
  const [only, second] = anyOf.filter(member => {
    const { type, required = [] } = behind(member)
    return type === 'object' && required.every(name => value[name] !== undefined)
  })
  return only === undefined || second !== undefined ? schema : only
}

/**
 * Normalises a body: text trimmed, NFC, without control characters; empty text null where a field can be null; instants in UTC; read-only fields of the resource dropped (so that a client can
 * submit what it has read). Changes nothing in place.
 */
export function prepare(value: unknown, schema: TSchema | undefined, resource: TSchema | undefined, faults: FieldFault[]): unknown {
  const walked: Walked = { faults, unknown: 0 }
  return walk(value, schema === undefined ? undefined : loose(schema), resource === undefined ? undefined : loose(resource), '', 0, walked)
}

/** What the check of a body has found so far. */
type Walked = { faults: FieldFault[]; unknown: number }

function walk(
  value: unknown,
  schema: Loose | undefined,
  resource: Loose | undefined,
  path: string,
  depth: number,
  walked: Walked,
): unknown {
  const { faults } = walked
  const members = fitting(schema, value)
  const [fits] = members
  /** Returns whether the schema allows exactly one shape here. */
  const certain = members.length === 1 && fits?.anyOf === undefined
  if (typeof value === 'string') {
    const clean = cleanText(value, fits, path, faults)
    return clean === '' && isTextOrNone(fits) ? null : clean
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) {
    note(faults, { path, message: 'is nested too deeply.' })
    return null
  }
  const [known] = fitting(resource, value)
  if (Array.isArray(value)) {
    const most = certain ? (fits?.maxItems ?? value.length) : value.length
    if (value.length > most) note(faults, { path, message: `can have at most ${counted(most, 'item')}.` })
    return value.slice(0, most).map((item, i) => walk(item, fits?.items, known?.items, `${path}[${i}]`, depth + 1, walked))
  }
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const own = fits?.properties?.[key]
    const shown = known?.properties?.[key]
    if (own === undefined && fits?.properties !== undefined && shown !== undefined) continue
    // The first fifty are refused by name, so none of this body is used and the rest need not be checked.
    const strange = certain && own === undefined && fits?.additionalProperties === false
    if (strange && ++walked.unknown > MOST_UNKNOWN) continue
    if (CONTROL.test(key)) note(faults, { path, message: 'has a field name with control characters.' })
    const deeper = own ?? (typeof fits?.additionalProperties === 'object' ? fits.additionalProperties : undefined)
    out[key] = walk(inner, deeper, shown, path === '' ? key : `${path}.${key}`, depth + 1, walked)
  }
  return out
}

/** Reads query parameters as typed values: lists if the schema has lists, and numbers and booleans if the text can be read as one. */
export function readQuery(raw: Record<string, unknown>, schema: TSchema | undefined, faults: FieldFault[]): Record<string, unknown> {
  const fields = schema === undefined ? {} : (loose(schema).properties ?? {})
  const out: Record<string, unknown> = {}
  let unknown = 0
  for (const [name, value] of Object.entries(raw)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) {
      if (++unknown > MOST_UNKNOWN) continue // the first fifty are refused by name
      if (name === '') note(faults, { path: name, message: 'has a parameter without a name.' })
      else Object.defineProperty(out, name, { value, enumerable: true }) // __proto__, too, is then refused by name
      continue
    }
    const one = (v: unknown, s: Loose) => (typeof v === 'string' ? typed(cleanText(v, s, name, faults), s) : v)
    if (field.type === 'array') out[name] = (Array.isArray(value) ? value : [value]).map(v => one(v, field.items ?? {}))
    else {
      const [first, second] = [value].flat()
      if (second !== undefined) note(faults, { path: name, message: REPEATED })
      out[name] = one(first, field)
    }
  }
  return out
}

function typed(value: string, schema: Loose): unknown {
  if ((schema.type === 'integer' || schema.type === 'number') && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Returns what is at a JSON pointer. */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => Reflect.get(Object(at), key.replaceAll('~1', '/').replaceAll('~0', '~')), value)

/** Returns what is wrong, in words for the person who filled in the form. */
function sentence(error: ErrorObject, value: unknown): FieldFault {
  const at = error.instancePath
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replace(/~1/g, '/')
    .replace(/~0/g, '~')
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll('.[', '[')
  const under = (name: string) => (at === '' ? name : `${at}.${name}`)
  const { keyword, params } = error
  switch (keyword) {
    case 'required':
      return { path: under(String(params.missingProperty)), message: 'is required.' }
    case 'additionalProperties':
      return { path: under(String(params.additionalProperty)), message: 'isn’t a field of this request.' }
    case 'type':
      return {
        path: at,
        message: `${valueAt(value, error.instancePath) === null ? 'can’t be null: it ' : ''}must be ${[params.type]
          .flat()
          .map(type => article(String(type)))
          .join(' or ')}.`,
      }
    case 'enum':
      return {
        path: at,
        message: `must be one of ${itemsIn(params.allowedValues)
          .filter(v => v !== null)
          .join(', ')}.`,
      }
    case 'format':
      return { path: at, message: `must be ${FORMAT_WORDS[String(params.format)] ?? String(params.format)}.` }
    case 'minLength':
      return { path: at, message: params.limit === 1 ? 'can’t be empty.' : `must have at least ${params.limit} characters.` }
    case 'maxLength':
      return { path: at, message: `must have at most ${params.limit} characters.` }
    case 'minItems':
      return { path: at, message: `must have at least ${counted(params.limit, 'item')}.` }
    case 'maxItems':
      return { path: at, message: `can have at most ${counted(params.limit, 'item')}.` }
    case 'uniqueItems':
      return { path: at, message: 'contains a duplicate.' }
    case 'minimum':
      return { path: at, message: `must be at least ${params.limit}.` }
    case 'maximum':
      return { path: at, message: `must be at most ${params.limit}.` }
    case 'pattern':
      return { path: at, message: faultOfPattern(String(params.pattern)) }
    default:
      return { path: at, message: error.message ?? 'isn’t valid.' }
  }
}

const article = (type: string) =>
  ({
    object: 'an object',
    array: 'a list',
    integer: 'a whole number',
    number: 'a number',
    string: 'text',
    boolean: 'true or false',
    null: 'null',
  })[type] ?? type

const FORMAT_WORDS: Record<string, string> = {
  uuid: 'an id (UUID)',
  date: 'an existing date from 1900 to 2200, YYYY-MM-DD',
  'date-time': 'an RFC 3339 instant from 1900 to 2200, such as 2026-03-29T07:30:00Z',
  'wall-time': 'a time of day, HH:MM',
}

/** Checks values and writes responses for one list of routes. */
export type Checker = {
  /** Adds what is wrong with the value to `faults`; nothing if it is valid. */
  check(schema: TSchema, value: unknown, faults: FieldFault[]): void
  /** Writes a response as JSON, without anything that the schema does not list. */
  write(schema: TSchema, value: unknown): string
  /** Writes the same text in several turns of the event loop if it has a long list, so that nobody waits for it. */
  writeLong(schema: TSchema, value: unknown): Promise<string>
}

let last: { schemas: readonly TSchema[]; checker: Checker } | null = null

/** Returns a checker for these schemas: the last one if they are the same, so that a process with several nodes compiles each schema once. */
export function checkerFor(schemas: readonly TSchema[]): Checker {
  if (last === null || last.schemas.length !== schemas.length || schemas.some((one, i) => one !== last?.schemas[i]))
    last = { schemas, checker: makeChecker(schemas) }
  return last.checker
}

/** Makes a checker that knows the named schemas in these schemas. */
export function makeChecker(schemas: Iterable<TSchema>): Checker {
  const shapes = namedShapes(schemas)
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: false,
    removeAdditional: false,
    strict: false,
    formats: FORMATS,
    validateFormats: true,
    // Our schemas are checked by a test (tests/house/schemas.test.ts): to do it at each start takes a fifteenth of its processor time.
    validateSchema: false,
  })
  ajv.addKeyword(VERBATIM)
  for (const schema of shapes.values()) ajv.addSchema(schema)
  const validators = new Map<TSchema, ValidateFunction>()
  const writers = new Map<TSchema, Writer>()
  const nameless = (schema: TSchema) => {
    const { $id } = loose(schema)
    return $id === undefined ? schema : { $ref: `${$id}#` }
  }
  const write = (schema: TSchema, value: unknown): string => remembered(writers, schema, () => writerOf(schema))(value)
  return {
    check(schema, value, faults) {
      const validate = remembered(validators, schema, () => ajv.compile(nameless(schema)))
      if (validate(value)) return
      const seen = new Set<string>()
      for (const error of validate.errors ?? []) {
        if (error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null')) continue
        const fault = sentence(error, value)
        const key = `${fault.path} ${fault.message}`
        if (!seen.has(key)) note(faults, fault)
        seen.add(key)
      }
      if (seen.size === 0) faults.push({ path: '', message: 'isn’t valid.' })
    },
    write,
    writeLong(schema, value) {
      const member = memberFor(schema, value)
      return writeLong(write, member, behind(loose(member)), value)
    },
  }
}
