// The HTTP edge: the only file that knows the framework. It runs the steps of house.md §5 for every route, with refusals in one order:
// token 401 → site and membership 404 → permission 403 → shape 422 → idempotency and lock 409 → record 404 → If-Match 412 → the handler.

import { rm } from 'node:fs/promises'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { Registry } from 'prom-client'
import { localeAsked } from '../../shared/locale.ts'
import { fieldsIn, isRecord } from '../../shared/narrow.ts'
import { type Actor, NOBODY } from './actor.ts'
import type { Rank } from './admission.ts'
import { answerUnreadable, bringsBody, headersOf, nowProven, receiveAll } from './arrival.ts'
import { CODINGS, ZSTD } from './coding.ts'
import { type Ctx, RolledBack, reading, snapshot, type Work, writing } from './ctx.ts'
import { accessChanged } from './db.ts'
import { deliver } from './deliver.ts'
import { asksForPage, lostPage, PAGE_HEADERS } from './docs.ts'
import { finish } from './edge-answer.ts'
import { ifMatch, keyScope, parametersOf } from './edge-keys.ts'
import type { EdgeOptions, Verified } from './edge-options.ts'
import { type Arrived, judgesStrangers, type Place, placeFromWords, SITE_CURSOR, siteOfPath, takePlace, thingOf } from './edge-place.ts'
import { leavePlace, retakePlace, takeTurn } from './entry.ts'
import { admitPages } from './entry-pages.ts'
import { answerError, NO_FILE_HERE, OTHER_TYPE, send } from './envelope.ts'
import { type FieldFault, invalid, malformed, notFound, Refused, refuse, unsupportedMedia } from './errors.ts'
import type { Received } from './files.ts'
import { type Ask, isAnswer, namesSite, type Route, rankOf, takesSite } from './http.ts'
import { type Id, ids, PLATFORM } from './ids.ts'
import { BODY_LIMIT, jsonFault, jsonText, OPEN_BODY_LIMIT } from './intake.ts'
import { refuseOtherMethods } from './methods.ts'
import { fileFaults, readParts } from './multipart.ts'
import { unmarkCursor } from './paging.ts'
import { scannedFiles } from './scanned.ts'
import { object, type TSchema } from './schema.ts'
import { recordServed } from './served.ts'
import { traceRequests } from './tracing.ts'
import { type Checker, checkerFor, prepare, readQuery } from './validate.ts'

export type { Kept } from './deliver.ts'

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
  const checker = checkerFor(routes.flatMap(r => [r.query, r.body, r.reply, r.of].filter((s): s is TSchema => s != null)))
  const registry = new Registry()

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
    // This runs before any hook. An id that is too long can't exist.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersOf(settings)).header('x-request-id', request.id)
      send(reply, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound() : malformed('The URL can’t be read. Correct it.'), request.id)
    },
  })
  await app.register(multipart, { throwFileSizeLimit: true })
  // A board of 150 permits is 25 kB compressed and 580 kB uncompressed, and connections on site are slow. Speed matters more than size, because every response
  // is compressed again.
  await app.register(compress, {
    global: true,
    globalDecompression: false,
    encodings: [...CODINGS, 'identity'],
    threshold: 2048,
    zlibOptions: { level: 3, ...ZSTD },
    customTypes: /^application\/json|^text\//,
  })
  const json = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
    if (request.walkdown?.route.raw !== undefined) request.walkdown.bytes = bytes
    if (bytes.length === 0) return done(null, undefined)
    const text = jsonText(bytes, request.headers['content-type'] ?? '')
    const fault = jsonFault(text)
    return fault === null ? json(request, text, done) : done(new Refused(fault))
  })
  app.addContentTypeParser([...new Set(routes.flatMap(route => route.raw ?? []))], { parseAs: 'buffer' }, (request, body, done) => {
    const { walkdown } = request
    if (walkdown?.route.raw === undefined) return done(new Refused(unsupportedMedia(OTHER_TYPE)))
    walkdown.bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
    done(null, undefined)
  })

  traceRequests(app, house.tracing)
  const person = (token: Verified) => `${token.issuer} ${token.subject}`
  const limits = receiveAll(app, house, authorization => {
    const token = steps.proven(authorization)
    return token === null ? null : person(token)
  })
  refuseOtherMethods(app)
  admitPages(app, house)
  recordServed(app, house, registry)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, house))
  app.setNotFoundHandler((request, reply) =>
    asksForPage(request) ? reply.code(404).headers(PAGE_HEADERS).send(lostPage()) : send(reply, notFound(), request.id),
  )

  for (const route of routes) {
    const rank = rankOf(route)
    app.route<{ Params: Record<string, string> }>({
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
        const files: Received[] = []
        try {
          return await serve(route, rank, request, reply, files, options, checker)
        } finally {
          leavePlace(request)
          for (const file of files) await rm(file.path, { force: true })
        }
      },
    })
  }
  await options.mount?.(app, registry)
  return { app, registry, checker }
}

