import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const NAMES = ['Ash Cladding', 'Birch Cranes', 'Cedar Formwork', 'Delta Groundworks', 'Elm Scaffolding']

describe('762 the list that every page of records has', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    for (const name of NAMES)
      assert.equal((await w.as('admin').post('/contractors/', { site_id: w.site_id, name, confirm_similar: true })).status, 201)
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}${path}`
  const rows = (page: Page) => page.locator('[data-row]')

  test('search and filters are in the URL, and a reload or a shared link shows the same rows', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('/contractors'))
    await page.getByText(/^\d+ contractors$/).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('cranes')
    await page.getByText('1 contractor', { exact: true }).waitFor()
    await page.waitForURL(/q=cranes/)
    await page.getByLabel('Show contractors that have left').check()
    await page.waitForURL(/left=1/)
    await page.reload()
    await page.getByText('1 contractor', { exact: true }).waitFor()
    assert.deepEqual(await rows(page).locator('.strong').allTextContents(), ['Birch Cranes'])
    await page.getByRole('searchbox').fill('nobody is called so')
    await page.getByText('Nothing matches your search and filters.').waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await rows(page)
      .nth(NAMES.length - 1)
      .waitFor()
    await page.waitForURL(url => url.search === '')
  })

  test('an empty list offers its one thing to do once, and a list with rows offers it above them', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at('/alerts'))
    await page.getByText('There are no alerts now.').waitFor()
    const raise = page.locator('main').getByRole('link', { name: 'Raise an alert' })
    assert.equal(await raise.count(), 1)
    assert.equal(await page.locator('.listing-head').getByRole('link', { name: 'Raise an alert' }).count(), 0)
    const alert = { site_id: w.site_id, title: 'Wind', severity: 'info', category: 'weather' }
    const made = await w.as('coordinator').post('/alerts/', alert)
    assert.equal(made.status, 201, made.text)
    await page.locator('.listing-head').getByRole('link', { name: 'Raise an alert' }).waitFor()
    assert.equal(await raise.count(), 1)
  })

  test('filters that are cleared right after typing stay cleared: what was typed no longer reaches the URL', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('/contractors'))
    await rows(page).first().waitFor()
    await page.getByRole('searchbox').fill('cranes')
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    // Longer than the search waits before it changes the URL.
    await page.waitForTimeout(1000)
    assert.equal(new URL(page.url()).search, '')
    await page.getByText(/^\d+ contractors$/).waitFor()
  })

  test('J and K move from row to row, as the arrow keys do; in a text field they are letters', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('/contractors'))
    await rows(page).first().waitFor()
    const current = () => rows(page).evaluateAll(all => all.findIndex(row => row.contains(document.activeElement)))
    await page.keyboard.press('j')
    assert.equal(await current(), 0)
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    assert.equal(await current(), 2)
    await page.keyboard.press('k')
    assert.equal(await current(), 1)
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('j')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'j')
  })

  test('if a step is taken for several records, each has its own result, and a refusal says why', async () => {
    const own = await permitWorld(stage.house)
    for (const name of NAMES.slice(0, 2)) await own.as('admin').post('/contractors/', { site_id: own.site_id, name })
    const { page } = await stage.sit(own.as('admin'))
    await page.goto(`${stage.url}/sites/${own.site_id}/contractors`)
    await page.getByLabel('Select Ash Cladding').check()
    await page.getByLabel('Select Birch Cranes').check()
    // Another person has changed one of them in the meantime, and this screen doesn’t know it yet.
    await page.route('**/api/contractors/*', async route => {
      const { url, method } = { url: route.request().url(), method: route.request().method() }
      const [birch] = (await own.as('admin').get(`/contractors/?site_id=${own.site_id}&q=Birch`)).body
      if (method === 'PATCH' && url.includes(birch.id))
        return route.continue({ headers: { ...route.request().headers(), 'if-match': '"999"' } })
      return route.continue()
    })
    await page.getByText('2 selected').waitFor()
    await page.locator('.submit-bar').getByRole('button', { name: 'Mark as left' }).click()
    const results = page.getByRole('dialog')
    await results.getByText('1 done').waitFor()
    await results.getByText('1 refused').waitFor()
    await results.getByText('Birch Cranes').waitFor()
    await stage.axe(page)
    await results.getByRole('button', { name: 'Close' }).last().click()
    const left = (await own.as('admin').get(`/contractors/?site_id=${own.site_id}&status=left`)).body as { name: string }[]
    assert.deepEqual(
      left.map(one => one.name),
      ['Ash Cladding'],
    )
  })

  test('the rows shown can be downloaded as a file, with the columns of the table', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('/contractors?q=elm'))
    await page.getByText('1 contractor', { exact: true }).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download CSV' }).click()])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /^Elm Scaffolding,/)
  })

  test('on a phone the rows are shown as cards, and another person’s change appears by itself', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(at('/contractors'))
    await page.getByRole('listitem').filter({ hasText: 'Delta Groundworks' }).waitFor()
    await fitsPhone(page)
    await stage.axe(page)
    await page.locator('.line-dot.live').waitFor()
    assert.equal((await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Fir Joinery' })).status, 201)
    await page.getByRole('listitem').filter({ hasText: 'Fir Joinery' }).waitFor()
  })

  test('of a thousand rows only those near the screen are drawn, and the count includes all of them', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.route('**/api/contractors?*', async route => {
      const answer = await route.fetch()
      const [first] = (await answer.json()) as { id: string; name: string }[]
      const many = Array.from({ length: 1000 }, (_, i) => ({
        ...first,
        id: `${first?.id.slice(0, -6)}${String(i).padStart(6, '0')}`,
        name: `Trade ${i}`,
      }))
      await route.fulfill({ response: answer, json: many })
    })
    await page.goto(at('/contractors'))
    await page.getByText('1,000 contractors').waitFor()
    assert.ok((await rows(page).count()) < 120, `${await rows(page).count()} rows are drawn`)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('[data-row] .strong').filter({ hasText: 'Trade 999' }).waitFor()
  })
})
