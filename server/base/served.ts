// What is recorded of every request of the API once it was served: metrics, a line of the log and, if it failed, a line for operators.
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { House } from './ctx.ts'
import { measure } from './metrics.ts'

/** Records every request of the API that the server has responded to. */
export function recordServed(app: FastifyInstance, house: House, registry: Registry): void {
  const metrics = measure(registry, house)
  app.addHook('onResponse', (request, reply, done) => {
    const { walkdown } = request
    if (walkdown === undefined) return done()
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
    done()
  })
}
