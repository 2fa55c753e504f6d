// P11: the clashes of a large site (`conflict-and-planning.md` §4.7): 2,000 gangs at an instant, 30,000 ahead, 5,000 open permits and 500,000 episodes that are
// over. Rows are inserted directly, because only the work with them is measured. Twice the site is compared with half of it in the same run.
import { loneClient } from '../server/base/db.ts'
import { relayEvents } from '../server/kernel/events/door.ts'
import { rebuild } from '../server/rooms/conflicts/clashes/jobs.ts'
import { MIDDLE, pointAt } from '../tests/geo.ts'
import type { World } from '../tests/world.ts'
import { type Bench, median, percentile } from './kit.ts'

const GANGS = 2000
const DAYS = 15
const PERMITS = 5000
const OVER = 500_000
const EDITS = 40
/** Permits stand this far apart, but two and two 7 m; each gang is 5 m from one. */
const APART_M = 20

/** What was measured. Times in milliseconds. */
export type ClashScaleBench = {
  clashes: number
  /** How much longer everything takes to compute again on twice the site. */
  growth: number
  rebuild_ms: number
  /** A gang was moved: until the list has its clash; and the part of it that the worker took. */
  edit: { p50_ms: number; p95_ms: number; worker_p50_ms: number }
  /** After a change of the site, and again without one. */
  badges: { changed_ms: number; same_ms: number; sql_ms: number; permits: number }
  board: { changed_ms: number; same_ms: number }
  /** The whole list, a page of 50, and the counts; and what the page and the counts take as bare statements. */
  unresolved: { list_ms: number; page_ms: number; page_sql_ms: number; summary_ms: number; summary_sql_ms: number; open: number }
}

type Client = Awaited<ReturnType<typeof loneClient>>

