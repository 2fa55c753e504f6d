// Routes are values: the input and output of an endpoint, who can call it, and its handler. The edge turns them into HTTP, the
// document generator into OpenAPI, the house tests into checks. Rooms don’t depend on the framework.

import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import type { Rank } from './admission.ts'
import type { Ctx } from './ctx.ts'
import type { Code } from './errors.ts'
import type { FileAnswer, StreamAnswer, Upload } from './files.ts'
import type { Findable } from './findable.ts'
import type { Id } from './ids.ts'
import { positionIn, slice } from './paging.ts'
import type { Static, TSchema } from './schema.ts'
import { changedSince, id, integer, list, loose, object, optional, paging, TARGET } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who can call a route. There is no default: a route without an access rule does not compile. */
export type Access =
  /**
   * People with this permission on the site of the request (or of the platform, if there is none). `or_stranger`: without any token the
   * handler decides, because a link can give access too; a token that is sent is checked as usual.
   */
  | { needs: string; or_stranger?: true }
  /** Everyone who is signed in. `or_outsider`: also people who aren’t on the site of the record, if they see the record itself. */
  | { signed_in: true; or_outsider?: true }
  /** Everyone; a token is checked if one is sent. */
  | { open: true }

/** What a handler is given. */
export type Ask<Q extends TSchema = TSchema, B extends TSchema = TSchema, T = unknown, P = unknown> = {
  ctx: Ctx
  /** The site of the request; the platform's id if there is none. */
  site_id: Id
  /** The record of the path, with `on`. */
  thing: T
  params: Record<string, string>
  query: Static<Q>
  body: Static<B>
  files: Upload[]
  /** The result of the route's `before`. */
  brought: P
  /** What the transport knows: language, address (for limits), conditional headers. */
  wire: {
    address: string
    locale: string | null
    if_none_match: string | null
    if_match: string | undefined
    headers: Record<string, string | string[] | undefined> /** The body as it was sent, for a `raw` route. */
    bytes: Buffer | null
  }
}

const ANSWER: unique symbol = Symbol('answer')

/** A response with more than a body. */
export type Answer = {
  [ANSWER]: true
  status?: number
  body?: unknown
  headers: Record<string, string>
  /** Text that is sent unchanged: JSON that was written before, CSV, HTML. Bytes are UTF-8. */
  text?: { type: string; content: string | Buffer }
  file?: FileAnswer
  /** A download that is written while it is sent. */
  stream?: StreamAnswer
  /** Nothing that the handler did is kept (`dry_run`). */
  rehearsed?: true
}

/** Makes the response of a dry run: everything that led to it is rolled back. */
export const rehearsal = (body: unknown, status = 200): Answer => ({ [ANSWER]: true, status, headers: {}, body, rehearsed: true })

/** Makes a response with its own status or headers. */
export const answer = (body: unknown, more: { status?: number; location?: string; headers?: Record<string, string> } = {}): Answer => ({
  [ANSWER]: true,
  body,
  ...(more.status === undefined ? {} : { status: more.status }),
  headers: { ...(more.location === undefined ? {} : { location: `/api${more.location}` }), ...more.headers },
})

/** Makes the response for a new record, with its URL. */
export const created = (body: unknown, location: string): Answer => answer(body, { status: 201, location })

type PageFacts = { next?: string | null; total?: number | null; headers?: Record<string, string> }

const pageHeaders = ({ next, total, headers }: PageFacts): Record<string, string> => ({
  ...(next ? { 'x-next-cursor': next } : {}),
  ...(total == null ? {} : { 'x-total-count': String(total) }),
  ...headers,
})

/** Makes a page of a list: plain rows, the URL of the next page in `Link`, and the total count if it is cheap. */
export const page = (rows: unknown[], more: PageFacts = {}): Answer => ({ [ANSWER]: true, body: rows, headers: pageHeaders(more) })

/** Makes a page like `page`, of rows that were written as JSON before. */
export const pageOfWritten = (rows: readonly Buffer[], more: PageFacts = {}): Answer => ({
  [ANSWER]: true,
  headers: pageHeaders(more),
  text: {
    type: 'application/json; charset=utf-8',
    content: Buffer.concat([OPEN, ...rows.flatMap((row, n) => (n === 0 ? [row] : [COMMA, row])), CLOSE]),
  },
})

