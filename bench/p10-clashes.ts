// P10: a clash is on every open app within a second of the write that made it, on two nodes (`conflict-and-planning.md` §4.7). The write goes to one node; the
// open app and its requests are on the other.
import { setTimeout as wait } from 'node:timers/promises'
import { type Ear, openEar } from '../tests/ear.ts'
import { MIDDLE, pointAt } from '../tests/geo.ts'
import { openNode } from '../tests/process.ts'
import type { World } from '../tests/world.ts'
import { type Bench, median, percentile } from './kit.ts'

/** What was measured. Times in milliseconds, from the request to the response that shows the clash on the other node. */
export type LiveClashBench = {
  permits: number
  gangs: number
  /** A gang was moved next to a permit: until the list of clashes of the other node has it. */
  gang: { p50_ms: number; p95_ms: number }
  /** A permit was submitted next to another: until the badges of the other node have both. */
  permit: { p50_ms: number; p95_ms: number }
  /** Clashes that weren't there after ten seconds. */
  missed: number
}

const LIMIT_MS = 10_000
/** How many things are made at once before the measurement. */
const AT_ONCE = 2
/** Things stand this far apart, so that a clash is always new. */
const APART_M = 30

/** Moves gangs and submits permits on one node, and watches on the other. */
export async function liveClashBench(bench: Bench, size = 500, edits = 60): Promise<LiveClashBench> {
  const w = await bench.house.world({ name: 'Clashes' })
  await w.as('hse').patch(`/sites/${w.site_id}`, { location: MIDDLE })
  const [contractor] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body
  const { data_dir, settings } = bench.house.house
  const of = { connection: bench.connection, database: bench.database, data_dir, public_url: settings.public_url }
  const [one, two] = [await openNode(of), await openNode(of)]
  await Promise.all([one.process.start(), two.process.start()])
  const ear: Ear = await openEar(two.url, w.as('coordinator').token ?? '', w.site_id)
  try {
    return await measure(w, contractor.id, { writes: one.url, reads: two.url, ear, size, edits })
  } finally {
    ear.close()
    await Promise.all([one.process.stop(), two.process.stop()])
  }
}

type Given = { writes: string; reads: string; ear: Ear; size: number; edits: number }

async function measure(w: World, contractor_id: string, { writes, reads, ear, size, edits }: Given): Promise<LiveClashBench> {
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it has just made.
  const call = async (url: string, role: 'member' | 'coordinator' | 'hse', method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${w.as(role).token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`${method} ${path} responded with ${reply.status} ${text}`)
    return JSON.parse(text)
  }
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const side = Math.ceil(Math.sqrt(size))
  const placeOf = (n: number, beside_m = 0) => {
    const [lon, lat] = pointAt((n % side) * APART_M + beside_m, Math.floor(n / side) * APART_M)
    return { point: { lon, lat } }
  }
  const site_id = w.site_id
  await call(writes, 'hse', 'POST', '/clash-rules', {
    ...{ site_id, name: 'Permits and gangs', a: { kinds: ['permit'] }, b: { kinds: ['worker'] }, when: { within_m: 8 } },
    ...{ levels: { mode: 'any' }, outcome: { severity: 'red' } },
  })
  const draft = (n: number, code: string, beside_m = 0) =>
    call(writes, 'member', 'POST', '/permits/applications', {
      ...{ site_id, categories: [code], contractor_id, title: `Work ${n}`, start_at: at(1), end_at: at(9), place: placeOf(n, beside_m) },
    })
  const submit = (id: string) => call(writes, 'member', 'POST', `/permits/applications/${id}/submit`, {})
  const gang = (n: number) =>
    call(writes, 'coordinator', 'POST', '/workers/', {
      ...{ site_id, name: `Gang ${n}`, trade: 'Fixer', radius_m: 1, contractor_id, start_at: at(1), end_at: at(9) },
      place: placeOf(size + n),
    })
  const permits: string[] = []
  const gangs: string[] = []
  for (let n = 0; n < size; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, size - n) }, async (_, i) => {
        const made = await draft(n + i, 'HW')
        await submit(made.id)
        permits[n + i] = made.id
        gangs[n + i] = (await gang(n + i)).id
      }),
    )
  let missed = 0
  /** Runs a write, then asks the other node after each event that its app gets, as an open page does, until it shows the clash. */
  const timed = async (write: () => Promise<unknown>, shown: () => Promise<boolean>): Promise<number | null> => {
    const began = performance.now()
    let heard = ear.events.length
    await write()
    while (performance.now() - began < LIMIT_MS) {
      if (ear.events.length > heard) {
        heard = ear.events.length
        if (await shown()) return performance.now() - began
      }
      await wait(5)
    }
    missed++
    return null
  }
  const took: Record<'gang' | 'permit', number[]> = { gang: [], permit: [] }
  for (let n = 0; n < edits * 2; n++) {
    const name = n % 2 === 0 ? 'gang' : 'permit'
    let ms: number | null
    if (name === 'gang') {
      const id = gangs[n]
      ms = await timed(
        () => call(writes, 'coordinator', 'PATCH', `/workers/${id}`, { place: placeOf(n, 4) }),
        async () => (await call(reads, 'coordinator', 'GET', `/clashes?site_id=${site_id}&side=worker:${id}&limit=5`)).length > 0,
      )
    } else {
      const { id } = await draft(n, 'CSE', 4)
      ms = await timed(
        () => submit(id),
        async () => {
          const badges: { permit_id: string; red: number }[] = await call(
            reads,
            'coordinator',
            'GET',
            `/permits/applications/clash-badges?site_id=${site_id}`,
          )
          return [id, permits[n]].every(permit_id => badges.some(badge => badge.permit_id === permit_id && badge.red > 0))
        },
      )
    }
    if (ms !== null && n >= 10) took[name].push(ms)
    await wait(50)
  }
  const of = (list: readonly number[]) => ({ p50_ms: median(list), p95_ms: percentile(list, 0.95) })
  return { permits: size + edits, gangs: size, gang: of(took.gang), permit: of(took.permit), missed }
}
