// Makes spans and sends them to the collector. Loaded only if one is set; nothing is patched or registered for the whole process (decision 1057).
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, createTraceState, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { codeIn } from '../../shared/narrow.ts'
import { budget } from './budget.ts'
import { ids } from './ids.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { Said, Tracing } from './tracing.ts'

/** Longest time that sending what waits can take at the end: a collector that doesn’t respond must not delay the next start. */
const CLOSE_MS = 1000

/** Longest text of a statement in a span. */
const MOST_TEXT = 2000

/** Returns what decides which traces are recorded. */
function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const kind = sampler.replace('parentbased_', '')
  const root =
    kind === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : kind === 'always_on' ? new AlwaysOnSampler() : new AlwaysOffSampler()
  return kind === sampler ? root : new ParentBasedSampler({ root })
}

const exporterOf = (settings: TraceSettings) =>
  new OTLPTraceExporter({ url: settings.url, headers: settings.headers, timeoutMillis: settings.timeout_ms })

/** Returns why something couldn't be sent: a code or a status, never a text that the collector wrote. */
const reasonOf = (error: unknown): string => codeIn(error) || (error instanceof Error ? error.name : 'unknown')

/** Sends spans, and logs once when that fails and once when it works again. */
function reported(sender: SpanExporter, log: Logger): SpanExporter {
  let failing = false
  return {
    export: (spans, done) =>
      sender.export(spans, result => {
        const failed = result.code !== 0
        if (failed && !failing)
          log.warn({ reason: reasonOf(result.error) }, 'traces can’t be sent; they are lost until the collector responds')
        if (!failed && failing) log.info('traces are sent again')
        failing = failed
        done(result)
      }),
    shutdown: () => sender.shutdown(),
  }
}

const kept = new Map<string, string>()

/** Returns the text of a statement without any value that is written in it. */
export function withoutValues(text: string): string {
  let found = kept.get(text)
  if (found === undefined) {
    if (kept.size >= 2000) kept.clear()
    found = text
      .replace(/\$(\w*)\$[\s\S]*?\$\1\$|\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gi, '?')
      .replace(/(?<![\w$"])\d+(?:\.\d+)?/g, '?')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MOST_TEXT)
    kept.set(text, found)
  }
  return found
}

/** Returns the trace that the headers of a request continue (W3C Trace Context); none if they aren't readable. */
function callerOf(headers: Record<string, string | string[] | undefined>): Context {
  const [, version, traceId = '', spanId = '', flags = '0'] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(String(headers.traceparent ?? '')) ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const { tracestate } = headers
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(String(tracestate)) }),
  })
}

/** Starts recording spans. */
export function recordSpans(settings: TraceSettings, version: string, log: Logger): Tracing {
  const { batch } = settings
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.version': version, 'service.instance.id': ids.next(), ...settings.resource }),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reported(exporterOf(settings), log),
        scheduledDelayMillis: batch.delay_ms,
        maxQueueSize: batch.waiting,
        maxExportBatchSize: Math.min(batch.spans, batch.waiting),
      }),
    ],
  })
  const tracer = provider.getTracer('walkdown', version)
  const current = new AsyncLocalStorage<Context>()

  /** The trace under way, if it is recorded and hasn't ended. */
  const underWay = (): Context | null => {
    const context = current.getStore()
    return context !== undefined && trace.getSpan(context)?.isRecording() ? context : null
  }
  /** Runs the work of a span. Of an error, only its kind is recorded: its message can contain what a person wrote. */
  const ended = async <T>(span: Span, context: Context, failed: (kind: string) => void, work: () => Promise<T>): Promise<T> => {
    try {
      return await current.run(context, work)
    } catch (error) {
      failed(reasonOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    request({ method, route, headers }) {
      const caller = settings.follows ? callerOf(headers) : ROOT_CONTEXT
      const span = tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) } },
        caller,
      )
      const context = trace.setSpan(caller, span)
      return {
        within: work => current.run(context, work),
        end(status, said) {
          span.setAttributes({ 'http.response.status_code': status, ...said })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(status))
          span.end()
        },
      }
    },
    root(name, said, work) {
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes: said }, ROOT_CONTEXT)
      let over = false
      const say = (end: Said) => {
        over = true
        span.setAttributes(end)
        if (end['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      }
      const failed = (kind: string) => (over ? undefined : say({ 'error.type': kind }))
      return ended(span, trace.setSpan(ROOT_CONTEXT, span), failed, () => work(say))
    },
    part(name, work) {
      const context = underWay()
      if (context === null) return work()
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } }, context)
      // A refusal rolls a transaction back, and is no error.
      const failed = (kind: string) => void span.setAttribute('walkdown.rolled_back', kind)
      return ended(span, trace.setSpan(context, span), failed, work)
    },
    statement(text, milliseconds, failed) {
      const context = underWay()
      if (context === null) return
      const end = Date.now()
      const query = withoutValues(text)
      const operation = /^\w+/.exec(query)?.[0]?.toLowerCase() ?? 'statement'
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': query }
      const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, startTime: end - milliseconds, attributes }, context)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(end)
    },
    async close() {
      if (!(await budget(CLOSE_MS).within(provider.shutdown())))
        log.warn('the collector didn’t accept the last traces in time; they are lost')
    },
  }
}

/** Sends an empty batch; returns why the collector doesn't accept it, or null if it does. */
export async function collectorFault(settings: TraceSettings): Promise<string | null> {
  const exporter = exporterOf({ ...settings, timeout_ms: Math.min(settings.timeout_ms, 900) })
  const result = await new Promise<string | null>(done => {
    exporter.export([], ({ code, error }) => done(code === 0 ? null : reasonOf(error)))
  })
  await exporter.shutdown()
  return result
}