const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

/** Makes a response of text or bytes that are sent unchanged: JSON built in SQL, CSV, HTML, tiles. */
export const textAnswer = (type: string, content: string | Buffer, headers: Record<string, string> = {}): Answer => ({
  [ANSWER]: true,
  headers,
  text: { type, content },
})

/** Makes a download that is written while it is sent. */
export const streamAnswer = (stream: StreamAnswer): Answer => ({ [ANSWER]: true, headers: {}, stream })

/** A download. */
export const fileAnswer = (file: FileAnswer): Answer => ({ [ANSWER]: true, headers: {}, file })

export const isAnswer = (value: unknown): value is Answer => typeof value === 'object' && value !== null && ANSWER in value

/** A header that only some endpoints send. */
export type SentHeader = 'X-Total-Count' | 'X-Headcount' | 'X-Clash-Pending' | 'X-Chain' | 'X-Chain-Head' | 'ETag'

/** Which reads are audited; a method, as `handle` below. */
type Audited = { when(query: unknown): boolean }

/** An endpoint. */
export type Route = {
  method: Method
  /** Below `/api`, with `:site_id` for parameters. */
  path: string
  /** Its path in the API document, if another route has the same path with another name for an id: OpenAPI accepts only one of them. */
  document_as?: string
  /** `<kind>.<verb>`: operationId, cause of the audit entry, metric and log line. */
  name: string
  /** Imperative for the API document, at most 60 characters: "List contractors". */
  summary: string
  /** What it returns, its order and side effects, for the API document. */
  says: string
  access: Access
  on?: Findable<unknown>
  query?: TSchema
  /** Secret parameters of the query that can be sent in a header instead, so that no URL contains them: the name of the header, by parameter. */
  in_header?: Readonly<Record<string, string>>
  body?: TSchema
  /** The record whose read-only fields a body can include (conventions §1, Bodies); default the response. */
  of?: TSchema
  /** Multipart with files; the fields are those of `body`. `optional`: JSON without a file is accepted, too. */
  upload?: { max_bytes: number; optional?: boolean }
  /** The body is passed on as it was sent, in JSON or one of these media types, for content that is signed byte by byte; a `body` schema reads JSON only. */
  raw?: readonly string[]
  /** Largest body in bytes; default 1 MiB. */
  max_body?: number
  /** Schema of the response; null for 204. */
  reply: TSchema | null
  /** Status of success: 200, 201 for a `post` that creates something, 204 without a response. */
  status?: number
  /** Refusals in addition to those that the edge can give by itself. */
  refuses?: readonly Code[]
  /** Also allowed on a locked site (`site-and-people.md` §0.3). */
  passes_lock?: boolean
  /** Locks the site row exclusively, so that no other write on the site is unfinished (lock, deletion). */
  alone?: boolean
  /** A POST that changes nothing: no transaction, no idempotency. */
  reads?: boolean
  /** Several queries that must agree. */
  snapshot?: boolean
  /** The read itself is an audit entry, so it runs in a writing transaction. A function of the query if only some reads are. */
  audited?: boolean | Audited['when']
  /** Its rank when not all requests can be served (see `rankOf`); `vital` never waits. If left out, it follows from the rest. */
  rank?: Rank | 'vital'
  /** Returns text or a file (CSV, PDF, pictures) of one of these types: instead of JSON, or in addition to it if there is a `reply`. */
  produces?: string | readonly string[]
  /** Further statuses of success with their meanings: `{ 200: 'It existed already' }`. */
  also?: Readonly<Record<number, string>>
  /** The response has its own `ETag`, so that `If-None-Match` can get 304. A record with a `version` has one anyway. */
  tagged?: true
  /** Headers that it sends and that don’t follow from the rest, for the API document. */
  sends?: readonly SentHeader[]
  /** Work that is done before the transaction because it can't be done inside one: writing files to the storage, calling other services. */
  before?(ask: Ask): Promise<unknown>
  /** A method, so that the list of routes takes handlers of every type; each function below checks its own. */
  handle(ask: Ask): unknown
}

