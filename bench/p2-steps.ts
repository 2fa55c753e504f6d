// P2: one lifecycle step, with signature, tasks, outbox and audit, durable, with 16 callers over many sites; compared with pgbench running the same recorded
// statements as a single function, each call one durable transaction.
import { type Bench, median, pgbench } from './kit.ts'
import { type Call, load } from './load.ts'
import { type Recorded, recordedLimit } from './p2-limit.ts'
import { recording } from './record.ts'

/** Medians. */
export type StepBench = {
  sites: number
  per_second: number
  p50_ms: number
  alone_p50_ms: number
  limit_per_second: number | null
  ratio: number | null
  statements: number
  /** Processor time of the thread that serves requests. */
  cpu_ms: number
}

const CALLERS = 16

type Ready = { id: string; site_id: string; token: string }

/** Creates permits that wait for their endorsement, by site. */
async function waiting(bench: Bench, sites: number, each: number): Promise<Ready[]> {
  const out: Ready[] = []
  const worlds = await Promise.all(Array.from({ length: sites }, (_, i) => bench.house.world({ name: `Steps ${i}` })))
  const start_at = new Date(Date.now() + 3_600_000).toISOString()
  const end_at = new Date(Date.now() + 9 * 3_600_000).toISOString()
  for (let n = 0; n < each; n++) {
    await Promise.all(
      worlds.map(async w => {
        const [contractor] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body
        const made = await w.as('member').post('/permits/applications', {
          site_id: w.site_id,
          categories: ['HW'],
          contractor_id: contractor.id,
          title: 'Weld',
          start_at,
          end_at,
        })
        const { status, text } = await w.as('member').post(`/permits/applications/${made.body.id}/submit`, {})
        if (status >= 300) throw new Error(`A permit was not submitted: ${text}`)
        out.push({ id: made.body.id, site_id: w.site_id, token: w.as('coordinator').token ?? '' })
      }),
    )
  }
  return out
}

const calling = (permits: readonly Ready[]): Call[] =>
  permits.map(({ id, token }) => ({ method: 'POST', path: `/permits/applications/${id}/endorse`, token, body: {} }))

/** Endorses each permit once. */
export async function stepBench(bench: Bench, sites = 32, runs = 5): Promise<StepBench> {
  const each = 12
  const rates: number[] = []
  const middles: number[] = []
  const cpu: number[] = []
  for (let run = 0; run <= runs; run++) {
    const calls = calling(await waiting(bench, sites, each))
    const before = process.threadCpuUsage()
    const done = await load(bench.address, calls, { connections: CALLERS })
    const used = process.threadCpuUsage(before)
    if (done.failed > 0) throw new Error(`A step responded with ${done.first_failure}`)
    if (run > 0) {
      rates.push(done.per_second)
      middles.push(done.p50_ms)
      cpu.push((used.user + used.system) / 1000 / done.answers)
    }
  }
  const alone = await load(bench.address, calling(await waiting(bench, 4, 25)), { connections: 1 })
  const recorded = await recordSteps(bench, sites)
  const limit_per_second = pgbench() === null ? null : await recordedLimit(bench, recorded, CALLERS)
  const per_second = median(rates)
  return {
    sites,
    per_second,
    p50_ms: median(middles),
    alone_p50_ms: alone.p50_ms,
    limit_per_second,
    ratio: limit_per_second === null ? null : per_second / limit_per_second,
    statements: recorded[0]?.sent.length ?? 0,
    cpu_ms: median(cpu),
  }
}

/** Permits of each site that the limit takes the step of. */
const FOR_LIMIT = 30

/** Takes the step of one permit of each site, and records its statements. The statements are the same once the service knows the site. */
async function recordSteps(bench: Bench, sites: number): Promise<Recorded[]> {
  const bySite = Map.groupBy(await waiting(bench, sites, FOR_LIMIT + 2), one => one.site_id)
  const recorded: Recorded[] = []
  for (const [first, second, ...others] of bySite.values()) {
    if (first === undefined || second === undefined) continue
    const endorse = (one: Ready) => bench.house.withToken(one.token).post(`/permits/applications/${one.id}/endorse`, {})
    await endorse(first)
    const began = Date.now()
    const sent = await recording(() => endorse(second))
    recorded.push({ sent, began, permit_id: second.id, others: others.map(one => one.id) })
  }
  return recorded
}
