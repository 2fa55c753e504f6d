import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { useStage } from './kit.ts'

describe('the app: alerts', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
  })
  const site = (path: string) => `${stage.url}/sites/${w.site_id}${path}`
  const alerts = async () => (await w.as('coordinator').get(`/alerts/?site_id=${w.site_id}`)).body

  test('§16 with two taps on a phone, a member raises danger at the middle of the map; everyone has a banner, with the emergency phone, until they have read it', async () => {
    // §1: the emergency phone is shown where an alert is raised and where it is read.
    await w.as('admin').patch(`/sites/${w.site_id}`, { emergency_phone: '+44 20 7946 0999' })
    const emergency = (page: Page) => page.getByRole('link', { name: 'Emergency phone: +44 20 7946 0999' })
    const other = await stage.sit(w.as('hse'))
    await other.page.goto(site('/today'))
    await other.page.getByRole('heading', { name: 'Today' }).waitFor()
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(site('/map'))
    await idle(page)
    await page.getByRole('button', { name: 'Raise an alert' }).click()
    await page.locator('.map-cross').waitFor()
    assert.equal(await emergency(page).getAttribute('href'), 'tel:+442079460999')
    await stage.axe(page)
    await page.getByRole('button', { name: 'Live service found' }).click()
    await page.getByText('Alert raised: Live service found').waitFor()
    const [raised] = await alerts()
    assert.deepEqual([raised.severity, raised.category, raised.radius_m, raised.state], ['danger', 'utilities', 25, 'active'])
    assert.equal(typeof raised.place.point.lon, 'number')
    assert.equal(await page.locator('.alert-banner').count(), 0, 'who raised it knows')
    const banner = other.page.locator('.alert-banner')
    await banner.getByText('Live service found').waitFor()
    await emergency(other.page).waitFor()
    await stage.axe(other.page)
    await other.page.reload()
    await banner.getByRole('button', { name: 'I have read this' }).click()
    await banner.waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByRole('heading', { name: 'Today' }).waitFor()
    await other.page.waitForTimeout(500)
    assert.equal(await banner.count(), 0)
  })

  for (const width of [390, 1440])
    test(`§16 an unread alert of danger says what and where${width < 600 ? ' in two lines on a phone, so that the map stays in sight' : ''}; all of it is shown before it can be confirmed, at ${width} px`, async () => {
      const { w: own, tower } = await drawnWorld(stage.house)
      await own.as('admin').patch(`/sites/${own.site_id}`, { emergency_phone: '+44 20 7946 0999' })
      const message =
        'Stay behind the barriers on the quay side. The lift shaft is open on every level until the scaffold has been tied in again.'
      const alert = { site_id: own.site_id, title: 'Open lift shaft', severity: 'danger', category: 'access', message }
      const made = await own.as('coordinator').post('/alerts/', { ...alert, place: { building_id: tower } })
      assert.equal(made.status, 201, made.text)
      const { page } = await stage.sit(own.as('hse'), { width })
      await page.goto(`${stage.url}/sites/${own.site_id}/map`)
      await idle(page)
      const banner = page.locator('.alert-banner')
      for (const said of ['Open lift shaft', 'Danger', 'Tower']) await banner.getByText(said, { exact: true }).waitFor()
      const [whole, read] = [banner.getByText(message), banner.getByRole('button', { name: 'I have read this' })]
      const [more, call] = [banner.getByRole('button', { name: 'Read it' }), banner.getByRole('link', { name: /^Emergency phone/ })]
      if (width < 600) {
        assert.deepEqual([await whole.isVisible(), await read.isVisible()], [false, false])
        assert.ok(((await banner.boundingBox())?.height ?? 999) <= 100, 'two lines')
        const [map, nav] = [await page.locator('[data-map]').boundingBox(), await page.locator('.ways').boundingBox()]
        assert.ok((nav?.y ?? 0) - (map?.y ?? 999) > 844 / 2, `half of the screen is the map, which begins at ${map?.y} px`)
        await stage.axe(page)
        await more.click()
        assert.equal(await banner.locator('.alert-whole').evaluate(one => one === document.activeElement), true, 'the focus follows')
      }
      assert.equal(await more.isVisible(), false)
      for (const one of [whole, read, call]) await one.waitFor()
      await stage.axe(page)
      await read.click()
      await banner.waitFor({ state: 'detached' })
    })

  test('§16 the map shows the alert in its list, and its panel leads to the page, where danger is resolved with a note and reopened with a reason', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site('/map'))
    await idle(page)
    await page.getByRole('button', { name: /Live service found/ }).click()
    const note = page.locator('.map-floating')
    await note.getByText('until someone resolves it').waitFor()
    await stage.axe(page)
    await note.getByRole('link', { name: 'Open alert' }).click()
    await page.getByRole('heading', { name: 'Alerts' }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByLabel('What you saw or did').fill('Cable isolated')
    await stage.axe(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('Resolved: Live service found').waitFor()
    assert.deepEqual(await alerts(), [])
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByLabel('Reason').fill('Found another one')
    await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('Active again: Live service found').waitFor()
    assert.equal((await alerts())[0].state, 'active')
  })

  test('§16 a coordinator stops work with the form; the permit there says so on its card and on its page, and why only once, until the alert is resolved', async () => {
    const point = (await alerts())[0].place.point
    const permit = await w.at('issued', { place: { point } })
    const cora = w.as('coordinator')
    const { page } = await stage.sit(cora)
    await page.goto(site('/map?add=alert'))
    await idle(page)
    await page.getByRole('button', { name: 'Something else …' }).click()
    await page.getByLabel('Title').fill('Gusts: no work outside')
    await page.getByRole('radio', { name: 'Stops work' }).check({ force: true })
    await page.getByLabel('All work').waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const raised = (await alerts()).find((one: { effect: string }) => one.effect === 'stops')
    assert.deepEqual([raised.activities, raised.severity], [['all'], 'warning'])
    await cora.patch(`/alerts/${raised.id}`, { place: { point }, radius_m: 30 })
    const hse = await stage.sit(w.as('hse'), { width: 390 })
    await hse.page.goto(site(`/permits/${permit.id}`))
    const banner = hse.page.locator('.alert-banner')
    await hse.page.locator('.permit-page').waitFor()
    await banner.waitFor()
    // Alerts of the tests before are read first.
    while ((await banner.getByText('Gusts: no work outside').count()) === 0) {
      await banner.getByRole('button', { name: 'Read it' }).click()
      await banner.getByRole('button', { name: 'I have read this' }).click()
      await hse.page.waitForTimeout(100)
    }
    await hse.page.getByText('Work here is stopped. The permit itself stays as it is.', { exact: false }).waitFor()
    assert.equal(await hse.page.getByText('Gusts: no work outside', { exact: false }).count(), 1, 'only the banner says which')
    await banner.getByRole('button', { name: 'Read it' }).click()
    await banner.getByRole('button', { name: 'I have read this' }).click()
    await hse.page.getByText('Work here is stopped: Gusts: no work outside.').waitFor()
    await stage.axe(hse.page)
    await hse.page.goto(site('/board'))
    await hse.page.locator('.permit-card .badge.stop', { hasText: 'Stopped by an alert' }).first().waitFor()
    const carrier = await stage.sit(w.receiver, { width: 390 })
    await carrier.page.goto(site('/wallet'))
    const call = carrier.page.locator('.permit-card .call').first()
    await call.getByText('Stopped by an alert. No work now.').waitFor()
    assert.equal(await carrier.page.getByText('Work can go ahead').count(), 0)
    await cora.post(`/alerts/${raised.id}/resolve`, { note: 'Wind has dropped' })
    await call.getByText('Stopped by an alert').waitFor({ state: 'detached' })
    await hse.page.locator('.permit-card .badge.stop', { hasText: 'Stopped by an alert' }).first().waitFor({ state: 'detached' })
  })

  test('§16 without a connection an alert is saved on the phone, and is sent when there is one', async () => {
    const { page, context } = await stage.sit(w.as('coordinator'), { width: 390, offline: true })
    // The map was open before, with all that it shows when the form is closed.
    await page.goto(site('/map'))
    await page.locator('.sky').first().waitFor({ state: 'attached' })
    await idle(page)
    await page.goto(site('/map?add=alert'))
    await idle(page)
    await page.getByRole('button', { name: 'Way closed' }).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Way closed' }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await context.setOffline(false)
    await page.getByText('Saved on this device').waitFor({ state: 'detached', timeout: 30_000 })
    const titles = (await alerts()).map((one: { title: string }) => one.title)
    assert.ok(titles.includes('Way closed'), titles.join())
  })
})
