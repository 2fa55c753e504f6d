// P1: reads 50 of a site's 100,000 permits, with visibility and flags, as the board does, through the product's own code. Compared with pgbench
// running the same statements.
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loneClient } from '../server/base/db.ts'
import type { World } from '../tests/world.ts'
import { type Bench, median, pgbench, runPgbench } from './kit.ts'
import { load } from './load.ts'
import { inlined, recording } from './record.ts'

/** Medians. `limit_per_second` is pgbench's; null without pgbench. */
export type BoardBench = {
  permits: number
  per_second: number
  p50_ms: number
  p99_ms: number
  limit_per_second: number | null
  ratio: number | null
  statements: number
  /** Processor time of the thread that serves requests: it doesn’t depend on what else the machine does. */
  cpu_ms: number
}

/**
 * Creates a site with this many permits for 300 contractors: about three quarters closed, the others requested, endorsed, approved, issued or
 * expired. Rows are inserted directly, because only reading is measured.
 */
export async function fullSite(bench: Pick<Bench, 'house' | 'database' | 'connection'>, permits: number): Promise<World> {
  const w = await bench.house.world({ name: 'Full board' })
  const client = await loneClient({ ...bench.connection, database: bench.database })
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(
      `insert into contractor (site_id, id, version, created_at, updated_at, name, name_key, short_name, colour, colour_source, status, source)
       select $1, gen_random_uuid(), 1, now(), now(), 'Contractor ' || n, 'contractor ' || n, 'F' || n, '#128189', 'derived', 'active', 'manual' from generate_series(1, 300) n`,
      [w.site_id],
    )
    await client.query(
      `with contractors as (select array_agg(id) as ids from contractor where site_id = $1),
        people as (select array_agg(user_id) as ids from membership where site_id = $1)
       insert into permit (site_id, id, version, created_at, updated_at, permit_number, status, source, requestor_id, receiver_id, contractor_id, categories, title,
         description, location, start_at, end_at, workflow_definition_id, workflow_version, pinned_single_stage, pinned_requires_parent, submitted_at, endorsed_at, approved_at,
         issuer_id, issue_signed_at, issued_at, closed_at)
       select $1, gen_random_uuid(), 3, at, at, 'B-' || lpad(n::text, 7, '0'), status, 'requested',
         people.ids[1 + n % array_length(people.ids, 1)], people.ids[1 + (n + 3) % array_length(people.ids, 1)], contractors.ids[1 + n % 300],
         array[(array['HW','GEN','WAH','EXC','ELE','LIFT'])[1 + n % 6]], (array['Weld handrails','Pull cable','Core drilling','Lift steel'])[1 + n % 4] || ' at grid ' || n % 40,
         'Area barriered, toolbox talk held, permit displayed at the work front', 'Block ' || chr(65 + n % 6) || ' / Level ' || n % 9,
         at + interval '1 day', at + interval '1 day 8 hours', '00000000-0000-7000-8000-000000000001', 1, false, false, at,
         case when status not in ('requested') then at end, case when status in ('approved', 'issued', 'expired', 'closed') then at end,
         case when status in ('issued', 'expired', 'closed') then people.ids[1] end, case when status in ('issued', 'expired', 'closed') then at end,
         case when status in ('issued', 'expired', 'closed') then at end, case when status = 'closed' then at end
       from contractors, people, generate_series(1, $2::int) n
       cross join lateral (select now() - (n || ' minutes')::interval as at, case when n % 50 < 2 then 'requested' when n % 50 < 4 then 'endorsed' when n % 50 < 6 then 'approved'
         when n % 50 < 10 then 'issued' when n % 50 < 12 then 'expired' else 'closed' end as status) s`,
      [w.site_id, permits],
    )
    await client.query(
      `insert into permit_words select site_id, id, lower(coalesce(permit_number, '') || ' ' || coalesce(title, '') || ' ' || coalesce(description, '') || ' ' || coalesce(location, ''))
       from permit where site_id = $1`,
      [w.site_id],
    )
    await client.query('commit')
    await client.query('vacuum analyze permit')
    await client.query('vacuum analyze permit_words')
    await client.query('vacuum analyze contractor')
  } finally {
    await client.end()
  }
  return w
}

/** Requests board pages over 16 connections, in runs that alternate with the limit. */
export async function boardBench(bench: Bench, permits = 100_000, runs = 5): Promise<BoardBench> {
  const w = await fullSite(bench, permits)
  const path = `/permits?site_id=${w.site_id}&reasons=false&limit=50`
  const who = w.as('coordinator')
  const calls = [{ method: 'GET', path, token: who.token ?? '' }]
  await load(bench.address, calls, { connections: 16, seconds: 2 })
  const sent = (await recording(() => who.get(path))).filter(one => /^\s*(select|with)/i.test(one.text))
  const script = join(tmpdir(), 'walkdown-p1.sql')
  await writeFile(script, `${sent.map(one => inlined(one).replace(/\s+/g, ' ')).join(';\n')};\n`)
  const ours: { per_second: number; p50_ms: number; p99_ms: number }[] = []
  const limits: number[] = []
  const cpu: number[] = []
  for (let run = 0; run < runs; run++) {
    if (pgbench() !== null) limits.push(runPgbench(bench, script, { clients: 16, seconds: 4 }))
    const before = process.threadCpuUsage()
    const done = await load(bench.address, calls, { connections: 16, seconds: 4 })
    const used = process.threadCpuUsage(before)
    cpu.push((used.user + used.system) / 1000 / done.answers)
    if (done.failed > 0) throw new Error(`The board responded with ${done.first_failure}`)
    ours.push(done)
  }
  const per_second = median(ours.map(o => o.per_second))
  const limit_per_second = limits.length === 0 ? null : median(limits)
  return {
    permits,
    per_second,
    p50_ms: median(ours.map(o => o.p50_ms)),
    p99_ms: median(ours.map(o => o.p99_ms)),
    limit_per_second,
    ratio: limit_per_second === null ? null : per_second / limit_per_second,
    statements: sent.length,
    cpu_ms: median(cpu),
  }
}
