// The API document (OpenAPI 3.1), made from the same list of routes that serves requests: an endpoint that isn't in it doesn't exist.
import { CODES, type Code, storageFull } from './errors.ts'
import type { Route } from './http.ts'
import {
  filesOf,
  isTagged,
  outOfRangeHeaders,
  refusalHeaders,
  sendsFiles,
  sharedHeaders,
  successHeaders,
  unchangedHeaders,
} from './openapi-headers.ts'
import { IN_PATHS, TARGET, type TSchema } from './schema.ts'
import { namedShapes } from './validate.ts'

type Json = Record<string, unknown>

/** The meaning of each code, for the document. */
const MEANS: Record<Code, string> = {
  malformed_request: 'The body isn’t JSON, or the multipart body is malformed.',
  unauthenticated: 'No token, or an invalid one; `reason` says which.',
  forbidden: 'The caller’s role doesn’t allow it; `permission` is the missing permission.',
  permit_ownership_error: 'The draft belongs to another person.',
  not_found: 'The record doesn’t exist, or the caller can’t see it.',
  method_not_allowed: 'The path doesn’t support this method; see `Allow`.',
  request_timeout: 'The request took too long to arrive.',
  permit_gate_error: 'A permit gate refuses the step; `gate` is the gate, and the context says what blocks it.',
  invalid_transition: 'The record’s status doesn’t allow this step (`status`, `allowed`), or a guard refuses it (`guard`, `because`).',
  conflict: 'The current state doesn’t allow it; `reason` says why.',
  version_conflict: '`If-Match` has an older version than the current one.',
  too_large: 'More bytes, pixels or rows than this call accepts.',
  unsupported_media_type: 'This call doesn’t accept this type of file.',
  validation_failed: 'The request isn’t valid; `fields` lists every fault.',
  workflow_invalid: 'The workflow isn’t valid; `problems` lists every fault.',
  rate_limited: 'Too many requests; see `Retry-After`.',
  headers_too_large: 'The URL and headers are longer than 16 kB.',
  internal_error: 'An internal error; give support the `request_id`.',
  unavailable: 'Temporarily unavailable; see `Retry-After`.',
}

/** Returns the codes that a route can respond with: those of the edge, and those of the route. */
export function codesOf(route: Route): Code[] {
  const codes = new Set<Code>(['rate_limited', 'internal_error', 'unavailable', ...(route.refuses ?? [])])
  // A site that the caller can’t see is 404 wherever it is named.
  const scoped = /:[a-z]+_id/.test(route.path) || 'needs' in route.access || [route.query, route.body].some(namesSite)
  if (!('open' in route.access)) codes.add('unauthenticated')
  if ('needs' in route.access) codes.add('forbidden')
  if (scoped || route.path.includes(':')) codes.add('not_found')
  codes.add('validation_failed') // an unknown parameter, if nothing else
  // A body is read even where none is wanted.
  if (route.method !== 'GET') codes.add('malformed_request').add('too_large').add('unsupported_media_type')
  const writes = route.method !== 'GET' && !route.reads
  if (writes && scoped) codes.add('conflict')
  if (writes && route.method === 'POST') codes.add('conflict')
  if (route.on !== undefined && writes) codes.add('version_conflict')
  return [...codes].sort((a, b) => CODES[a] - CODES[b] || a.localeCompare(b))
}

const namesSite = (schema: TSchema | undefined) =>
  (schema as { properties?: Record<string, unknown> } | undefined)?.properties?.site_id !== undefined

/** Depth at which the example of a recursive schema ends. */
const DEEPEST = 12

/** Makes an example of a value of this schema from the examples of its fields. */
export function exampleOf(schema: TSchema, depth = 0): unknown {
  const s = ((schema as { [TARGET]?: TSchema })[TARGET] ?? schema) as Json & { [key: string]: unknown }
  const [given] = (s.examples as unknown[] | undefined) ?? []
  if (given !== undefined) return given
  if (Array.isArray(s.enum)) return s.enum[0]
  const [kind] = Array.isArray(s.type) ? s.type : [s.type]
  if (Array.isArray(s.anyOf)) return depth > DEEPEST ? null : exampleOf(s.anyOf[0] as TSchema, depth + 1)
  if (kind === 'object') {
    if (depth > DEEPEST) return {}
    const fields = Object.entries((s.properties ?? {}) as Record<string, TSchema>)
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, depth + 1)]))
  }
  if (kind === 'array') {
    const max = typeof s.maxItems === 'number' ? s.maxItems : 1
    return depth > DEEPEST || max === 0 || s.items === undefined ? [] : [exampleOf(s.items as TSchema, depth + 1)]
  }
  return kind === 'boolean' ? false : kind === 'integer' || kind === 'number' ? 1 : kind === 'null' ? null : 'text'
}

