// Writers of responses: a function for each schema that writes a value as JSON, without anything that the schema doesn't list. They are compiled by
// fast-json-stringify, which asks a validator, compiled for each schema and called for each value, which member of a union fits. A shape or null
// needs none, so it becomes a copy of the shape that can be null.
import fastJson from 'fast-json-stringify'
import { FORMATS, type Loose, loose, TARGET, type TSchema } from './schema.ts'

/** Writes a value as JSON. */
export type Writer = (value: unknown) => string

type Written = Omit<Loose, typeof TARGET> & { nullable?: boolean }

/** Returns the one schema that a union allows besides null; null for any other schema. */
function besidesNull({ anyOf = [] }: Loose): Loose | null {
  const [only, ...others] = anyOf.filter(one => one.type !== 'null')
  return anyOf.length === 2 && others.length === 0 ? (only ?? null) : null
}

/** Makes the schemas of one writer: its root, and every named shape that the root needs. */
export function schemasFor(schema: TSchema): { root: Written; shapes: Map<string, Written> } {
  const shapes = new Map<string, Written>()
  const named = (target: Loose, nullable: boolean): Written => {
    const name = `${target.$id}${nullable ? '-or-null' : ''}`
    if (!shapes.has(name)) {
      // It may refer to itself, so its name is taken before its fields are read.
      const shape: Written = {}
      shapes.set(name, shape)
      Object.assign(shape, inner(target), { $id: name }, nullable ? { nullable } : {})
    }
    return { $ref: `${name}#` }
  }
  const written = (given: Loose): Written => {
    const only = besidesNull(given)
    const shape = only?.[TARGET]
    if (shape !== undefined) return named(shape, true)
    // Any JSON value can be null already.
    if (only !== null && only.type === undefined && only.anyOf === undefined) return inner(only)
    const target = given[TARGET] ?? given
    return target.$id === undefined ? inner(target) : named(target, false)
  }
  const inner = ({ description: _, examples: __, properties, items, anyOf, additionalProperties, ...rest }: Loose): Written => ({
    ...rest,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, written(field)])) }),
    ...(items && { items: written(items) }),
    ...(anyOf && { anyOf: anyOf.map(written) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: typeof additionalProperties === 'object' ? written(additionalProperties) : additionalProperties }),
  })
  return { root: written(loose(schema)), shapes }
}

/** Makes the writer of a schema. */
export function writerOf(schema: TSchema): Writer {
  const { root, shapes } = schemasFor(schema)
  const given = (one: Written) => one as Parameters<typeof fastJson>[0] // TypeBox's schemas are JSON Schema
  return fastJson(given(root), {
    schema: Object.fromEntries([...shapes].map(([name, one]) => [name, given(one)])),
    ajv: { formats: FORMATS },
  })
}
