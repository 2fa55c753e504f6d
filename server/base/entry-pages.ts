// Admission of what isn't an endpoint of the API: the app's pages, the sign-in, /verify. Under overload they wait or are refused like
// requests of the API, because a crowd that opens the app or signs in takes the same processor.
import type { FastifyInstance } from 'fastify'
import type { Rank } from './admission.ts'
import type { House } from './ctx.ts'
import { leavePlace, takeTurn } from './entry.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route asks for its place itself, with a rank of its own. */
    ranked?: true
  }
  interface FastifyRequest {
    /** The place is needed only until the response is ready: sending a file takes no work, however slow the phone is. */
    light?: true
  }
}

/** What a request outside the API needs before it is served. */
export type Entry = { rank: Rank; light: boolean }

/** Never wait: monitoring must work under overload, and a socket stays open for hours. */
const NEVER = new Set(['/metrics', '/api/ws'])

/**
 * The parts of the app, whose names are the hashes of their content. A page was admitted before it asks for them, and a browser asks for a script only once: if one were refused, the whole page
 * would fail, after most of it had been sent. A browser keeps them, so it asks for many only after a new release (decision 1105).
 */
const PARTS = '/assets/'

/**
 * Returns the rank of a request outside the API; null if it never waits. Signing in and renewing a token rank with the steps: nobody can take a step without a
 * token.
 */
export function entryOf(method: string, url: string): Entry | null {
  const [path = ''] = url.split('?')
  if (NEVER.has(path) || path.startsWith(PARTS)) return null
  if (path.startsWith('/oidc/')) return { rank: method === 'POST' ? 'step' : 'read', light: false }
  return { rank: 'read', light: !path.startsWith('/api/') }
}

/** Makes every request of the server that no endpoint of the API handles wait for a place. */
export function admitPages(app: FastifyInstance, house: House): void {
  app.addHook('onRequest', (request, reply, done) => {
    const entry = request.routeOptions.config?.ranked === true ? null : entryOf(request.method, request.url)
    if (entry === null) return done()
    if (entry.light) request.light = true
    takeTurn(house, entry.rank, request, reply).then(() => done(), done)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.light === true) leavePlace(request)
    done(null, payload)
  })
}
