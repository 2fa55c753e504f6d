// P14: who and what was where at an instant, schedules, and other figures of `map.md`. Each request is compared with the barest SQL that reads or writes the
// same rows, without people, permits, places or history, and with the same request on a site with a tenth of the rows that are over.
import { pointAt } from '../tests/geo.ts'
import type { Caller } from '../tests/world.ts'
import { type Bench, inTurns } from './kit.ts'
import {
  AHEAD,
  bareAhead,
  bareAreas,
  bareFrame,
  barePhotos,
  barePois,
  bareSchedule,
  bareWorkers,
  SITES,
  type Site,
  sites,
} from './p14-sites.ts'
import { recording, type Sent } from './record.ts'

/**
 * One request on the site with the larger history: medians in milliseconds. `database_ms` is that of its own statements alone (null for a write), `bare_ms` that of
 * the bare statement; `growth`: how much longer its statements take than with a tenth of the history.
 */
export type MapFigure = {
  what: string
  request_ms: number
  database_ms: number | null
  bare_ms: number
  growth: number | null
  goal: string
}

const RUNS = 15

async function good(who: Caller, path: string): Promise<unknown[]> {
  const reply = await who.get(path)
  if (reply.status !== 200) throw new Error(`${path} responded with ${reply.status} ${reply.text.slice(0, 300)}`)
  return Array.isArray(reply.body) ? reply.body : (reply.body.features ?? [reply.body])
}

type Read = { what: string; goal: string; rows: number; path(site: Site): string; bare(site: Site): Sent }

/** Times a read on both sites, its statements alone, and the bare statement. */
async function readFigure(bench: Bench, [small, large]: readonly [Site, Site], { what, goal, rows, path, bare }: Read): Promise<MapFigure> {
  const { pool } = bench.house.house.database
  const own: Sent[][] = []
  for (const site of [small, large]) {
    const found = await good(site.reader, path(site))
    if (found.length !== rows) throw new Error(`${what}: ${found.length} rows instead of ${rows}`)
    await good(site.reader, path(site))
    const sent = await recording(() => good(site.reader, path(site)))
    own.push(sent.filter(({ text }) => /^\s*(select|with)/.test(text) && !text.includes('app_user')))
  }
  const alone = (sent: readonly Sent[]) => async () => {
    for (const { text, values } of sent) await pool.query(text, values)
  }
  const [request_ms = 0, bare_ms = 0] = await inTurns([() => good(large.reader, path(large)), alone([bare(large)])], RUNS)
  // Apart from the request, whose garbage would be collected while the next one is timed.
  const [database_ms = 0, small_ms = 0] = await inTurns([alone(own[1] ?? []), alone(own[0] ?? [])], RUNS)
  return { what, goal, request_ms, database_ms, bare_ms, growth: database_ms / small_ms }
}

const query = ({ site_id }: Site) => `site_id=${site_id}`

/** What people ask of a map, with the goals of `map.md` under “Scale”. */
const READS: readonly Read[] = [
  {
    what: `${SITES.alive.toLocaleString('en')} gangs that are there now, of all that were planned`,
    goal: '20 ms at the database, 1.3 times with ten times the history',
    rows: SITES.alive,
    path: site => `/workers/at-time?${query(site)}`,
    bare: bareWorkers,
  },
  {
    what: `${SITES.ahead.toLocaleString('en')} gangs that are planned for an instant, in one request`,
    goal: 'one request',
    rows: SITES.ahead,
    path: site => `/workers/at-time?${query(site)}&at=${AHEAD.toISOString()}`,
    bare: bareAhead,
  },
  {
    what: `${SITES.areas.toLocaleString('en')} active areas that are there now`,
    goal: '20 ms at the database',
    rows: SITES.areas,
    path: site => `/active-areas/at-time?${query(site)}`,
    bare: bareAreas,
  },
  {
    what: `${SITES.frame.toLocaleString('en')} buildings and zones as they are now, each with all its versions`,
    goal: '50 ms at the database, 1.3 times with ten times the history',
    rows: SITES.frame,
    path: site => `/reference-features/features/at-time?${query(site)}`,
    bare: bareFrame,
  },
  {
    what: 'The building at a point',
    goal: '5 ms',
    rows: 1,
    path: site => `/reference-features/building-at-point?${query(site)}&lon=${pointAt(1, 1)[0]}&lat=${pointAt(1, 1)[1]}`,
    bare: site => ({
      ...bareFrame(site),
      text: `${bareFrame(site).text} and kind = 'building' and bounds @> box(point(${pointAt(1, 1)}), point(${pointAt(1, 1)}))`,
    }),
  },
  {
    what: `The photos of a day (${SITES.photos_a_day})`,
    goal: '20 ms',
    rows: SITES.photos_a_day,
    path: site => `/sites/${site.site_id}/token-photos?work_date=${SITES.day}&limit=${SITES.photos_a_day}`,
    bare: barePhotos,
  },
  {
    what: `The nearest first aid point of ${SITES.pois.toLocaleString('en')} points of interest`,
    goal: '5 ms',
    rows: 1,
    path: site => `/pois/?${query(site)}&near=${pointAt(3, 3).join()}&poi_kind=first_aid&limit=1`,
    bare: barePois,
  },
]

/** Plans a gang for 366 days, and inserts as many bare rows. */
async function scheduleFigure(bench: Bench, { site_id, writer }: Site): Promise<MapFigure> {
  const { pool } = bench.house.house.database
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const pattern = { start_date: day(2), end_date: day(367), start_time: '07:30', end_time: '17:30' }
  const template = { trade: 'Fixer', headcount: 5, place: { point: { lon: pointAt(0, 0)[0], lat: pointAt(0, 0)[1] } } }
  let n = 0
  const [request_ms = 0, bare_ms = 0] = await inTurns(
    [
      async () => {
        const made = await writer.post('/workers/create-schedule', { site_id, template: { ...template, name: `Team ${n++}` }, pattern })
        if (made.status !== 201) throw new Error(made.text)
      },
      async () => {
        const { text, values } = bareSchedule(site_id)
        const client = await pool.connect()
        try {
          await client.query('begin')
          await client.query('set local session_replication_role = replica')
          await client.query(text, values)
          await client.query('commit')
        } finally {
          client.release()
        }
      },
    ],
    7,
  )
  return {
    what: 'A schedule of 366 days, with its history',
    goal: '500 ms, one statement for its rows',
    request_ms,
    database_ms: null,
    bare_ms,
    growth: null,
  }
}

/** Measures the map on two sites of which one has ten times the history of the other. */
export async function mapBench(bench: Bench, tell: (one: MapFigure) => void): Promise<void> {
  const both = await sites(bench)
  for (const read of READS) tell(await readFigure(bench, both, read))
  tell(await scheduleFigure(bench, both[1]))
}
