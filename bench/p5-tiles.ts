// P5: vector tiles of a site with 5,000 tokens and 3,000 polygons that are there now, and many more that are over. Compared in the same run with PostGIS
// (ST_AsMVT), with tileserver-gl-light, and with the libraries of map clients that cut GeoJSON into tiles.
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { worldOf } from '../shared/geometry/mercator.ts'
import { longestTurn } from '../tests/books.ts'
import type { World } from '../tests/world.ts'
import { insertGangs, nowOrOver } from './fill.ts'
import { type Bench, median, percentile, timed } from './kit.ts'
import { ACCEPTED, load, openClient, opened } from './load.ts'
import { openPostgisPeer, openTileserver } from './p5-peers.ts'

/** What a site with this many rows that are over has taken, in milliseconds. */
export type TileSite = {
  dead: number
  query_ms: number
  /** The first tile of a place, of which nothing is remembered; one that nobody has asked for yet, of a place that is remembered; and one after a change of a token. */
  first_ms: number
  first_p95_ms: number
  cold_ms: number
  cold_p95_ms: number
  changed_ms: number
  changed_p95_ms: number
  warm_ms: number
  unchanged_ms: number
  edit_ms: number
}
/** The whole measurement. `ratio`: times of the larger site by those of the smaller one, for the database alone. */
export type TileBench = {
  sites: TileSite[]
  ratio: number
  peer_ms: number
  peer_ratio: number
  /**
   * PostGIS with as many rows as the smaller site, in turns with our tiles of that site; null where it isn't installed.
   * Ratio: the median of its times by ours, turn by turn, because the machine may be busy with other work for a part of the time.
   */
  postgis_ms: number | null
  postgis_ratio: number
  /** The same ratio for the first tile of a place, and for a tile after a change. */
  postgis_first_ratio: number
  postgis_changed_ratio: number
  /** Tiles a second over 16 connections, tileserver-gl-light's and our own kept ones, in turns. Ratio: ours by theirs. */
  tileserver_rate: number | null
  kept_rate: number
  tileserver_ratio: number
  /** Bytes of the largest tile before compression, and as it is sent. */
  largest: number
  largest_sent: number
  turn_ms: number
}

const CENTRE = { lon: -0.0877, lat: 51.5079 }
const ZOOM = 16
const LIVE = 5000
const POLYGONS = 3000
const ROUNDS = 3
/** Runs that aren’t counted: they compile the code and fill the caches, ours and those of PostGIS. */
const WARM_UP = 20
const LOAD = { connections: 16, seconds: 3 }

const counted = (times: readonly number[] = []): number[] => times.slice(WARM_UP)

/** SQL of the position of the token with this number. */
const spot = (n: string) =>
  `${CENTRE.lon} + ((${n} * 37) % 1000 - 500) * 0.000006 as lon, ${CENTRE.lat} + ((${n} * 91) % 1000 - 500) * 0.000003 as lat`

/** Fills a site in a few statements, without the history that each write has. */
async function fill(bench: Bench, w: World, dead: number): Promise<void> {
  const client = await bench.house.house.database.pool.connect()
  const record = `1, now(), null::uuid, now(), null::uuid`
  try {
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    await client.query(insertGangs({ count: LIVE + dead, spot: spot('n'), times: nowOrOver(LIVE) }), [w.site_id])
    await client.query(
      `insert into active_area (site_id, id, version, created_at, created_by, updated_at, updated_by, name, area_kind, exclusive, geometry, area_m2, version_number,
         start_at, end_at, place, place_source, lon, lat, bounds)
       select $1, gen_random_uuid(), ${record}, 'Area ' || n, 'work', false, shape, 100, 1,
         ${nowOrOver('$2')},
         jsonb_build_object('polygon', shape), 'none', lon, lat, box(point(lon - 0.0001, lat - 0.0001), point(lon + 0.0001, lat + 0.0001))
       from (select r.*, jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array((
           select jsonb_agg(jsonb_build_array(lon + 0.0001 * cos(radians(k * 30 + n)), lat + 0.00006 * sin(radians(k * 30 + n))) order by k) from generate_series(0, 12) k))) as shape
         from (select n, ${spot('n * 13')} from generate_series(1, $3::int) n) r) r`,
      [w.site_id, POLYGONS, POLYGONS + Math.round(dead / 10)],
    )
    await client.query('set session_replication_role = default')
    await client.query('vacuum (analyze) worker')
    await client.query('vacuum (analyze) active_area')
    await client.query('reset statement_timeout')
  } finally {
    client.release()
  }
}

