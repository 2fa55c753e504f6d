import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { permitWorld } from '../permits.ts'
import { painted } from './hands.ts'
import { useStage } from './kit.ts'

const CHUNK = /\/assets\/shortcuts-[\w-]+\.js/
const NEWER = 'There is a newer version of Walkdown.'

/** Lets the part of the app for the list of shortcuts be missing, as after an update of the service: the first `times` requests. Counts how often the page loads. */
async function updated(page: Page, times: number) {
  const count = { missing: 0, loads: 0 }
  await page.route(CHUNK, route => (count.missing++ < times ? route.fulfill({ status: 404, body: '' }) : route.fallback()))
  await page.route('**/built.json', route => route.fulfill({ json: { first: ['/assets/app-newer000.js'], later: [] } }))
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) count.loads++
  })
  return count
}

describe('the app: an update of the service while a page is open', () => {
  const stage = useStage()

  test('§2.3 the page loads the newer version by itself when nothing can be lost, and once only when the part stays missing', async () => {
    const w = await permitWorld(stage.house)
    const { page } = await stage.sit(w.as('coordinator'))
    const count = await updated(page, 1)
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const before = count.loads
    const again = page.waitForEvent('load')
    await page.keyboard.press('?')
    await again
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    assert.equal(count.loads, before + 1)
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.getByText(NEWER).count(), 0)
  })

  test('§2.3 a part that stays missing doesn’t make the page load again and again: it works on, and offers one button', async () => {
    const w = await permitWorld(stage.house)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    const count = await updated(page, 1000)
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const again = page.waitForEvent('load')
    await page.keyboard.press('?')
    await again
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const before = count.loads
    await page.keyboard.press('?')
    await page.getByText(NEWER, { exact: false }).waitFor()
    await painted(page)
    assert.equal(count.loads, before)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    await stage.axe(page)
    const asked = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await asked
  })

  test('§2.3 a page on which something was typed doesn’t load again by itself, and still has the text', async () => {
    const w = await permitWorld(stage.house)
    const { page } = await stage.sit(w.as('admin'))
    const count = await updated(page, 1000)
    await page.goto(`${stage.url}/sites/${w.site_id}/settings/site`)
    const name = page.getByLabel('Site name', { exact: true })
    await name.fill('Half a name')
    const before = count.loads
    await page.locator('h1').click()
    await page.keyboard.press('?')
    await page.getByText(NEWER, { exact: false }).waitFor()
    await painted(page)
    assert.equal(count.loads, before)
    assert.equal(await name.inputValue(), 'Half a name')
  })

  test('§2.3 a page that can’t be loaded says what is missing, and not that something went wrong', async () => {
    const w = await permitWorld(stage.house)
    const { page } = await stage.sit(w.as('coordinator'))
    await page.route(/\/assets\/stops-[\w-]+\.js/, route => route.fulfill({ status: 404, body: '' }))
    await page.goto(`${stage.url}/sites/${w.site_id}/stops`)
    await page.getByText('A part of the app couldn’t be loaded.', { exact: false }).waitFor()
    assert.equal(await page.getByText('Something went wrong').count(), 0)
  })
})
