import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { sweepAlerts } from '../../server/rooms/messages/alerts/jobs.ts'
import type { PermitWorld } from '../permits.ts'
import { MONDAY } from '../world.ts'
import { drawnWorld, ground, idle, spotAt } from './ground.ts'
import { useStage } from './kit.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
/** The page goes to a time in steps in which its socket is never silent for too long. */
const STEP_MS = 20_000

describe('the app: the map and the clock', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })

  const post = async (path: string, body: object): Promise<string> => {
    const made = await w.as('coordinator').post(path, { site_id: w.site_id, ...body })
    assert.equal(made.status, 201, `${path}: ${made.text}`)
    return made.body.id
  }
  const open = async (who: 'hse' | 'viewer', prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> => {
    const { page } = await stage.sit(w.as(who))
    await prepare(page)
    await page.clock.install({ time: MONDAY })
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    await page.locator('.line-dot.live').waitFor()
    return page
  }
  const goTo = async (page: Page, time: number): Promise<void> => {
    for (;;) {
      const left = time - (await page.evaluate(() => Date.now()))
      if (left <= 0) return
      await page.clock.fastForward(Math.min(left, STEP_MS))
      // The answer to the sign of life of the socket arrives in real time.
      await new Promise(done => setTimeout(done, 100))
    }
  }

  for (const who of ['hse', 'viewer'] as const)
    test(`§17 in five minutes in which nothing happens, the live map of ${who === 'hse' ? 'someone who manages the site maps' : 'a viewer'} reads no list again; it only asks whether plans have changed`, async () => {
      const page = await open(who)
      // What the page reads when it opens is over, and so is the first minute.
      await goTo(page, Date.parse(MONDAY) + 90_000)
      await page.waitForTimeout(1500)
      const asked: string[] = []
      page.on('request', request => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/')) asked.push(pathname.replace(w.site_id, 'SITE'))
      })
      await goTo(page, Date.parse(MONDAY) + 90_000 + 5 * 60_000)
      await page.waitForTimeout(500)
      const [small, others] = [
        asked.filter(one => one.endsWith('/snapshot-revision')),
        asked.filter(one => !one.endsWith('/snapshot-revision')),
      ]
      assert.ok(small.length >= 4 && small.length <= 6, `${small.length} small requests`)
      // The weather is read every five minutes, and pictures of the site are listed each minute for those who add them.
      const allowed = ['/api/weather/sites/SITE/timeline', ...(who === 'hse' ? ['/api/site-maps/sites/SITE/maps'] : [])]
      assert.deepEqual(
        others.filter(one => !allowed.includes(one)),
        [],
      )
    })

  test('§17.3 if the changes of the day were joined, because there are too many, the live map reads its lists each minute', async () => {
    const page = await open('viewer', async one => {
      await one.route('**/api/analysis/change-points', async route => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), thinned: true } })
      })
    })
    await goTo(page, Date.parse(MONDAY) + 30_000)
    const [gangs, permits] = ['/workers/at-time', '/permits?'].map(path =>
      page.waitForRequest(request => request.url().includes(path), { timeout: 30_000 }),
    )
    await goTo(page, Date.parse(MONDAY) + 100_000)
    await Promise.all([gangs, permits])
  })

  test('§17 the live map shows what starts and ends when it does: gangs, machines, deliveries, areas, points, words, alerts, permits and clashes', async () => {
    const place = (x: number, y: number) => ({ place: { point: spotAt(x, y) } })
    const whole = { start_at: at('06:00'), end_at: at('20:00') }
    await post('/workers/', { name: 'Early gang', trade: 'Fixer', start_at: at('06:00'), end_at: at('09:20'), ...place(100, 100) })
    await post('/workers/', { name: 'Late gang', trade: 'Fixer', start_at: at('09:20'), end_at: at('20:00'), ...place(110, 100) })
    await post('/plant/', { name: 'Roller', category: 'roller', start_at: at('09:22'), end_at: at('20:00'), ...place(120, 100) })
    await post('/deliveries/', { name: 'Rebar', start_at: at('09:24'), end_at: at('09:29'), ...place(130, 100) })
    await post('/pois/', { name: 'Gate East', poi_kind: 'vehicle_gate', start_at: at('09:31'), ...place(140, 100) })
    await post('/text-labels/', { text: 'One way', start_at: at('06:00'), end_at: at('09:30'), ...place(150, 100) })
    const alert = { title: 'Haul road closed', message: 'Use the east gate.', severity: 'warning', category: 'access' }
    await post('/alerts/', { ...alert, start_at: at('09:32'), end_at: at('09:34'), ...place(160, 100) })
    await post('/active-areas/', {
      name: 'Lift',
      area_kind: 'lifting',
      start_at: at('09:38'),
      end_at: at('20:00'),
      place: { polygon: ground(10, 100, 30, 30) },
    })
    await post('/workers/', { name: 'Riggers', trade: 'Rigger', ...whole, ...place(20, 110) })
    const permit = await w.at('issued', { title: 'Braze the chiller', start_at: at('09:00'), end_at: at('09:36'), ...place(60, 100) })
    assert.equal(permit.status, 'issued')

    const page = await open('hse')
    const side = page.locator('.frame-list, .map-columns')
    const row = (name: string | RegExp): Locator => side.getByRole('button', { name }).first()
    /** Moves both clocks on, and waits for less than a minute: nothing is read again each minute. */
    const pass = async (time: string, shown: readonly Locator[], gone: readonly Locator[] = []) => {
      stage.house.clock(at(time))
      await goTo(page, Date.parse(at(time)) + 1000)
      for (const one of shown) await one.waitFor({ timeout: 15_000 })
      for (const one of gone) await one.waitFor({ state: 'detached', timeout: 15_000 })
    }
    await row(/Early gang/).waitFor()
    await pass('09:20', [row(/Late gang/)], [row(/Early gang/)])
    await pass('09:22', [row(/Roller/)])
    const deliveries = () => page.waitForResponse(response => response.url().includes('/deliveries/at-time'), { timeout: 15_000 })
    for (const [time, names] of [
      ['09:24', ['Rebar']],
      ['09:29', []],
    ] as const) {
      const answer = deliveries()
      await pass(time, [])
      const found: { name: string }[] = await (await answer).json()
      assert.deepEqual(
        found.map(one => one.name),
        names,
      )
    }
    await row(/One way/).waitFor()
    await pass('09:30', [], [row(/One way/)])
    await pass('09:31', [row(/Gate East/)])
    // The service starts and ends alerts and permits by its own clock, and an event says so.
    await pass('09:32', [])
    assert.equal(await sweepAlerts(stage.house.house), 1)
    await row(/Haul road closed/).waitFor({ timeout: 15_000 })
    stage.house.clock(at('09:34'))
    assert.equal(await sweepAlerts(stage.house.house), 1)
    await pass('09:34', [])
    await goTo(page, Date.parse(at('09:34')) + 16_000)
    await row(/Haul road closed/).waitFor({ state: 'detached', timeout: 15_000 })
    const work = side.locator('.permit-card, article, li').filter({ hasText: 'Braze the chiller' }).first()
    await work.getByText('Ends soon').waitFor()
    const permits = page.waitForResponse(response => /\/api\/permits\?/.test(response.url()), { timeout: 15_000 })
    await pass('09:36', [])
    await permits
    // The page itself counts in minutes.
    await goTo(page, Date.parse(at('09:37')) + 5000)
    await work.getByText('Window ended').waitFor({ timeout: 15_000 })
    await side.getByText('There are no clashes at this time.').waitFor()
    await pass('09:38', [row(/^Lift/), row(/Riggers.* and Lift/)])
    stage.house.clock(MONDAY)
  })
})
