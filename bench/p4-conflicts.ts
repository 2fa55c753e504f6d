// P4: conflicts among live permits with polygons, windows and the matrix, compared in the same run with the same join in PostGIS; where PostGIS isn't installed,
// with JSTS and its STRtree. The result sets must be the same.
import Envelope from 'jsts/org/locationtech/jts/geom/Envelope.js'
import STRtree from 'jsts/org/locationtech/jts/index/strtree/STRtree.js'
import DistanceOp from 'jsts/org/locationtech/jts/operation/distance/DistanceOp.js'
import { compileRules } from '../shared/conflicts/compile.ts'
import { resolved } from '../shared/conflicts/matrix.ts'
import { timeline } from '../shared/conflicts/places.ts'
import { isMatrix, mostLevels, weightOf } from '../shared/conflicts/rules.ts'
import type { Ground, Side, SiteFacts } from '../shared/conflicts/sides.ts'
import { STANDARD_TYPES } from '../shared/conflicts/standard.ts'
import { indexOf, sweep, sweepOne } from '../shared/conflicts/sweep.ts'
import { instant } from '../shared/time.ts'
import { type Chance, chance } from '../tests/chance.ts'
import { jtsOf, layoutOf, projectionAt } from '../tests/layouts.ts'
import { box, NOW, permit, point, SITE, standard, stretch } from '../tests/sides.ts'
import { median, percentile } from './kit.ts'
import { openPostGis, type PostGis } from './postgis.ts'

const PERMITS = 5000
const EVER = { from: -Infinity, to: Infinity }
const LAYOUTS = 10_000

/** What was measured, in milliseconds. `same`: whether the peer found the same pairs with the same outcomes. */
export type ConflictBench = {
  sizes: { permits: number; compared: number; clashes: number; index_ms: number; sweep_ms: number; per_n_log_n: number }[]
  /** Permits whose windows are spread over two weeks, as they are on a board. */
  spread: { clashes: number; sweep_ms: number }
  one_ms: number
  one_p95_ms: number
  peer: string
  peer_ms: number
  peer_one_ms: number | null
  ratio: number
  same: boolean
  /** Random layouts compared with PostGIS: how many pairs, how many that differ, and the largest difference of a distance. */
  layouts: { layouts: number; pairs: number; close: number; different: number; worst_m: number } | null
}

const MATRIX = standard('permit_proximity')

/** Makes permits, one in each 20 m × 20 m of the site on average, on six levels. Their windows start within 12 hours of now, or within these hours from now. */
function livePermits(count: number, at: Chance, hours?: number): Side[] {
  const span = Math.sqrt(count) * 20
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [at.next() * span - span / 2, at.next() * span - span / 2]
    const ground = at.odds(0.2) ? point(x, y) : box(x, y, 2 + at.next() * 10, 2 + at.next() * 10)
    const from = hours === undefined ? -12 + at.below(240) / 10 : at.below(hours)
    const types = [...new Set([at.of(STANDARD_TYPES), ...(at.odds(0.3) ? [at.of(STANDARD_TYPES)] : [])])]
    return permit(`p${i}`, types, [stretch(ground, from, from + 4 + at.below(20), at.odds(0.1) ? null : at.below(6))])
  })
}

const timed = (times: number, work: (n: number) => unknown): number[] => {
  const all: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    work(n)
    all.push(performance.now() - began)
  }
  return all
}

type Pair = { weight: number; distance_m: number }

/** Returns the worst outcome and the least distance of each pair, whatever the number of its clashes. */
function pairsOf(sides: readonly Side[], site: SiteFacts = SITE): Map<string, Pair> {
  const pairs = new Map<string, Pair>()
  for (const { a, b, severity, distance_m } of sweep(indexOf(sides, [MATRIX], site), EVER, NOW)) {
    const key = [a.id, b.id].sort().join(' ')
    const known = pairs.get(key) ?? { weight: 0, distance_m: Infinity }
    pairs.set(key, { weight: Math.max(known.weight, weightOf(severity)), distance_m: Math.min(known.distance_m, distance_m) })
  }
  return pairs
}

