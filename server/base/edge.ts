// The HTTP edge: the only file that knows the framework. It runs the steps of house.md §5 for every route, with refusals in one order:
// token 401 → site and membership 404 → permission 403 → shape 422 → idempotency and lock 409 → record 404 → If-Match 412 → the handler.

import { rm } from 'node:fs/promises'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { type Actor, linkActor, NOBODY } from './actor.ts'
import { answerUnreadable, headersOf, nowProven, receiveAll } from './arrival.ts'
import { type Ctx, type House, RolledBack, reading, snapshot, type Work, writing } from './ctx.ts'
import { type Done, deliver, type Kept } from './deliver.ts'
import { asksForPage, lostPage, PAGE_HEADERS } from './docs.ts'
import { leavePlace, retakePlace, takeTurn } from './entry.ts'
import { admitPages } from './entry-pages.ts'
import { answerError, send } from './envelope.ts'
import {
  type FieldFault,
  invalid,
  invalidField,
  malformed,
  namesVersion,
  notFound,
  Refused,
  refuse,
  unsupportedMedia,
  versionConflict,
} from './errors.ts'
import type { Upload } from './files.ts'
import { type Answer, type Ask, isAnswer, type Route, rankOf } from './http.ts'
import { type Id, ids, isId, PLATFORM, sha256 } from './ids.ts'
import { BODY_LIMIT, jsonFault, OPEN_BODY_LIMIT } from './intake.ts'
import { refuseOtherMethods } from './methods.ts'
import { measure } from './metrics.ts'
import { readParts } from './multipart.ts'
import { showsVersion } from './openapi-headers.ts'
import type { TSchema } from './schema.ts'
import { type Checker, makeChecker, prepare, readQuery } from './validate.ts'

export type { Kept } from './deliver.ts'

/** The content of a verified token: issuer and subject, and the claims about a person. */
export type Verified = {
  issuer: string
  subject: string
  /** The token itself, with which the provider can be asked about the person. */
  bearer: string
  claims: Record<string, unknown>
}

/** The scope of a key: each person has their own keys on each site. */
export type KeyScope = { site_id: Id; owner: string; key: string; fingerprint: string }

/** What the kernels do for the edge; passed in by app.ts. */
export type EdgeSteps = {
  /** Verifies a token. Throws 401 with its reason, or 503 while no key of the provider has ever been loaded. */
  verify(authorization: string | undefined): Promise<Verified>
  /** Returns the content of a token that was verified before and is still valid; null if it must be verified. */
  proven(authorization: string | undefined): Verified | null
  /** Returns the site of a record, by its id alone; null if there is no such record. */
  locate(id: Id): Promise<Id | null>
  /** Returns the person of a token, with their membership of a site. `standing` is null if they can't know that the site exists. */
  person(token: Verified, site_id: Id | null): Promise<Actor>
  /** Takes the shared lock on the site row; refuses on a locked site. */
  enter(ctx: Ctx, site_id: Id, how: { passes_lock: boolean; alone: boolean }): Promise<void>
  /** Returns the first response under this key, if there is one by now; claims nothing. */
  recall(scope: KeyScope): Promise<Kept | null>
  /** Returns the first response under this key, if there is one; claims the key otherwise. */
  replay(ctx: Ctx, scope: KeyScope): Promise<Kept | null>
  keep(ctx: Ctx, scope: KeyScope, kept: Kept): Promise<void>
}

export type EdgeOptions = {
  house: House
  routes: readonly Route[]
  steps: EdgeSteps
  /** Check each response against its schema, including unknown fields: in tests. */
  strict_replies?: boolean
  /** Adds more to the same server: the sign-in pages, the web app. */
  mount?: (app: FastifyInstance, registry: Registry) => Promise<void>
}

export type Edge = { app: FastifyInstance; registry: Registry; checker: Checker }

declare module 'fastify' {
  interface FastifyRequest {
    walkdown?: { actor: Actor; token: Verified | null; site_id: Id | null; started: number; route: Route; bytes: Buffer | null }
  }
}

