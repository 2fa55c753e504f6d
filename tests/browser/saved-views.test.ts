import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { painted } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'
import { onDisk, waitKey, withKey } from './stored.ts'

describe('the app: saved views', () => {
  const stage = useStage()
  let w: PermitWorld
  const board = () => `${stage.url}/sites/${w.site_id}/board`
  const open = (page: Page) => page.getByRole('button', { name: 'Saved views', exact: true }).click()
  const menu = (page: Page) => page.getByRole('dialog', { name: 'Saved views' })
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Weld the roof trusses' })
    await w.at('requested', { title: 'Braze the pipes of riser 1' })
  })

  test('saved views: a person names what the board shows, by keyboard, and finds it when the board is opened the next time', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 1440, theme: 'dark' })
    await page.goto(board())
    await page.getByText('Braze the pipes').first().waitFor()
    await open(page)
    await menu(page).getByText('Search or filter first. Then you can save it here.').waitFor()
    await page.keyboard.press('Escape')
    await waitKey(page)
    await page.getByRole('searchbox').fill('truss')
    await page.waitForURL(/q=truss/)
    await page.getByRole('radio', { name: 'Table', exact: true }).check()
    await open(page)
    await menu(page).getByLabel('Name of the view').fill('Trusses')
    await page.keyboard.press('Enter')
    await menu(page).getByText('Trusses is saved.').waitFor()
    assert.equal(await menu(page).locator('.item[aria-current]').textContent(), 'Trusses')
    const { views = [] } = await onDisk(page)
    assert.equal(views.length, 1)
    assert.doesNotMatch(views.join(), /truss/i, 'V14.3.3 what is stored can’t be read without the key')
    assert.match((await withKey(page)).views?.join() ?? '', /Trusses/)
    await stage.axe(page)
    await picture(page, 'saved-views-1440')
    await page.keyboard.press('Escape')

    await page.goto(board())
    await page.getByText('Braze the pipes').first().waitFor()
    await open(page)
    await menu(page).getByRole('button', { name: 'Trusses', exact: true }).waitFor()
    assert.equal(await menu(page).locator('.item[aria-current]').count(), 0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(url => url.searchParams.get('q') === 'truss' && url.searchParams.get('view') === 'table')
    await page.getByText('Braze the pipes').first().waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('searchbox').inputValue(), 'truss')
  })

  test('saved views: each page has its own, only for the person who saved them, and a deleted one doesn’t come back, at 390 px', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390, theme: 'outdoor' })
    await page.goto(`${stage.url}/sites/${w.site_id}/members?ended=1`)
    await open(page)
    await menu(page).getByLabel('Name of the view').fill('Left the site')
    await menu(page).getByRole('button', { name: 'Save this view' }).click()
    await menu(page).getByText('Left the site is saved.').waitFor()
    await menu(page).getByLabel('Name of the view').fill('left THE site')
    await menu(page).getByRole('button', { name: 'Replace this view' }).waitFor()
    await painted(page)
    await stage.axe(page)
    const box = await menu(page).boundingBox()
    assert.ok(box !== null && box.x >= 8 && box.x + box.width <= 382, `it touches no edge of the screen: ${JSON.stringify(box)}`)
    const starts = await menu(page)
      .locator('.item, p:not(:empty), label')
      .evaluateAll(all =>
        all.map(one => {
          const words = document.createRange()
          words.selectNodeContents(one)
          return Math.round(words.getBoundingClientRect().x)
        }),
      )
    assert.deepEqual([...new Set(starts)].length, 1, `all texts begin below each other: ${starts}`)
    await picture(page, 'saved-views-390')
    await page.goto(board())
    await page.getByText('Braze the pipes').first().waitFor()
    await open(page)
    await menu(page).getByText('You have no saved views of this page yet.').waitFor()
    await page.goto(`${stage.url}/sites/${w.site_id}/members`)
    await open(page)
    await menu(page).getByRole('button', { name: 'Left the site', exact: true }).click()
    await page.waitForURL(/ended=1/)
    await open(page)
    await menu(page).getByRole('button', { name: 'Delete the view Left the site' }).click()
    await menu(page).getByText('You have no saved views of this page yet.').waitFor()
    await page.goto(`${stage.url}/sites/${w.site_id}/members`)
    await open(page)
    await menu(page).getByText('You have no saved views of this page yet.').waitFor()
  })
})
