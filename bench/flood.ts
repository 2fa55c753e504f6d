// Callers that don't wait for each other, like a crowd: a fixed rate of requests, whatever happens to the earlier ones. Sent from a separate thread.
import { Worker } from 'node:worker_threads'
import type { Call } from './load.ts'

/** The measurements; times in milliseconds from the moment at which a request was meant to be sent. */
export type Flood = {
  sent: number
  ok_per_second: number
  ok_p50_ms: number
  ok_p99_ms: number
  refused: number
  refused_p99_ms: number
  /** Neither served nor refused with 503 and Retry-After. */
  other: number
  first_other: string | null
}

const CODE = `
  const { parentPort, workerData } = require('node:worker_threads')
  const http = require('node:http')
  const { address, calls, per_second, seconds, sockets } = workerData
  const url = new URL(address)
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets, scheduling: 'lifo' })
  const ok = [], refused = []
  let sent = 0, open = 0, other = 0, first_other = null
  const began = performance.now()
  const warm = began + 2000
  const end = began + (seconds + 2) * 1000
  const send = (call, meant) => {
    open++
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const request = http.request({ agent, host: url.hostname, port: url.port, method: call.method, path: '/api' + call.path, headers: {
      authorization: 'Bearer ' + call.token, ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }) } }, response => {
      response.resume()
      response.on('end', () => {
        open--
        if (meant < warm) return
        const took = performance.now() - meant
        if (response.statusCode < 300) ok.push(took)
        else if (response.statusCode === 503 && Number(response.headers['retry-after']) > 0) refused.push(took)
        else { other++; first_other ??= String(response.statusCode) }
      })
    })
    request.on('error', error => { open--; if (meant >= warm) { other++; first_other ??= String(error) } })
    request.end(body)
  }
  let count = 0
  const timer = setInterval(() => {
    const now = performance.now()
    if (now < end) {
      for (; began + count / per_second * 1000 <= now; count++) {
        const meant = began + count / per_second * 1000
        if (meant >= warm) sent++
        send(calls[count % calls.length], meant)
      }
      return
    }
    if (open > 0 && now < end + 30000) return
    clearInterval(timer)
    const at = (list, share) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0
    parentPort.postMessage({ sent, ok_per_second: ok.length / seconds, ok_p50_ms: at(ok, 0.5), ok_p99_ms: at(ok, 0.99), refused: refused.length, refused_p99_ms: at(refused, 0.99), other, first_other })
    agent.destroy()
  }, 1)`

/** Sends calls at this rate for a number of seconds, after two seconds that aren’t counted. */
export function flood(
  address: string,
  calls: readonly Call[],
  options: { per_second: number; seconds: number; sockets?: number },
): Promise<Flood> {
  return new Promise((done, failed) => {
    const worker = new Worker(CODE, { eval: true, workerData: { address, calls, sockets: 2500, ...options } })
    worker.once('error', failed)
    worker.once('message', done)
  })
}