/** Builds the HTTP server. It doesn't listen yet. */
export async function buildEdge(options: EdgeOptions): Promise<Edge> {
  const { house, routes, steps } = options
  const { settings } = house
  const proxies = settings.trust_proxy
  const checker = makeChecker(routes.flatMap(r => [r.query, r.body, r.reply, r.of].filter((s): s is TSchema => s != null)))
  const registry = new Registry()
  const metrics = measure(registry, house)

  const app = fastify({
    loggerInstance: undefined,
    logger: false,
    // The limit for every URL without one of its own: pages, forms, and routes without a token.
    bodyLimit: OPEN_BODY_LIMIT,
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
    clientErrorHandler: answerUnreadable,
    http: { requireHostHeader: false }, // the edge checks it, so that the refusal has the standard format
    genReqId: () => ids.next(),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Before any hook has run. An id that is too long can't exist.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(settings)).header('x-request-id', request.id)
      send(reply, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound() : malformed('The URL can’t be read.'), request.id)
    },
  })
  await app.register(multipart, { throwFileSizeLimit: true })
  // A board of 150 permits is 25 kB compressed and 580 kB uncompressed, and connections on site are slow. Speed matters more than size, because every response
  // is compressed again.
  await app.register(compress, {
    global: true,
    globalDecompression: false,
    encodings: ['gzip', 'identity'],
    threshold: 2048,
    zlibOptions: { level: 3 },
    customTypes: /^application\/json|^text\//,
  })
  const json = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (request.walkdown?.route.raw !== undefined) request.walkdown.bytes = Buffer.from(body as string)
    if (body === '') return done(null, undefined)
    const fault = jsonFault(body as string)
    if (fault === null) json(request, body as string, done)
    else done(new Refused(fault))
  })
  app.addContentTypeParser([...new Set(routes.flatMap(route => route.raw ?? []))], { parseAs: 'buffer' }, (request, body, done) => {
    const { walkdown } = request
    if (walkdown?.route.raw === undefined) return done(new Refused(unsupportedMedia('Send JSON (application/json).')))
    walkdown.bytes = body as Buffer
    done(null, undefined)
  })

  const person = (token: Verified) => `${token.issuer} ${token.subject}`
  const limits = receiveAll(app, house, authorization => {
    const token = steps.proven(authorization)
    return token === null ? null : person(token)
  })
  admitPages(app, house)
  app.addHook('onResponse', async (request, reply) => {
    const { walkdown } = request
    if (walkdown === undefined) return
    const name = walkdown.route.name
    const seconds = (performance.now() - walkdown.started) / 1000
    metrics.requests.inc({ operation: name, status: String(reply.statusCode) })
    metrics.seconds.observe({ operation: name }, seconds)
    house.log.info({
      request_id: request.id,
      operation: name,
      status: reply.statusCode,
      ms: Math.round(seconds * 1e4) / 10,
      actor: walkdown.actor.id ?? walkdown.actor.kind,
      ...(walkdown.site_id === null ? {} : { site_id: walkdown.site_id }),
    })
    if (reply.statusCode >= 400)
      house.lines.push({
        source: 'server',
        level: reply.statusCode >= 500 ? 'error' : 'warn',
        kind: 'request',
        name,
        message: `${request.method} ${walkdown.route.path} responded ${reply.statusCode}`,
        route: walkdown.route.path,
        request_id: request.id,
        user_id: walkdown.actor.kind === 'user' ? walkdown.actor.id : null,
        site_id: walkdown.site_id,
      })
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, house))
  app.setNotFoundHandler((request, reply) =>
    asksForPage(request) ? reply.code(404).headers(PAGE_HEADERS).send(lostPage()) : send(reply, notFound(), request.id),
  )

  for (const route of routes) {
    const rank = rankOf(route)
    app.route({
      method: route.method,
      url: `/api${route.path}`,
      config: { ranked: true },
      bodyLimit: bodyLimitOf(route),
      onRequest: async (request, reply) => {
        const started = performance.now()
        if (rank !== 'vital' && !(await takeTurn(house, rank, request, reply))) return
        const at: Place = { actor: NOBODY, token: null, site_id: null, started, route, bytes: null }
        request.walkdown = at
        const { authorization } = request.headers
        if ('open' in route.access) at.token = authorization === undefined ? null : await steps.verify(authorization).catch(() => null)
        else if (!judgesStrangers(route) || authorization !== undefined) at.token = await steps.verify(authorization)
        if (at.token !== null) nowProven(request, limits, person(at.token))
        const site_id = await siteOfPath(route, request, options).catch(async error => {
          // An anonymous caller learns nothing by trying ids: whether or not something exists, they are asked to sign in.
          if (at.token === null && judgesStrangers(route)) await steps.verify(authorization)
          throw error
        })
        if (site_id !== null || !takesSite(route)) await takePlace(route, at, site_id, steps)
        if (bringsBody(request)) leavePlace(request)
      },
      handler: async (request, reply) => {
        const files: Upload[] = []
        try {
          return await serve(route, request, reply, files, options, checker)
        } finally {
          leavePlace(request)
          for (const file of files) await rm(file.path, { force: true })
        }
      },
    })
  }
  refuseOtherMethods(app, routes)
  await options.mount?.(app, registry)
  return { app, registry, checker }
}

