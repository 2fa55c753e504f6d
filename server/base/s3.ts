// Stores files as objects in a bucket of any server with the S3 interface. A large file may take as long as it needs: only silence ends a transfer.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AwsClient } from 'aws4fetch'
import { refuse, storageAway, storageFull, unavailable } from './errors.ts'

/** A server that sends nothing for this long is taken for one that can't be reached. */
const SILENCE_MS = 30_000
/** Nothing tells how much of a file has arrived, so an upload may take as long as a line of half a megabit a second needs for it. */
const BYTES_PER_MS = 64

/** Returns the bytes of a response; fails if nothing comes for `silence_ms` while they are awaited. How slowly they are read doesn't matter. */
async function* bytesOf(body: ReadableStream<Uint8Array>, silence_ms: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    while (true) {
      let silent: NodeJS.Timeout | undefined
      const silence = new Promise<never>((_, fail) => {
        silent = setTimeout(() => fail(new Error('The file storage stopped sending.')), silence_ms)
      })
      const { done, value } = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(silent))
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => {}) // it has ended, or nobody wants the rest
  }
}

/** Opens a bucket as a `Storage`: `s3://bucket/prefix?endpoint=https://…&region=…`. */
export function s3Storage(url: URL, accessKeyId: string, secretAccessKey: string, silence_ms = SILENCE_MS) {
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = (url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(/\/$/, '')
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 })
  const at = (key: string) => `${endpoint}/${url.host}/${prefix === '' ? '' : `${prefix}/`}${key}`
  /** Sends a request. `work_ms` is how much longer than a short one it may take until the response begins. */
  const call = async (key: string, init: RequestInit, work_ms = 0): Promise<Response> => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), silence_ms + work_ms)
    try {
      return await client.fetch(at(key), { ...init, signal: late.signal })
    } catch {
      return refuse(storageAway())
    } finally {
      clearTimeout(timer)
    }
  }
  const good = (response: Response): Response =>
    response.ok
      ? response
      : response.status === 507
        ? refuse(storageFull())
        : refuse(unavailable(`The file storage returned an error (${response.status}). Nothing was changed. Try again in a moment.`))
  return {
    async keep(key: string, path: string, type: string): Promise<void> {
      if ((await call(key, { method: 'HEAD' })).ok) return
      const file = await readFile(path)
      good(await call(key, { method: 'PUT', body: file, headers: { 'content-type': type } }, file.length / BYTES_PER_MS))
    },
    async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
      const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
      const { body } = good(await call(key, { headers }))
      if (body === null) throw new Error('S3 responded without a body.')
      return Readable.from(bytesOf(body, silence_ms), { objectMode: false })
    },
    async has(key: string): Promise<boolean> {
      const said = await call(key, { method: 'HEAD' })
      // An account that isn't allowed to list objects gets 403 for one that doesn't exist. Any other error says nothing about the object.
      return said.status === 404 || said.status === 403 ? false : good(said).ok
    },
    async drop(key: string): Promise<void> {
      const said = await call(key, { method: 'DELETE' })
      if (said.status !== 404) good(said)
    },
    // An object is always complete.
    sweep: async (): Promise<number> => 0,
  }
}
