// Writes responses with long lists in several turns of the event loop, so that nobody waits for them.

import { setImmediate as turn } from 'node:timers/promises'
import { fieldsIn } from '../../shared/narrow.ts'
import type { TSchema } from './schema.ts'

type Write = (schema: TSchema, value: unknown) => string
type Field = { type?: string | string[] }

/** What the schema of a response says about an object. */
export type ObjectSchema = { properties?: Record<string, Field>; additionalProperties?: unknown; anyOf?: unknown }

/** A list that is longer than this is written in several turns. */
const LONG = 500
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > LONG

/** Returns the same text as `write`. `object` is the schema itself, where `schema` may only refer to it. */
export async function writeLong(write: Write, schema: TSchema, object: ObjectSchema, value: unknown): Promise<string> {
  if (isLong(value)) return writeItems(write, schema, value)
  const { properties, additionalProperties = false, anyOf } = object
  if (typeof value !== 'object' || value === null || properties === undefined || additionalProperties !== false || anyOf !== undefined)
    return write(schema, value)
  const fields = fieldsIn(value)
  if (!Object.entries(properties).some(([name, field]) => field.type === 'array' && isLong(fields[name]))) return write(schema, value)
  const parts: string[] = []
  for (const [name, field] of Object.entries(properties)) {
    const inner = fields[name]
    if (inner === undefined) continue
    const text = field.type === 'array' && isLong(inner) ? await writeItems(write, field, inner) : write(field, inner)
    parts.push(`${JSON.stringify(name)}:${text}`)
    await turn()
  }
  return `{${parts.join(',')}}`
}

async function writeItems(write: Write, schema: TSchema, items: readonly unknown[]): Promise<string> {
  const pieces: string[] = []
  for (let from = 0; from < items.length; from += LONG) {
    if (from > 0) await turn()
    pieces.push(write(schema, items.slice(from, from + LONG)).slice(1, -1))
  }
  return `[${pieces.join(',')}]`
}