/** Measures the tiles of sites with these numbers of rows that are over. */
export async function tileBench(bench: Bench, dead: readonly number[] = [30_000, 300_000], runs = 50): Promise<TileBench> {
  const [x = 0, y = 0] = worldOf(CENTRE).map(part => Math.floor(part * 2 ** ZOOM))
  const sites: TileSite[] = []
  let [largest, largest_sent, turn_ms] = [0, 0, 0]
  const name = { z: ZOOM, x, y }
  const [postgis_times, postgis_ratios, postgis_first, postgis_changed]: [number[], number[], number[], number[]] = [[], [], [], []]
  const [kept, tileserver_rates]: [number[], number[]] = [[], []]
  const postgis = await openPostgisPeer(name, spot, LIVE, dead[0] ?? 0)
  const fetchTile = openClient()
  for (const rows of dead) {
    const w = await bench.house.world()
    await fill(bench, w, rows)
    const headers = (tag?: string) => ({
      authorization: `Bearer ${w.as('viewer').token}`,
      'accept-encoding': ACCEPTED,
      ...(tag === undefined ? {} : { 'if-none-match': tag }),
    })
    const tilePath = (set: string, up = 0) => `/tiles/vector/${w.site_id}/${set}/${ZOOM - up}/${x >> up}/${y >> up}.mvt`
    const get = (set: string, tag?: string, up?: number) => fetchTile(`${bench.address}/api${tilePath(set, up)}`, headers(tag))
    const gang = {
      site_id: w.site_id,
      name: 'Edited',
      trade: 'Welder',
      place: { point: CENTRE },
      end_at: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const { id } = (await w.as('coordinator').post('/workers/', gang)).body
    const read = async (set: string, status: number, tag?: string, up?: number) => {
      const reply = await get(set, tag, up)
      if (reply.status !== status) throw new Error(`${reply.status} ${reply.bytes.toString()}`)
      return { bytes: reply.bytes, content: opened(reply), tag: reply.headers.etag ?? '', milliseconds: reply.milliseconds }
    }
    const [first, cold, changed_times, warm, unchanged, edits, queries]: number[][] = [[], [], [], [], [], [], []]
    const contractor = await w.contractor('Formwork Brothers Ltd')
    for (let run = 0; run < runs; run++) {
      // Each edit makes every tile of tokens a new one.
      const body = { headcount: (run % 20) + 1 }
      const changed = await w.as('coordinator').patch(`/workers/${id}`, body)
      if (changed.status !== 200) throw new Error(changed.text)
      const after = await longestTurn(() => read('tokens', 200))
      changed_times?.push(after.result.milliseconds)
      // The tile around it brings its place up to date, and nobody has asked for this one since the change.
      const moved = await w.as('coordinator').patch(`/workers/${id}`, { activity: `Change ${run}` })
      if (moved.status !== 200) throw new Error(moved.text)
      await read('tokens', 200, undefined, 1)
      const unasked = await longestTurn(() => read('tokens', 200))
      cold?.push(unasked.result.milliseconds)
      // A tile shows what contractors are called, so its place is read as a whole after this.
      const renamed = await w.as('admin').patch(`/contractors/${contractor}`, { short_name: `F${run}` })
      if (renamed.status !== 200) throw new Error(renamed.text)
      const whole = await longestTurn(() => read('tokens', 200))
      first?.push(whole.result.milliseconds)
      if (run >= WARM_UP) turn_ms = Math.max(turn_ms, after.milliseconds, unasked.milliseconds, whole.milliseconds)
      edits?.push(
        await timed(async () => {
          await w.as('coordinator').patch(`/workers/${id}`, { ...body, activity: `Edit ${run}` })
          await read('tokens', 200)
        }),
      )
      const { tag, bytes, content } = await read('tokens', 200)
      largest = Math.max(largest, content.length)
      largest_sent = Math.max(largest_sent, bytes.length)
      const times: number[] = []
      for (let again = 0; again < 5; again++) times.push((await read('tokens', 200)).milliseconds)
      warm?.push(median(times))
      if (sites.length === 0) {
        if (postgis !== null) {
          const peers = await postgis.time()
          postgis_times.push(peers)
          postgis_ratios.push(peers / unasked.result.milliseconds)
          postgis_first.push(peers / whole.result.milliseconds)
          postgis_changed.push(peers / after.result.milliseconds)
        }
      }
      unchanged?.push((await read('tokens', 304, tag)).milliseconds)
      queries?.push(
        await timed(() =>
          bench.house.house.database.pool.query(
            `select t.id, t.name, t.lon, t.lat from worker t where t.site_id = $1 and tstzrange(t.start_at, t.end_at) @> now() and t.deleted_at is null
               and t.bounds && box(point(${CENTRE.lon - 0.01}, ${CENTRE.lat - 0.01}), point(${CENTRE.lon + 0.01}, ${CENTRE.lat + 0.01})) order by t.start_at, t.id`,
            [w.site_id],
          ),
        ),
      )
    }
    const tileserver = sites.length > 0 ? null : await openTileserver(name, (await read('tokens', 200)).content)
    // The first round compiles the code of both.
    for (let round = 0; tileserver !== null && round <= ROUNDS; round++) {
      const call = { method: 'GET', token: w.as('viewer').token ?? '', compressed: true }
      const ours = await load(bench.address, [{ ...call, path: tilePath('tokens') }], LOAD)
      const theirs = await load(tileserver.address, [{ ...call, path: tileserver.path }], { ...LOAD, prefix: '' })
      if (ours.failed + theirs.failed > 0) throw new Error(ours.first_failure ?? theirs.first_failure ?? '')
      if (round === 0) continue
      kept.push(ours.per_second)
      tileserver_rates.push(theirs.per_second)
    }
    tileserver?.close()
    const { result: zones, milliseconds } = await longestTurn(() => read('zones', 200))
    turn_ms = Math.max(turn_ms, milliseconds)
    largest = Math.max(largest, zones.content.length)
    largest_sent = Math.max(largest_sent, zones.bytes.length)
    sites.push({
      dead: rows,
      query_ms: median(queries ?? []),
      first_ms: median(counted(first)),
      first_p95_ms: percentile(counted(first), 0.95),
      cold_ms: median(counted(cold)),
      cold_p95_ms: percentile(counted(cold), 0.95),
      changed_ms: median(counted(changed_times)),
      changed_p95_ms: percentile(counted(changed_times), 0.95),
      warm_ms: median(warm ?? []),
      unchanged_ms: median(unchanged ?? []),
      edit_ms: percentile(counted(edits), 0.95),
    })
  }
  await postgis?.close()
  const peer_ms = peer(x, y)
  const [small, large] = sites
  return {
    sites,
    ratio: (large?.query_ms ?? 0) / (small?.query_ms ?? 1),
    peer_ms,
    peer_ratio: peer_ms / (small?.cold_ms ?? 1),
    postgis_ms: postgis === null ? null : median(counted(postgis_times)),
    postgis_ratio: median(counted(postgis_ratios)),
    postgis_first_ratio: median(counted(postgis_first)),
    postgis_changed_ratio: median(counted(postgis_changed)),
    tileserver_rate: kept.length === 0 ? null : median(tileserver_rates),
    kept_rate: median(kept),
    tileserver_ratio: median(kept.map((ours, i) => ours / (tileserver_rates[i] ?? 1))),
    largest,
    largest_sent,
    turn_ms,
  }
}

/** The same number of points, cut into the tile by the libraries of map clients: without a database, and without a request. */
function peer(x: number, y: number): number {
  const data = {
    type: 'FeatureCollection' as const,
    features: Array.from({ length: LIVE }, (_, n) => ({
      type: 'Feature' as const,
      geometry: {
        type: 'Point' as const,
        coordinates: [CENTRE.lon + (((n * 37) % 1000) - 500) * 0.000006, CENTRE.lat + (((n * 91) % 1000) - 500) * 0.000003],
      },
      properties: { id: crypto.randomUUID(), kind: 'worker', name: `Gang ${n}`, trade: 'Steel fixer', headcount: 6, no_permit: false },
    })),
  }
  return median(
    Array.from({ length: 15 }, () => {
      const began = performance.now()
      const tile = new GeoJSONVT(data, { maxZoom: ZOOM, indexMaxZoom: 0, indexMaxPoints: 0, extent: 4096, buffer: 256 }).getTile(ZOOM, x, y)
      if (tile === null) throw new Error('The tile is empty.')
      fromGeojsonVt({ tokens: tile }, { version: 2, extent: 4096 })
      return performance.now() - began
    }),
  )
}
