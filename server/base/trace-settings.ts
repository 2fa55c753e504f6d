// The usual variables of OpenTelemetry among the settings (decision 1057). The exporter itself reads those for compression and certificates.

/** Which traces are recorded, as in `OTEL_TRACES_SAMPLER`. `parentbased_…`: a request that comes with a trace is recorded if its caller records it. */
export const SAMPLERS = [
  'parentbased_always_on',
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Where and how traces are sent. */
export type TraceSettings = {
  /** URL of the collector that accepts traces (OTLP over HTTP, as protobuf). */
  url: string
  /** Headers that the collector expects. */
  headers: Record<string, string>
  /** What sends the traces, with its name in `service.name`. */
  resource: Record<string, string>
  sampler: (typeof SAMPLERS)[number]
  /** Share of the traces that is recorded, from 0 to 1, with a sampler that needs it. */
  ratio: number
  /** Whether a request continues the trace in its header `traceparent`. */
  follows: boolean
  /** Longest time in milliseconds that sending one batch can take, with its retries. */
  timeout_ms: number
  /** Milliseconds between two batches; most spans that wait, and that a batch contains. */
  batch: { delay_ms: number; waiting: number; spans: number }
}

/** How `settings.ts` reads a variable. */
type Reading = {
  text(name: string): string | null
  url(name: string, schemes: string[]): string | null
  integer(name: string, fallback: number, min: number, max: number): number
  choice<T extends string>(name: string, fallback: T, allowed: readonly T[]): T
  faults: string[]
}

/** Returns the first of these variables that is set, otherwise the last. */
const firstSet = ({ text }: Reading, names: readonly [string, ...string[]]): string =>
  names.find(name => text(name) !== null) ?? names[names.length - 1] ?? names[0]

/** Reads pairs like `name=value,other=value`; values are percent-encoded. A fault never contains a value, which can be a secret. */
function pairsIn({ text, faults }: Reading, name: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of (text(name) ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [, key, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    try {
      if (key === undefined || value === undefined) throw new URIError('no pair')
      pairs[key] = decodeURIComponent(value)
    } catch {
      faults.push(`${name} must be a list like name=value,other=value, with percent-encoded values.`)
      return {}
    }
  }
  return pairs
}

/** Reads where traces are sent; null if they aren't recorded. */
export function traceSettings(reading: Reading): TraceSettings | null {
  const { text, url, integer, choice, faults } = reading
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null
  const endpoint = firstSet(reading, ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  if (text(endpoint) === null || choice('OTEL_TRACES_EXPORTER', 'otlp', ['otlp', 'none']) === 'none') return null
  choice(firstSet(reading, ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']), 'http/protobuf', ['http/protobuf'])
  const base = url(endpoint, ['https:', 'http:'])
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  if (!(ratio >= 0 && ratio <= 1))
    faults.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text('OTEL_TRACES_SAMPLER_ARG')}".`)
  const named = text('OTEL_SERVICE_NAME')
  const timeout = firstSet(reading, ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'])
  return {
    url: endpoint === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? `${base}/v1/traces` : `${base}`,
    headers: { ...pairsIn(reading, 'OTEL_EXPORTER_OTLP_HEADERS'), ...pairsIn(reading, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS') },
    resource: {
      'service.name': 'walkdown',
      ...pairsIn(reading, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...(named === null ? {} : { 'service.name': named }),
    },
    sampler: choice('OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS),
    ratio,
    follows: (text('OTEL_PROPAGATORS') ?? 'tracecontext').split(',').some(name => name.trim() === 'tracecontext'),
    timeout_ms: integer(timeout, 10_000, 1, 600_000),
    batch: {
      delay_ms: integer('OTEL_BSP_SCHEDULE_DELAY', 5000, 1, 600_000),
      waiting: integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1, 100_000),
      spans: integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, 100_000),
    },
  }
}
