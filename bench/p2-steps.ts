// P2: one lifecycle step, with signature, tasks, outbox and audit, durable, with 16 callers over many sites; compared with pgbench running one durable
// transaction of the same size, as a single function.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, median, pgbench, runPgbench } from './kit.ts'
import { type Call, load } from './load.ts'
import { recording, type Sent } from './record.ts'

/** Medians. */
export type StepBench = {
  sites: number
  per_second: number
  p50_ms: number
  alone_p50_ms: number
  limit_per_second: number | null
  ratio: number | null
  statements: number
}

const CALLERS = 16

type Ready = { id: string; token: string }

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
        out.push({ id: made.body.id, token: w.as('coordinator').token ?? '' })
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
  for (let run = 0; run <= runs; run++) {
    const done = await load(bench.address, calling(await waiting(bench, sites, each)), { connections: 16 })
    if (done.failed > 0) throw new Error(`A step responded ${done.first_failure}`)
    if (run > 0) {
      rates.push(done.per_second)
      middles.push(done.p50_ms)
    }
  }
  const alone = await load(bench.address, calling(await waiting(bench, 4, 25)), { connections: 1 })
  const [one] = await waiting(bench, 1, 1)
  if (one === undefined) throw new Error('No permit is waiting.')
  const sent = await recording(() => bench.house.withToken(one.token).post(`/permits/applications/${one.id}/endorse`, {}))
  const limit_per_second = pgbench() === null ? null : await limitOf(bench, sent)
  const per_second = median(rates)
  return {
    sites,
    per_second,
    p50_ms: median(middles),
    alone_p50_ms: alone.p50_ms,
    limit_per_second,
    ratio: limit_per_second === null ? null : per_second / limit_per_second,
    statements: sent.length,
  }
}

const ROWS_WRITTEN = 12

/**
 * The limit: one durable transaction of the same size as a single function, without our code. It makes as many reads by key as the step does, writes a dozen
 * rows to a table with one index, and updates one row. Each caller uses its own rows.
 */
async function limitOf(bench: Bench, sent: readonly Sent[]): Promise<number> {
  const { pool } = bench.house.house.database
  const reads = sent.filter(({ text }) => /^\s*(select|with)/i.test(text)).length
  await pool.query('create table bench_row (id bigserial primary key, body jsonb)')
  await pool.query('create table bench_head (id integer primary key, seq bigint)')
  await pool.query('insert into bench_head select n, 0 from generate_series(0, 31) n')
  await pool.query(`create function bench_step(who integer) returns void language plpgsql as $step$
    begin
      for i in 1..${reads} loop perform s.name from site s join bench_head h on h.id = who limit 1; end loop;
      insert into bench_row (body) select to_jsonb(s) from (select * from site limit 1) s, generate_series(1, ${ROWS_WRITTEN});
      update bench_head set seq = seq + 1 where id = who;
    end $step$`)
  const script = join(tmpdir(), 'walkdown-p2.sql')
  await writeFile(script, 'select bench_step(:client_id);\n')
  return runPgbench(bench, script, { clients: CALLERS, seconds: 8 })
}
