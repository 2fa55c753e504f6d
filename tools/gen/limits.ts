import type { Generated } from './all.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  required?: string[]
  properties?: Record<string, Schema>
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

/** Returns the limits of every body that people fill in, for the forms of the app: the same as the service checks. */
export function limitsFile({ paths, components }: Document): Generated {
  const names = Object.values(paths)
    .flatMap(path => Object.values(path))
    .flatMap(operation => operation.requestBody?.content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? [])
  const limits = Object.fromEntries(
    [...new Set(names)].sort().map(name => {
      const { properties = {}, required = [] } = components.schemas[name] ?? {}
      const fields = Object.entries(properties).map(([field, schema]) => [field, limitOf(schema, required.includes(field)) ?? {}] as const)
      return [name, Object.fromEntries(fields)]
    }),
  )
  const content = `// Generated from the API document by \`npm run gen\`. Do not edit.

/** By the name of a request body: its fields, with what the service checks about each. */
export const limits = ${JSON.stringify(limits, null, 2)} as const
`
  return { path: 'contract/limits.gen.ts', content }
}