/** Converts a schema to plain JSON, with references in the form of OpenAPI. */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written)
  if (typeof value !== 'object' || value === null) return value
  const out: Json = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$id' || key === 'verbatim') continue
    out[key] = key === '$ref' && typeof inner === 'string' ? `#/components/schemas/${inner.replace(/#$/, '')}` : written(inner)
  }
  return out
}

const ENVELOPE = {
  type: 'object',
  required: ['error'],
  description: 'The envelope of every error response.',
  properties: {
    error: {
      type: 'object',
      required: ['code', 'detail'],
      additionalProperties: true,
      description: 'Code, a sentence that says what to do, and context that depends on the code.',
      properties: {
        code: { type: 'string', enum: Object.keys(CODES), description: 'Kind of error' },
        detail: { type: 'string', description: 'What is wrong, why, and what to do next' },
      },
    },
  },
}

/** What the document contains in addition to the routes: the version, the URL, and the tags of the routes with their descriptions, in groups. */
export type About = {
  version: string
  server: string
  groups: readonly { title: string; tags: readonly { name: string; says: string; routes: readonly Route[] }[] }[]
}

/** Makes the document of these routes. */
export function openApi(routes: readonly Route[], about: About): Json {
  const shapes = namedShapes(routes.flatMap(r => [r.query, r.body, r.reply].filter((s): s is TSchema => s != null)))
  const tags = about.groups.flatMap(group => group.tags)
  const tagOf = new Map(tags.flatMap(tag => tag.routes.map(route => [route, tag.name] as const)))
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = documentPath(route)
    const at = paths[path] ?? {}
    at[route.method.toLowerCase()] = operation(route, tagOf.get(route) ?? 'service')
    paths[path] = at
  }
  const sorted = [...shapes].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Walkdown',
      version: about.version,
      contact: { name: 'The people who run this installation' },
      license: { name: 'Not licensed for use by others', identifier: 'LicenseRef-UNLICENSED' },
      description:
        'Permits to work and site operations. Instants are RFC 3339 in UTC with milliseconds, ids are UUIDs, lists are bare arrays with the next page in `Link`. Every mutable record has a `version`, sent as `ETag` and honoured as `If-Match`; every POST accepts `Idempotency-Key`.',
    },
    servers: [{ url: about.server, description: 'This installation' }],
    security: [{ bearer: [] }],
    tags: tags.map(({ name, says }) => ({ name, description: says })),
    'x-tagGroups': about.groups.map(({ title, tags }) => ({ name: title, tags: tags.map(tag => tag.name) })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of the identity provider' },
      },
      headers: sharedHeaders(),
      schemas: namedIn(paths, { Error: ENVELOPE, ...Object.fromEntries(sorted.map(([name, schema]) => [name, written(schema)])) }),
    },
  }
}

/** Returns the path of a route in the document: the trailing slash is optional everywhere, so it is left out. */
export const documentPath = (route: Pick<Route, 'path'>): string => route.path.replace(/:([a-z_]+)/g, '{$1}').replace(/(.)\/$/, '$1')

/** Returns the schemas that paths or other schemas refer to. Query schemas, for example, are written out as parameters instead. */
function namedIn(paths: Json, schemas: Json): Json {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const name = key === '$ref' && typeof inner === 'string' ? inner.replace('#/components/schemas/', '') : null
      if (name === null) walk(inner)
      else if (!found.has(name)) {
        found.add(name)
        walk(schemas[name])
      }
    }
  }
  walk(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}

/** Writes a schema where it is used: by its name, if it has one. */
const used = (schema: TSchema): unknown => {
  const { $id } = schema as { $id?: string }
  return $id === undefined ? written(schema) : { $ref: `#/components/schemas/${$id}` }
}

function accessOf(route: Route): string {
  if ('open' in route.access) return 'No sign-in is needed.'
  return 'needs' in route.access ? `Requires \`${route.access.needs}\`.` : 'Any signed-in user can call it.'
}

