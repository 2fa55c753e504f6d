// What several parts of the API document are made from: codes, examples, schemas.
import type { TSchema } from 'typebox'
import { CODES, type Code } from './errors.ts'
import { type Route, takesSite } from './http.ts'
import { type Loose, loose, TARGET } from './schema.ts'

export type Json = Record<string, unknown>

/** The meaning of each code, for the document. */
export const MEANS: Record<Code, string> = {
  malformed_request: 'The request can’t be read, for example because its body isn’t JSON or its multipart body is malformed.',
  unauthenticated: 'No token, or an invalid one; `reason` says which.',
  forbidden: 'The caller’s role, or a rule (`because`), doesn’t allow the call; `permission` is the permission that is needed.',
  permit_ownership_error: 'The draft belongs to another person.',
  not_found: 'The record doesn’t exist, or the caller can’t see it.',
  method_not_allowed: 'The path doesn’t support this method; see `Allow`.',
  request_timeout: 'The request took too long to arrive.',
  permit_gate_error: 'A permit gate refuses the step; `gate` is the gate, and the context says what blocks it.',
  invalid_transition: 'The record’s status doesn’t allow this step (`status`, `allowed`), or a guard refuses it (`guard`, `because`).',
  conflict: 'The current state doesn’t allow the call; `reason` says why.',
  version_conflict: '`If-Match` doesn’t contain the current version of the record.',
  too_large: 'More bytes, fields, pixels or rows than this call accepts.',
  unsupported_media_type: 'This call doesn’t accept this content type or this file.',
  validation_failed: 'The request isn’t valid; `fields` lists the faults.',
  workflow_invalid: 'The workflow isn’t valid; `problems` lists every fault.',
  rate_limited: 'Too many requests; see `Retry-After`.',
  headers_too_large: 'The URL and headers together are longer than 16 kB.',
  internal_error: 'An internal error; give support the `request_id`.',
  unavailable: 'Temporarily unavailable; see `Retry-After`.',
}

/** Returns the codes that a route can respond with: those of the edge, and those of the route. */
export function codesOf(route: Route): Code[] {
  const codes = new Set<Code>(['rate_limited', 'internal_error', 'unavailable', ...(route.refuses ?? [])])
  // A site that the caller can’t see is 404 wherever it is named.
  const scoped = /:[a-z]+_id/.test(route.path) || 'needs' in route.access || takesSite(route)
  if (!('open' in route.access)) codes.add('unauthenticated')
  if ('needs' in route.access) codes.add('forbidden')
  if (scoped || route.path.includes(':')) codes.add('not_found')
  codes.add('validation_failed') // at least an unknown parameter can be refused

  // A body is read even if the route needs none.
  if (route.method !== 'GET') codes.add('malformed_request').add('too_large').add('unsupported_media_type')
  const writes = route.method !== 'GET' && !route.reads
  if (writes && scoped) codes.add('conflict')
  if (writes && route.method === 'POST') codes.add('conflict')
  if (route.on !== undefined && writes) codes.add('version_conflict')
  return [...codes].sort((a, b) => CODES[a] - CODES[b] || a.localeCompare(b))
}

/** Depth at which the example of a recursive schema ends. */
const DEEPEST = 12

/** Makes an example of a value of this schema from the examples of its fields. */
export function exampleOf(schema: TSchema | Loose, depth = 0): unknown {
  const s = loose(schema)[TARGET] ?? loose(schema)
  const [given] = s.examples ?? []
  if (given !== undefined) return given
  if (Array.isArray(s.enum)) return s.enum[0]
  const [kind] = Array.isArray(s.type) ? s.type : [s.type]
  if (Array.isArray(s.anyOf)) return depth > DEEPEST ? null : exampleOf(s.anyOf[0] ?? {}, depth + 1)
  if (kind === 'object') {
    if (depth > DEEPEST) return {}
    const fields = Object.entries(s.properties ?? {})
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, depth + 1)]))
  }
  if (kind === 'array') {
    const max = typeof s.maxItems === 'number' ? s.maxItems : 1
    if (depth > DEEPEST || max === 0 || s.items === undefined) return []
    const item = exampleOf(s.items, depth + 1)
    return Array.from({ length: Math.max(1, s.uniqueItems === true ? 1 : (s.minItems ?? 1)) }, () => item)
  }
  return kind === 'boolean' ? false : kind === 'integer' || kind === 'number' ? 1 : kind === 'null' ? null : 'text'
}

/** Converts a schema to plain JSON, with references in the form of OpenAPI. */
export function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  const out: Json = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$id' || key === 'verbatim') continue
    out[key] = key === '$ref' && typeof inner === 'string' ? `#/components/schemas/${inner.replace(/#$/, '')}` : written(inner)
  }
  return out
}

/** Writes a schema where it is used: by its name, if it has one. */
export const used = (schema: TSchema): unknown => {
  const { $id } = loose(schema)
  return $id === undefined ? written(schema) : { $ref: `#/components/schemas/${$id}` }
}
