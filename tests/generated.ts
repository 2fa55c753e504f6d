// Requests made from the API document: values that fit its schemas (by json-schema-faker), and the same values with one part spoiled.
import { generateSync, type JsonSchema, type Random } from 'json-schema-faker'
import type { Chance } from './chance.ts'
import type { ApiDocument, Operation, Schema } from './conformity.ts'

/** Longest text and list that is generated without being asked for: the limits themselves are tried by `spoiled`. */
const LONG = 30
const MANY = 3

const INSTANTS = ['2026-03-16T10:00:00Z', '2026-03-16T18:00:00.000+01:00', '2026-03-29T00:30:00Z', '2026-03-17T08:00:00.000Z']
const DATES = ['2026-03-16', '2026-03-17', '2026-03-29', '2026-02-01']
const TIMES = ['07:30', '00:00', '18:00', '23:59']

/** Makes values for one document. `known`: ids that exist somewhere. */
export function generator(document: ApiDocument, known: readonly string[]) {
  /** The schemas with limits that keep values small. */
  const small = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(small)
    if (typeof value !== 'object' || value === null) return value
    const out: Schema = {}
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'description') continue
      const { minLength, minItems } = value as { minLength?: number; minItems?: number }
      if (key === 'maxLength' && typeof inner === 'number') out[key] = Math.min(inner, Math.max(LONG, minLength ?? 0))
      else if (key === 'maxItems' && typeof inner === 'number') out[key] = Math.min(inner, Math.max(MANY, minItems ?? 0))
      else out[key] = key === 'examples' || key === 'enum' || key === 'required' ? inner : small(inner)
    }
    return out
  }
  const schemas = new Map(Object.entries(document.components.schemas).map(([name, schema]) => [name, small(schema) as JsonSchema]))
  const kept = new Map<Schema, JsonSchema>()
  const pick =
    <T>(list: readonly T[]) =>
    (random: Random): T =>
      random.pick(list)
  return (d: Chance, schema: Schema): unknown => {
    const smaller = kept.get(schema) ?? (small(schema) as JsonSchema)
    kept.set(schema, smaller)
    return generateSync(smaller, {
      seed: d.below(2 ** 31),
      refDepthMax: 4,
      maxDefaultItems: MANY,
      optionalsProbability: d.of([0, 0.3, 0.6, 1]),
      useExamplesValue: d.odds(0.4),
      formats: { uuid: pick(known), 'date-time': pick(INSTANTS), date: pick(DATES), 'wall-time': pick(TIMES) },
      refResolver: ref => schemas.get(ref.split('/').pop() ?? '') ?? {},
    })
  }
}

/** The schema of the JSON body of an operation; null if it has none. */
export const bodySchema = (operation: Operation): Schema | null =>
  operation.requestBody?.content['application/json']?.schema ?? operation.requestBody?.content['multipart/form-data']?.schema ?? null

const OTHERS: readonly ((d: Chance) => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => '',
  () => [],
  () => ({}),
  () => [null],
  () => ({ no_such_field: 1 }),
  () => 'not one of these',
  () => '2026-02-30',
  () => '2026-03-16T25:00:00Z',
  d => 'x'.repeat(d.of([41, 201, 501, 2001, 10_001])),
  d => Array.from({ length: d.of([51, 101, 1001]) }, (_, i) => i),
]

/** Spoils one part of a value: puts another in its place, leaves it out, or adds a field to it. */
export function spoiled(d: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || d.odds(0.1)) return d.of(OTHERS)(d)
  if (Array.isArray(value)) {
    if (value.length === 0 || d.odds(0.3)) return [...value, d.of(OTHERS)(d)]
    const at = d.below(value.length)
    return value.map((inner, i) => (i === at ? spoiled(d, inner) : inner))
  }
  const keys = Object.keys(value)
  if (keys.length === 0 || d.odds(0.15)) return { ...value, no_such_field: d.of(OTHERS)(d) }
  const key = d.of(keys)
  const { [key]: inner, ...rest } = value as Record<string, unknown>
  return d.odds(0.2) ? rest : { ...rest, [key]: spoiled(d, inner) }
}

/** Texts for a query parameter that few parameters accept. */
export const spoiledText = (d: Chance): string =>
  d.of(['', 'x', '-1', '0', '1e400', '1.5', 'TRUE', 'null', '[]', '{}', '2026-02-30', 'x'.repeat(d.of([41, 201, 501, 2001, 10_001])), '🏗️'])