function operation(route: Route, tag: string): Json {
  const status = String(route.status ?? (route.reply === null && route.produces === undefined ? 204 : 200))
  return {
    operationId: route.name,
    tags: [tag],
    summary: route.summary,
    description: `${route.says} ${accessOf(route)}`,
    ...('open' in route.access ? { security: [] } : {}),
    parameters: parametersOf(route),
    ...(route.body === undefined ? {} : { requestBody: bodyOf(route, route.body) }),
    responses: { [status]: successOf(route, Number(status)), ...furtherOf(route), ...refusalsOf(route) },
  }
}

function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name.endsWith('_id') ? `Id of the ${name.slice(0, -3).replaceAll('_', ' ')}` : (IN_PATHS[name] ?? name),
    schema: name.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))
  const query = (route.query ?? {}) as { properties?: Record<string, TSchema & { description?: string }>; required?: string[] }
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    description: schema.description ?? name,
    schema: written(schema),
  }))
  const headers: Json[] = []
  if (route.method === 'POST' && !route.reads) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      description: 'A retry with the same key and body returns the first response again for 24 hours',
      schema: { type: 'string', maxLength: 200 },
    })
  }
  if (route.on !== undefined && route.method !== 'GET') {
    headers.push({
      name: 'If-Match',
      in: 'header',
      description: 'Version that the client has read; refused with 412 if the record has a newer one',
      schema: { type: 'string' },
    })
  }
  return [...inPath, ...inQuery, ...headers]
}

function bodyOf(route: Route, body: TSchema): Json {
  const json = { schema: used(body), example: exampleOf(body) }
  if (route.upload === undefined)
    return { required: (body as { required?: string[] }).required !== undefined, content: { 'application/json': json } }
  const fields = written(body) as { properties?: Json }
  const file = {
    type: 'string',
    format: 'binary',
    description: `The file, at most ${Math.round(route.upload.max_bytes / 1024 / 1024)} MB; its type is detected from its bytes`,
  }
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { ...fields, properties: { file, ...fields.properties } } },
      ...(route.upload.optional ? { 'application/json': json } : {}),
    },
  }
}

function successOf(route: Route, status: number): Json {
  const files = filesOf(route)
  if (route.reply === null && files.length === 0) return { description: 'Done; the response has no body', ...successHeaders(route, status) }
  return {
    description: route.reply === null ? 'The file' : 'Done',
    ...successHeaders(route, status),
    content: {
      ...(route.reply === null ? {} : { 'application/json': { schema: used(route.reply), example: exampleOf(route.reply) } }),
      ...Object.fromEntries(
        files.map(type => [type, { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } }]),
      ),
    },
  }
}

/** Returns further responses that aren’t refusals: those that the route lists, and those to conditional and partial requests. */
function furtherOf(route: Route): Json {
  const said = Object.entries(route.also ?? {}).map(([status, description]) => [
    status,
    {
      description,
      ...successHeaders(route, Number(status)),
      ...(route.reply === null ? {} : { content: { 'application/json': { schema: used(route.reply), example: exampleOf(route.reply) } } }),
    },
  ])
  const files = sendsFiles(route)
  return {
    ...Object.fromEntries(said),
    ...(isTagged(route)
      ? { 304: { description: '`If-None-Match` has the current version; the response has no body', ...unchangedHeaders(route) } }
      : {}),
    ...(files
      ? {
          206: {
            description: 'The part of the file that was requested with `Range`',
            ...successHeaders(route, 206),
            content: Object.fromEntries(filesOf(route).map(type => [type, { schema: { type: 'string', format: 'binary' } }])),
          },
          416: {
            description: 'The file has no such part; `Content-Range` says how long it is. The response has no body',
            ...outOfRangeHeaders(route),
          },
        }
      : {}),
  }
}

function refusalsOf(route: Route): Json {
  const byStatus = Map.groupBy(codesOf(route), code => String(CODES[code]))
  const refused: [string, Json][] = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map(code => `\`${code}\`: ${MEANS[code]}`).join(' '),
      ...refusalHeaders(status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codes.map(code => [code, { value: { error: { code, detail: MEANS[code] } } }])),
        },
      },
    },
  ])
  const { status, code, detail } = storageFull()
  const full = { error: { code, detail, reason: 'storage_full' } }
  return {
    ...Object.fromEntries(refused),
    [status]: {
      description: '`unavailable`, `reason: storage_full`: no space is left to store anything.',
      ...refusalHeaders(String(status)),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: { storage_full: { value: full } } } },
    },
  }
}