/** Measures. */
export async function conflictBench(): Promise<ConflictBench> {
  const rules = compileRules([MATRIX])
  const sides = livePermits(PERMITS, chance(4))
  const sizes = [1000, PERMITS, 50_000].map(permits => {
    const some = permits === PERMITS ? sides : livePermits(permits, chance(4))
    const began = performance.now()
    const index = indexOf(some, rules, SITE)
    const index_ms = performance.now() - began
    let [clashes, compared] = [0, 0]
    timeline(
      [...index.sides.values()].flatMap(side => side.pieces),
      rules,
      () => {
        compared++
      },
    )
    const sweeps = timed(permits > PERMITS ? 7 : 40, () => {
      clashes = sweep(index, EVER, NOW).length
    })
    const sweep_ms = median(sweeps)
    return { permits, compared, clashes, index_ms, sweep_ms, per_n_log_n: (sweep_ms * 1e6) / (permits * Math.log2(permits)) }
  })
  const board = indexOf(livePermits(PERMITS, chance(4), 14 * 24), rules, SITE)
  const spread = { clashes: sweep(board, EVER, NOW).length, sweep_ms: median(timed(100, () => sweep(board, EVER, NOW))) }
  const index = indexOf(sides, rules, SITE)
  const ones = timed(2000, n => {
    const one = sides[(n * 37) % PERMITS]
    if (one === undefined) return
    index.put(one)
    sweepOne(index, one.id, EVER, NOW)
  })
  const own = pairsOf(sides)
  const postgis = await openPostGis()
  const peer = postgis === null ? jtsPeer(sides) : await postGisPeer(postgis, sides)
  const layouts = postgis === null ? null : await layoutsIn(postgis)
  await postgis?.close()
  const same = own.size === peer.pairs.size && [...own].every(([key, { weight }]) => peer.pairs.get(key) === weight)
  const sweep_ms = sizes.find(one => one.permits === PERMITS)?.sweep_ms ?? 1
  return {
    sizes,
    spread,
    one_ms: median(ones),
    one_p95_ms: percentile(ones, 0.95),
    peer: postgis === null ? 'JSTS with an STRtree (PostGIS isn’t installed)' : `PostGIS ${postgis.version}`,
    peer_ms: peer.ms,
    peer_one_ms: peer.one_ms,
    ratio: peer.ms / sweep_ms,
    same,
    layouts,
  }
}

type Peer = { pairs: Map<string, number>; ms: number; one_ms: number | null }

const wkt = (ground: Ground, forward: (at: number[]) => number[]): string => {
  const corner = (at: readonly number[]) => forward([...at]).join(' ')
  const rings = (list: number[][][]) => `(${list.map(ring => `(${ring.map(corner).join(', ')})`).join(', ')})`
  if (ground.type === 'Point' || ground.type === 'Disc') return `POINT(${corner(ground.coordinates)})`
  return ground.type === 'Polygon' ? `POLYGON${rings(ground.coordinates)}` : `MULTIPOLYGON(${ground.coordinates.map(rings).join(', ')})`
}

/** The join: pieces of two permits that are there at one time, near enough for a cell of their types, on its levels; for each pair the worst outcome. */
const JOIN = `
  select least(a.id, b.id) as one, greatest(a.id, b.id) as two, max(c.weight) as weight, min(st_distance(a.g, b.g) - a.radius - b.radius) as distance
  from permit_place a join permit_place b on b.layout = a.layout and st_dwithin(a.g, b.g, 50 + $1) and a.during && b.during
  join cell c on c.x = any(a.types) and c.y = any(b.types)
    and greatest(a.low - b.high, b.low - a.high, 0) <= c.levels and st_distance(a.g, b.g) - a.radius - b.radius <= c.distance_m
  where PAIRS and a.id <> b.id group by 1, 2`
