// P1b: every filter of the board, the search and the counts on a site with a million permits, each compared with the same request on one with a hundred
// thousand. One caller at a time, because it is about what the database reads, which other callers would hide.
import { STATUSES } from '../server/rooms/permits/kit/domain/facts.ts'
import type { Caller, World } from '../tests/world.ts'
import { type Bench, inTurns } from './kit.ts'
import { fullSite } from './p1-board.ts'
import { recording, type Sent } from './record.ts'

/** One request on both sites: medians in milliseconds, and how the database finds the rows of the large one. */
export type SizedRequest = {
  who: string
  filter: string
  small_ms: number
  large_ms: number
  ratio: number
  rows: number
  plan: string
  read: number
}

/** The whole comparison; `page_ms` is the board page of P1 on the small site. */
export type SizeBench = { small: number; large: number; page_ms: number; requests: SizedRequest[] }

const DAY = 86_400_000
/** The callers. The newcomer is a member whose contractor has no permit yet, and therefore sees none. */
const PEOPLE = ['coordinator', 'member', 'viewer', 'newcomer'] as const

type Ids = { contractor: string; person: string; permit: string; building: string; zone: string }

/** The filters of the board: each one alone, and some that are often used together. */
function filters(ids: Ids): Record<string, string> {
  const now = Date.now()
  const at = (days: number) => encodeURIComponent(new Date(now + days * DAY).toISOString())
  return {
    '(none)': '',
    ...Object.fromEntries(STATUSES.map(status => [`status=${status}`, `&status=${status}`])),
    'status, four at once': '&status=requested&status=endorsed&status=approved&status=issued',
    category: '&category=HW',
    'category, two at once': '&category=HW&category=GEN',
    'category, unknown': '&category=NONE',
    contractor: `&contractor_id=${ids.contractor}`,
    'contractor, status': `&contractor_id=${ids.contractor}&status=issued`,
    'source=imported': '&source=imported',
    'source=requested': '&source=requested',
    requestor: `&requestor_id=${ids.person}`,
    receiver: `&receiver_id=${ids.person}`,
    parent: `&parent_id=${ids.permit}`,
    id: `&id=${ids.permit}`,
    building: `&building_id=${ids.building}`,
    zone: `&zone_id=${ids.zone}`,
    bbox: '&bbox=-0.1,51.4,0.1,51.6',
    'soon=true': '&soon=true',
    'soon=false': '&soon=false',
    'awaiting_countersign=true': '&awaiting_countersign=true',
    'handed_back=true': '&handed_back=true',
    'from=now': `&from=${at(0)}`,
    'from=far future': `&from=${at(900)}`,
    'to=distant past': `&to=${at(-900)}`,
    'from and to, one day': `&from=${at(-40)}&to=${at(-39)}`,
    'updated_since=now': `&updated_since=${at(0)}`,
    'q, common': '&q=core+drilling',
    'q, rare': '&q=B-0004321',
    'q, nothing': '&q=zebra+crossing',
    'q, two letters': '&q=zx',
  }
}

/** The numbers over the board, which the app asks for together. */
const COUNTS = 'counts over the board'

/** Compares the requests on a small and a large site, with these numbers of permits. */
export async function sizeBench(
  bench: Bench,
  small = 100_000,
  large = 1_000_000,
  runs = 5,
  tell: (one: SizedRequest) => void = () => {},
): Promise<SizeBench> {
  const sites = [await fullSite(bench, small), await fullSite(bench, large)] as const
  const filtersOf = await Promise.all(sites.map(async w => filters(await idsOf(bench, w))))
  const newcomers = await Promise.all(sites.map(async w => w.join('member', await w.contractor('Newcomers Ltd'))))
  const requests: SizedRequest[] = []
  let page_ms = 0
  for (const role of PEOPLE) {
    for (const filter of [...Object.keys(filtersOf[0] ?? {}), COUNTS]) {
      const asks = sites.map((w, i) => ({
        who: role === 'newcomer' ? (newcomers[i] ?? w.superadmin) : w.as(role),
        path:
          filter === COUNTS
            ? `/permits/counts?site_id=${w.site_id}`
            : `/permits?site_id=${w.site_id}&reasons=false&limit=50${filtersOf[i]?.[filter]}`,
      }))
      const [small_ms = 0, large_ms = 0] = await alternating(asks, runs)
      const [, big] = asks
      if (big === undefined) continue
      if (role === 'coordinator' && filter === '(none)') page_ms = small_ms
      const { plan, read } = filter === COUNTS ? { plan: '', read: 0 } : await planOf(bench, big.who, big.path)
      const { body } = await big.who.get(big.path)
      const rows = Array.isArray(body) ? body.length : 1
      const one = { who: role, filter, small_ms, large_ms, ratio: large_ms / Math.max(small_ms, page_ms), rows, plan, read }
      requests.push(one)
      tell(one)
    }
  }
  return { small, large, page_ms, requests }
}