/** Inserts copies of a row, one for each row of `from`, with these columns made by SQL. */
async function copy(client: Client, table: string, [site_id, id]: readonly [string, string], made: Record<string, string>, from: string) {
  const { rows } = await client.query(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  )
  const names: string[] = rows.map(row => row.name)
  const values = names.map(name => made[name] ?? `t.${name}`)
  await client.query(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} t cross join ${from} where t.site_id = $1 and t.id = $2`,
    [site_id, id],
  )
}

/** Fills a site with permits and with gangs next to them. */
async function fill(client: Client, w: World, contractor_id: string, scale: number): Promise<{ gang: string; permits: number }> {
  const { site_id } = w
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const [lon, lat] = pointAt(0, 0)
  const place = { point: { lon, lat } }
  await w.as('hse').patch(`/sites/${site_id}`, { location: MIDDLE })
  await w.as('hse').post('/clash-rules', {
    ...{ site_id, name: 'Permits and gangs', a: { kinds: ['permit'] }, b: { kinds: ['worker'] }, when: { within_m: 8 } },
    ...{ levels: { mode: 'any' }, outcome: { severity: 'amber' } },
  })
  const permit = await w.as('member').post('/permits/applications', {
    ...{ site_id, categories: ['HW'], contractor_id, title: 'Weld', start_at: at(1), end_at: at(9), place },
  })
  await w.as('member').post(`/permits/applications/${permit.body.id}/submit`, {})
  const gang = await w.as('coordinator').post('/workers/', {
    ...{ site_id, name: 'Gang', trade: 'Fixer', radius_m: 1, contractor_id, start_at: at(1), end_at: at(9), place },
  })
  const [east, north] = pointAt(1, 1).map((degrees, axis) => degrees - (axis === 0 ? lon : lat))
  const permits = Math.round(PERMITS * scale)
  const side = Math.ceil(Math.sqrt(permits))
  const spot = (apart_m: string) => `
    cross join lateral (select ${lon} + ${east} * (${APART_M} * (n % ${side}) + ${apart_m}) as lon, ${lat} + ${north} * ${APART_M} * (n / ${side}) as lat) s`
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  const point = "jsonb_build_object('type', 'Point', 'coordinates', jsonb_build_array(s.lon, s.lat))"
  const bounds = 'box(point(s.lon, s.lat), point(s.lon, s.lat))'
  const shifted = (column: string, days: string) => ({ [column]: `t.${column} + ${days} * interval '1 day'` })
  await copy(
    client,
    'permit',
    [site_id, permit.body.id],
    {
      ...{
        id: 'gen_random_uuid()',
        permit_number: "'S-' || n",
        categories: "array[(array['HW','GEN','WAH','EXC','ELE','LIFT'])[1 + n % 6]]",
      },
      ...{ place_geometry: point, place_bounds: bounds, ...shifted('start_at', '(n / 2 % 10)'), ...shifted('end_at', '(n / 2 % 10)') },
    },
    `generate_series(2, ${permits}) n ${spot('-13 * (n % 2)')}`,
  )
  await copy(
    client,
    'worker',
    [site_id, gang.body.id],
    {
      ...{ id: 'gen_random_uuid()', name: "'Gang ' || n", lon: 's.lon', lat: 's.lat', bounds },
      ...{ place: "jsonb_build_object('point', jsonb_build_object('lon', s.lon, 'lat', s.lat))" },
      ...{ ...shifted('start_at', 'day'), ...shifted('end_at', 'day') },
    },
    `generate_series(2, ${Math.round(GANGS * scale)}) n cross join generate_series(0, ${DAYS - 1}) day ${spot('5')}`,
  )
  await client.query('commit')
  await client.query('vacuum analyze permit')
  await client.query('vacuum analyze worker')
  return { gang: gang.body.id, permits }
}

/** Adds episodes that are over. */
async function age(client: Client, site_id: string): Promise<void> {
  const { rows } = await client.query('select id from clash_episode where site_id = $1 limit 1', [site_id])
  const [episode] = rows
  const { rows: clashes } = await client.query('select id from clash where site_id = $1 and episode_id = $2 limit 1', [site_id, episode.id])
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  // Indexes are made afterwards: row by row they would take ten times as long.
  const { rows: indexes } = await client.query(`
    select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as made from pg_index i
    where i.indrelid in ('clash'::regclass, 'clash_episode'::regclass) and not i.indisprimary`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query('create temporary table past on commit drop as select n, gen_random_uuid() as id from generate_series(1, $1::int) n', [
    OVER,
  ])
  const ago = (...columns: string[]) =>
    Object.fromEntries(
      columns.map(column => [column, `least(coalesce(t.${column}, now()), now()) - (n || ' minutes')::interval - interval '1 day'`]),
    )
  await copy(
    client,
    'clash_episode',
    [site_id, episode.id],
    {
      ...{ id: 'p.id', status: "'ended'", lineage_a: 'gen_random_uuid()', end_reason: "'over'", next_at: 'null', look_at: 'null' },
      ...ago('first_at', 'last_at', 'opened_at', 'ended_at', 'updated_at'),
    },
    'past p',
  )
  await copy(
    client,
    'clash',
    [site_id, clashes[0].id],
    { id: 'gen_random_uuid()', episode_id: 'p.id', a_id: 'gen_random_uuid()', ...ago('from_at', 'to_at', 'detected_at') },
    'past p',
  )
  for (const { made } of indexes) await client.query(made)
  await client.query('commit')
  await client.query('vacuum analyze clash')
  await client.query('vacuum analyze clash_episode')
}

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** What the responses are made of, as statements of their own: how long the database takes for them at the least. */
const TO_SETTLE = `
  clash_episode e join clash_rule r on r.site_id = e.site_id and r.id = e.rule_id
  left join clash_consequence c on c.site_id = e.site_id and c.clash_rule_id = e.rule_id
  left join clash_stance s on s.site_id = e.site_id and s.episode_id = e.id and s.lapsed_at is null and s.replaced_at is null and s.withdrawn_at is null
  where e.site_id = $1 and e.status = 'open' and e.next_at <= now() + interval '14 days' and (s.id is null or s.kind = 'resolving')`
const BARE = {
  page: `select e.*, r.name, c.effect, s.kind from ${TO_SETTLE}
    order by e.severity = 'red' desc, coalesce(c.effect, case when e.severity = 'red' then 'stops' else 'none' end) = 'none', e.next_at, e.id limit 50`,
  summary: `select r.name, e.severity, e.next_at::date, e.contractor_a, e.contractor_b, count(*) from ${TO_SETTLE} group by 1, 2, 3, 4, 5`,
  badges: `select o.permit_id, count(distinct o.other_id) filter (where c.severity = 'red'), count(distinct o.other_id)
    from clash c cross join lateral (values (c.a_id, c.b_id), (c.b_id, c.a_id)) o (permit_id, other_id)
    where c.site_id = $1 and c.a ->> 'kind' = 'permit' and c.b ->> 'kind' = 'permit' and (c.to_at is null or c.to_at > now()) group by 1`,
}

/** Builds both sites and measures the larger one. */
export async function clashScaleBench(bench: Bench): Promise<ClashScaleBench> {
  const { house } = bench.house
  const client = await loneClient({ ...bench.connection, database: bench.database })
  const sites = []
  for (const scale of [0.5, 1]) {
    const w = await bench.house.world({ name: `Clashes ${scale}` })
    const [contractor] = (await w.as('member').get(`/contractors/?site_id=${w.site_id}`)).body
    const { gang } = await fill(client, w, contractor.id, scale)
    await relayEvents(house)
    await rebuild(house, w.site_id)
    sites.push({ w, gang, again: [] as number[] })
  }
  for (let n = 0; n < 5; n++) for (const { w, again } of sites) again.push(await took(() => rebuild(house, w.site_id)))
  const [half, whole] = sites
  if (half === undefined || whole === undefined) throw new Error('There are no sites.')
  const rebuild_ms = median(whole.again)
  const { w, gang } = whole
  const { site_id } = w
  await age(client, site_id)
  const get = async (path: string) => {
    const { status, body, text } = await w.as('coordinator').get(path)
    if (status !== 200) throw new Error(`GET ${path} responded with ${status} ${text}`)
    return body
  }
  const side = Math.ceil(Math.sqrt(PERMITS))
  const edits = { all: [] as number[], worker: [] as number[] }
  const paths = {
    badges: `/permits/applications/clash-badges?site_id=${site_id}`,
    board: `/permits?site_id=${site_id}&reasons=false&limit=50`,
    list: `/clashes/unresolved?site_id=${site_id}`,
    page: `/clashes/unresolved?site_id=${site_id}&limit=50`,
    summary: `/clashes/unresolved/summary?site_id=${site_id}`,
  }
  const reads = new Map<string, number[]>()
  const read = async (name: string, path: string) => {
    const ms = await took(() => get(path))
    reads.set(name, [...(reads.get(name) ?? []), ms])
  }
  for (let n = 0; n < EDITS; n++) {
    // One in ten pairs is there today; the second of the pair is where its place says.
    const next = 20 + ((n * 140) % (PERMITS - 20))
    const [lon, lat] = pointAt((next % side) * APART_M + 4, Math.floor(next / side) * APART_M)
    const began = performance.now()
    const moved = await w.as('coordinator').patch(`/workers/${gang}`, { place: { point: { lon, lat } } })
    if (moved.status !== 200) throw new Error(moved.text)
    edits.worker.push(await took(() => relayEvents(house, site_id)))
    const found = await get(`/clashes?site_id=${site_id}&side=worker:${gang}&limit=5`)
    if (found.length === 0) throw new Error('A clash is missing.')
    edits.all.push(performance.now() - began)
    for (const [name, path] of Object.entries(paths)) for (const when of ['changed', 'same']) await read(`${name} ${when}`, path)
    for (const [name, text] of Object.entries(BARE)) {
      const ms = await took(() => client.query({ name, text, values: [site_id] }))
      reads.set(`${name} sql`, [...(reads.get(`${name} sql`) ?? []), ms])
    }
  }
  const badges = await get(paths.badges)
  const { rows } = await client.query('select count(*)::int as n from clash where site_id = $1 and to_at > now()', [site_id])
  const open = await client.query("select count(*)::int as n from clash_episode where site_id = $1 and status = 'open'", [site_id])
  await client.end()
  const of = (name: string) => median(reads.get(name) ?? [])
  return {
    clashes: rows[0].n,
    growth: rebuild_ms / median(half.again),
    rebuild_ms,
    edit: { p50_ms: median(edits.all), p95_ms: percentile(edits.all, 0.95), worker_p50_ms: median(edits.worker) },
    badges: { changed_ms: of('badges changed'), same_ms: of('badges same'), sql_ms: of('badges sql'), permits: badges.length },
    board: { changed_ms: of('board changed'), same_ms: of('board same') },
    unresolved: {
      ...{ list_ms: of('list same'), page_ms: of('page same'), page_sql_ms: of('page sql') },
      ...{ summary_ms: of('summary same'), summary_sql_ms: of('summary sql'), open: open.rows[0].n },
    },
  }
}
