// A small OpenTelemetry collector: it accepts traces (OTLP over HTTP, as protobuf) and reads them, for tests of what the service sends.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { PbfReader } from 'pbf'

/** A span as it was received. Ids are hexadecimal; `error` says whether its status is an error. */
export type Received = {
  name: string
  trace_id: string
  span_id: string
  parent_id: string
  kind: number
  attributes: Record<string, string | number>
  error: boolean
}

/** A collector that listens. */
export type Collector = {
  url: string
  spans: Received[]
  /** What sent them, and the headers of each batch. */
  resource: Record<string, string | number>
  headers: IncomingHttpHeaders[]
  /** The bytes of each batch as text, to look for what doesn’t belong in them. */
  bytes: string
  /** Responds with this status. */
  status: number
  close(): void
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Reads a message: `fields` reads each field that the test looks at. */
function message(pbf: PbfReader, end: number, fields: (field: number) => void): void {
  while (pbf.pos < end) {
    const word = pbf.readVarint()
    const { pos } = pbf
    fields(word >> 3)
    if (pbf.pos === pos) pbf.skip(word)
  }
}

const within = (pbf: PbfReader, fields: (field: number) => void) => {
  const end = pbf.readVarint() + pbf.pos
  message(pbf, end, fields)
}

function attribute(pbf: PbfReader, into: Record<string, string | number>): void {
  let key = ''
  within(pbf, field => {
    if (field === 1) key = pbf.readString()
    else if (field === 2)
      within(pbf, kind => {
        if (kind === 1) into[key] = pbf.readString()
        else if (kind === 3) into[key] = pbf.readVarint(true)
        else if (kind === 4) into[key] = pbf.readDouble()
      })
  })
}

function span(pbf: PbfReader): Received {
  const found: Received = { name: '', trace_id: '', span_id: '', parent_id: '', kind: 0, attributes: {}, error: false }
  within(pbf, field => {
    if (field === 1) found.trace_id = hex(pbf.readBytes())
    else if (field === 2) found.span_id = hex(pbf.readBytes())
    else if (field === 4) found.parent_id = hex(pbf.readBytes())
    else if (field === 5) found.name = pbf.readString()
    else if (field === 6) found.kind = pbf.readVarint()
    else if (field === 9) attribute(pbf, found.attributes)
    else if (field === 15)
      within(pbf, part => {
        if (part === 3) found.error = pbf.readVarint() === 2
      })
  })
  return found
}

/** Opens a collector. */
export async function openCollector(): Promise<Collector> {
  const it: Collector = { url: '', spans: [], resource: {}, headers: [], bytes: '', status: 200, close: () => server.close() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.writeHead(request.url === '/v1/traces' ? it.status : 404).end()
    if (it.status !== 200 || request.url !== '/v1/traces') return
    const bytes = Buffer.concat(chunks)
    it.headers.push(request.headers)
    it.bytes += bytes.toString('latin1')
    const pbf = new PbfReader(bytes)
    message(pbf, pbf.length, batch => {
      if (batch !== 1) return
      within(pbf, part => {
        if (part === 1) within(pbf, field => void (field === 1 && attribute(pbf, it.resource)))
        else if (part === 2) within(pbf, field => void (field === 2 && it.spans.push(span(pbf))))
      })
    })
  }).listen(0, '127.0.0.1')
  server.unref()
  await new Promise(done => server.once('listening', done))
  const bound = server.address()
  it.url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
  return it
}