/** Returns the largest body of a route in bytes; the limit is lower if the route can be called without a token. */
export function bodyLimitOf(route: Route): number {
  if (route.max_body !== undefined) return route.max_body
  if (route.upload !== undefined) return route.upload.max_bytes + BODY_LIMIT
  return 'open' in route.access || judgesStrangers(route) ? OPEN_BODY_LIMIT : BODY_LIMIT
}

async function serve(
  route: Route,
  rank: Rank | 'vital',
  request: Arrived,
  reply: FastifyReply,
  received: Received[],
  options: EdgeOptions,
  checker: Checker,
): Promise<unknown> {
  const { house, steps } = options
  const at = request.walkdown
  if (at === undefined) throw new Error('A request has no start time.')
  const faults: FieldFault[] = []
  const raw_query = parametersOf(route, request)
  // If the URL contains the site, a file is only received once its sender is known to have the permission.
  if (route.upload !== undefined && raw_query.site_id !== undefined && takesSite(route) && at.site_id === null) {
    await placeFromWords(route, at, raw_query, undefined, steps)
    at.site_id = null // the site may still be in the body
  }
  if (route.upload === undefined && request.isMultipart()) refuse(unsupportedMedia(NO_FILE_HERE))
  let raw_body = route.upload === undefined ? request.body : await readParts(route, request, received, house)
  if (rank !== 'vital' && bringsBody(request)) retakePlace(house, rank, request)

  if (takesSite(route) && at.site_id === null) {
    await placeFromWords(route, at, raw_query, raw_body, steps)
    // A site in the URL doesn't have to be in the body again.
    if (at.site_id !== null && raw_query.site_id !== undefined && namesSite(route.body) && isRecord(raw_body ?? {}))
      raw_body = { site_id: at.site_id, ...fieldsIn(raw_body) }
  }

  const query = readQuery(raw_query, route.query, faults)
  checker.check(route.query ?? NO_PARAMETERS, query, faults)
  unmarkCursor(route.name, query, faults)
  const expected = bodyOf(route)
  const prepared =
    expected === undefined
      ? undefined
      : prepare(raw_body === undefined ? {} : raw_body, expected, route.of ?? route.reply ?? undefined, faults)
  if (expected !== undefined) checker.check(expected, prepared, faults)
  const body = route.body === undefined ? undefined : prepared
  faults.push(...fileFaults(route, received))
  if (faults.length > 0) refuse(invalid(faults))

  const work: Work = { actor: at.actor, cause: route.name, request_id: request.id }
  const audited = typeof route.audited === 'function' ? route.audited(query) : route.audited === true
  const writes = (route.method !== 'GET' && !route.reads) || audited
  const scope = writes ? keyScope(request, at, body, query, received) : null
  const recalled = async () => (scope === null ? null : await steps.recall(scope))
  if (route.before !== undefined) {
    // A request that has already succeeded is not checked again: the facts that `before` checks may have changed because of it.
    const kept = await recalled()
    if (kept !== null) return deliver(request, reply, kept)
  }

  const files = await scannedFiles(house, request, rank, received)
  let brought: unknown
  const ask = (ctx: Ctx, thing: unknown): Ask => ({
    ctx,
    site_id: at.site_id ?? PLATFORM,
    thing,
    params: request.params,
    query,
    body,
    files,
    brought,
    wire: {
      address: request.ip,
      // Most responses don't depend on it, so it is read only where they do.
      get locale() {
        return localeAsked(request.headers['accept-language'])
      },
      if_none_match: request.headers['if-none-match'] ?? null,
      if_match: request.headers['if-match'],
      headers: request.headers,
      bytes: at.bytes,
    },
  })
  if (route.before !== undefined) {
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

  const write = async (ctx: Ctx) => {
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
    const answer = await finish(route, result, checker, options)
    if (isAnswer(result) && result.rehearsed) throw new RolledBack(answer)
    if (scope !== null && 'payload' in answer) await steps.keep(ctx, scope, answer)
    return answer
  }
  for (let tries = 1; ; tries++) {
    try {
      return deliver(request, reply, await writing(house, { ...work, actor: at.actor }, write))
    } catch (error) {
      if (tries === 3 || !accessChanged(error)) throw error
      await takePlace(route, at, at.site_id, steps)
    }
  }
}

const NO_PARAMETERS = object({})
const NO_FIELDS = object({})

/** Returns what a body is checked against: a POST, PUT or PATCH without fields of its own accepts only what a GET of its record shows. */
const bodyOf = (route: Route): TSchema | undefined =>
  route.body ?? (['POST', 'PUT', 'PATCH'].includes(route.method) && route.raw === undefined ? NO_FIELDS : undefined)
