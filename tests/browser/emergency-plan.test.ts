// The emergency plan: a page with the map of the site and every point that helps in an emergency, on the screen and on paper.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle, spotAt } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const SCREEN_ONLY = 'nav, .top, button, a.btn, input, select, canvas, dialog, [data-map], .submit-bar, .ways'

describe('the app: the emergency plan', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  const put = async (name: string, poi_kind: string, place: object, more: object = {}) => {
    const made = await w
      .as('hse')
      .post('/pois/', { site_id: w.site_id, name, poi_kind, place, start_at: '2026-03-16T09:00:00.000Z', ...more })
    assert.equal(made.status, 201, made.text)
  }
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
    await put('Car park', 'assembly_point', { point: spotAt(190, 10) }, { phone: '+44 20 7946 0113', what3words: 'filled.count.soap' })
    await put('Box on the stairs', 'first_aid', { point: spotAt(40, 40), building_id: tower, level_index: 1 })
    await put('Box next to it', 'first_aid', { point: spotAt(40.5, 40), building_id: tower, level_index: 2 })
    await put('Site office', 'aed', { point: spotAt(150, 120) })
    await put('Hydrant 7', 'hydrant', { point: spotAt(5, 140) })
    await put('Welfare toilets', 'toilets', { point: spotAt(100, 100) })
  })
  const left = (page: Page): Promise<string[]> =>
    page.evaluate(
      selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).map(one => one.outerHTML.slice(0, 100)),
      SCREEN_ONLY,
    )

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 1440, theme: 'light' },
  ])
    test(`§5 at ${width} px the emergency plan lists every emergency point with its sign, place and phone, says what is missing, and prints without controls`, async () => {
      const { page } = await stage.sit(w.as('viewer'), { width, theme })
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      await page.getByRole('link', { name: 'Emergency plan' }).click()
      await page.getByRole('heading', { name: 'Emergency plan', level: 1 }).waitFor()
      const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })
      const kinds = await page.locator('main').ariaSnapshot()
      const said = [...kinds.matchAll(/heading "([^"]+)" \[level=2\]/g)].map(([, name]) => name)
      assert.deepEqual(said, ['First aid E003', 'Assembly point E007', 'Defibrillator (AED) E010', 'Hydrant'])
      await row('Car park').getByText('///filled.count.soap').waitFor()
      await row('Car park').getByRole('link', { name: '+44 20 7946 0113' }).waitFor()
      await row('Car park').getByText('51.50509, -0.01726').waitFor()
      await row('Box on the stairs').getByText('T Tower · Level 1').waitFor()
      assert.equal(await row('Welfare toilets').count(), 0)
      await page.getByText('These aren’t on the map yet').waitFor()
      await row('Fire point').waitFor()
      const picture = page.getByRole('img', { name: /^Map of the site with the numbers/ })
      assert.deepEqual(await picture.locator('.of-number').allTextContents(), ['1', '2', '3', '4', '5'])
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/emergency-${width}.png`, fullPage: true })
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await page.evaluate('window.print = () => { window.printed = true }')
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      assert.equal(await page.evaluate('window.printed'), true)
      await page.emulateMedia({ media: 'print' })
      await page.getByText(/^Printed Mon 16 Mar 2026 09:00/).waitFor()
      assert.deepEqual(await left(page), [])
      assert.ok(await picture.isVisible())
      assert.ok(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), 'nothing is wider than the paper')
      if (process.env.SHOTS !== undefined) {
        await page.setViewportSize({ width: 794, height: 1123 })
        await page.screenshot({ path: `${process.env.SHOTS}/emergency-print-${width}.png`, fullPage: true })
      }
    })

  test('§5 without a connection a device that has opened the map still has the emergency plan; a what3words address is entered in the app, and notes aren’t printed', async () => {
    const { page, context } = await stage.sit(w.as('coordinator'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    await page.locator('.frame-list').getByRole('button', { name: 'Hydrant 7' }).click()
    await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('what3words address').fill('index.home.raft')
    await page.getByLabel('Notes').fill('Key at the desk')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.map-floating').getByText('///index.home.raft').waitFor()
    await context.route('**/api/**', route => route.abort('internetdisconnected'))
    await page.getByRole('link', { name: 'Emergency plan' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Hydrant 7' }).getByText('///index.home.raft').waitFor()
    // Not everyone may read notes, and a plan is put up for everyone.
    assert.equal(await page.getByText('Key at the desk').count(), 0)
  })
})
