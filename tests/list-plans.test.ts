// The plan of every list: each table that grows with a site is read along an index, by a condition of it. The sizes at which plans were read are in
// docs/decisions/772; here the database may not scan a table, so that a list for which no index exists is found however few rows there are.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { recording, type Sent } from '../bench/record.ts'
import { type Db, passThrough } from '../server/base/db.ts'
import { namesSite, type Route } from '../server/base/http.ts'
import { loose } from '../server/base/schema.ts'
import { routes } from '../server/groups.ts'
import { fieldsIn, itemsIn, textIn } from '../shared/narrow.ts'
import { altered } from './altered.ts'
import type { Tour } from './calls.ts'
import { asked, CASES } from './cases.ts'
import { paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type TestHouse, useHouse } from './world.ts'

/** Lists are the reads that have pages, and what was there at an instant, which has none. */
const isAtTime = (route: Route): boolean => route.path.endsWith('/at-time')
/** A list that asks another service, and one that only a link or a listed site opens. */
const UNREADABLE = ['site.geocode', 'contractor.list_public']
const isList = (route: Route): boolean =>
  !UNREADABLE.includes(route.name) && route.method === 'GET' && (loose(route.query).properties?.limit !== undefined || isAtTime(route))

/** Returns the nodes of a plan, from the top down. */
function nodesOf(plan: unknown): Record<string, unknown>[] {
  const node = fieldsIn(plan)
  return [node, ...itemsIn(node.Plans).flatMap(nodesOf)]
}

/** Tables that a list may read whole, in its order: an installation has few sites compared with what is on them. */
const IN_ORDER = ['site']

const SCANS = ['Index Scan', 'Index Only Scan', 'Bitmap Index Scan']

/** Returns the indexes that a plan reads from one end to the other. */
const wholeIndexes = (nodes: readonly Record<string, unknown>[]): string[] =>
  nodes
    .filter(node => SCANS.includes(textIn(node['Node Type'])) && node['Index Cond'] === undefined)
    .map(node => textIn(node['Index Name']))

/** Returns the tables that each of these statements reads without a condition that an index can answer. */
async function unindexed(house: TestHouse, reads: readonly Sent[], growing: ReadonlySet<string>): Promise<string[][]> {
  const found = await altered(house.house, ['select 1'], async db => {
    await passThrough(db, 'set local enable_seqscan = off')
    // With a few rows every plan costs the same, so the planner believes that each of these tables has millions.
    await passThrough(
      db,
      `update pg_class c set reltuples = 5000000, relpages = 1 from pg_class t
         where t.relname = any($1::text[]) and (c.oid = t.oid or c.oid in (select i.indexrelid from pg_index i where i.indrelid = t.oid))`,
      [[...growing]],
    )
    const all: string[][] = []
    for (const read of reads) {
      await passThrough(db, 'savepoint before')
      all.push(await scannedBy(db, read, growing))
      await passThrough(db, 'rollback to savepoint before')
    }
    return all
  })
  assert.ok(found, 'the plans can’t be read')
  return found
}

async function scannedBy(db: Db, { text, values }: Sent, growing: ReadonlySet<string>): Promise<string[]> {
  const planned = async () => {
    const { rows } = await passThrough(db, `explain (format json, costs off) ${text}`, values)
    return nodesOf(fieldsIn(itemsIn(rows[0]?.['QUERY PLAN'])[0]).Plan)
  }
  // Where rows are few, a whole index may look as cheap as a part of one: such an index is hidden, and the planner asked again.
  let nodes = await planned()
  let rounds = 0
  for (let whole = wholeIndexes(nodes); whole.length > 0; whole = wholeIndexes(nodes)) {
    assert.ok(++rounds < 20, `${whole.join(', ')} can’t be hidden`)
    await passThrough(db, 'update pg_index set indisvalid = false where indexrelid = any($1::regclass[])', [whole])
    nodes = await planned()
  }
  const scanned = nodes.filter(node => node['Node Type'] === 'Seq Scan').map(node => textIn(node['Relation Name']))
  return scanned.filter(table => growing.has(table))
}

/** What a list sends to the database for one page, by the first of these people who can read it. */
type Read = { path: string; status: number; reads: Sent[] }