const ALL = JOIN.replace('PAIRS', 'a.id < b.id')

async function fill(
  { client }: PostGis,
  permits: readonly { layout: number; id: string; side: Side; project: (at: number[]) => number[] }[],
) {
  await client.query('drop table if exists permit_place; drop table if exists cell')
  await client.query(`create table permit_place (layout integer, id text, g geometry, radius float8, during tstzrange, low float8, high float8, types text[]);
    create table cell (x text, y text, weight integer, distance_m float8, levels float8)`)
  const rows = permits.flatMap(({ layout, id, side, project }) =>
    side.footprint.map(part => ({
      layout,
      id,
      g: wkt(part.ground, project),
      radius: part.ground.type === 'Disc' ? part.ground.radius_m : 0,
      from_at: instant(part.from),
      to_at: instant(part.to),
      low: part.levels?.from ?? null,
      high: part.levels?.to ?? null,
      types: side.facts.permit_types,
    })),
  )
  for (let i = 0; i < rows.length; i += 5000)
    await client.query(
      `insert into permit_place select layout, id, st_geomfromtext(g), radius, tstzrange(from_at, to_at), coalesce(low, '-Infinity'), coalesce(high, 'Infinity'), types
       from jsonb_to_recordset($1) as r(layout integer, id text, g text, radius float8, from_at timestamptz, to_at timestamptz, low float8, high float8, types text[])`,
      [JSON.stringify(rows.slice(i, i + 5000))],
    )
  await client.query('create index on permit_place using gist (g); create index on permit_place (layout, id); analyze permit_place')
  const { outcome, levels } = MATRIX
  if (!isMatrix(outcome)) return
  const codes = [...STANDARD_TYPES, 'NEW']
  const cells = codes.flatMap(x =>
    codes.flatMap(y => {
      const cell = resolved(outcome.cells, x, y, { default_distance_m: outcome.default_distance_m, levels })
      const most = mostLevels(cell.levels)
      return cell.outcome === 'off'
        ? []
        : [{ x, y, weight: weightOf(cell.outcome), distance_m: cell.distance_m, levels: Math.min(most, 1e9) }]
    }),
  )
  await client.query(
    'insert into cell select * from jsonb_to_recordset($1) as r(x text, y text, weight integer, distance_m float8, levels float8)',
    [JSON.stringify(cells)],
  )
  await client.query('analyze cell')
}

type Found = { one: string; two: string; weight: number; distance: number }

async function postGisPeer(postgis: PostGis, sides: readonly Side[]): Promise<Peer> {
  const { forward } = projectionAt(SITE.centre)
  await fill(
    postgis,
    sides.map(side => ({ layout: 0, id: side.id, side, project: forward })),
  )
  const run = async (text: string, values: unknown[]) => {
    const began = performance.now()
    const { rows } = await postgis.client.query<Found>(text, values)
    return { rows, ms: performance.now() - began }
  }
  const all = []
  for (let n = 0; n < 5; n++) all.push(await run(ALL, [0]))
  const ones = []
  for (let n = 0; n < 50; n++) ones.push(await run(JOIN.replace('PAIRS', 'a.id = $2'), [0, `p${n * 37}`]))
  return {
    pairs: new Map(all[0]?.rows.map(row => [[row.one, row.two].sort().join(' '), row.weight])),
    ms: median(all.map(one => one.ms)),
    one_ms: median(ones.map(one => one.ms)),
  }
}

