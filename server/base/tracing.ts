// Traces of requests, jobs and schedules for an OpenTelemetry collector (decision 1057). `spans.ts` makes them, and is loaded only if the usual variables
// of OpenTelemetry are set: otherwise `tracing` is null everywhere, and nothing is recorded.
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { TraceSettings } from './trace-settings.ts'

/** What a span says: never a token, a name, a query string or a value from the database. */
export type Said = Record<string, string | number>

/** The span of a request. */
export type RequestSpan = {
  /** Runs what belongs to the request: its statements become parts of its trace. */
  within(work: () => void): void
  end(status: number, said: Said): void
}

/** Records spans and sends them in the background. It never throws, and never waits for the collector except in `close`. */
export type Tracing = {
  /** Begins the span of a request. `route`: its template, such as `/api/sites/:site_id/`. The headers continue the trace of the caller. */
  request(arrived: { method: string; route: string | undefined; headers: Record<string, string | string[] | undefined> }): RequestSpan
  /** Runs background work as a trace of its own; `say` says how it ended: with `error.type` if it failed. */
  root<T>(name: string, said: Said, work: (say: (said: Said) => void) => Promise<T>): Promise<T>
  /** Runs work as a part of the trace under way, if there is one. */
  part<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Records a statement that has just ended as a part of the trace under way, if there is one. */
  statement(text: string, milliseconds: number, failed: boolean): void
  /** Sends what waits, and ends. */
  close(): Promise<void>
}

/** Starts recording traces; null if no collector is set. */
export const openTracing = async (settings: TraceSettings | null, version: string, log: Logger): Promise<Tracing | null> =>
  settings === null ? null : (await import('./spans.ts')).recordSpans(settings, version, log)

/** Runs background work, as a trace of its own if traces are recorded. */
export const traced = <T>(
  tracing: Tracing | null,
  name: string,
  said: Said,
  work: (say: (said: Said) => void) => Promise<T>,
): Promise<T> => (tracing === null ? work(() => {}) : tracing.root(name, said, work))

/** Records a span for each request of the server, except for live connections, which last for hours. */
export function traceRequests(app: FastifyInstance, tracing: Tracing | null): void {
  if (tracing === null) return
  const spans = new WeakMap<object, RequestSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    if (headers.upgrade !== undefined) return done()
    const span = tracing.request({ method, route: request.routeOptions.url, headers })
    spans.set(request, span)
    span.within(done)
  })
  // While a body is received, the server continues where the connection began.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    return span === undefined ? done() : span.within(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { walkdown } = request
    spans.get(request)?.end(reply.statusCode, {
      'walkdown.request_id': request.id,
      ...(walkdown === undefined ? {} : { 'walkdown.operation': walkdown.route.name }),
      ...(walkdown?.site_id == null ? {} : { 'walkdown.site_id': walkdown.site_id }),
    })
    done()
  })
}
