// P8: a step on a permit reaches every open app; compared in the same run with a bare broadcast of the same texts to as many clients.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type WebSocket, WebSocketServer } from 'ws'
import { relayEvents } from '../server/kernel/events/door.ts'
import type { Caller } from '../tests/world.ts'
import { type Bench, median, percentile } from './kit.ts'

/** What was measured. Times in milliseconds, from the request (of the broadcast: from the first send) to the arrival at each client. */
export type FanoutBench = {
  clients: number
  people: number
  /** One step at a time: the percentiles over all clients and rounds. */
  p50_ms: number
  p99_ms: number
  bare_p50_ms: number
  bare_p99_ms: number
  /** Steps over 16 connections without a pause: frames of steps that arrived in a second, and as many texts broadcast. */
  per_second: number
  bare_per_second: number
  /** Median of the ratios of the rounds. */
  ratio: number
}

// The clients, in a thread of their own. Of each text that contains the marker, it reports when the last client and each client had it.
const CLIENTS = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { WebSocket } = require('ws')
  const { address, tokens, site_id, marker } = workerData
  let arrived = []
  let wanted = 0
  const all = tokens.map(token => new Promise((done, fail) => {
    const socket = new WebSocket(address, 'site.v1')
    socket.on('error', fail)
    socket.on('open', () => {
      if (token === null) return done(socket)
      socket.send(JSON.stringify({ type: 'auth', token }))
      socket.send(JSON.stringify({ type: 'subscribe', site_id }))
    })
    socket.on('message', data => {
      const text = data.toString()
      if (text.includes('"subscribed"')) return done(socket)
      if (!text.includes(marker)) return
      arrived.push(performance.timeOrigin + performance.now())
      if (arrived.length === wanted) parentPort.postMessage({ arrived })
    })
  }))
  Promise.all(all).then(() => parentPort.postMessage({ open: true }), error => parentPort.postMessage({ failed: String(error) }))
  parentPort.on('message', ({ frames }) => { arrived = []; wanted = frames; parentPort.postMessage({ ready: true }) })
`

type Said = { open?: true; ready?: true; failed?: string; arrived?: number[] }

/** Opens clients, and returns how to wait for a number of frames at them. */
async function openClients(address: string, tokens: readonly (string | null)[], site_id: string, marker: string) {
  const worker = new Worker(CLIENTS, { eval: true, workerData: { address, tokens, site_id, marker } })
  const broken = new Promise<never>((_, fail) => worker.once('error', fail))
  const next = async (): Promise<Said> => {
    const [said]: Said[] = await Promise.race([once(worker, 'message'), broken])
    if (said?.failed !== undefined) throw new Error(said.failed)
    return said ?? {}
  }
  await next()
  return {
    /** Resolves to the arrivals of this many frames at all clients together, once `send` has caused them. */
    async frames(count: number, send: () => unknown): Promise<{ began: number; arrived: number[] }> {
      const ready = next()
      worker.postMessage({ frames: count })
      await ready
      const came = next()
      const began = performance.timeOrigin + performance.now()
      await send()
      return { began, arrived: (await came).arrived ?? [] }
    },
    close: () => worker.terminate(),
  }
}

const ROUNDS = 5
const ALONE = 5
const TOGETHER = 96
/** Steps in flight, as in P2. */
const CONNECTIONS = 16

/** Steps reach clients of as many people who can all see the permits. */
export async function fanoutBench(bench: Bench, clients = 2000): Promise<FanoutBench> {
  const w = await bench.house.world({ name: 'Fan-out' })
  const [contractor] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body
  const people: Caller[] = []
  while (people.length < clients) {
    const n = people.length
    people.push(await (n % 100 > 0 ? w.join('member', contractor.id, `Member ${n}`) : w.join('coordinator', null, `Coordinator ${n}`)))
  }
  const permits: string[] = []
  const start_at = new Date(Date.now() + 3_600_000).toISOString()
  const end_at = new Date(Date.now() + 9 * 3_600_000).toISOString()
  while (permits.length < ROUNDS * (ALONE + TOGETHER) + 5) {
    const made = await w.as('member').post('/permits/applications', {
      ...{ site_id: w.site_id, categories: ['HW'], contractor_id: contractor.id, title: 'Weld', start_at, end_at },
    })
    await w.as('member').post(`/permits/applications/${made.body.id}/submit`, {})
    permits.push(made.body.id)
  }
  // What the set-up left for later isn’t part of a step.
  await relayEvents(bench.house.house)
  const endorse = async () => {
    const id = permits.pop()
    const { status, text } = await fetch(`${bench.address}/api/permits/applications/${id}/endorse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${w.as('coordinator').token}`, 'content-type': 'application/json' },
      body: '{}',
    }).then(async reply => ({ status: reply.status, text: await reply.text() }))
    if (status >= 300) throw new Error(`A step responded with ${status} ${text}`)
  }
  const marker = 'permit.endorsed'
  const tokens = people.map(one => one.token ?? '')
  const ours = await openClients(`${bench.address.replace('http', 'ws')}/api/ws`, tokens, w.site_id, marker)

  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // it listens on TCP
  const bare = await openClients(
    `ws://127.0.0.1:${port}`,
    tokens.map(() => null),
    w.site_id,
    marker,
  )
  const text = JSON.stringify({
    ...{ type: 'event', site_id: w.site_id, cursor: 1234, topic: 'permits', kind: marker, entity_type: 'permit', ids: [w.site_id] },
    ...{ more: false, at: start_at, actor_id: w.site_id, request_id: w.site_id },
  })
  const broadcast = () => {
    for (const client of server.clients as Set<WebSocket>) client.send(text)
  }
  const several = async (count: number, one: () => unknown) => {
    let left = count
    const connection = async () => {
      while (left-- > 0) await one()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  }
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  await ours.frames(5 * clients, () => several(5, endorse))
  await bare.frames(5 * clients, () => several(5, broadcast))
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, open, one] of [
      ['ours', ours, endorse],
      ['bare', bare, broadcast],
    ] as const) {
      for (let n = 0; n < ALONE; n++) {
        const { began, arrived } = await open.frames(clients, one)
        took[name].push(...arrived.map(at => at - began))
      }
      const { began, arrived } = await open.frames(TOGETHER * clients, () => several(TOGETHER, one))
      rates[name].push(arrived.length / (((arrived.at(-1) ?? began) - began) / 1000))
    }
  await ours.close()
  await bare.close()
  server.close()
  return {
    clients,
    people: people.length,
    ...{ p50_ms: median(took.ours), p99_ms: percentile(took.ours, 0.99) },
    ...{ bare_p50_ms: median(took.bare), bare_p99_ms: percentile(took.bare, 0.99) },
    ...{ per_second: median(rates.ours), bare_per_second: median(rates.bare) },
    ratio: median(rates.ours.map((rate, n) => rate / (rates.bare[n] ?? rate))),
  }
}