/** Types of exports: they take long to make, and are less urgent than what people wait for on site. */
const EXPORTS = new Set(['text/csv', 'application/pdf', 'application/geo+json'])

/** Returns the rank of a route when not all can be served: as declared, otherwise a step if it writes, an export if it produces one, or a read. */
export function rankOf(route: Route): Rank | 'vital' {
  if (route.rank !== undefined) return route.rank
  if (route.method !== 'GET' && !route.reads) return 'step'
  const types = [route.produces ?? []].flat()
  return route.reply === null && types.length > 0 && types.every(type => EXPORTS.has(type)) ? 'export' : 'read'
}

type Given<Q extends TSchema, B extends TSchema, T, P> = Omit<Route, 'method' | 'path' | 'query' | 'body' | 'on' | 'before' | 'handle'> & {
  query?: Q
  body?: B
  on?: Findable<T>
  before?(ask: Ask<Q, B, undefined, undefined>): Promise<P>
  handle(ask: Ask<Q, B, T, P>): unknown
}

const route =
  (method: Method) =>
  <Q extends TSchema, B extends TSchema, T, P = undefined>(path: string, given: Given<Q, B, T, P>): Route => ({
    method,
    path,
    ...given,
    on: given.on, // the edge passes to `handle` what `find` returned
  })

const read = route('GET')
/** An endpoint that reads. */
export const get = <Q extends TSchema, B extends TSchema, T, P = undefined>(path: string, given: Given<Q, B, T, P>): Route =>
  paged(read(path, given))

/** What is asked of a list that its handler returns whole. */
const ofWhole = {
  limit: optional(integer('Rows per page, at most 1000; default the whole list', { min: 1, max: 1000, example: 200 })),
  cursor: paging.cursor,
}
const amongIds = optional(list(id('Id'), 'Ids', { max: 500 }))

/**
 * Gives a list that its handler returns whole what every list has: pages, their count and, if its rows have them, the filters `id` and `updated_since`. A list with a
 * `cursor` makes its own pages, and what is there at one time is never paged.
 */
function paged(route: Route): Route {
  const { properties: own = {} } = loose(route.query)
  const { type, items } = loose(route.reply)
  if (type !== 'array' || own.cursor !== undefined || route.path.endsWith('/at-time')) return route
  const { id: shown_id, updated_at } = (items?.[TARGET] ?? items)?.properties ?? {}
  const filters = own.id === undefined && shown_id !== undefined
  const changes = own.updated_since === undefined && updated_at !== undefined
  return {
    ...route,
    query: object({ ...own, ...(filters ? { id: amongIds } : {}), ...(changes ? changedSince : {}), ...ofWhole }),
    sends: [...(route.sends ?? []), 'X-Total-Count'],
    async handle(ask) {
      const { limit, cursor, ...query } = fieldsIn(ask.query)
      const position = positionIn(cursor)
      const ids = filters ? itemsIn(query.id) : []
      if (filters) delete query.id
      const since = changes ? textIn(query.updated_since) : ''
      if (changes) delete query.updated_since
      const result = await route.handle({ ...ask, query })
      const whole = isAnswer(result) ? result.body : result
      if (!Array.isArray(whole)) throw new Error(`${route.name} returns no list.`)
      const asked = ids.length === 0 ? whole : whole.filter((row: unknown) => ids.includes(fieldsIn(row).id))
      const rows = since === '' ? asked : asked.filter((row: unknown) => textIn(fieldsIn(row).updated_at) >= since)
      const { next, rows: shown } = slice(rows, position, typeof limit === 'number' ? limit : rows.length)
      return page(shown, { next, total: rows.length, ...(isAnswer(result) ? { headers: result.headers } : {}) })
    },
  }
}
export const post = route('POST')
export const put = route('PUT')
export const patch = route('PATCH')
export const del = route('DELETE')

/** Returns whether the body or query of a route has a site. */
export const namesSite = (schema: TSchema | undefined): boolean => loose(schema).properties?.site_id !== undefined

/** Returns whether a route has its site in its query or body. */
export const takesSite = (route: Pick<Route, 'query' | 'body'>): boolean => [route.query, route.body].some(namesSite)
