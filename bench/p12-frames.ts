// P12: how smoothly the map moves with 5,000 live tokens. The real page is dragged and zoomed in a real browser, which draws without a graphics card here. Compared
// in the same run with the same page of a site without tokens, and with a page without a map, whose frames are the most that this browser makes.
import type { Browser, Page } from 'playwright-core'
import { storedUser } from '../tests/browser/kit.ts'
import { pointAt, ringOf } from '../tests/geo.ts'
import type { TestHouse, World } from '../tests/world.ts'
import { openAppBench } from './app.ts'
import { insertGangs, NOW, PLACED } from './fill.ts'
import { median, percentile } from './kit.ts'

/** The times between frames while something moves, and the processor time for each frame: of the page with its workers, and of the process that draws. Milliseconds. */
export type Frames = { p50_ms: number; p95_ms: number; per_second: number; page_ms: number; drawing_ms: number }
/** The whole measurement. `longest_ms`: the longest task of the page's thread after a movement, when the map comes to rest. */
export type FramesBench = {
  tokens: number
  runs: number
  with: Frames
  without: Frames
  empty: Frames
  first_ms: number
  rest_ms: number
  rest_without_ms: number
}

const GANGS = 4000
const MACHINES = 1000
const WIDTH_M = 600
const DEPTH_M = 400
const RUNS = 5
const FRAMES = 60

/** Fills a site in a few statements, without the history that each write has. */
async function fill(house: TestHouse, w: World): Promise<void> {
  const client = await house.house.database.pool.connect()
  const [west, south] = pointAt(-WIDTH_M / 2, -DEPTH_M / 2)
  const [east, north] = pointAt(WIDTH_M / 2, DEPTH_M / 2)
  const spot = `${west} + (${east - west}) * ((n * 37) % 997 / 997.0) as lon, ${south} + (${north - south}) * ((n * 91) % 991 / 991.0) as lat`
  const colour = `(array['#c2410c','#0e7490','#4d7c0f','#7e22ce','#b45309'])[1 + n % 5]`
  try {
    await client.query('set session_replication_role = replica')
    await client.query(insertGangs({ count: GANGS, spot, times: NOW, about: { headcount: '1 + n % 12', colour } }), [w.site_id])
    await client.query(
      `insert into plant (site_id, id, version, created_at, updated_at, start_at, end_at, place, place_source, lon, lat, bounds, colour, name, category, length_m, width_m, bearing_deg,
         working_radius_m, exclusion_radius_m, exclusion_given, lifting, lifts_persons, examination_given)
       select $1, gen_random_uuid(), 1, now(), now(), ${NOW}, ${PLACED}, ${colour}, 'Machine ' || n, 'excavator', 8, 3, n % 360, 9, 12, false, false, false, false
       from (select n, ${spot} from generate_series(${GANGS + 1}, ${GANGS} + $2::int) n) r`,
      [w.site_id, MACHINES],
    )
    await client.query('set session_replication_role = default')
    await client.query('analyze worker, plant')
  } finally {
    client.release()
  }
}

/**
 * Moves the map as a person does with a mouse: it is dragged in two circles, and the wheel zooms in and out again. Each frame has one movement, and the map ends
 * where it began, so that every run shows the same.
 */
const MOVE = `async frames => {
  const target = document.querySelector('.map-place canvas') ?? document.body
  const box = target.getBoundingClientRect()
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const send = (to, type, dx, dy, buttons) => to.dispatchEvent(new MouseEvent(type, {
    bubbles: true, cancelable: true, view: window, clientX: x + dx, clientY: y + dy, button: 0, buttons,
  }))
  const tasks = []
  const watching = new PerformanceObserver(list => { for (const one of list.getEntries()) tasks.push([one.startTime, one.duration]) })
  watching.observe({ type: 'longtask' })
  const intervals = []
  const frame = () => new Promise(done => requestAnimationFrame(done))
  const rest = ms => new Promise(done => setTimeout(done, ms))
  send(target, 'mousedown', 0, 0, 1)
  let before = await frame()
  for (let n = 1; n <= frames; n++) {
    const angle = (n / frames) * 4 * Math.PI
    send(document, 'mousemove', 120 * Math.sin(angle), 80 - 80 * Math.cos(angle), 1)
    if (n % 3 === 0) target.dispatchEvent(new WheelEvent('wheel', {
      bubbles: true, cancelable: true, view: window, clientX: x, clientY: y, deltaY: n <= frames / 2 ? -12 : 12,
    }))
    const now = await frame()
    intervals.push(now - before)
    before = now
  }
  // After a pause, the map doesn't glide on.
  await rest(400)
  const ended = performance.now()
  send(target, 'mouseup', 0, 0, 0)
  await rest(1500)
  watching.disconnect()
  return { intervals, rest: Math.max(0, ...tasks.filter(([at]) => at > ended).map(([, ms]) => ms)) }
}`
type Moved = { intervals: number[]; rest: number; page_ms: number; drawing_ms: number }

