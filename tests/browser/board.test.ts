import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runSchedules } from '../../server/kernel/jobs/door.ts'
import { manyDue } from '../many.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { MONDAY } from '../world.ts'
import { drawnWorld } from './ground.ts'
import { useStage } from './kit.ts'

describe('the app: sign-in, and the board', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Weld handrails, stair 3' })
    await w.at('issued', { title: 'Dig for the drain' })
  })

  test('a person sees their sites, then the board with columns by status; permits that wait for them are marked', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(url)
    await page.getByRole('link', { name: /Riverside Quarter/ }).click()
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Permits' }).click()
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const requested = page.getByRole('region', { name: 'Requested' })
    await requested.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    assert.equal(await requested.getByText('Waiting for you').count(), 1)
    assert.equal(await page.getByRole('region', { name: 'Live' }).getByText('Waiting for you').count(), 0)
    await stage.axe(page)
  })

  test('9.1 on a phone a permit is selected in the table by a tap next to its small box: the whole cell, 44 px wide and high, is the target', async () => {
    const { page, url } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(`${url}/sites/${w.site_id}/board?view=table`)
    const [all, box] = [
      page.getByRole('checkbox', { name: 'Select all' }),
      page.getByRole('row', { name: /Dig for the drain/ }).getByRole('checkbox'),
    ]
    await box.waitFor()
    for (const one of [all, box]) {
      const target = await one.locator('..').boundingBox()
      assert.ok((target?.width ?? 0) >= 44 && (target?.height ?? 0) >= 44, JSON.stringify(target))
    }
    await box.locator('..').click({ position: { x: 3, y: 41 } })
    assert.equal(await box.isChecked(), true)
    assert.equal((await page.getByRole('row', { name: /Dig for the drain/ }).boundingBox())?.height, 45, 'the row is as high as before')
  })

  test('a search finds words that cards don’t have, and reports no results only once the service has responded', async () => {
    const own = await permitWorld(stage.house)
    await own.at('requested', { title: 'Work in riser 4', description: 'Asbestos cement boards come out first.' })
    await own.at('requested', { title: 'Weld the frame' })
    const { page, url } = await stage.sit(own.as('hse'))
    await page.goto(`${url}/sites/${own.site_id}/board`)
    await page.getByRole('link', { name: 'Weld the frame' }).waitFor()
    const field = page.getByRole('searchbox')
    await field.fill('asbestos cement')
    await page.getByRole('link', { name: 'Weld the frame' }).waitFor({ state: 'detached' })
    await page.waitForURL(/q=asbestos/)
    await page.getByRole('link', { name: 'Work in riser 4' }).waitFor()
    await field.fill('asbestos roof')
    await page.getByText('No permits match these filters.').waitFor()
    await field.fill('')
    await page.getByRole('link', { name: 'Weld the frame' }).waitFor()
    await page.waitForURL(address => !address.search.includes('q='))
  })

  test('the key / puts the cursor into the search, but not with Ctrl; letters that are typed at once all arrive', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
    const field = page.getByRole('searchbox')
    const isIn = () => field.evaluate(one => one === document.activeElement)
    await page.keyboard.press('Control+/')
    assert.equal(await isIn(), false)
    await page.keyboard.press('/')
    assert.equal(await isIn(), true)
    await field.pressSequentially('handrails')
    await page.waitForURL(/q=handrails/)
    assert.equal(await field.inputValue(), 'handrails')
  })

  test('the text in the URL is searched for again, and “clear” empties the field permanently', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(`${url}/sites/${w.site_id}/board?q=drain`)
    await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'drain')
    assert.equal(await page.getByRole('link', { name: 'Weld handrails, stair 3' }).count(), 0)
    await page.getByRole('searchbox').fill('drai')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    await page.waitForTimeout(500)
    assert.deepEqual([await page.getByRole('searchbox').inputValue(), new URL(page.url()).search], ['', ''])
  })

  test('if a page of a long board can’t be loaded, it isn’t requested endlessly, but again after the next event', async () => {
    const own = await permitWorld(stage.house)
    for (let i = 1; i <= 3; i++) await own.at('requested', { title: `Core hole ${i}` })
    const { page, url } = await stage.sit(own.as('hse'))
    let [tries, broken] = [0, true]
    await page.route('**/api/permits?*', async route => {
      const address = new URL(route.request().url())
      address.searchParams.set('limit', '2')
      if (!address.searchParams.has('cursor') || !broken) return route.continue({ url: address.href })
      tries++
      return route.fulfill({ status: 429, json: { error: { code: 'rate_limited', detail: 'Slowly.' } } })
    })
    await page.goto(`${url}/sites/${own.site_id}/board`)
    await page.getByText('2 permits').waitFor()
    await page.waitForTimeout(1500)
    assert.ok(tries >= 1 && tries <= 3, `asked ${tries} times`)
    broken = false
    await own.at('requested', { title: 'Core hole 4' })
    await page.getByText('4 permits').waitFor()
  })

  test('columns out of sight draw their cards when they come near, even by arrow key', async () => {
    const own = await permitWorld(stage.house)
    for (const at of ['draft', 'requested', 'endorsed', 'approved', 'issued'] as const) await own.at(at, { title: `Now ${at}` })
    const { page, url } = await stage.sit(own.as('member'), { width: 390 })
    await page.goto(`${url}/sites/${own.site_id}/board`)
    await page.getByRole('link', { name: 'Now issued' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Now draft' }).count(), 0)
    await page.getByRole('link', { name: 'Now issued' }).focus()
    for (const at of ['approved', 'endorsed', 'requested', 'draft']) {
      await page.getByRole('link', { name: `Now ${at}` }).waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowRight')
      await page
        .locator(':focus')
        .filter({ hasText: `Now ${at}` })
        .waitFor()
    }
    await page.getByRole('link', { name: 'Now issued' }).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Not started' }).getByRole('group').focus()
    await page.getByRole('link', { name: 'Now issued' }).waitFor()
  })

  for (const theme of ['dark', 'outdoor'])
    test(`axe finds nothing on the board in the ${theme} theme, on a phone`, async () => {
      const { page, url } = await stage.sit(w.as('hse'), { theme, width: 390 })
      await page.goto(`${url}/sites/${w.site_id}/board`)
      await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
      await stage.axe(page)
    })

  test('if nobody is signed in, one button leads to the provider and back to the requested page', async () => {
    const { page, url } = await stage.sit(null)
    await page.goto(url)
    await page.getByRole('button', { name: /sign in/i }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/oidc\/sign-in\//)
  })

  test('every text comes from the catalogue: in the pseudo-locale none is plain', async () => {
    const { page, url } = await stage.sit(w.as('hse'), { locale: 'qps' })
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
    const words = await page.getByRole('heading', { level: 1 }).textContent()
    assert.match(words ?? '', /^⟦.*⟧$/)
  })

  test('9.24 live and expired columns are in view at 1440 px, soonest first; permits that haven’t started have a column of their own, not in solid green', async () => {
    const later = await w.at('issued', { title: 'Begins later', start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T22:00:00.000Z' })
    await w.at('issued', { title: 'Ends first', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T13:00:00.000Z' })
    await w.at('issued', { title: 'Ends last', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T19:00:00.000Z' })
    await w.at('issued', { title: 'Over since 09:05', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T09:05:00.000Z' })
    stage.house.clock('2026-03-16T09:06:00.000Z')
    await runSchedules(stage.house.house, 'permit_sweep')
    stage.house.clock(MONDAY)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    const expired = page.getByRole('region', { name: 'Expired' })
    await expired.getByText('Over since 09:05').waitFor()
    assert.equal(await expired.locator('.count').textContent(), '1')
    const live = page.getByRole('region', { name: 'Live' })
    await live.getByText('Ends last').waitFor()
    const box = (await live.boundingBox()) ?? assert.fail('no column')
    assert.ok(box.x + box.width <= 1440)
    const first = (await expired.boundingBox()) ?? assert.fail('no column')
    assert.ok(first.x >= 0 && first.x + first.width <= box.x, 'expired permits come before live ones, in view')
    const titles = await live.locator('h3').allTextContents()
    assert.ok(titles.indexOf('Ends first') < titles.indexOf('Ends last'), titles.join())
    assert.equal(titles.includes('Begins later'), false, 'not live yet')
    const card = page.getByRole('region', { name: 'Not started' }).getByRole('article').filter({ hasText: 'Begins later' })
    await card.waitFor()
    assert.equal(await card.locator('svg[fill=currentColor]').count(), 0, 'no solid disc')
    assert.equal(await live.getByRole('article').filter({ hasText: 'Ends first' }).getByText('Live', { exact: true }).count(), 0)
    await page.getByLabel('Group by').selectOption('contractor')
    await page.getByRole('region', { name: 'Acme Scaffolding Ltd' }).getByText('Ends first').waitFor()
    await page.waitForURL(/group=contractor/)
    await stage.axe(page)
    assert.equal((await w.read(later)).status, 'issued')
  })

  test('9.24 a permit with a building and no location in words is grouped, listed, printed and shown by building and level; a usual screen shows the whole table', async () => {
    const { w: own, tower } = await drawnWorld(stage.house)
    const { page } = await stage.sit(own.as('hse'))
    const board = `${stage.url}/sites/${own.site_id}/board`
    await page.goto(`${board}?view=table`)
    await page.getByRole('cell', { name: 'Tower, Level 2', exact: true }).waitFor()
    const title = 'Formation and capping layer at the haul road, the east half and the turning head'
    await own.at('signed', { title, place: { building_id: tower, level_index: 0 } })
    await page.getByRole('row').filter({ hasText: 'Awaiting countersignature' }).waitFor()
    const beyond = await page
      .locator('.board-table')
      .evaluate(one => (one.firstElementChild?.getBoundingClientRect().width ?? 0) - one.clientWidth)
    assert.equal(beyond, 0, 'the whole table is visible at 1440 px, with the longest status, too')
    const heights = await page.locator('.board-table tbody tr').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().height))
    assert.ok(Math.max(...heights) <= 46, heights.join())
    await page.goto(`${board}?group=place`)
    const column = page.getByRole('region', { name: 'Tower, Level 1' })
    await column.getByRole('article').filter({ hasText: 'Weld handrails' }).getByText('Tower, Level 1').waitFor()
    assert.equal(await page.getByText('No place yet').count(), 0)
    await page.emulateMedia({ media: 'print' })
    const list = page.getByRole('region', { name: 'Board as a list' })
    await list.getByRole('cell', { name: 'Tower, Level 1', exact: true }).waitFor()
    await page.emulateMedia({ media: null })
    await column.getByRole('link', { name: 'Weld handrails' }).click()
    await page.locator('dl.facts').getByText('Tower, Level 1').waitFor()
  })

  test('9.24 a board shows the permits requested here, and one switch adds the imported ones to the columns, their counts and the URL', async () => {
    const own = await permitWorld(stage.house)
    await own.at('issued', { title: 'Weld the frame' })
    await manyDue(stage.house, own.site_id, 2, { end_at: '2026-03-16T18:00:00.000Z' })
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/board`)
    const column = page.getByRole('region', { name: 'Not started' })
    await column.getByText('Weld the frame').waitFor()
    const counts = async () => [
      await page
        .locator('header')
        .getByText(/^\d permits?$/)
        .textContent(),
      await column.locator('.count').textContent(),
    ]
    assert.deepEqual(await counts(), ['1 permit', '1'])
    assert.equal(await page.getByText('DUE-1-2').count(), 0)
    const pill = page.getByRole('button', { name: 'Include imported' })
    assert.equal(await pill.getAttribute('aria-pressed'), 'false')
    await pill.click()
    await column.getByText('DUE-1-2').waitFor()
    assert.deepEqual(await counts(), ['3 permits', '3'])
    assert.equal(new URL(page.url()).searchParams.get('imported'), '1')
    assert.equal(await page.getByRole('button', { name: 'Clear' }).count(), 0, 'it is no filter')
    await stage.axe(page)
    await page.getByRole('searchbox').fill('DUE-1-2')
    await column.getByText('Weld the frame').waitFor({ state: 'detached' })
    await pill.click()
    await page.getByText('No permits match these filters.').waitFor()
    await page.getByRole('button', { name: 'Show imported permits' }).click()
    await column.getByText('DUE-1-2').waitFor()
    await page.goto(`${stage.url}/sites/${own.site_id}/board?imported=only`)
    await column.getByText('DUE-1-2').waitFor()
    assert.deepEqual(await counts(), ['2 permits', '2'])
  })

  test('9.24 the board of a site that has only imported permits says so, with a button that shows them', async () => {
    const own = await permitWorld(stage.house)
    await manyDue(stage.house, own.site_id, 1, { end_at: '2026-03-16T18:00:00.000Z' })
    const { page } = await stage.sit(own.as('admin'), { width: 390 })
    await page.goto(`${stage.url}/sites/${own.site_id}/board`)
    await page.getByText('The only open permits are imported ones.').waitFor()
    await page.getByRole('link', { name: 'Request a permit' }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Show imported permits' }).click()
    await page.getByText('DUE-1-1').waitFor()
    await page.waitForURL(/imported=1/)
  })

  test('9.24 a phone opens Today; on the board nothing is cut off at 390 px', async () => {
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(stage.url)
    await page.getByRole('link', { name: /Riverside Quarter/ }).click()
    await page.waitForURL(/\/today$/)
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByRole('button', { name: 'Filters' }).waitFor()
    const cut = await page.evaluate(
      `[...document.querySelectorAll('main .quick > *, main header > *')].filter(one => one.closest('article') === null && one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map(one => one.outerHTML.slice(0, 80))`,
    )
    assert.deepEqual(cut, [])
  })

  test('9.26 in the outdoor theme the bar of a permit window has a frame, and its filled part differs from the rest', async () => {
    await w.at('issued', { title: 'Half over', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T10:00:00.000Z' })
    const { page } = await stage.sit(w.as('hse'), { theme: 'outdoor' })
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    const bar = page.getByRole('article').filter({ hasText: 'Half over' }).locator('.window .bar')
    await bar.waitFor()
    const { frame, ink, track, fill, share } = await page.evaluate<{
      frame: number
      ink: string
      track: string
      fill: string
      share: number
    }>(
      `(() => {
        const one = [...document.querySelectorAll('article')].find(card => card.textContent.includes('Half over')).querySelector('.window .bar')
        const [track, fill] = [getComputedStyle(one), getComputedStyle(one.firstElementChild)]
        const { width } = one.firstElementChild.getBoundingClientRect()
        return { frame: parseFloat(track.borderTopWidth), ink: track.borderTopColor, track: track.backgroundColor, fill: fill.backgroundColor, share: width / one.clientWidth }
      })()`,
    )
    assert.ok(frame >= 2, `a frame of ${frame} px`)
    assert.ok(ink !== track && fill !== track, `${ink} and ${fill} on ${track}`)
    assert.ok(Math.abs(share - 0.5) < 0.1, `half of it is filled, not ${share}`)
  })

  test('9.26 “starts in 1 minute” changes to “ends” at the start, not at the next full minute of the clock', async () => {
    await w.at('issued', { title: 'Starts at noon', start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T20:00:00.000Z' })
    const { page } = await stage.sit(w.as('hse'))
    await page.clock.install({ time: '2026-03-16T11:59:20.000Z' })
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    const card = page.getByRole('article').filter({ hasText: 'Starts at noon' })
    await card.getByText('starts in 1 minute').waitFor()
    const waiting = page.getByRole('region', { name: 'Not started' })
    await waiting.getByText('Starts at noon').waitFor()
    // From here on the time of the page is moved by hand, across the start and not a second further.
    await page.clock.pauseAt('2026-03-16T11:59:59.500Z')
    await card.getByText('starts in 1 minute').waitFor()
    await page.clock.runFor(900)
    await card.getByText('ends in 8 hours').waitFor()
    await page.getByRole('region', { name: 'Live' }).getByText('Starts at noon').waitFor()
    assert.equal(await waiting.getByText('Starts at noon').count(), 0)
  })
})
