// What is printed: the whole board as a list, a permit as its PDF, and no controls.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { COLOURS } from '../../web/base/theme/tokens.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { drawnWorld, ground, idle } from './ground.ts'
import { dataShown } from './hands.ts'
import { useStage } from './kit.ts'

const MANY = 14
const SCREEN_ONLY = 'nav, .top, button, a.btn, input, select, canvas, dialog, [data-map], .submit-bar, .ways'

/** Controls that are visible even though they only make sense on a screen. */
const left = (page: Page): Promise<string[]> =>
  page.evaluate(
    selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 100)),
    SCREEN_ONLY,
  )

const fits = async (page: Page) =>
  assert.ok(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), 'nothing is wider than the paper')

describe('9.26 print', () => {
  const stage = useStage()
  let w: PermitWorld
  const titles: string[] = []
  before(async () => {
    w = await permitWorld(stage.house)
    for (let i = 1; i <= MANY; i++) {
      const title = `Core hole ${i}`
      titles.push(title)
      await w.at('requested', { title, location: `Level ${i}` })
    }
    for (const state of ['endorsed', 'approved', 'issued'] as const) {
      titles.push(`Now ${state}`)
      await w.at(state, { title: `Now ${state}`, location: 'Block A' })
    }
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`

  for (const { view, width, theme } of [
    { view: 'columns', width: 1440, theme: 'light' },
    { view: 'columns', width: 390, theme: 'dark' },
    { view: 'table', width: 1440, theme: 'outdoor' },
    { view: 'map', width: 390, theme: 'light' },
  ])
    test(`9.26 the board prints as a list with every permit: ${view}, ${width} px, ${theme} theme`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(at(`board?view=${view}`))
      await page.getByText(`${titles.length} permits`).waitFor()
      await dataShown(page)
      await page.emulateMedia({ media: 'print' })
      const list = page.getByRole('region', { name: 'Board as a list' })
      await list.waitFor()
      for (const title of titles) assert.ok(await list.getByRole('cell', { name: title, exact: true }).isVisible(), title)
      assert.equal(await list.locator('tbody tr').count(), titles.length)
      assert.deepEqual(await left(page), [])
      await list.getByText('Riverside Quarter').waitFor()
      await list.getByText(/^Printed Mon 16 Mar 2026 09:00 /).waitFor()
      await list.getByText('Closed, rejected and withdrawn permits are not on this list.').waitFor()
      const row = list.getByRole('row').filter({ hasText: 'Now issued' })
      for (const text of [/^PTW-\d+$/, 'Not started', 'Block A', /^Mon 16 Mar \d\d:\d\d–\d\d:\d\d$/])
        await row.getByText(text).first().waitFor()
      await fits(page)
      const { scheme, cut } = await page.evaluate<{ scheme: string; cut: number }>(
        `({ scheme: getComputedStyle(document.documentElement).colorScheme, cut: [...document.querySelectorAll('.board-page, .print-list')].filter(one => one.scrollHeight > one.clientHeight + 1).length })`,
      )
      assert.deepEqual([scheme, cut], ['light', 0], 'dark on white in every theme; nothing is cut off')
      await page.emulateMedia({ media: null })
      await list.waitFor({ state: 'detached' })
    })

  test('9.26 the printed list says that filters are on, and is there before the browser prints the page', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('board?q=Core+hole+1&group=place'))
    await page.getByText('6 permits').waitFor()
    const rows = await page.evaluate(`(dispatchEvent(new Event('beforeprint')), document.querySelectorAll('.print-list tbody tr').length)`)
    assert.equal(rows, 6)
    await page.emulateMedia({ media: 'print' })
    await page.getByText('Filters are on: permits that don’t match them are not on this list.').waitFor()
    await page.getByRole('region', { name: 'Board as a list' }).getByRole('heading', { name: 'Level 10' }).waitFor()
  })

  test('9.26 a list of what changed since the last visit includes closed permits, and doesn’t say that it leaves them out', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('board?since=2026-03-16T08:00:00.000Z'))
    await page.getByText(`${titles.length} permits`).waitFor()
    await page.emulateMedia({ media: 'print' })
    const list = page.getByRole('region', { name: 'Board as a list' })
    await list.getByText('Filters are on: permits that don’t match them are not on this list.').waitFor()
    assert.equal(await list.getByText('Closed, rejected and withdrawn permits are not on this list.').count(), 0)
  })

  for (const { width, theme } of [
    { width: 1440, theme: 'dark' },
    { width: 390, theme: 'outdoor' },
  ])
    test(`9.26 a list prints without controls, with the filters that are on, the site and the time: ${width} px, ${theme} theme`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(at('audit?done=create'))
      await page.getByRole('heading', { name: 'Mon 16 Mar' }).waitFor()
      const visible = (text: string | RegExp) => page.getByText(text).locator('visible=true')
      await page.emulateMedia({ media: 'print' })
      await visible(/^Riverside Quarter\. Printed from the screen on Mon 16 Mar 2026 09:00 \(Europe\/London\)\.$/).waitFor()
      await visible('Filters are on: what doesn’t match them is not on this list.').waitFor()
      assert.ok(await page.getByLabel('Action', { exact: true }).isVisible(), 'the filter that is on')
      for (const label of ['Person', 'Record type', 'Day', 'Record name'])
        assert.ok(!(await page.getByLabel(label, { exact: true }).isVisible()), label)
      const controls = await left(page)
      assert.equal(controls.length, 1, controls.join('\n'))
      await fits(page)
      const list = await page.locator('.audit-log .lines').first().boundingBox()
      assert.ok((list?.width ?? 0) > width * 0.8, `the list has the width of the paper: ${list?.width}`)
      assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light')
      await page.emulateMedia({ media: null })
      await page.goto(at('clashes?red=1'))
      await page.getByLabel('Red only').waitFor()
      await dataShown(page)
      await page.emulateMedia({ media: 'print' })
      await visible(/Printed from the screen/).waitFor()
      await visible('Red only').waitFor()
      assert.ok(!(await page.getByLabel('Settled').isVisible()), 'the choice that isn’t made')
      assert.ok(!(await page.getByLabel('Clash rule').isVisible()))
      await fits(page)
    })

  test('9.26 “Print” on a permit opens its PDF; the page itself prints the permit, and says that the PDF is the record', async () => {
    const permit = await w.at('issued', { title: 'Weld the lug' })
    for (const width of [390, 1440]) {
      const { page } = await stage.sit(w.as('hse'), { width })
      await page.goto(at(`permits/${permit.id}`))
      const print = page.getByRole('button', { name: 'Print (PDF)' })
      const asked = page.waitForResponse(/\/permits\/applications\/[^/]+\/document$/)
      await print.click()
      assert.match((await (await asked).headerValue('content-type')) ?? '', /^application\/pdf/)
      await page.emulateMedia({ media: 'print' })
      await page
        .locator('.print-only', {
          hasText: /^Riverside Quarter\. Printed from the screen on Mon 16 Mar 2026 09:00 .*This page isn’t the permit document/,
        })
        .waitFor()
      for (const text of ['Weld the lug', permit.permit_number, 'Riverside Quarter', 'Acme Scaffolding Ltd'])
        assert.ok(await page.getByText(text).locator('visible=true').first().isVisible(), text)
      assert.deepEqual(await left(page), [])
      await fits(page)
    }
  })

  test('9.26 paper doesn’t count down: a wallet prints the windows of its permits, and not how much time is left', async () => {
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at('wallet'))
    const card = page.locator('.permit-card').filter({ hasText: 'Now issued' })
    const [left_, ends] = [card.locator('.count'), card.locator('.window').getByText(/^(starts|ends) in /)]
    for (const one of [left_, ends]) await one.waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const one of [left_, ends]) await one.waitFor({ state: 'hidden' })
    assert.ok(await card.getByText(/^Mon 16 Mar 10:00/).isVisible())
  })

  test('9.26 what is cut in a row on the screen is whole on paper: nobody can open it there', async () => {
    const { w: drawn } = await drawnWorld(stage.house)
    const name =
      'Laydown for the reinforcement of the second phase, north of the haul road, with the turning area of the articulated lorries of the steel supplier'
    const made = await drawn.as('admin').post('/reference-features/zones', {
      ...{ site_id: drawn.site_id, kind: 'zone', name, zone_type: 'laydown', outline: ground(160, 100, 20, 20) },
    })
    assert.equal(made.status, 201, made.text)
    const { page } = await stage.sit(drawn.as('hse'))
    await page.goto(`${stage.url}/sites/${drawn.site_id}/map`)
    await idle(page)
    const row = page.locator('.frame-list .cut').filter({ hasText: 'Laydown for the reinforcement' })
    await row.waitFor()
    const cut = () => row.evaluate(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
    assert.equal(await cut(), true, 'on the screen')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await cut(), false, 'on paper')
  })

  test('9.26 the map prints in light colours in the dark theme, and has those of the screen again afterwards', async () => {
    const { w: drawn } = await drawnWorld(stage.house)
    const { page } = await stage.sit(drawn.as('hse'), { theme: 'dark' })
    await page.goto(`${stage.url}/sites/${drawn.site_id}/map`)
    await idle(page)
    /** The mean brightness of what is drawn in full, 0 to 255, most of which is the ground of the site; and how many pixels have the dark theme's colour of cards, as the discs of its signs do. */
    const look = async (): Promise<{ mean: number; dark: number }> =>
      page.evaluate(`(() => {
        const pen = document.createElement('canvas').getContext('2d')
        pen.fillStyle = ${JSON.stringify(COLOURS.dark.card)}
        pen.fillRect(0, 0, 1, 1)
        const own = pen.getImageData(0, 0, 1, 1).data
        const paper = document.querySelector('.map-paper')
        const { data } = paper.getContext('2d').getImageData(0, 0, paper.width, paper.height)
        let [sum, n, dark] = [0, 0, 0]
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] === 255) { sum += data[i] + data[i + 1] + data[i + 2]; n += 3 }
          if (Math.abs(data[i] - own[0]) + Math.abs(data[i + 1] - own[1]) + Math.abs(data[i + 2] - own[2]) < 6) dark++
        }
        return { mean: n < 300 ? -1 : sum / n, dark }
      })()`)
    assert.equal(await page.locator('.map-paper').count(), 0)
    // As for the browser's own print: what isn't drawn when the event is over isn't printed.
    const at_once = await page.evaluate(
      `(async () => { dispatchEvent(new Event('beforeprint')); await null; return document.querySelectorAll('.map-paper').length })()`,
    )
    assert.equal(at_once, 1)
    const printed = await look()
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.locator('.map-paper').waitFor({ state: 'detached' })
    assert.ok(printed.mean > 200, `the ground is white on paper: ${printed.mean}`)
    assert.equal(printed.dark, 0, 'the signs have the colours of paper')
  })
})
