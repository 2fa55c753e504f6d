// Sends HTTP requests from a separate thread, so that the work of the client does not block our event loop.
import type { IncomingHttpHeaders } from 'node:http'
import { Worker } from 'node:worker_threads'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** The ways to compress a response that browsers accept. */
export const ACCEPTED = 'gzip, deflate, br, zstd'

/** One request of a list. Each is sent once, or the list repeats for a number of seconds. */
export type Call = { method: string; path: string; token: string; body?: unknown; compressed?: boolean }
/** The measurements of a run. */
export type Load = { per_second: number; p50_ms: number; p99_ms: number; answers: number; failed: number; first_failure: string | null }

const CODE = `
  const { parentPort, workerData } = require('node:worker_threads')
  const http = require('node:http')
  const { address, prefix, calls, connections, seconds, accepts } = workerData
  const url = new URL(address)
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let next = 0, failed = 0, first_failure = null
  const took = []
  const end = seconds === null ? null : performance.now() + seconds * 1000
  const take = () => (seconds === null ? (next < calls.length ? calls[next++] : null) : performance.now() < end ? calls[next++ % calls.length] : null)
  const one = call => new Promise(done => {
    const began = performance.now()
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const request = http.request({ agent, host: url.hostname, port: url.port, method: call.method, path: prefix + call.path, headers: {
      authorization: 'Bearer ' + call.token, ...(call.compressed ? { 'accept-encoding': accepts } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) } }, response => {
      let text = ''
      response.on('data', chunk => { if (response.statusCode >= 300) text += chunk })
      response.on('end', () => {
        took.push(performance.now() - began)
        if (response.statusCode >= 300) { failed++; first_failure ??= response.statusCode + ' ' + text.slice(0, 300) }
        done()
      })
    })
    request.on('error', error => { failed++; first_failure ??= String(error); done() })
    request.end(body)
  })
  const began = performance.now()
  Promise.all(Array.from({ length: connections }, async () => { for (let call = take(); call !== null; call = take()) await one(call) })).then(() => {
    const all = (performance.now() - began) / 1000
    took.sort((a, b) => a - b)
    parentPort.postMessage({ per_second: took.length / all, p50_ms: took[Math.floor(took.length / 2)] ?? 0, p99_ms: took[Math.floor(took.length * 0.99)] ?? 0, answers: took.length, failed, first_failure })
  })`

/** Sends the calls over this many connections; without `seconds`, each call once. `prefix`: of their paths, that of our API unless it is said. */
export function load(
  address: string,
  calls: readonly Call[],
  options: { connections: number; seconds?: number; prefix?: string },
): Promise<Load> {
  return new Promise((done, failed) => {
    const workerData = {
      address,
      calls,
      connections: options.connections,
      seconds: options.seconds ?? null,
      prefix: options.prefix ?? '/api',
      accepts: ACCEPTED,
    }
    const worker = new Worker(CODE, { eval: true, workerData })
    worker.once('error', failed)
    worker.once('message', done)
  })
}

/** Returns the content of a response. */
export const opened = ({ headers, bytes }: Pick<Fetched, 'headers' | 'bytes'>): Buffer => {
  const coding = headers['content-encoding']
  return coding === 'zstd' ? zstdDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
}

/** What a request returned: the bytes as they were sent, and the milliseconds until the last of them had arrived. */
type Fetched = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; milliseconds: number }

const ONE_AT_A_TIME = `
  const { parentPort } = require('node:worker_threads')
  const http = require('node:http')
  const agent = new http.Agent({ keepAlive: true })
  parentPort.on('message', ({ url, headers }) => {
    const began = performance.now()
    const fail = error => parentPort.postMessage({ error: String(error) })
    http.request(url, { agent, headers }, reply => {
      const parts = []
      reply.on('data', part => parts.push(part))
      reply.on('end', () => {
        const milliseconds = performance.now() - began
        parentPort.postMessage({ status: reply.statusCode, headers: reply.headers, bytes: Buffer.concat(parts), milliseconds })
      })
      reply.on('error', fail)
    }).on('error', fail).end()
  })`

/**
 * Opens a client in a thread of its own, with a connection that stays open: one request at a time. Both servers then send to the same client, and neither has to do its
 * work between two parts of its own.
 */
export function openClient() {
  const thread = new Worker(ONE_AT_A_TIME, { eval: true })
  thread.unref()
  return (url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> =>
    new Promise((done, failed) => {
      thread.once('message', found =>
        found.error === undefined ? done({ ...found, bytes: Buffer.from(found.bytes) }) : failed(new Error(found.error)),
      )
      thread.postMessage({ url, headers })
    })
}
