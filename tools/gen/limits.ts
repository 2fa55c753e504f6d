import type { Generated } from './all.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}
type Operation = { requestBody?: { content?: Record<string, { schema?: Schema }> } }
/** The parts of the API document that this file reads. */
export type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

/** Returns what a form must know about one field; null if the field has no limit. */
function limitOf(field: Schema, required: boolean): Record<string, number | true> | null {
  const isText = [field.type].flat().includes('string')
  const limit = {
    ...(required ? { required: true as const } : {}),
    ...(isText && field.maxLength !== undefined ? { maxLength: field.maxLength } : {}),
    ...(isText && field.minLength !== undefined && field.minLength > 1 ? { minLength: field.minLength } : {}),
    ...(field.minimum === undefined ? {} : { min: field.minimum }),
    ...(field.maximum === undefined ? {} : { max: field.maximum }),
  }
  return Object.keys(limit).length === 0 ? null : limit
}

type Limits = Record<string, Record<string, number | true>>

/** Returns the fields of an object; and under “name.field” those of the objects in it and in its lists, which have forms of their own. */
function fieldsOf(name: string, { properties = {}, required = [] }: Schema): [string, Limits][] {
  const fields = Object.entries(properties).map(([field, schema]) => [field, limitOf(schema, required.includes(field)) ?? {}] as const)
  const inside = Object.entries(properties).flatMap(([field, schema]) => {
    const part = schema.properties === undefined ? schema.items : schema
    return part?.properties === undefined ? [] : fieldsOf(`${name}.${field}`, part)
  })
  return [[name, Object.fromEntries(fields)], ...inside]
}

/** Returns the limits of every body that people fill in, for the forms of the app: the same as the service checks. */
export function limitsFile({ paths, components }: Document): Generated {
  const names = Object.values(paths)
    .flatMap(path => Object.values(path))
    .flatMap(operation => operation.requestBody?.content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? [])
  const limits = Object.fromEntries([...new Set(names)].sort().flatMap(name => fieldsOf(name, components.schemas[name] ?? {})))
  const content = `// Generated from the API document by \`npm run gen\`. Do not edit.

/** By the name of a request body, or of an object in it: its fields, with what the service checks about each. */
export const limits = ${JSON.stringify(limits, null, 2)} as const
`
  return { path: 'contract/limits.gen.ts', content }
}
