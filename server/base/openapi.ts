// The API document (OpenAPI 3.1), made from the same list of routes that serves requests: an endpoint that isn't in it doesn't exist.
import { fieldsIn } from '../../shared/narrow.ts'
import { CODES } from './errors.ts'
import type { Route } from './http.ts'
import { sharedHeaders } from './openapi-headers.ts'
import { exampleOf, type Json, used, written } from './openapi-parts.ts'
import { furtherOf, refusalsOf, successOf } from './openapi-responses.ts'
import { IN_PATHS, loose, type TSchema } from './schema.ts'
import { namedShapes } from './validate.ts'

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
        'Permits to work and site operations. Instants are RFC 3339 in UTC with milliseconds, ids are UUIDs, lists are bare arrays with the next page in `Link`. Every mutable record has a `version`, sent as `ETag` and honoured as `If-Match`; every POST that changes something accepts `Idempotency-Key`.',
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
export const documentPath = (route: Pick<Route, 'path' | 'document_as'>): string =>
  (route.document_as ?? route.path).replace(/:([a-z_]+)/g, '{$1}').replace(/(.)\/$/, '$1')

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

function accessOf(route: Route): string {
  if ('open' in route.access) return 'No sign-in is needed.'
  return 'needs' in route.access ? `Requires \`${route.access.needs}\`.` : 'Requires a sign-in.'
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
  const inPath = [...(route.document_as ?? route.path).matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name.endsWith('_id') ? `Id of the ${name.slice(0, -3).replaceAll('_', ' ')}` : (IN_PATHS[name] ?? name),
    schema: name.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))
  const query = loose(route.query)
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (query.required?.includes(name) ?? false) && route.in_header?.[name] === undefined,
    description:
      (schema.description ?? name) +
      (route.in_header?.[name] === undefined ? '' : `. Send it as ${route.in_header[name]}, so that no URL contains it`),
    schema: written(schema),
  }))
  const headers: Json[] = Object.entries(route.in_header ?? {}).map(([name, header]) => ({
    name: header,
    in: 'header',
    description: `${query.properties?.[name]?.description ?? name}, instead of \`${name}\` in the URL`,
    schema: written(query.properties?.[name] ?? {}),
  }))
  if (route.method === 'POST' && !route.reads) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Unique key of the request: for 24 hours, a retry with the same key and body returns the first successful response again',
      schema: { type: 'string', maxLength: 200 },
    })
  }
  if (route.on !== undefined && route.method !== 'GET') {
    headers.push({
      name: 'If-Match',
      in: 'header',
      description: 'Version that the client has read; the call is refused with 412 if it isn’t the record’s current version',
      schema: { type: 'string' },
    })
  }
  return [...inPath, ...inQuery, ...headers]
}

function bodyOf(route: Route, body: TSchema): Json {
  const json = { schema: used(body), example: exampleOf(body) }
  if (route.upload === undefined) return { required: loose(body).required !== undefined, content: { 'application/json': json } }
  const fields = fieldsIn(written(body))
  const file = {
    type: 'string',
    format: 'binary',
    description: `The file, at most ${Math.round(route.upload.max_bytes / 1024 / 1024)} MB; its type is detected from its bytes`,
  }
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { ...fields, properties: { file, ...fieldsIn(fields.properties) } } },
      ...(route.upload.optional ? { 'application/json': json } : {}),
    },
  }
}
