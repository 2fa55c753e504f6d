import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone, painted, press } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

const NAMES = ['Carpenters', 'Fixers', 'Joiners', 'Lifting plant', 'Riggers', 'Welders']

describe('the app: pinned smart groups', () => {
  const stage = useStage()
  let w: PermitWorld
  const list = () => `${stage.url}/sites/${w.site_id}/settings/smart-groups`
  const star = (page: Page, name: string) => page.getByRole('button', { name: `Pin ${name}`, exact: true })
  const order = (page: Page) => page.locator('[data-row] [data-open]').allTextContents()
  const buttons = (page: Page) => page.getByRole('group', { name: 'Pinned groups' }).getByRole('button')
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    for (const name of NAMES) {
      const predicate = { field: 'trade', op: 'eq', value: name }
      const made = await w.as('coordinator').post('/smart-groups/', {
        ...{ site_id: w.site_id, subject: 'entity', visibility: 'shared', name, predicate },
      })
      assert.equal(made.status, 201, made.text)
    }
  })

  for (const [width, theme] of [
    [390, 'outdoor'],
    [1440, 'dark'],
  ] as const)
    test(`§18 star to pin: what a person pins by keyboard comes first in the list and on the map, on this device alone, until it is unpinned, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('viewer'), { width, theme })
      await page.goto(list())
      await star(page, 'Welders').waitFor()
      assert.deepEqual(await order(page), NAMES)
      assert.equal(await page.getByRole('heading', { name: 'Pinned' }).count(), 0)
      assert.equal(await star(page, 'Welders').getAttribute('aria-pressed'), 'false')
      await press(page, star(page, 'Welders'))
      await page.getByRole('heading', { name: 'Pinned', exact: true }).waitFor()
      await page.getByText('Only you see them, on this device, until you sign out.', { exact: false }).waitFor()
      await page.getByRole('heading', { name: 'Other groups', exact: true }).waitFor()
      assert.equal(await star(page, 'Welders').getAttribute('aria-pressed'), 'true')
      await page.waitForFunction(`document.activeElement?.getAttribute('aria-label') === 'Pin Welders'`)
      assert.deepEqual(await order(page), ['Welders', ...NAMES.filter(name => name !== 'Welders')])
      // The page of a group has the same star, with a word.
      await page.getByRole('link', { name: 'Fixers', exact: true }).click()
      await page.getByRole('heading', { name: 'Fixers', level: 1 }).waitFor()
      await press(page, star(page, 'Fixers'), 'Space')
      await page.locator('[aria-label="Pin Fixers"][aria-pressed="true"]').waitFor()
      await painted(page)
      await picture(page, `pinned-group-${width}`)
      await stage.axe(page)
      await page.goto(list())
      await star(page, 'Riggers').waitFor()
      assert.deepEqual((await order(page)).slice(0, 3), ['Welders', 'Fixers', 'Carpenters'])
      await painted(page)
      await picture(page, `pinned-groups-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)

      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      assert.deepEqual(await buttons(page).allTextContents(), ['Welders', 'Fixers'])
      const first = page.getByLabel('Show only a smart group').locator('optgroup').first()
      assert.equal(await first.getAttribute('label'), 'Pinned groups')
      assert.deepEqual(await first.locator('option').allTextContents(), ['Welders', 'Fixers'])
      const fixers = buttons(page).filter({ hasText: 'Fixers' })
      assert.ok(((await fixers.boundingBox())?.height ?? 0) >= 48, 'can be pressed with gloves')
      await press(page, fixers)
      await page.getByText('Only members of “Fixers” are shown', { exact: false }).waitFor()
      assert.equal(await fixers.getAttribute('aria-pressed'), 'true')
      assert.equal(await page.getByLabel('Show only a smart group').locator('option:checked').textContent(), 'Fixers')
      await fixers.scrollIntoViewIfNeeded()
      await idle(page)
      await picture(page, `pinned-map-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await press(page, fixers)
      await page.getByText('Only members of', { exact: false }).waitFor({ state: 'detached' })

      const other = await stage.sit(w.as('coordinator'), { width })
      await other.page.goto(list())
      await star(other.page, 'Welders').waitFor()
      assert.deepEqual(await order(other.page), NAMES, 'another person has pinned nothing')

      await page.goto(list())
      for (const name of ['Welders', 'Fixers']) await star(page, name).click()
      await page.getByRole('heading', { name: 'Pinned', exact: true }).waitFor({ state: 'detached' })
      assert.deepEqual(await order(page), NAMES)
    })

  test('§18 the map offers the first four pinned groups as buttons, and all of them first in its list; one that was deleted is no longer there', async () => {
    const made = await w.as('viewer').post('/smart-groups/', {
      ...{ site_id: w.site_id, subject: 'entity', name: 'Mine', predicate: true },
    })
    const { page } = await stage.sit(w.as('viewer'))
    await page.goto(list())
    for (const name of ['Mine', ...NAMES]) await star(page, name).click()
    await page.getByRole('heading', { name: 'Other groups', exact: true }).waitFor({ state: 'detached' })
    assert.equal((await w.as('viewer').del(`/smart-groups/${made.body.id}`)).status, 204)
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    assert.deepEqual(await buttons(page).allTextContents(), NAMES.slice(0, 4))
    assert.deepEqual(await page.getByLabel('Show only a smart group').locator('optgroup option').allTextContents(), NAMES)
  })
})
