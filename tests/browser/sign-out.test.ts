// What a device stores after its user has signed out: read from the browser itself, all of it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { until } from './hands.ts'
import { storedUser, useStage } from './kit.ts'
import { waitKept } from './stored.ts'

/** Everything that a page of our origin can read: each store as text, and the number of values in each drawer. */
const EVERYTHING = `(async () => {
  const database = await new Promise(done => {
    const opening = indexedDB.open('walkdown')
    opening.onsuccess = () => done(opening.result)
  })
  const drawers = {}
  for (const name of database.objectStoreNames) {
    const store = database.transaction(name).objectStore(name)
    const read = asked => new Promise(done => { asked.onsuccess = () => done(asked.result) })
    const keys = await read(store.getAllKeys())
    const values = await read(store.getAll())
    const texts = await Promise.all(values.map(value => (value instanceof Blob ? value.text() : JSON.stringify(value))))
    drawers[name] = keys.map((key, i) => key + ' ' + texts[i])
  }
  database.close()
  const cached = []
  for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) cached.push(new URL(request.url).pathname)
  return {
    drawers,
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    cached,
    shown: document.body.innerText,
  }
})()`
type Everything = {
  drawers: Record<string, string[]>
  databases: string[]
  local: Record<string, string>
  session: Record<string, string>
  cookies: string
  cached: string[]
  shown: string
}
const everything = (page: Page) => page.evaluate(EVERYTHING) as Promise<Everything> // the script returns this

describe('signing out', () => {
  const stage = useStage()
  let w: PermitWorld
  let permit: Permit
  before(async () => {
    w = await permitWorld(stage.house)
    permit = await w.at('requested', { title: 'Grind the flange' })
    const value = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#c86432' } })
      .jpeg()
      .toBuffer()
    await w.as('hse').send('POST', `/permits/applications/${permit.id}/attachments`, [{ name: 'file', filename: 'north.jpg', value }])
  })

  /** Opens the app as a person who signed in once, so that nothing signs them in again after they have signed out. */
  const open = async (who: 'coordinator') => {
    const { page } = await stage.sit(null, { width: 390, offline: true })
    await page.goto(stage.url)
    const { key, value } = storedUser(stage.url, w.as(who))
    await page.evaluate(`localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(value)})`)
    return page
  }
  const at = () => `${stage.url}/sites/${w.site_id}/permits/${permit.id}`
  const pictures = (page: Page, n: number) =>
    until(page, EVERYTHING.replace(/\)\(\)$/, `)().then(all => all.drawers.pictures.length >= ${n})`))

  test('V14.3.2 no file is in the browser’s cache: a photo is fetched once, is shown again without a connection, and is removed by sign-out', async () => {
    const page = await open('coordinator')
    const asked: string[] = []
    page.on('response', response => {
      if (response.url().includes('variant=thumb')) asked.push(String(response.headers()['cache-control']))
    })
    await page.goto(at())
    await page.locator('.photo-small img').waitFor()
    await pictures(page, 1)
    await page.reload()
    await page.locator('.photo-small img').waitFor()
    assert.deepEqual(asked, ['no-store'], 'fetched once, and not to be cached')
    await waitKept(page, [permit.id])
    await until(page, `navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated')`)
    await page.context().setOffline(true)
    await page.reload()
    await page.locator('.photo-small img').waitFor()
    await page.context().setOffline(false)
    const { cached } = await everything(page)
    assert.ok(cached.length > 0)
    assert.deepEqual(
      cached.filter(path => /^\/(api|oidc)/.test(path)),
      [],
    )
  })

  test('V14.3.1 after sign-out nothing is left that the service sent, and no token: only text, drafts and files that the person has not sent, and how the app looks', async () => {
    const page = await open('coordinator')
    await page.goto(at())
    await page.locator('.photo-small img').waitFor()
    await pictures(page, 1)
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Name the spotter')
    await until(page, EVERYTHING.replace(/\)\(\)$/, ')().then(all => all.drawers.forms.length === 1)'))
    await waitKept(page, [permit.id])
    const before_ = await everything(page)
    assert.ok((before_.drawers.cache ?? []).length > 0 && (before_.drawers.pictures ?? []).length > 0)
    assert.match(JSON.stringify(before_.drawers.cache), /Grind the flange/)

    await page.goto(stage.url)
    await Promise.all([
      page.getByRole('button', { name: 'Sign out' }).click(),
      page.waitForRequest(/session\/end/),
      page.waitForEvent('load'),
    ])
    const after = await everything(page)
    const counts = Object.fromEntries(Object.entries(after.drawers).map(([name, values]) => [name, values.length]))
    assert.deepEqual(counts, { cache: 0, papers: 0, pictures: 0, outbox: 0, files: 0, drafts: 0, forms: 1 })
    assert.match(after.drawers.forms?.[0] ?? '', /Name the spotter/, 'stays readable: this is what V14.3.1 doesn’t allow')
    assert.deepEqual(after.databases, ['walkdown'])
    assert.equal(after.cookies, '')
    assert.deepEqual(
      after.cached.filter(path => /^\/(api|oidc)/.test(path)),
      [],
    )
    // The site that was open last, by its id, settings of this device, and how far pages were scrolled, by random keys.
    const kept = [...Object.keys(after.local), ...Object.keys(after.session)].sort()
    for (const name of kept)
      assert.match(name, /^walkdown\.(looks|config|last_site|locale|push)$|^walkdown\.sign_in\.|^tsr-scroll-restoration/, name)
    const { forms: _unsent, ...others } = after.drawers
    const all = JSON.stringify([others, after.local, after.session, after.cookies, after.shown])
    const { token } = w.as('coordinator')
    for (const word of [token, permit.id, 'Grind the flange', 'north.jpg', 'refresh_token', 'access_token', 'id_token'])
      assert.ok(!all.includes(String(word)), String(word))
  })
})
