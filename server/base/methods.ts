// Makes every path respond to every method.
import type { FastifyInstance } from 'fastify'
import { send } from './envelope.ts'
import type { Refusal } from './errors.ts'
import type { Method, Route } from './http.ts'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Makes every path respond to every method: with `method_not_allowed` and `Allow` if it doesn't have the method. */
export function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const shapes = new Map<string, { url: string; methods: Set<Method> }>()
  for (const { path, method } of routes) {
    const shape = path.replace(/:[a-z_]+/g, ':').replace(/\/$/, '')
    const known = shapes.get(shape) ?? { url: `/api${path}`, methods: new Set<Method>() }
    known.methods.add(method)
    shapes.set(shape, known)
  }
  for (const { url, methods } of shapes.values()) {
    const allow = [...METHODS.filter(m => methods.has(m)), ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')
    const refusal: Refusal = { status: 405, code: 'method_not_allowed', detail: `This URL accepts only ${allow}.` }
    const others = [...METHODS.filter(m => !methods.has(m)), 'OPTIONS']
    app.route({
      method: others,
      url,
      config: { ranked: true },
      handler: async (request, reply) => send(reply.header('allow', allow), refusal, request.id),
    })
  }
}