/** Returns the largest body of a route in bytes; the limit is lower if the route can be called without a token. */
export function bodyLimitOf(route: Route): number {
  if (route.max_body !== undefined) return route.max_body
  if (route.upload !== undefined) return route.upload.max_bytes + BODY_LIMIT
  return 'open' in route.access || judgesStrangers(route) ? OPEN_BODY_LIMIT : BODY_LIMIT
}

/** Returns the site that the path itself contains: by `:site_id`, or by the id of a record. */
async function siteOfPath(route: Route, request: FastifyRequest, { house, steps }: EdgeOptions): Promise<Id | null> {
  const params = request.params as Record<string, string> // fastify types params with generics that a list of routes does not have
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id')) {
      if (!isId(value)) refuse(notFound())
      params[name] = value.toLowerCase()
    }
  }
  if (params.site_id !== undefined) return params.site_id
  if (route.on === undefined || route.on.shared?.(params[route.on.param] ?? '')) return null
  const id = params[route.on.param] ?? ''
  const site_id = (await route.on.locate?.(house.database.db, id)) ?? (await steps.locate(id))
  if (site_id === null) refuse(notFound())
  return site_id
}

/** Returns whether a body follows the headers. */
const bringsBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

type Place = NonNullable<FastifyRequest['walkdown']>

/** Returns whether the handler itself checks callers without a token. */
const judgesStrangers = (route: Route) => 'needs' in route.access && route.access.or_stranger === true

/** Finds the person and their membership (404), then checks the permission (403). */
async function takePlace(route: Route, at: Place, site_id: Id | null, steps: EdgeSteps): Promise<void> {
  at.site_id = site_id
  const scoped = site_id === PLATFORM ? null : site_id
  if ('open' in route.access) {
    if (at.token !== null) at.actor = await steps.person(at.token, scoped).catch(() => NOBODY)
    else if (route.path.includes(':token')) at.actor = linkActor('invitation link')
    return
  }
  if (at.token === null && judgesStrangers(route)) return
  if (at.token === null) throw new Error('A route that requires a token was called without one.')
  at.actor = await steps.person(at.token, scoped)
  if (scoped !== null && at.actor.standing === null) refuse(notFound())
  if (!('needs' in route.access)) return
  const refusal = at.actor.lacks(route.access.needs)
  if (refusal !== null) refuse(refusal)
}

