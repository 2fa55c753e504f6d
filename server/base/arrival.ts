// What happens to every request as it arrives: security headers, the check for one Host, the limit of its IP address, and the refusal of a compressed body. Also
// the response if the HTTP parser gave up before there was a request.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { House } from './ctx.ts'
import { bodyOf } from './envelope.ts'
import { headersTooLarge, malformed, type Refusal, Refused, refuse, requestTimeout, unsupportedMedia } from './errors.ts'
import { ids } from './ids.ts'
import { type Limiter, limiter, subscriberOf } from './limits.ts'

/** Security headers of every API response; pages set a policy of their own. */
const HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
}

/** Returns these headers, with HSTS if people reach the service over HTTPS. */
export const headersOf = ({ public_url }: House['settings']): Record<string, string> =>
  public_url.startsWith('https:') ? { ...HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : HEADERS

/** Files of the app, named by the hash of their content. A browser keeps them, so it only requests many at once after a new release. */
const FILE_WEIGHT = 0.1

declare module 'fastify' {
  interface FastifyRequest {
    /** The IP address against whose limit this request counted while its token was not verified; null once it is. */
    counted?: string | null
  }
}

/** Receives every request of the server. `proven`: returns the content of a token that was verified before, without verifying it again. */
export function receiveAll(app: FastifyInstance, house: House, proven: (authorization: string | undefined) => string | null): Limiter {
  const { settings } = house
  const limits = limiter(settings.rate_limit_per_minute)
  const headers = headersOf(settings)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    // A proxy that keeps connections open must not send its next request over one that is about to close.
    if (house.process.draining) reply.raw.setHeader('connection', 'close')
    const fault = hostFault(request.raw)
    if (fault !== null) refuse(fault)
    const who = proven(request.headers.authorization)
    request.counted = who === null ? `address ${subscriberOf(request.ip)}` : null
    const weight = request.url.startsWith('/assets/') ? FILE_WEIGHT : 1
    limits.take(request.counted ?? `person ${who}`, weight)
    done()
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    const fault = bringsBody(request) ? codingFault(request.headers['content-encoding']) : null
    if (fault === null) return done(null, payload)
    reply.header('accept-encoding', 'identity') // RFC 9110 §15.5.16: what would have been accepted
    done(new Refused(fault))
  })
  return limits
}

/** Called once the token is verified: the request then counts against the person, and no longer against its IP address. */
export function nowProven(request: FastifyRequest, limits: Limiter, who: string): void {
  if (request.counted == null) return
  limits.give(request.counted)
  request.counted = null
  limits.take(`person ${who}`)
}

/**
 * Returns the refusal of a request with several Host headers, or with none in HTTP/1.1 (RFC 9112 §3.2): with two, a proxy and this service could each use a
 * different one.
 */
function hostFault(request: IncomingMessage): Refusal | null {
  const { rawHeaders, httpVersion } = request
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts++
  if (hosts > 1) return malformed('The request has more than one Host header. Send exactly one.')
  return hosts === 0 && httpVersion === '1.1' ? malformed('The request has no Host header. Send exactly one.') : null
}

/** Returns whether a body follows the headers. */
export const bringsBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const MOST_OF_CODING = 40

/** Returns the refusal of a compressed body: its limits are checked on the text as it arrives. */
function codingFault(coding: string | undefined): Refusal | null {
  if (coding === undefined || /^\s*(identity)?\s*$/i.test(coding)) return null
  return unsupportedMedia(
    `The body is compressed (Content-Encoding: ${coding.slice(0, MOST_OF_CODING)}), and this service reads only uncompressed bodies. Send it without compression and without that header.`,
  )
}

const REASONS: Record<number, string> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }

const parserFault = (code: string | undefined): Refusal => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return requestTimeout('The request took too long to arrive. Check the connection and send the request again.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return headersTooLarge('The URL and headers of the request are too long. Shorten them to at most 16 kB in total.')
  return malformed('The request isn’t valid HTTP. Correct it and send it again.')
}

/** Responds to a request that the HTTP parser could not read, with the standard envelope, and closes the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (!socket.writable) {
    socket.destroy(error)
    return
  }
  const refusal = parserFault(error.code)
  const body = bodyOf(refusal, '')
  const lines = Object.entries({
    ...HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': ids.next(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