async function readOf(t: Tour, route: Route): Promise<Read> {
  const page = [CASES.get(route.name)?.query ?? [], isAtTime(route) ? [] : 'limit=2'].flat().join('&')
  const path = `${pathOf(route, paramsOf(route, t.params))}?${page}${namesSite(route.query) ? `&site_id=${t.site_id}` : ''}`
  let read: Read = { path, status: 0, reads: [] }
  for (const by of [t.as('hse'), t.as('admin'), t.superadmin]) {
    let status = 0
    const sent = await recording(async () => {
      status = (await by.get(path)).status
    })
    read = { path, status, reads: sent.filter(({ text }) => /^\s*(?:\/\*.*?\*\/\s*)?(?:select|with)\b/i.test(text)) }
    if (status === 200) break
  }
  return read
}

describe('the plan of each list', () => {
  const house = useHouse({}, { prepared: toured })
  const lists = routes.filter(isList)
  let growing: Set<string>
  let site_id: string
  const sent = new Map<string, Read>()
  /** What was found for each statement: those that find the person and the site are the same in every list. */
  const scans = new Map<string, string[]>()
  before(async () => {
    const t = await tour(house)
    site_id = t.site_id
    const tables = await house.rows(
      "select table_name::text as name from information_schema.columns where column_name = 'site_id' and table_schema = 'public'",
    )
    growing = new Set(tables.map(({ name }: { name: string }) => name).filter((name: string) => !IN_ORDER.includes(name)))
    for (const route of lists.filter(asked)) sent.set(route.name, await readOf(t, route))
    // All in one transaction: what the planner believes about hundreds of tables and indexes is written once, and each connection reads it again once.
    const distinct = [...new Map([...sent.values()].flatMap(({ reads }) => reads).map(read => [read.text, read])).values()]
    const found = await unindexed(house, distinct, growing)
    for (const [i, { text }] of distinct.entries()) scans.set(text, found[i] ?? [])
  })

  test('11.4 there are many lists, and many tables that grow with a site', () => {
    assert.ok(lists.length > 15, `${lists.length} lists`)
    assert.ok(growing.size > 30, `${growing.size} tables`)
  })

  for (const { name } of lists.filter(asked)) {
    test(`11.4 ${name} reads along an index`, () => {
      const { path, status, reads } = sent.get(name) ?? assert.fail(name)
      assert.equal(status, 200, path)
      assert.ok(reads.length > 0)
      for (const { text } of reads) assert.deepEqual(scans.get(text), [], text.replace(/\s+/g, ' ').slice(0, 600))
    })
  }

  test('map.md Scale: the map of now doesn’t scan what is over, however many versions its zones had', async () => {
    const read =
      sent.get('reference_feature.list_at_time')?.reads.find(({ text }) => text.includes('from reference_feature_version')) ?? assert.fail()
    const stamps = '1, now() as created_at, null::uuid as created_by, now() as updated_at, null::uuid as updated_by'
    const versions = 10
    const plan = await altered(
      house.house,
      [
        `insert into reference_feature (site_id, id, version, created_at, created_by, updated_at, updated_by, kind, name, last_number)
         select s.id, gen_random_uuid(), ${stamps}, 'zone', 'Old zone', s.versions
         from (values ('${site_id}'::uuid, ${versions}), (gen_random_uuid(), 1)) s (id, versions), generate_series(1, 1000) returning 1`,
        `insert into reference_feature_version (site_id, id, version, created_at, created_by, updated_at, updated_by, feature_id, number, kind, valid_from, valid_to,
           shown_from, shown_to, shown_number, name, outline, geometry, bounds, area_m2, centre_lon, centre_lat, digest)
         select f.site_id, gen_random_uuid(), ${stamps}, f.id, v, 'zone', at.starts, at.ends, at.starts, at.ends, v, f.name, outline, outline, box(point(0, 0), point(1, 1)), 64, 0, 0, ''
         from reference_feature f, generate_series(1, f.last_number) v, to_jsonb(repeat('0', 500)) outline,
           lateral (select timestamptz '2024-01-01' + v * interval '30 days' as starts, case when v < f.last_number then timestamptz '2024-01-31' + v * interval '30 days' end as ends) at
         where f.name = 'Old zone' returning 1`,
      ],
      async db => {
        for (const table of ['reference_feature', 'reference_feature_version']) await passThrough(db, `analyze ${table}`)
        const { rows } = await passThrough(db, `explain (format json, costs off) ${read.text}`, read.values)
        return nodesOf(fieldsIn(itemsIn(rows[0]?.['QUERY PLAN'])[0]).Plan)
      },
    )
    const scanned = plan?.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
    assert.equal(scanned?.includes('reference_feature_version'), false, `${scanned}`)
  })
})