async function serve(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  files: Upload[],
  options: EdgeOptions,
  checker: Checker,
): Promise<unknown> {
  const { house, steps } = options
  const at = request.walkdown
  if (at === undefined) throw new Error('A request has no start time.')
  const faults: FieldFault[] = []
  const raw_query = request.query as Record<string, unknown> // fastify's parser makes text and lists of text
  // If the URL contains the site, a file is only received once its sender is known to have the permission.
  if (route.upload !== undefined && raw_query.site_id !== undefined && takesSite(route) && at.site_id === null) {
    await placeFromWords(route, at, raw_query, undefined, steps)
    at.site_id = null // the site may still be in the body
  }
  let raw_body = route.upload === undefined ? request.body : await readParts(route, request, files, house)
  const rank = rankOf(route)
  if (rank !== 'vital' && bringsBody(request)) retakePlace(house, rank, request)

  if (takesSite(route) && at.site_id === null) {
    await placeFromWords(route, at, raw_query, raw_body, steps)
    // A site in the URL doesn't have to be in the body again.
    if (at.site_id !== null && raw_query.site_id !== undefined && namesSite(route.body) && isObject(raw_body ?? {}))
      raw_body = { site_id: at.site_id, ...(raw_body as object | undefined) }
  }

  const query = readQuery(raw_query, route.query, faults)
  checker.check(route.query ?? NO_PARAMETERS, query, faults)
  const body = route.body === undefined ? undefined : prepare(raw_body ?? {}, route.body, route.of ?? route.reply ?? undefined, faults)
  if (route.body !== undefined) checker.check(route.body, body, faults)
  if (faults.length > 0) refuse(invalid(faults))

  const work: Work = { actor: at.actor, cause: route.name, request_id: request.id }
  let brought: unknown
  const ask = (ctx: Ctx, thing: unknown): Ask => ({
    ctx,
    site_id: at.site_id ?? PLATFORM,
    thing,
    params: request.params as Record<string, string>,
    query,
    body,
    files,
    brought,
    wire: {
      address: request.ip,
      locale: request.headers['accept-language']?.split(',')[0]?.split(';')[0] ?? null,
      if_none_match: request.headers['if-none-match'] ?? null,
      headers: request.headers,
      bytes: at.bytes,
    },
  })

  const audited = typeof route.audited === 'function' ? route.audited(query) : route.audited === true
  const writes = (route.method !== 'GET' && !route.reads) || audited
  const scope = writes ? keyScope(request, at, body, query, files) : null
  if (route.before !== undefined) {
    // A request that has already succeeded is not checked again: the facts that `before` checks may have changed because of it.
    const recalled = async () => (scope === null ? null : await steps.recall(scope))
    const kept = await recalled()
    if (kept !== null) return deliver(request, reply, kept)
    try {
      brought = await route.before(ask(reading(house, work), undefined))
    } catch (error) {
      const meanwhile = await recalled()
      if (meanwhile === null) throw error
      return deliver(request, reply, meanwhile)
    }
  }
  if (!writes) {
    const run = async (ctx: Ctx) =>
      finish(route, await route.handle(ask(ctx, await thingOf(route, ctx, at, request, false))), checker, options)
    const done = route.snapshot ? await snapshot(house, work, run) : await run(reading(house, work))
    const { standing } = at.actor
    if (standing?.event_no !== undefined) reply.header(SITE_CURSOR, `${standing.site_id} ${standing.event_no}`)
    return deliver(request, reply, done)
  }

  const done = await writing(house, work, async ctx => {
    const site_id = at.site_id ?? PLATFORM
    if (scope !== null) {
      const kept = await steps.replay(ctx, scope)
      if (kept !== null) return kept
    }
    if (site_id !== PLATFORM)
      await steps.enter(ctx, site_id, { passes_lock: route.passes_lock === true || route.method === 'GET', alone: route.alone === true })
    const thing = await thingOf(route, ctx, at, request, true)
    ifMatch(request, thing)
    const result = await route.handle(ask(ctx, thing))
    const answer = finish(route, result, checker, options)
    if (isAnswer(result) && result.rehearsed) throw new RolledBack(answer)
    if (scope !== null && 'payload' in answer) await steps.keep(ctx, scope, answer)
    return answer
  })
  return deliver(request, reply, done)
}

/** Sent with reads of a site: an app that subscribes to the site from this number on (`/api/ws`) misses nothing that has happened since. */
const SITE_CURSOR = 'x-site-cursor'

const NO_PARAMETERS: TSchema = { type: 'object', properties: {}, additionalProperties: false } as TSchema // a literal of JSON Schema

/** Finds the site in the query or body; if both contain one, they must agree. */
async function placeFromWords(route: Route, at: Place, query: Record<string, unknown>, body: unknown, steps: EdgeSteps): Promise<void> {
  const inBody = typeof body === 'object' && body !== null && 'site_id' in body ? body.site_id : undefined
  const inQuery = query.site_id
  const named = inQuery ?? inBody ?? undefined // null means no site
  if (typeof named === 'string' && isId(named.trim())) {
    if (typeof inQuery === 'string' && typeof inBody === 'string' && inQuery.toLowerCase() !== inBody.toLowerCase()) {
      refuse(invalidField('site_id', 'differs between the URL and the body.'))
    }
    await takePlace(route, at, named.trim().toLowerCase(), steps)
  } else if (named === undefined && !('needs' in route.access)) {
    await takePlace(route, at, null, steps)
  } else {
    refuse(invalidField('site_id', named === undefined ? 'is required.' : 'must be an id (UUID).'))
  }
}

