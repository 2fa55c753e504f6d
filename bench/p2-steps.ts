// P2: one lifecycle step, with signature, tasks, outbox and audit, durable, at 16 callers over many sites; beside pgbench running the same statements of
// such a step in one round trip, as one function.
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

type Ready = { id: string; token: string }

/** Permits that wait for their endorsement, by site. */
async function waiting(bench: Bench, sites: number, each: number): Promise<Ready[]> {
  const out: Ready[] = []
  const worlds = await Promise.all(Array.from({ length: sites }, (_, i) => bench.house.world({ name: `Steps ${i}` })))
  const start_at = new Date(Date.now() + 3_600_000).toISOString()
  const end_at = new Date(Date.now() + 9 * 3_600_000).toISOString()
  for (let n = 0; n < each; n++) {
    await Promise.all(
      worlds.map(async w => {
        const [firm] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body
        const made = await w.as('member').post('/permits/applications', {
          site_id: w.site_id,
          categories: ['HW'],
          contractor_id: firm.id,
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

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * The statements of a recorded step as one function that may run again and again: ids that the step made are made anew, the site is given, and what
 * would stand in the way of a second run (unique numbers of signatures) counts on.
 */
function functionOf(sent: readonly Sent[], known: ReadonlySet<string>): string {
  const fresh = new Map<string, string>()
  for (const { values } of sent)
    for (const value of values.flat())
      if (typeof value === 'string')
        for (const id of value.match(UUID) ?? []) if (!known.has(id) && !fresh.has(id)) fresh.set(id, `f${fresh.size}`)
  const lines = sent.map(({ text, values }) => {
    const said = values.map(value => {
      if (value === null || value === undefined) return 'null'
      if (Array.isArray(value)) return `'{${value.map(v => JSON.stringify(v)).join(',')}}'`
      let literal = `$lit$${String(typeof value === 'object' ? JSON.stringify(value) : value)}$lit$`
      for (const [id, name] of fresh) if (literal.includes(id)) literal = `replace(${literal}, '${id}', ${name}::text)`
      return literal
    })
    const filled = text.replace(/\$(\d+)(::[a-z]+(\[\])?)?/g, (_, n, cast) => {
      const one = said[Number(n) - 1] ?? 'null'
      return cast === undefined ? one : `(${one})${cast}`
    })
    return /^\s*select/i.test(filled) ? `perform count(*) from (${filled.replace(/;\s*$/, '')}) s;` : `${filled};`
  })
  const names = [...fresh.values()].map(name => `${name} uuid := gen_random_uuid();`).join(' ')
  return `declare ${names} begin ${lines.join('\n')} end`
}

/** Endorses permits: each once, as many as there are. */
export async function stepBench(bench: Bench, sites = 32, runs = 5): Promise<StepBench> {
  const each = 12
  const rates: number[] = []
  const middles: number[] = []
  for (let run = 0; run <= runs; run++) {
    const done = await load(bench.address, calling(await waiting(bench, sites, each)), { connections: 16 })
    if (done.failed > 0) throw new Error(`A step answered ${done.first_failure}`)
    if (run > 0) {
      rates.push(done.per_second)
      middles.push(done.p50_ms)
    }
  }
  const alone = await load(bench.address, calling(await waiting(bench, 4, 25)), { connections: 1 })
  const [one] = await waiting(bench, 1, 1)
  if (one === undefined) throw new Error('No permit waits.')
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

/** The limit: the same work without us, as far as it can run again. Commits are durable there as here. */
async function limitOf(bench: Bench, sent: readonly Sent[]): Promise<number> {
  const { pool } = bench.house.house.database
  const { rows } = await pool.query<{ id: string }>(
    'select id::text from record_directory union select id::text from app_user union select site_id::text from site union select workflow_definition_id::text from permit',
  )
  const known = new Set([...rows.map(row => row.id), '00000000-0000-0000-0000-000000000000'])
  const begin = sent.find(one => /^begin/i.test(one.text.trim()))
  const settings = (begin?.text ?? '').split(';').filter(part => /set local/i.test(part))
  const inside = sent.filter(one => /^\s*(select|with|insert|update|delete)/i.test(one.text))
  await pool.query(`create or replace function bench_step() returns void language plpgsql as $step$ ${functionOf(inside, known)} $step$`)
  const script = join(tmpdir(), 'walkdown-p2.sql')
  await writeFile(script, `begin;\n${settings.map(part => `${part.trim()};`).join('\n')}\nselect bench_step();\ncommit;\n`)
  return runPgbench(bench, script, { clients: 16, seconds: 10 })
}
