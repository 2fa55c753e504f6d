import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: notifications', () => {
  const stage = useStage()
  let w: PermitWorld
  const unread = async () => (await w.as('hse').get(`/notifications/unread-count?site_id=${w.site_id}`)).body.unread as number
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Weld handrails' })
    await w.at('requested', { title: 'Grind channels' })
    await relayEvents(stage.house.house)
  })
  const site = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`

  test('the bell counts; reading a message doesn’t leave the page; the reason for it is shown, with its switch', async () => {
    const count = await unread()
    assert.ok(count >= 2)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('board'))
    await page.getByRole('link', { name: `Notifications: ${count} unread` }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Mark read', exact: true }).first().click()
    await page.getByRole('link', { name: `Notifications: ${count - 1} unread` }).waitFor()
    assert.match(page.url(), /\/notifications$/)
    await stage.axe(page)
    await page.getByRole('button', { name: 'Why did I get this notification?' }).first().click()
    const why = page.getByRole('dialog')
    await why
      .getByText('You are', { exact: false })
      .or(why.getByText('everyone who', { exact: false }))
      .or(why.getByText('next step', { exact: false }))
      .first()
      .waitFor()
    const mail = why.getByRole('checkbox', { name: /In the app/ })
    await mail.waitFor()
    await stage.axe(page)
    await page.keyboard.press('Escape')
    await page.getByLabel('Unread only').check()
    await page.waitForURL(/unread=1/)
    await page.getByRole('button', { name: 'Mark unread' }).waitFor({ state: 'detached' })
  })

  test('§12 the bell and the list follow the socket: a new notification, and one that was read on another device', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('notifications'))
    await page.getByRole('button', { name: 'Why did I get this notification?' }).first().waitFor()
    await page.locator('.line-dot.live').waitFor()
    const count = await unread()
    const made = await w.at('requested', { title: 'Cut the rail' })
    await page.getByRole('link', { name: `Notifications: ${count + 1} unread` }).waitFor()
    const row = page.getByRole('listitem').filter({ hasText: made.permit_number })
    await row.getByRole('button', { name: 'Mark read' }).waitFor()
    const [first] = (await w.as('hse').get(`/notifications/?site_id=${w.site_id}&subject_id=${made.id}`)).body
    assert.equal((await w.as('hse').post(`/notifications/${first.id}/mark-read`, {})).status, 200)
    await row.getByRole('button', { name: 'Mark unread' }).waitFor()
    await page.getByRole('link', { name: `Notifications: ${count} unread` }).waitFor()
  })

  test('9.22 a notification is a link to its subject, and counts as read once it was opened', async () => {
    const made = await w.at('requested', { title: 'Clear the gutter' })
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site('notifications'))
    await page
      .getByRole('link', { name: new RegExp(made.permit_number) })
      .first()
      .click()
    await page.waitForURL(new RegExp(`/permits/${made.id}`))
    await page.getByRole('heading', { name: 'Clear the gutter', level: 1 }).waitFor()
    const [said] = (await w.as('coordinator').get(`/notifications/?site_id=${w.site_id}&limit=1`)).body
    assert.notEqual(said.read_at, null)
  })

  test('“mark all read”, by keyboard on a phone, leaves messages unread that arrived after the screen was drawn', async () => {
    // What the other tests did is on screen, too.
    await relayEvents(stage.house.house)
    const { page } = await stage.sit(w.as('hse'), { width: 390, theme: 'dark' })
    await page.goto(site('notifications'))
    await page.getByRole('button', { name: 'Why did I get this notification?' }).first().waitFor()
    const all = page.getByRole('button', { name: 'Mark all read' })
    await all.focus()
    // This message is not on screen yet.
    const seen = (await w.as('hse').get(`/notifications/?site_id=${w.site_id}&limit=50`)).text
    await page.route(/\/api\/notifications\/\?/, route => route.fulfill({ contentType: 'application/json', body: seen }))
    stage.house.clock('2026-03-16T09:05:00.000Z')
    await w.at('requested', { title: 'Comes late' })
    await relayEvents(stage.house.house)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Notifications: 1 unread' }).waitFor()
    assert.equal(await unread(), 1)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await fitsPhone(page)
    await stage.axe(page)
  })

  test('in preferences a switch shows where its value comes from, a locked one shows why, a change can be reset, and quiet hours are saved', async () => {
    const { page } = await stage.sit(w.as('hse'), { theme: 'outdoor' })
    await page.goto(site('notifications/preferences'))
    const table = page.getByRole('table')
    await table.waitFor()
    const open = table.locator('tbody').nth(1).locator('input[type=checkbox]:not([disabled])').first()
    const name = (await open.getAttribute('aria-label')) ?? ''
    const own = table.getByRole('checkbox', { name, exact: true })
    const was = await own.isChecked()
    await own.click()
    await table.getByText('your setting for this site').waitFor()
    assert.equal(await own.isChecked(), !was)
    await table.getByRole('button', { name: 'Reset' }).click()
    await table.getByText('your setting for this site').waitFor({ state: 'detached' })
    assert.equal(await own.isChecked(), was)
    assert.ok((await table.locator('input[type=checkbox][disabled]').count()) > 0)
    const quiet = page.getByRole('group', { name: 'Quiet hours: push' })
    await quiet.getByLabel('Hold notifications during these hours').check()
    await quiet.getByLabel('From').fill('20:00')
    await quiet.getByRole('button', { name: /Save quiet hours/ }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const prefs = (await w.as('hse').get(`/notification-prefs/effective?site_id=${w.site_id}`)).body as {
      kind: string
      quiet_hours?: { push: { from: string; to: string } }
    }[]
    assert.equal(prefs.find(one => one.kind === 'all')?.quiet_hours?.push.from, '20:00')
    await stage.axe(page)
  })

  test('preferences on a phone have one line below another, and nothing scrolls sideways', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(site('notifications/preferences'))
    await page.getByRole('table').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await stage.axe(page)
  })

  test('messages.md §4 a device from which a person has signed out no longer gets their push notifications', async () => {
    const { page, context } = await stage.sit(w.as('hse'))
    // No push service can be reached from here, so the browser has a subscription that only records its end.
    await context.addInitScript(() => {
      const unsubscribe = async () => {
        localStorage.setItem('test.push', 'ended')
        return true
      }
      const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } }
      Object.defineProperty(navigator.serviceWorker, 'getRegistration', { value: async () => registration })
    })
    await page.goto(stage.url)
    const left = page.waitForRequest(/\/oidc\/session\/end/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await left
    await page.waitForFunction(() => localStorage.getItem('test.push') === 'ended', undefined, { timeout: 5000 })
  })
})