/** Compares random layouts: with discs, holes, several parts, several stretches, and unknown and several levels. */
async function layoutsIn(postgis: PostGis): Promise<NonNullable<ConflictBench['layouts']>> {
  const at = chance(41)
  const all = Array.from({ length: LAYOUTS }, () => layoutOf(at, 6 + at.below(8)))
  const named = (layout: number, id: string) => `${layout}/${id}`
  await fill(
    postgis,
    all.flatMap(({ sides, projection }, layout) =>
      sides
        .filter(side => side.kind === 'permit')
        .map(side => ({ layout, id: named(layout, side.id), side, project: (at: number[]) => projection.forward(at) })),
    ),
  )
  // The largest radii of two discs together are 20 m.
  const { rows } = await postgis.client.query<Found>(ALL, [20])
  const peers = new Map(rows.map(row => [[row.one, row.two].sort().join(' '), row]))
  const result = { layouts: LAYOUTS, pairs: peers.size, close: 0, different: 0, worst_m: 0 }
  const met = new Set<string>()
  for (const [layout, { site, sides }] of all.entries())
    for (const [key, { weight, distance_m }] of pairsOf(
      sides
        .filter(side => side.kind === 'permit')
        .map(side => ({ ...side, id: named(layout, side.id), lineage_id: named(layout, side.id) })),
      site,
    )) {
      const peer = peers.get(key)
      met.add(key)
      // A distance within 2 mm of a limit can be on either side of it.
      const isClose = [10, 20, 30, 50].some(limit => Math.abs(distance_m - limit) < 0.002)
      if (isClose) result.close++
      else if (peer === undefined || peer.weight !== weight) result.different++
      else result.worst_m = Math.max(result.worst_m, Math.abs(Math.max(0, peer.distance) - distance_m))
    }
  for (const [key, { distance }] of peers)
    if (!met.has(key) && ![10, 20, 30, 50].some(limit => Math.abs(distance - limit) < 0.002)) result.different++
  return result
}

/** The same join with JSTS: candidates from an STRtree, then times, levels and the distance. */
function jtsPeer(sides: readonly Side[]): Peer {
  const projection = projectionAt(SITE.centre)
  const { outcome, levels } = MATRIX
  if (!isMatrix(outcome)) throw new Error('The rule between permits has no matrix.')
  const { cells, default_distance_m } = outcome
  const items = sides.flatMap(side =>
    side.footprint.map(part => {
      const { shape } = jtsOf(part.ground, projection)
      const corners =
        part.ground.type === 'Polygon'
          ? part.ground.coordinates.flat()
          : part.ground.type === 'MultiPolygon'
            ? part.ground.coordinates.flat(2)
            : [part.ground.coordinates]
      const metres = corners.map(corner => projection.forward([...corner]))
      const [xs, ys] = [metres.map(([x = 0]) => x), metres.map(([, y = 0]) => y)]
      return { side, part, shape, west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) }
    }),
  )
  const tree = new STRtree()
  for (const [i, { west, east, south, north }] of items.entries()) tree.insert(new Envelope(west, east, south, north), i)
  const pairs = new Map<string, number>()
  const began = performance.now()
  for (const [i, a] of items.entries())
    for (const found of tree.query(new Envelope(a.west - 50, a.east + 50, a.south - 50, a.north + 50)).toArray()) {
      const b = typeof found === 'number' && found > i ? items[found] : undefined
      if (b === undefined || a.part.from >= b.part.to || b.part.from >= a.part.to) continue
      const [p, q] = [a.part.levels, b.part.levels]
      const gap = p === null || q === null ? 0 : Math.max(p.from - q.to, q.from - p.to, 0)
      let distance: number | null = null
      for (const x of a.side.facts.permit_types)
        for (const y of b.side.facts.permit_types) {
          const cell = resolved(cells, x, y, { default_distance_m, levels })
          if (cell.outcome === 'off' || gap > mostLevels(cell.levels)) continue
          distance ??= DistanceOp.distance(a.shape, b.shape)
          const key = [a.side.id, b.side.id].sort().join(' ')
          if (distance <= cell.distance_m) pairs.set(key, Math.max(pairs.get(key) ?? 0, weightOf(cell.outcome)))
        }
    }
  return { pairs, ms: performance.now() - began, one_ms: null }
}