/** Returns the processor time so far of the pages, and of the process that draws, in milliseconds: it doesn’t depend on what else the machine does. */
async function worked(browser: Browser): Promise<{ page: number; drawing: number }> {
  const line = await browser.newBrowserCDPSession()
  const { processInfo } = await line.send('SystemInfo.getProcessInfo')
  await line.detach()
  const of = (type: string) => processInfo.filter(one => one.type === type).reduce((sum, one) => sum + one.cpuTime * 1000, 0)
  return { page: of('renderer'), drawing: of('GPU') }
}

/** Moves the map of a page. The other pages do nothing meanwhile. */
async function moved(browser: Browser, page: Page): Promise<Moved> {
  const before = await worked(browser)
  const said = (await page.evaluate(`(${MOVE})(${FRAMES})`)) as { intervals: number[]; rest: number } // what the script returns
  const after = await worked(browser)
  const each = (ms: number) => ms / said.intervals.length
  return { ...said, page_ms: each(after.page - before.page), drawing_ms: each(after.drawing - before.drawing) }
}

const framesOf = (runs: readonly Moved[]): Frames => {
  const of = (pick: (one: Moved) => number) => median(runs.map(pick))
  return {
    p50_ms: of(one => median(one.intervals)),
    p95_ms: of(one => percentile(one.intervals, 0.95)),
    per_second: of(one => (one.intervals.length * 1000) / one.intervals.reduce((sum, ms) => sum + ms, 0)),
    page_ms: of(one => one.page_ms),
    drawing_ms: of(one => one.drawing_ms),
  }
}

/** Measures in an app of its own, because the page must be served. */
export async function framesBench(): Promise<FramesBench> {
  const bench = await openAppBench()
  try {
    return await measure(bench.house, bench.browser, bench.url)
  } finally {
    await bench.close()
  }
}

async function measure(house: TestHouse, browser: Browser, url: string): Promise<FramesBench> {
  const site = async (name: string) => {
    const w = await house.world({ name })
    const corners = [-1, 1].flatMap(y => [-1, 1].map(x => [(x * y * -WIDTH_M) / 2, (y * DEPTH_M) / 2] as const))
    const geometry = { type: 'Polygon', coordinates: [ringOf(...corners)] }
    const put = await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry })
    if (put.status !== 200) throw new Error(put.text)
    return w
  }
  const [full, bare] = [await site('Five thousand tokens'), await site('No tokens')]
  await fill(house, full)
  const open = async (w: World) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
    await context.addInitScript(given => localStorage.setItem(given.key, given.value), storedUser(url, w.as('viewer')))
    const page = await context.newPage()
    const began = performance.now()
    await page.goto(`${url}/sites/${w.site_id}/map`)
    await page.locator('[data-map=idle]').waitFor({ timeout: 120_000 })
    return { page, took: performance.now() - began }
  }
  const withTokens = await open(full)
  await withTokens.page.getByText('1,000 machines').waitFor()
  const without = await open(bare)
  const empty = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await empty.goto(`${url}/verify`)
  const seen: Record<'with' | 'without' | 'empty', Moved[]> = { with: [], without: [], empty: [] }
  for (let run = 0; run <= RUNS; run++)
    for (const [name, page] of [
      ['with', withTokens.page],
      ['without', without.page],
      ['empty', empty],
    ] as const) {
      await page.bringToFront()
      const one = await moved(browser, page)
      // The first movement compiles the code.
      if (run > 0) seen[name].push(one)
      await page.locator('[data-map=busy]').waitFor({ state: 'detached', timeout: 60_000 })
    }
  return {
    tokens: GANGS + MACHINES,
    runs: RUNS,
    with: framesOf(seen.with),
    without: framesOf(seen.without),
    empty: framesOf(seen.empty),
    first_ms: withTokens.took,
    rest_ms: median(seen.with.map(one => one.rest)),
    rest_without_ms: median(seen.without.map(one => one.rest)),
  }
}
