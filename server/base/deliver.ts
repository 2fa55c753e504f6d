// Sends responses: conditional requests, the link to the next page, downloads with ranges.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer, StreamAnswer } from './files.ts'
import { markCursor } from './paging.ts'

/** The first response, stored under its idempotency key. */
export type Kept = { status: number; headers: Record<string, string>; payload: string | null }

/** A response that is ready to be sent. */
export type Done =
  | Kept
  | { status: number; headers: Record<string, string>; bytes: Buffer }
  | { status: number; headers: Record<string, string>; file: FileAnswer }
  | { status: number; headers: Record<string, string>; stream: StreamAnswer }

/** Sends a response. */
export async function deliver(request: FastifyRequest, reply: FastifyReply, done: Done): Promise<unknown> {
  const headers = { ...done.headers }
  if (headers['x-next-cursor'] !== undefined) {
    const url = new URL(request.url, 'http://here')
    url.searchParams.set('cursor', markCursor(request.walkdown?.route.name ?? '', headers['x-next-cursor']))
    headers.link = `<${url.pathname}${url.search}>; rel="next"`
    delete headers['x-next-cursor']
  }
  reply.headers(headers)
  if ('file' in done) return deliverFile(request, reply, done.file)
  if ('stream' in done) {
    const { name, type, open } = done.stream
    const bytes = open()
    reply.headers({ 'content-type': type, 'content-disposition': disposition({ name }), 'cache-control': 'no-store' })
    return reply.code(done.status).send(bytes)
  }
  if (
    done.status === 200 &&
    headers.etag !== undefined &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    matches(request.headers['if-none-match'], headers.etag)
  ) {
    return reply.code(304).send()
  }
  reply.code(done.status)
  return reply.send('bytes' in done ? done.bytes : (done.payload ?? undefined))
}

const matches = (header: string | undefined, etag: string) =>
  header?.split(',').some(v => v.trim().replace(/^W\//, '') === etag.replace(/^W\//, '') || v.trim() === '*') === true

async function deliverFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): Promise<unknown> {
  const etag = `"${file.etag}"`
  const known = matches(request.headers['if-none-match'], etag)
  const { size } = file
  const range = known || size === null ? null : readRange(request.headers.range, size)
  // Opened first: if the storage can't be reached, the response is a refusal without the headers of a file.
  const bytes = known || range === 'unsatisfiable' ? undefined : await file.open(range ?? undefined)
  reply.headers({
    etag,
    'accept-ranges': size === null ? 'none' : 'bytes',
    'content-type': file.type,
    'content-disposition': disposition(file),
    ...(file.problem === undefined ? {} : { 'x-preview-problem': file.problem }),
    // Nothing personal stays in a browser's cache, which sign-out doesn't clear: the app stores what it needs and clears it (ASVS V14.3.2).
    'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
  })
  if (known) return reply.code(304).send()
  if (range === 'unsatisfiable')
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
      .send()
  if (size !== null && range === null) reply.header('content-length', size)
  if (range === null) return reply.send(bytes)
  reply.code(206).headers({ 'content-range': `bytes ${range.start}-${range.end}/${size}`, 'content-length': range.end - range.start + 1 })
  return reply.send(bytes)
}

function disposition(file: Pick<FileAnswer, 'name' | 'inline'>): string {
  const ascii = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return `${file.inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(file.name)}`
}

/** Reads one byte range (RFC 9110 §14). Several ranges, and other units, get the whole file. */
function readRange(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (parts === null || (parts[1] === '' && parts[2] === '')) return null
  const [, from = '', to = ''] = parts
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}
