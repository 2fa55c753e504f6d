// URLs of the service that are not in the endpoint list: the API document, its reference page, metrics, and the front page.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { House } from './base/ctx.ts'
import { docsPage, PAGE_HEADERS, pageOf, safe } from './base/docs.ts'
import { send } from './base/envelope.ts'
import { notFound, type Refusal, unauthenticated } from './base/errors.ts'
import { sha256 } from './base/ids.ts'

import { apiDocument } from './document.ts'

/** Adds those pages to the server. `front`: also serve a front page, for when the app is not built. */
export function mountService(app: FastifyInstance, house: House, registry: Registry, front: boolean): void {
  let document: string | null = null
  let page: string | null = null
  const made = () => apiDocument(house.process.version)
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(made())
    return reply.header('content-type', 'application/json; charset=utf-8').send(document)
  })
  app.get('/api/docs', async (_, reply) => {
    page ??= docsPage(made())
    return reply.headers(PAGE_HEADERS).send(page)
  })
  app.get('/metrics', async (request, reply) => {
    const fault = metricsFault(house.settings.metrics_token, request.headers.authorization)
    if (fault !== null) return send(reply, fault, request.id)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
  if (front) app.get('/', async (_, reply) => reply.headers(PAGE_HEADERS).send(frontPage(house)))
}

/**
 * Returns why a caller can't read the metrics; null if they can. Metrics show how much is done, where and when, so only a caller with METRICS_TOKEN can
 * read them; without that setting, nobody can.
 */
function metricsFault(token: string | null, authorization: string | undefined): Refusal | null {
  if (token === null) return notFound()
  const given = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (given === undefined)
    return unauthenticated(
      'missing',
      'Only callers with the token set in METRICS_TOKEN can read the metrics. Send it in the header Authorization: Bearer TOKEN.',
    )
  // Digests have equal lengths, and the comparison takes the same time whatever differs.
  const same = timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)))
  return same ? null : unauthenticated('bad_signature', 'This isn’t the token set in METRICS_TOKEN. Send that token to read the metrics.')
}

function frontPage(house: House): string {
  const signIn =
    house.settings.oidc_issuer === null
      ? `<p><a href="/oidc/sign-in">Sign in</a> · <a href="/oidc/forgot">Forgot your password?</a></p><p class="soft">Apps use <a href="/oidc/.well-known/openid-configuration">OpenID Connect</a>. <code>npx walkdown superadmin grant EMAIL</code> creates the first account. For development, <code>npx walkdown token EMAIL</code> prints an access token.</p>`
      : `<p>People sign in through <a href="${safe(house.settings.oidc_issuer)}">the identity provider of this installation</a>.</p>`
  return pageOf(
    'Walkdown',
    `<h1>Walkdown</h1><p>Permits to work and site operations: who does what, where, when, and under which permit.</p>
<div class="card"><h2>The API</h2><p><a href="/api/docs">Reference</a> · <a href="/api/openapi.json">openapi.json</a> · <a href="/api/health">health</a></p></div>
<div class="card"><h2>Sign-in</h2>${signIn}</div>`,
    'en',
    '.card h2 { margin-top: 0 }',
  )
}