/** Medians of requests, each made in turn with the others. */
const alternating = (asks: readonly { who: Caller; path: string }[], runs: number): Promise<number[]> =>
  inTurns(
    asks.map(({ who, path }) => async () => {
      const { status, text } = await who.get(path)
      if (status !== 200) throw new Error(`${path} responded with ${status} ${text.slice(0, 300)}`)
    }),
    runs,
  )

/** Returns ids of a site for the filters; the building and the zone don't exist. */
async function idsOf(bench: Bench, w: World): Promise<Ids> {
  const { rows } = await bench.house.house.database.pool.query(
    `select (select id from contractor where site_id = $1 order by name limit 1) as contractor, id as permit, requestor_id as person, gen_random_uuid() as building, gen_random_uuid() as zone
     from permit where site_id = $1 order by permit_number limit 1`,
    [w.site_id],
  )
  return rows[0]
}

type Node = {
  'Node Type': string
  Alias?: string
  'Subplan Name'?: string
  'Index Name'?: string
  Plans?: Node[]
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
}

/** How the database finds the page and its count, and the rows that it reads for both; what surrounds the rows of the page is left out. */
async function planOf(bench: Bench, who: Caller, path: string): Promise<{ plan: string; read: number }> {
  const list = (await recording(() => who.get(path))).find(({ text }) => /with page as materialized/.test(text))
  if (list === undefined) throw new Error(`No page query was recorded for ${path}.`)
  const { page, count } = scansOf(await explained(bench, list))
  const names = (scans: readonly Scan[]) => [...new Set(scans.map(scan => scan.name))].join(' + ')
  const read = [...page, ...count].reduce((sum, scan) => sum + scan.read, 0)
  return { plan: `${names(page)}${count.length === 0 ? '' : ` | count: ${names(count)}`}`, read }
}

async function explained(bench: Bench, { text, values }: Sent): Promise<Node> {
  const { rows } = await bench.house.house.database.pool.query(`explain (analyze, format json, timing off) ${text}`, values)
  return rows[0]['QUERY PLAN'][0].Plan
}

type Scan = { name: string; read: number }

/** The scans of the list itself: in the statement, its tables are called p, w, b and v. */
function scansOf(root: Node): { page: Scan[]; count: Scan[] } {
  const found: { page: Scan[]; count: Scan[] } = { page: [], count: [] }
  const walk = (node: Node, of: 'page' | 'count', ours: boolean) => {
    const inside = node['Subplan Name'] === 'CTE page' ? 'page' : of
    const own = /^[pwbv](_\d+)?$/.test(node.Alias ?? '') && node['Node Type'] !== 'CTE Scan'
    const bitmap = node['Node Type'] === 'Bitmap Index Scan' && ours
    if ((own || bitmap) && node['Actual Loops'] > 0) {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      const read = bitmap ? 0 : Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
      found[inside].push({ name: node['Index Name'] ?? node['Node Type'].toLowerCase(), read })
    }
    for (const inner of node.Plans ?? []) walk(inner, inside, own || bitmap || (ours && /^Bitmap(Or|And)$/.test(node['Node Type'])))
  }
  walk(root, 'count', false)
  return found
}
