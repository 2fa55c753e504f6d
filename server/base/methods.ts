// Makes every path respond to every method: with `method_not_allowed` and `Allow` if it doesn't have the method.
import type { FastifyInstance } from 'fastify'
import { send } from './envelope.ts'
import type { Refusal } from './errors.ts'
import { remembered } from './memo.ts'

/** The order in which `Allow` lists methods. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

/** The files of the app: of every URL that has no other route. */
const ANY = '/*'

const withoutSlash = (url: string): string => url.replace(/(.)\/$/, '$1')

/** Returns the pattern of the paths that this URL of a route has. */
const patternOf = (url: string): RegExp => {
  const literal = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll('*', '.*').replace(/:[a-z_]+/g, '[^/]+?')}$`)
}

/** How many parts of a URL aren't fixed: where several fit a path, the one with the fewest is meant (conventions §1, Paths). */
const looseness = (url: string): number => url.split(/[:*]/).length

/** Returns the path of a request, which a proxy can send with its origin (RFC 9112 §3.2.2). */
const pathOf = (url: string): string => withoutSlash(url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] ?? '')

/**
 * Watches which routes are added from now on, and refuses every other method of their paths, before a body is read. It isn't done with routes for the other
 * methods: the router of the framework doesn't know all of them, such as PROPFIND.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url === ANY) return
    const shape = withoutSlash(url).replace(/:[a-z_]+/g, ':id')
    const { methods } = remembered(known, shape, () => ({ pattern: patternOf(shape), methods: new Set<string>() }))
    for (const one of [method].flat()) methods.add(one)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && request.routeOptions.url !== ANY) return done()
    const path = pathOf(request.url)
    const [fits] = [...known].filter(([, { pattern }]) => pattern.test(path)).sort(([a], [b]) => looseness(a) - looseness(b))
    if (fits === undefined || fits[1].methods.has(request.method)) return done()
    const allow = METHODS.filter(method => fits[1].methods.has(method)).join(', ')
    const refusal: Refusal = { status: 405, code: 'method_not_allowed', detail: `This URL accepts only ${allow}.` }
    send(reply.header('allow', allow), refusal, request.id)
  })
}
