// P13: the space that a permit and a thing on the map take in the database, with indexes, history, events, notifications and tasks; the
// difference between two sizes is measured, so that what an empty database takes isn't counted.
import { relayEvents } from '../server/kernel/events/door.ts'
import { type PermitWorld, permitWorld } from '../tests/permits.ts'
import type { Bench } from './kit.ts'

/** What a piece of work adds. `parts`: bytes by what they are for, the largest first; `rows`: the tables with most rows. */
export type Added = {
  of: string
  made: number
  bytes: number
  parts: [string, number][]
  rows: [string, number][]
  events: number
}

/** What the tables are for, by the start of their names; all others are the records themselves. */
const PARTS: readonly [RegExp, string][] = [
  [/^(audit|diag)/, 'audit log'],
  [/^event/, 'events and receipts'],
  [/^(notification|message|task|outgoing)/, 'notifications and tasks'],
  [/^(request|idempotency|response)/, 'responses kept for a day'],
]
const partOf = (table: string): string => PARTS.find(([names]) => names.test(table))?.[1] ?? 'records with their indexes'

type Measured = { bytes: Map<string, number>; rows: Map<string, number> }

async function measure(bench: Bench): Promise<Measured> {
  const { pool } = bench.house.house.database
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid)::text as bytes from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const counts = new Map<string, number>()
  for (const { name } of rows) counts.set(name, Number((await pool.query(`select count(*) as n from "${name}"`)).rows[0].n))
  return {
    bytes: new Map(rows.map(row => [row.name, Number(row.bytes)])),
    rows: counts,
  }
}

/** Does some work `warm` times, then `made` times, and returns what each of the latter added. `table`: the one whose new rows are counted; null: each piece of work makes one thing. */
async function added(
  bench: Bench,
  of: string,
  table: string | null,
  [warm, made]: readonly [number, number],
  work: (n: number) => Promise<void>,
): Promise<Added> {
  const run = async (from: number, to: number) => {
    for (let n = from; n < to; n += 8) await Promise.all(Array.from({ length: Math.min(8, to - n) }, (_, i) => work(n + i)))
    await relayEvents(bench.house.house)
  }
  await run(0, warm)
  const before = await measure(bench)
  await run(warm, warm + made)
  const after = await measure(bench)
  const total = table === null ? made : (after.rows.get(table) ?? 0) - (before.rows.get(table) ?? 0)
  const grown = (now: Map<string, number>, then: Map<string, number>): [string, number][] =>
    [...now].map(([name, value]): [string, number] => [name, (value - (then.get(name) ?? 0)) / total]).filter(([, value]) => value > 0)
  const bytes = grown(after.bytes, before.bytes)
  const rows = grown(after.rows, before.rows)
  const most = (list: [string, number][]) => list.toSorted((a, b) => b[1] - a[1])
  return {
    of,
    made: total,
    bytes: bytes.reduce((sum, [, value]) => sum + value, 0),
    parts: most(
      [...Map.groupBy(bytes, ([name]) => partOf(name))].map(([name, list]): [string, number] => [
        name,
        list.reduce((sum, [, value]) => sum + value, 0),
      ]),
    ),
    rows: most(rows).slice(0, 8),
    events: rows.find(([name]) => name === 'event')?.[1] ?? 0,
  }
}

const HOUR = 3_600_000

/** Measures permits from draft to close-out, and gangs that are planned one by one and by a schedule. */
export async function sizeOfWork(bench: Bench, permits = 200, gangs = 600): Promise<Added[]> {
  const w: PermitWorld = await permitWorld(bench.house)
  const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
  const place = { point: { lon: -0.0877, lat: 51.5079 } }
  const gang = { name: 'Steel fixers', trade: 'Steel fixer', headcount: 6, place }
  const must = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    if (status >= 300) throw new Error(`${status} ${text}`)
  }
  const day = (n: number) => new Date(Date.now() + n * 24 * HOUR).toISOString().slice(0, 10)
  const schedule = { start_date: day(1), end_date: day(60), start_time: '07:30', end_time: '17:30' }
  return [
    await added(bench, 'permit, from its draft to its close-out', null, [permits / 4, permits], async n => {
      await w.at('closed', { title: `Weld handrails on stair ${n}`, place, start_at: at(-1), end_at: at(8) })
    }),
    await added(bench, 'gang on a day, planned on its own', null, [gangs / 4, gangs], n =>
      must(
        w.as('coordinator').post('/workers/', { site_id: w.site_id, ...gang, name: `Gang ${n}`, start_at: at(24 + n), end_at: at(33 + n) }),
      ),
    ),
    await added(bench, 'gang on a day, planned by a schedule of 60 days', 'worker', [5, 20], n =>
      must(
        w
          .as('coordinator')
          .post('/workers/create-schedule', { site_id: w.site_id, template: { ...gang, name: `Team ${n}` }, pattern: schedule }),
      ),
    ),
  ]
}
