import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

describe('1024 groups that a site switches off', () => {
  const stage = useStage()
  let w: PermitWorld
  beforeEach(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`
  const ways = (page: Page) => page.getByRole('navigation', { name: 'Main' })
  const way = (page: Page, name: string) => ways(page).getByRole('link', { name, exact: true })
  const part = (page: Page) => page.getByRole('region', { name: 'Pages in the navigation' })
  const switchOff = async (...off: string[]) => {
    const set = await w.as('admin').patch(`/sites/${w.site_id}`, { settings: { groups: { off } } })
    assert.equal(set.status, 200, set.text)
  }

  test('§4 an administrator takes the map out of the navigation by keyboard; the pages of everyone on the site follow at once, and again when it is back', async () => {
    const { page: theirs } = await stage.sit(w.as('coordinator'))
    await theirs.goto(at('today'))
    await way(theirs, 'Map').waitFor()
    await theirs.locator('.line-dot.live').waitFor()
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('settings/site'))
    await part(page).getByText('Nothing is deleted').waitFor()
    const map = part(page).getByRole('checkbox', { name: /^Map/ })
    assert.equal(await map.isChecked(), true)
    await map.focus()
    await page.keyboard.press('Space')
    await page.getByText('Saved', { exact: true }).waitFor()
    await way(page, 'Map').waitFor({ state: 'detached' })
    await way(theirs, 'Map').waitFor({ state: 'detached' })
    assert.equal(await map.isChecked(), false)
    await stage.axe(page)
    await page.keyboard.press('Space')
    await way(page, 'Map').waitFor()
    await way(theirs, 'Map').waitFor()
  })

  test('§4 a tick of the navigation shows what the administrator chose before the service responds; a refused one returns, and the reason is shown', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('settings/site'))
    const map = part(page).getByRole('checkbox', { name: /^Map/ })
    await map.waitFor()
    const before = await map.isChecked()
    const reached = Promise.withResolvers<void>()
    const [answer, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`**/api/sites/${w.site_id}`, async route => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      reached.resolve()
      await answer.promise
      await route.fulfill({ status: 403, json: { error: { code: 'forbidden', detail: 'Only an administrator can do this.' } } })
      answered.resolve()
    })
    await map.click()
    await reached.promise
    assert.equal(await map.isChecked(), !before, 'what they chose, while the service is still thinking')
    answer.resolve()
    await answered.promise
    await part(page).getByText('Only an administrator can do this.').waitFor()
    assert.equal(await map.isChecked(), before, 'what is stored')
  })

  test('§4 what is off is neither in the bar of a phone, nor under New, nor in the search; a link still opens its page, which says that the site has it switched off', async () => {
    await switchOff('map', 'conflicts')
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(at('map'))
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    const says = page.getByText('The map is switched off on this site, so it isn’t in the navigation. This page still works.')
    await says.waitFor()
    await fitsPhone(page)
    assert.equal(await way(page, 'Map').count(), 0)
    await page.getByRole('link', { name: 'Change this in the settings' }).click()
    await part(page).waitFor()
    await fitsPhone(page)
    assert.equal(await says.count(), 0, 'only its own pages say so')
    await ways(page).getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Board' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Clashes to settle' }).count(), 0)
    await page.keyboard.press('Escape')
    await ways(page).getByRole('button', { name: 'New' }).click()
    const start = page.getByRole('dialog')
    await start.getByRole('link', { name: 'Raise an alert' }).waitFor()
    assert.equal(await start.getByRole('link', { name: 'Worker or gang' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await start.getByRole('combobox').fill('a')
    await start.getByRole('option', { name: 'Today' }).waitFor()
    assert.deepEqual(await start.getByRole('option', { name: /^Map|Clash/ }).allTextContents(), [])
    await start.getByRole('combobox').fill('Towe')
    await start.getByRole('option', { name: /Weld handrails/ }).waitFor()
    assert.deepEqual(await start.getByRole('option', { name: /Place$/ }).allTextContents(), [])
  })

  test('§4 clashes that are off have no tab, on the pages of permits and in the settings; their page still opens, and people who can’t change that get no link', async () => {
    await switchOff('conflicts')
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('board'))
    const tabs = page.getByRole('navigation', { name: 'Permits: pages' })
    await tabs.getByRole('link', { name: 'Board' }).waitFor()
    assert.equal(await tabs.getByRole('link', { name: 'Clashes to settle' }).count(), 0)
    for (const path of ['clashes', 'settings/clash-rules']) {
      await page.goto(at(path))
      await page.getByText(/^Clashes and clash rules are switched off on this site/).waitFor()
      assert.equal(await page.getByRole('link', { name: 'Change this in the settings' }).count(), 0)
    }
    await page.goto(at('settings/site'))
    await part(page).waitFor()
    assert.equal(
      await part(page)
        .getByRole('checkbox', { name: /^Clashes/ })
        .isDisabled(),
      true,
    )
    const settings = page.getByRole('navigation', { name: 'Settings sections' })
    await settings.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('link', { name: 'Notification rules' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Clash rules' }).count(), 0)
  })
})
