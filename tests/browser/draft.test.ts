// Text typed into a request survives a lost connection, leaving the page, and closing the app.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

describe('a request typed without a connection', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`

  /** A phone on which the form was opened once with a connection. */
  async function phone(): Promise<{ context: BrowserContext; page: Page }> {
    const { page, context } = await stage.sit(w.as('member'), { width: 390, offline: true })
    context.setDefaultTimeout(15_000)
    await page.goto(at('board'))
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.goto(at('request'))
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    return { page, context }
  }

  /** The member's drafts with this title, once there are some. */
  async function sent(page: Page, title: string): Promise<{ id: string; description: string | null; controls: string | null }[]> {
    for (let i = 0; i < 200; i++) {
      const rows = await stage.house.rows(`select id, description, controls from permit where site_id = $1 and title = $2`, [
        w.site_id,
        title,
      ])
      if (rows.length > 0) return rows as never
      await page.waitForTimeout(100)
    }
    return assert.fail(`“${title}” never reached the service.`)
  }

  const unfinished = (page: Page) => page.getByRole('region', { name: 'Unfinished on this device' })
  const toBoard = async (page: Page) => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Board' }).click()
  }

  test('9.21 a draft that is typed offline and left for another page is sent automatically once the phone is online', async () => {
    const { page, context } = await phone()
    await context.setOffline(true)
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.waitForURL(/draft=new-/)
    await page.getByLabel('Work to be done').fill('Cut the old bracket')
    await toBoard(page)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    // An empty board doesn’t hide what this device has.
    await unfinished(page)
      .getByRole('link', { name: /Cut the old bracket/ })
      .waitFor()
    await context.setOffline(false)
    const rows = await sent(page, 'Cut the old bracket')
    assert.equal(rows.length, 1)
    await page.getByText('The draft on this device has been sent: Cut the old bracket').waitFor()
    await page.getByRole('link', { name: 'Cut the old bracket' }).waitFor()
  })

  test('9.21 text typed offline after a box was ticked online is still there when the app was closed and opens online on another page', async () => {
    const { page, context } = await phone()
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    await context.setOffline(true)
    await page.getByLabel('Work to be done').fill('Braze the joint')
    await page.getByLabel('Controls').fill('Extinguisher at hand')
    await page.close()
    await context.setOffline(false)
    const later = await context.newPage()
    await later.goto(at('board'))
    const [row] = await sent(later, 'Braze the joint')
    assert.equal(row?.controls, 'Extinguisher at hand')
  })

  test('9.21 the draft is in the URL from its first change, is complete when reloaded offline, and continues online under its permit', async () => {
    const { page, context } = await phone()
    await context.setOffline(true)
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByLabel('Work to be done').fill('Weld the gate')
    await page.getByRole('region', { name: 'Pre-checks' }).getByRole('radio', { name: 'Yes' }).first().click()
    await page.getByText('Saved on this device. It will be sent when you have a connection.').waitFor()
    const address = page.url()
    await page.reload()
    assert.equal(await page.getByLabel('Work to be done').inputValue(), 'Weld the gate')
    assert.equal(await page.getByRole('checkbox', { name: /Hot work/ }).isChecked(), true)
    assert.equal(await page.getByRole('region', { name: 'Pre-checks' }).locator('input:checked').count(), 1)
    await stage.axe(page)
    await context.setOffline(false)
    const [row] = await sent(page, 'Weld the gate')
    await page.waitForURL(new RegExp(`draft=${row?.id}`))
    // The old URL still leads to the draft.
    await page.goto(address)
    await page.getByText('Weld the gate').first().waitFor()
    assert.equal(await page.getByLabel('Work to be done').inputValue(), 'Weld the gate')
  })

  test('9.21 the form and the page about this device list unfinished requests, and open them again', async () => {
    const { page, context } = await phone()
    await context.setOffline(true)
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByLabel('Work to be done').fill('Burn off the paint')
    await toBoard(page)
    for (const where of ['outbox', 'request']) {
      await page.goto(at(where))
      const draft = unfinished(page).getByRole('link', { name: /Burn off the paint/ })
      await draft.waitFor()
      assert.equal(await page.getByText('Nothing is waiting to be sent.').count(), 0)
      await fitsPhone(page)
      await stage.axe(page)
      await draft.click()
      assert.equal(await page.getByLabel('Work to be done').inputValue(), 'Burn off the paint')
    }
  })

  test('changes that the device couldn’t store are sent with the next one that it can store', async () => {
    const { page } = await phone()
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    await page.evaluate(`
      window.storedBefore = IDBObjectStore.prototype.put
      IDBObjectStore.prototype.put = function (...given) {
        return this.name === 'drafts' ? this.transaction.abort() : window.storedBefore.apply(this, given)
      }`)
    await page.getByLabel('Work to be done').fill('Grind the weld')
    await page.getByText('This device can’t store your changes').waitFor()
    await page.evaluate('IDBObjectStore.prototype.put = window.storedBefore')
    await page.getByLabel('Controls').fill('Fire watch')
    const [row] = await sent(page, 'Grind the weld')
    assert.equal(row?.controls, 'Fire watch')
  })

  test('a request with changes that the device couldn’t store is not submitted, until they are stored', async () => {
    const { page } = await phone()
    const { id } = await w.draft({ title: 'Weld the gutter', categories: ['GEN'] })
    await page.goto(at(`request?draft=${id}`))
    await page.getByLabel('Work to be done').waitFor()
    const submitted = async () => (await stage.house.rows('select submitted_at from permit where id = $1', [id]))[0].submitted_at !== null
    const steps: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/submit')) steps.push(request.url())
    })
    await page.evaluate(`
      window.storedBefore = IDBObjectStore.prototype.put
      IDBObjectStore.prototype.put = function (...given) {
        return this.name === 'drafts' ? this.transaction.abort() : window.storedBefore.apply(this, given)
      }`)
    await page.getByLabel('Work to be done').fill('Braze the gutter')
    await page.getByText('This device can’t store your changes').waitFor()
    const submit = page.getByRole('button', { name: 'Submit', exact: true })
    await submit.click()
    await submit.and(page.locator(':enabled')).waitFor()
    assert.deepEqual([steps, await submitted()], [[], false])
    assert.equal(await page.getByLabel('Work to be done').inputValue(), 'Braze the gutter')
    await page.getByText('This device can’t store your changes').waitFor()
  })

  test('9.21 if the response to the first save is lost and more is typed, there is one draft with all of the text', async () => {
    const { page, context } = await phone()
    let tries = 0
    const lost = Promise.withResolvers<void>()
    await context.route('**/api/permits/applications', async route => {
      if (route.request().method() !== 'POST') return route.fallback()
      if (tries++ > 0) return route.fallback()
      await route.fetch()
      await route.abort('internetdisconnected')
      lost.resolve()
    })
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByLabel('Controls').fill('Screen and watch')
    await lost.promise
    await page.getByLabel('Work to be done').fill('Solder the tray')
    const rows = await sent(page, 'Solder the tray')
    assert.deepEqual([rows.length, rows[0]?.controls], [1, 'Screen and watch'])
    const drafts = await stage.house.rows(`select id from permit where site_id = $1 and controls = 'Screen and watch'`, [w.site_id])
    assert.equal(drafts.length, 1)
  })
})
