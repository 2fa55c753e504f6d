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

  test('§16 a coordinator stops work with the form; the permit there says so on its card and on its page, until the alert is resolved', async () => {
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
    await hse.page.getByText('Work here is stopped: Gusts: no work outside.').waitFor()
    await stage.axe(hse.page)
    await hse.page.goto(site('/board'))
    await hse.page.locator('.permit-card .badge.stop', { hasText: 'Stopped by an alert' }).first().waitFor()
    await cora.post(`/alerts/${raised.id}/resolve`, { note: 'Wind has dropped' })
    await hse.page.locator('.permit-card .badge.stop', { hasText: 'Stopped by an alert' }).first().waitFor({ state: 'detached' })
  })

  test('§16 without a connection an alert is saved on the phone, and is sent when there is one', async () => {
    const { page, context } = await stage.sit(w.as('coordinator'), { width: 390, offline: true })
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
