// The headers of responses in the API document: each is described once, and an operation refers to those that it can send.
import { fieldsIn } from '../../shared/narrow.ts'
import type { Route } from './http.ts'
import { loose, TARGET, type TSchema } from './schema.ts'

type Json = Record<string, unknown>

/** Headers that an operation can send in addition to those of every response. */
const HEADERS = {
  ETag: 'Version of the record, file or response. Send it as `If-None-Match` with the next read; the version of a record also as `If-Match` with a change',
  Location: 'URL of the new record or file; if it has no URL of its own, URL of a list that contains it',
  Link: 'URL of the next page (`rel="next"`); absent on the last page',
  'X-Total-Count': 'Number of rows in the whole list, on all pages together',
  'X-Site-Cursor':
    'Id of the site and number of its last event at the time of the read. A subscription from this number (`cursor` of `subscribe`, /api/ws) misses no event',
  'X-Chain':
    'Result of the checks: for `verify`, `ok` or `broken;seq=` with the number of the broken entry; for `head`, `holds` or `differs`',
  'X-Headcount': 'Number of people in the response',
  'X-Clash-Pending': 'Number of changes whose clashes aren’t computed yet',
  'X-Chain-Head': 'Number and hash of the newest entry of the audit log, separated by a semicolon',
  'Content-Disposition': 'Whether the file is shown or saved, and its name',
  'Accept-Ranges': '`bytes`: the file can be read in parts with `Range`',
  'Content-Range': 'Part of the file that the response contains, and the size of the whole file',
  'X-Preview-Problem': 'Why there is no preview of this file; the response is then an icon for its type',
  'Retry-After': 'Seconds to wait before trying again',
} as const

/** Headers that a response of their status always has. */
const ALWAYS = new Set(['Location', 'Retry-After', 'Content-Range'])

/** Describes all of them, for the components of the document. */
export const sharedHeaders = (): Json =>
  Object.fromEntries(
    Object.entries(HEADERS).map(([name, description]) => [
      name,
      {
        description,
        ...(ALWAYS.has(name) ? { required: true } : {}),
        schema: { type: name === 'X-Total-Count' || name === 'Retry-After' ? 'integer' : 'string' },
      },
    ]),
  )

const refer = (...names: (keyof typeof HEADERS)[]): Json => {
  const headers = Object.fromEntries([...new Set(names)].map(name => [name, { $ref: `#/components/headers/${name}` }]))
  return names.length === 0 ? {} : { headers }
}

const fieldsOf = (schema: TSchema | null | undefined): Json => {
  const { properties, anyOf = [] } = loose(schema)[TARGET] ?? loose(schema)
  return properties ?? Object.assign({}, ...anyOf.map(fieldsOf))
}

/** Returns the types of file that a route can respond with, in addition to JSON or instead of it. */
export const filesOf = (route: Route): readonly string[] => (route.produces === undefined ? [] : [route.produces].flat())

/** Returns whether a route responds with stored files: they have an `ETag` and can be read in parts. */
export const sendsFiles = (route: Route): boolean => filesOf(route).some(type => !type.startsWith('text/'))

/** Returns whether the response of a route has an `ETag`: a record with a version, or a route that declares one. */
const hasTag = (route: Route): boolean => route.tagged === true || showsVersion(route) || sendsFiles(route)

const shown = new WeakMap<Route, boolean>()

/** Returns whether the response of a route shows the version of a record, which is then its `ETag`. Asked for every response, so it is worked out once. */
export function showsVersion(route: Route): boolean {
  const known = shown.get(route)
  if (known !== undefined) return known
  const shows = 'version' in fieldsOf(route.reply)
  shown.set(route, shows)
  return shows
}

/** Returns whether `If-None-Match` can get 304. */
export const isTagged = (route: Route): boolean => route.method === 'GET' && hasTag(route)

/** Returns the headers of a successful response with this status. */
export function successHeaders(route: Route, status: number): Json {
  const reads = route.method === 'GET' || route.reads === true
  const scoped = /:[a-z_]+_id/.test(route.path) || 'needs' in route.access || [route.query, route.body].some(s => 'site_id' in fieldsOf(s))
  // A caller without an account can't read what they made: its URL would only show them whether it existed before.
  const makes = (status === 201 && !('open' in route.access)) || (status === 202 && 'job_id' in fieldsOf(route.reply))
  return refer(
    ...(hasTag(route) ? (['ETag'] as const) : []),
    ...(makes ? (['Location'] as const) : []),
    ...('cursor' in fieldsOf(route.query) ? (['Link'] as const) : []),
    ...(reads && scoped ? (['X-Site-Cursor'] as const) : []),
    ...(filesOf(route).length > 0 ? (['Content-Disposition'] as const) : []),
    ...(sendsFiles(route) ? (['Accept-Ranges'] as const) : []),
    ...('variant' in fieldsOf(route.query) ? (['X-Preview-Problem'] as const) : []),
    ...(status === 206 ? (['Content-Range'] as const) : []),
    ...(route.sends ?? []),
  )
}

/** Returns the headers of 304: those of the response whose content the caller has already. */
export const unchangedHeaders = (route: Route): Json => successHeaders(route, 304)

/** Returns the headers of 416. */
export const outOfRangeHeaders = (route: Route): Json => {
  const { headers } = successHeaders(route, 416)
  return { headers: { ...fieldsIn(headers), ...fieldsIn(refer('Content-Range').headers) } }
}

/** Returns the headers of a refusal with this status. With 503, a missing `Retry-After` means that waiting doesn’t help. */
export function refusalHeaders(status: string): Json {
  if (status === '429' || status === '507') return refer('Retry-After')
  if (status !== '503') return {}
  const description = `${HEADERS['Retry-After']}; absent if waiting doesn’t help`
  return { headers: { 'Retry-After': { description, schema: { type: 'integer' } } } }
}
