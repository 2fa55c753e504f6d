// `npm run bench:web [-- U1 U3 …]`: what the app costs a person (U1 to U4), measured with the built app in a real browser that is slowed down to a
// phone.
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { storedUser } from '../tests/browser/kit.ts'
import type { Caller } from '../tests/world.ts'
import { openAppBench } from './app.ts'
import { median, percentile, say, shown, wanted } from './kit.ts'
import { fullSite } from './p1-board.ts'

const RUNS = 5
const PERMITS = 10_000
/** As Lighthouse simulates slow 4G: 150 ms round trip, 1.6 Mbit/s. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: (1.6 * 1024 * 1024) / 8, uploadThroughput: (750 * 1024) / 8 }

const bench = await openAppBench()
const { house, browser, url } = bench

/** Measured by the browser, in milliseconds since the navigation began. */
const WATCH = `
  window.seen = { lcp: 0, fcp: 0, cls: 0, tasks: [], card: 0, inp: [] }
  new PerformanceObserver(list => { for (const one of list.getEntries()) if (one.name === 'first-contentful-paint') seen.fcp = one.startTime }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver(list => { for (const one of list.getEntries()) seen.lcp = one.startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput) seen.cls += one.value }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver(list => { for (const one of list.getEntries()) seen.tasks.push([one.startTime, one.duration]) }).observe({ type: 'longtask', buffered: true })
  new MutationObserver((_, watching) => {
    if (document.querySelector('[data-card]') === null) return
    watching.disconnect()
    requestAnimationFrame(() => setTimeout(() => { seen.card = performance.now() }))
  }).observe(document, { childList: true, subtree: true })
  new PerformanceObserver(list => { for (const one of list.getEntries()) if (one.interactionId) seen.inp.push(one.duration) }).observe({ type: 'event', buffered: true, durationThreshold: 16 })`

async function phone(who: Caller, slow: boolean): Promise<{ context: BrowserContext; page: Page; line: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, serviceWorkers: 'allow' })
  await context.addInitScript(given => localStorage.setItem(given.key, given.value), storedUser(url, who))
  await context.addInitScript(WATCH)
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  if (slow) {
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', SLOW_4G)
    await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  return { context, page, line }
}
type Seen = { lcp: number; fcp: number; cls: number; card: number; inp: number[]; tasks: [number, number][] }
const seen = (page: Page) => page.evaluate('seen') as Promise<Seen>
/** Total blocking time in ms: the part over 50 ms of every task since the first contentful paint, as Lighthouse counts it. */
const blocked = ({ tasks, fcp }: Seen) => tasks.reduce((sum, [at, ms]) => sum + (at + ms > fcp ? Math.max(0, ms - 50) : 0), 0)

/** U1 and U2: the first and the second time that the board of a typical Tuesday is opened. */
async function openings(): Promise<void> {
  // A typical Tuesday: about 170 permits in five columns.
  const small = await fullSite(bench, 700)
  const board = `${url}/sites/${small.site_id}/board`

  const firsts: { lcp: number; cls: number; blocking: number; script: number; card: number }[] = []
  const seconds: number[] = []
  const offline: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const { context, page, line } = await phone(small.as('hse'), true)
    let script = 0
    const scripts = new Set<string>()
    line.on('Network.responseReceived', ({ response, requestId }) => {
      if (response.mimeType.includes('javascript') && !response.url.endsWith('/sw.js')) scripts.add(requestId)
    })
    line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) script += encodedDataLength
    })
    await page.goto(board)
    await page.locator('[data-card]').first().waitFor()
    const firstScript = script
    await page.waitForTimeout(1000)
    const first = await seen(page)
    firsts.push({ ...first, blocking: blocked(first), script: firstScript })
    await page.evaluate('navigator.serviceWorker.ready.then(() => 1)')
    await page.waitForTimeout(3000)
    for (const [list, cut] of [
      [seconds, false],
      [offline, true],
    ] as const) {
      // Only this session can set the connection: a setting made by another one would not last.
      await line.send('Network.emulateNetworkConditions', { ...SLOW_4G, offline: cut })
      await page.goto(board, { waitUntil: 'commit' })
      await page.locator('[data-card]').first().waitFor()
      await page.waitForTimeout(500)
      list.push((await seen(page)).card)
    }
    await context.close()
  }
  const of = (name: keyof (typeof firsts)[number]) => median(firsts.map(one => one[name]))
  say(
    'U1',
    `first load on slow 4G and a processor 4 times slower: largest contentful paint ${shown(of('lcp') / 1000)} s, first cards ${shown(of('card') / 1000)} s, blocking time ${shown(of('blocking'))} ms, layout shift ${of('cls').toFixed(3)}, ${shown(of('script') / 1024)} kB of script before the first board`,
    'LCP 1.5 s, blocking 100 ms, CLS 0.02; at most 170 kB of script',
  )
  say(
    'U2',
    `second load, slowed down in the same way: ${shown(median(seconds))} ms to a usable board; offline ${shown(median(offline))} ms`,
    '600 ms, online or offline',
  )
}

