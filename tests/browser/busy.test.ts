// A service that is too busy: the page says so and shows its data as soon as it can, and a step is neither lost nor doubled.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

const REFUSAL = {
  status: 503,
  headers: { 'retry-after': '1' },
  json: {
    error: {
      code: 'unavailable',
      detail: 'Too many people are using the service at the moment. Nothing was changed. Try again in a moment.',
    },
  },
}

describe('a service that is too busy', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('10.6 a board that was refused with 503 says that the service is busy and appears without anyone doing anything', async () => {
    await w.at('requested', { title: 'Cut the slab' })
    const { page } = await stage.sit(w.as('coordinator'), { busy: true })
    let refused = 0
    await page.route('**/api/permits?*', (route: Route) => (refused++ < 3 ? route.fulfill(REFUSAL) : route.continue()))
    await page.goto(`${stage.url}/sites/${w.site_id}/board`)
    await page.getByRole('status').getByText('The service is busy. Trying again').waitFor()
    assert.equal(await page.getByText('Too many people').count(), 0, 'no fault is shown while the app still tries')
    await page.getByText('Cut the slab').first().waitFor()
    await page.getByText('The service is busy. Trying again').waitFor({ state: 'detached' })
  })

  test('10.6 a step that was refused with 503 stays on the device and takes effect once', async () => {
    const permit = await w.at('requested', { title: 'Set the beam' })
    const { page } = await stage.sit(w.as('coordinator'), { busy: true })
    const keys: string[] = []
    await page.route('**/endorse', async (route: Route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      // The second attempt arrives, but its response is lost to a busy proxy.
      if (keys.length === 2) await route.fetch()
      return keys.length <= 2 ? route.fulfill(REFUSAL) : route.continue()
    })
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${permit.id}?review=endorse`)
    await page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Endorse' }).click()
    while (keys.length < 3) await page.waitForTimeout(50)
    await page.getByText('1 waiting on this device').waitFor({ state: 'detached' })
    assert.equal(new Set(keys).size, 1, 'every attempt has the same key')
    const after = await w.read(permit)
    assert.equal(after.status, 'endorsed')
    assert.equal((after.signatures as { kind: string }[]).filter(one => one.kind === 'stage1_approve').length, 1)
  })

  test('740 a form that a busy service refused says so in place, is sent again under the same key, and is saved once', async () => {
    const { page } = await stage.sit(w.as('admin'), { busy: true })
    const keys: string[] = []
    await page.route('**/api/contractors', async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      // The second attempt arrives, but its response is lost to a busy proxy.
      if (keys.length === 2) await route.fetch()
      return keys.length <= 2 ? route.fulfill(REFUSAL) : route.continue()
    })
    await page.goto(`${stage.url}/sites/${w.site_id}/contractors`)
    await page.getByRole('button', { name: 'New contractor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Contractor name').fill('Quay Cranes')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('The service is busy. Trying again').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true, 'nobody has to press it again')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1], 'every attempt has the same key')
    const all = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}`)).body as { name: string }[]
    assert.equal(all.filter(one => one.name === 'Quay Cranes').length, 1)
  })

  test('740 a form that is still refused after three attempts shows the refusal, and its text is kept', async () => {
    const { page } = await stage.sit(w.as('admin'), { busy: true })
    let sent = 0
    await page.route('**/api/permits/config?*', (route: Route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      sent++
      return route.fulfill(REFUSAL)
    })
    await page.goto(`${stage.url}/sites/${w.site_id}/settings/policy`)
    const hours = page.getByLabel('Warning before a permit ends, hours')
    await hours.fill('36')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('form').getByText('Too many people are using the service').waitFor({ timeout: 30_000 })
    assert.deepEqual([sent, await hours.inputValue()], [3, '36'])
  })
})