/** Returns whether the route has a site in its query or body. */
const takesSite = (route: Route) => [route.query, route.body].some(namesSite)

const namesSite = (schema: TSchema | undefined) =>
  (schema as { properties?: Record<string, unknown> } | undefined)?.properties?.site_id !== undefined

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

async function thingOf(route: Route, ctx: Ctx, at: Place, request: FastifyRequest, lock: boolean): Promise<unknown> {
  const { on } = route
  if (on === undefined) return undefined
  const id = (request.params as Record<string, string>)[on.param] ?? ''
  const row = await on.find(ctx, at.site_id ?? PLATFORM, id, lock)
  if (row === null) refuse(notFound())
  if (!(await on.sees(ctx, row))) refuse(notFound())
  const named = (request.query as Record<string, unknown>).site_id ?? (request.body as { site_id?: unknown } | undefined)?.site_id
  if (typeof named === 'string' && named.toLowerCase() !== at.site_id) refuse(invalidField('site_id', 'isn’t the site of this record.'))
  return row
}

function ifMatch(request: FastifyRequest, thing: unknown): void {
  const wanted = request.headers['if-match']
  const version = typeof thing === 'object' && thing !== null && 'version' in thing ? thing.version : undefined
  if (typeof version !== 'number') return
  if (!namesVersion(wanted, version)) refuse(versionConflict(version))
}

function keyScope(request: FastifyRequest, at: Place, body: unknown, query: unknown, files: Upload[]): KeyScope | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || request.method !== 'POST') return null
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) refuse(invalidField('Idempotency-Key', 'must be 1 to 200 printable characters without spaces.'))
  const said = JSON.stringify([
    request.method,
    request.url.split('?')[0],
    query,
    body ?? null,
    files.map(f => [f.field, f.sha256]),
    at.bytes?.toString('base64') ?? null,
  ])
  return {
    site_id: at.site_id ?? PLATFORM,
    owner: at.actor.id ?? `open:${sha256(`${request.ip} ${request.url}`).slice(0, 32)}`,
    key,
    fingerprint: sha256(said),
  }
}

/** Turns the handler's result into a response that can be sent and stored. */
function finish(route: Route, result: unknown, checker: Checker, options: EdgeOptions): Done {
  const said: Pick<Answer, 'status' | 'headers' | 'body' | 'text' | 'file'> = isAnswer(result) ? result : { headers: {}, body: result }
  const status = said.status ?? route.status ?? (route.reply === null && said.text === undefined && said.file === undefined ? 204 : 200)
  if (said.file !== undefined) return { status, headers: said.headers, file: said.file }
  if (said.text !== undefined) {
    if (options.strict_replies && route.reply !== null && said.text.type.startsWith('application/json')) {
      strict(route, JSON.parse(said.text.content), checker)
    }
    return { status, headers: { 'content-type': said.text.type, ...said.headers }, payload: said.text.content }
  }
  if (route.reply === null || said.body === undefined) return { status, headers: said.headers, payload: null }
  const payload = checker.write(route.reply, said.body)
  if (options.strict_replies) strict(route, JSON.parse(payload), checker)
  const version = showsVersion(route) && isObject(said.body) && 'version' in said.body ? said.body.version : undefined
  const etag: Record<string, string> = typeof version === 'number' && said.headers.etag === undefined ? { etag: `"${version}"` } : {}
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...etag, ...said.headers },
    payload,
  }
}

function strict(route: Route, value: unknown, checker: Checker): void {
  const faults: FieldFault[] = []
  if (route.reply !== null) checker.check(route.reply, value, faults)
  if (faults.length > 0)
    throw new Error(`The response of ${route.name} doesn’t match its schema: ${faults.map(f => `${f.path} ${f.message}`).join('; ')}`)
}