const STROKES = `seen.strokes = []; document.addEventListener('input', event => {
  requestAnimationFrame(() => requestAnimationFrame(() => seen.strokes.push(performance.now() - event.timeStamp)))
}, true)`

/** Types letter by letter into the focused field. Returns how long each letter took to appear, and the durations of all interactions. */
async function typing(page: Page): Promise<{ strokes: number[]; inp: number[] }> {
  await page.evaluate(STROKES)
  await page.evaluate('seen.inp = []')
  for (const letter of 'core drilling') {
    await page.keyboard.type(letter)
    await page.waitForTimeout(400)
  }
  return { strokes: (await page.evaluate('seen.strokes')) as number[], inp: (await seen(page)).inp }
}

/** U3: ten thousand permits on one board. */
async function fullBoard(): Promise<void> {
  const full = await fullSite(bench, PERMITS)
  const { context, page, line } = await phone(full.as('hse'), false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/sites/${full.site_id}/board?over=1`)
  await page.getByText(`${PERMITS.toLocaleString('en-GB')} permits`).waitFor({ timeout: 120_000 })
  await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const field = page.getByRole('searchbox')
  await field.focus()
  const { strokes, inp: ofTyping } = await typing(page)
  await field.fill('')
  await page.waitForTimeout(1500)
  for (let i = 0; i < 10; i++) {
    for (const view of ['Table', 'Columns']) {
      await page.getByRole('radio', { name: view }).click()
      await page.waitForTimeout(300)
      await page.mouse.move(500, 600)
      await page.mouse.wheel(0, 900)
      await page.waitForTimeout(100)
    }
  }
  const { inp } = await seen(page)
  // The time that this browser needs to show a letter on an empty page, at the same slowdown.
  await page.goto(`${url}/verify`)
  await page.evaluate(`document.body.replaceChildren(document.createElement('input')); document.querySelector('input').focus()`)
  const bare = await typing(page)
  say(
    'U3',
    `${PERMITS.toLocaleString('en')} permits on the board, processor 4 times slower: ${inp.length} interactions to paint p50 ${shown(median(inp))} ms, p98 ${shown(percentile(inp, 0.98))} ms, typing p98 ${shown(percentile(ofTyping, 0.98))} ms; filter keystroke to paint ${shown(median(strokes))} ms. An empty field on an empty page in the same browser: p98 ${shown(percentile(bare.inp, 0.98))} ms, keystroke ${shown(median(bare.strokes))} ms`,
    'INP p98 100 ms, keystroke 50 ms',
  )
  await context.close()
}

/** U4: another person takes a step. */
async function live(): Promise<void> {
  const small = await house.world({ name: 'A working Tuesday' })
  const board = `${url}/sites/${small.site_id}/board`
  const watcher = await phone(small.as('coordinator'), false)
  await watcher.page.goto(board)
  await watcher.page.locator('.line-dot.live').waitFor()
  const steps: number[] = []
  for (let i = 0; i < RUNS * 2; i++) {
    const made = await small.as('member').post('/permits/applications', {
      site_id: small.site_id,
      categories: ['HW'],
      title: `Step number ${i} of the bench`,
      // Each starts before the others, so that it is the first on the board: those that are further down are drawn once people scroll to them.
      start_at: new Date(Date.now() + (RUNS * 2 - i) * 60_000).toISOString(),
    })
    const began = performance.now()
    await small.as('member').post(`/permits/applications/${made.body.id}/submit`, {})
    await watcher.page.getByRole('link', { name: `Step number ${i} of the bench` }).waitFor()
    steps.push(performance.now() - began)
  }
  say(
    'U4',
    `another person’s step, from their request to this screen: median ${shown(median(steps))} ms, longest ${shown(Math.max(...steps))} ms`,
    'within 1 s',
  )
  await watcher.context.close()
}

try {
  if (wanted('U1', 'U2')) await openings()
  if (wanted('U3')) await fullBoard()
  if (wanted('U4')) await live()
  say(
    'U5 to U7',
    'are counted and checked in tests/browser: taps for a review, a countersignature and a close-out, taps and keystrokes for a request, work queued offline, axe in every theme',
    'npm run test:browser',
  )
} finally {
  await bench.close()
}
