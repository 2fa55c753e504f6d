// The built-in OpenID provider on our own server, under /oidc: its protocol through middie, its pages as ordinary routes.
import type { ServerResponse } from 'node:http'
import middie from '@fastify/middie'
import type { FastifyInstance } from 'fastify'
import { headersOf } from '../../base/arrival.ts'
import type { House } from '../../base/ctx.ts'
import { PAGE_HEADERS } from '../../base/docs.ts'
import { providerOf } from './actions/provider.ts'
import { pages } from './routes/forms.ts'
import { leavingPage, leftPage, stopPage } from './routes/pages.ts'

/** URLs of the protocol itself; the other pages are ordinary routes. */
const PROTOCOL = /^(?:\/oidc)?\/(?:auth|session|token|jwks|\.well-known)(?:[/?]|$)/

/** The token endpoint, which is called with POST only (RFC 6749 §3.2). */
const TOKEN = /^(?:\/oidc)?\/token\/?(?:\?|$)/

/** Refuses a GET, in the form that clients of the protocol read (RFC 6749 §5.2). */
function onlyPost(response: ServerResponse): void {
  response.writeHead(405, { allow: 'POST', 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ error: 'invalid_request', error_description: 'This URL accepts only POST.' }))
}

/** Adds the provider to the server; does nothing if OIDC_ISSUER is set to another one. */
export async function mountProvider(app: FastifyInstance, house: House): Promise<void> {
  const { settings } = house
  if (settings.oidc_issuer !== null) return
  const home = () => `${settings.public_url}/`
  const provider = () =>
    providerOf(house, {
      headers: {
        ...PAGE_HEADERS,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      },
      leaving: form => leavingPage(form, home()),
      left: () => leftPage(home()),
      failed: ({ error, description }) =>
        stopPage(
          'Sign-in failed',
          `The sign-in was refused${description === undefined ? '' : `: ${description}`} (${error}). Start again.`,
          {
            url: home(),
            words: 'Start again',
          },
        ),
    })
  await app.register(async under => {
    await under.register(middie)
    under.use('/oidc', (request, response, next) => {
      // A URL that the protocol doesn't have is unknown, like any other.
      const whole = 'originalUrl' in request ? request.originalUrl : undefined // middie keeps the whole URL there
      if (!PROTOCOL.test(String(whole ?? request.url ?? ''))) return next()
      // The public URL comes from PUBLIC_URL, never from a Host header or a proxy.
      const outside = new URL(settings.public_url)
      request.headers.host = outside.host
      request.headers['x-forwarded-host'] = outside.host
      request.headers['x-forwarded-proto'] = outside.protocol.slice(0, -1)
      // The protocol sends its own responses, so the headers of every other response are set here; its pages replace some of them.
      for (const [name, value] of Object.entries(headersOf(settings))) response.setHeader(name, value)
      if (TOKEN.test(String(whole ?? request.url ?? '')) && !['POST', 'OPTIONS'].includes(request.method ?? '')) return onlyPost(response)
      provider().then(op => op.callback()(request, response), next)
    })
    // The methods that `Allow` lists for it.
    under.route({ method: ['POST', 'OPTIONS'], url: '/oidc/token', handler: (_request, reply) => reply.callNotFound() })
    under.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/oidc/*',
      handler: (_request, reply) => reply.callNotFound(),
    })
  })
  await app.register(under => pages(under, house, provider))
}
