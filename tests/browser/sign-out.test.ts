// What a device stores after its user has signed out: read from the browser itself, all of it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { jobActor } from '../../server/base/actor.ts'
import { signOutEverywhere } from '../../server/commands/sign-out.ts'
import { writingOn } from '../../server/kernel/site/door.ts'
import { admit } from '../../server/rooms/site/memberships/door.ts'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { PASSPHRASE, personWithAccount } from '../provider.ts'
import { until } from './hands.ts'
import { setLine, storedUser, useStage } from './kit.ts'
import { makePlain, onDisk, waitKept, waitKey, withKey } from './stored.ts'

/** Everything else that a page of our origin can read. */
const OTHERS = `(async () => {
  const cached = []
  for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) cached.push(new URL(request.url).pathname)
  return {
    databases: (await indexedDB.databases()).map(({ name }) => name),
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    cached,
    shown: document.body.innerText,
  }
})()`
type Others = {
  databases: string[]
  local: Record<string, string>
  session: Record<string, string>
  cookies: string
  cached: string[]
  shown: string
}
const others = (page: Page) => page.evaluate(OTHERS) as Promise<Others> // the script returns this
const counts = (drawers: Record<string, string[]>) => Object.fromEntries(Object.entries(drawers).map(([name, all]) => [name, all.length]))
const NOTHING = { cache: 0, papers: 0, pictures: 0, outbox: 0, files: 0, drafts: 0, forms: 0, views: 0, keys: 0 }

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** Signs out on the page of the sites. */
const signOut = async (page: Page, url: string) => {
  await page.goto(url)
  await Promise.all([
    page.getByRole('button', { name: 'Sign out' }).click(),
    page.waitForRequest(/session\/end/),
    page.waitForEvent('load'),
  ])
}

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
  const pictures = async (page: Page, n: number) => {
    while (((await withKey(page)).pictures ?? []).length < n) await page.waitForTimeout(30)
  }

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
    const { cached } = await others(page)
    assert.ok(cached.length > 0)
    assert.deepEqual(
      cached.filter(path => /^\/(api|oidc)/.test(path)),
      [],
    )
  })

  test('V14.3.1 V14.3.3 while someone is signed in nothing readable is on the disk, and after sign-out neither the key nor anything that the service sent', async () => {
    const page = await open('coordinator')
    await page.goto(at())
    await page.locator('.photo-small img').waitFor()
    await pictures(page, 1)
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Name the spotter')
    await waitKept(page, [permit.id])
    while (((await withKey(page)).forms ?? []).length < 1) await page.waitForTimeout(30)
    const words = ['Grind the flange', 'north.jpg', 'Name the spotter', permit.id, w.site_id]
    const opened = JSON.stringify(await withKey(page))
    for (const word of words) assert.ok(opened.includes(word), `stored, and readable with the key: ${word}`)
    const before_ = JSON.stringify(await onDisk(page))
    for (const word of words) assert.ok(!before_.includes(word), word)
    assert.match(before_, /a key that cannot be read/)
    assert.doesNotMatch(before_, /A KEY THAT CAN BE READ/)

    await signOut(page, stage.url)
    const after = await onDisk(page)
    assert.deepEqual(counts(after), { ...NOTHING, forms: 1 })
    const rest = await others(page)
    assert.deepEqual(rest.databases, ['walkdown'])
    assert.equal(rest.cookies, '')
    assert.deepEqual(
      rest.cached.filter(path => /^\/(api|oidc)/.test(path)),
      [],
    )
    // The site that was open last, by its id, settings of this device, and how far pages were scrolled, by random keys.
    const kept = [...Object.keys(rest.local), ...Object.keys(rest.session)].sort()
    for (const name of kept)
      assert.match(name, /^walkdown\.(looks|config|last_site|locale|push)$|^walkdown\.sign_in\.|^tsr-scroll-restoration/, name)
    const all = JSON.stringify([after, { ...rest.local, 'walkdown.last_site': '' }, rest.session, rest.cookies, rest.shown])
    for (const word of [...words, w.as('coordinator').token, 'refresh_token', 'access_token', 'id_token'])
      assert.ok(!all.includes(String(word)), String(word))
  })

  test('V14.3.1 if the app is killed while someone signs out, the next start deletes the key and what the service sent', async () => {
    const page = await open('coordinator')
    await page.goto(at())
    await page.locator('.photo-small img').waitFor()
    await pictures(page, 1)
    await page.goto(`${stage.url}/api/diag/client-config`)
    await page.evaluate(
      `for (const name of Object.keys(localStorage)) if (name.startsWith('walkdown.user.')) localStorage.removeItem(name)`,
    )
    assert.equal((await onDisk(page)).keys?.length, 1)
    await page.goto(stage.url)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    while ((await onDisk(page)).keys?.length !== 0) await page.waitForTimeout(30)
    assert.deepEqual(counts(await onDisk(page)), NOTHING)
  })

  test('V14.3.1 signing out in one window ends the others: they show nothing more, and store nothing', async () => {
    const page = await open('coordinator')
    const other = await page.context().newPage()
    await other.goto(at())
    await other.locator('.photo-small img').waitFor()
    await signOut(page, stage.url)
    await other.getByRole('heading', { name: 'You’re signed out on this device' }).waitFor()
    assert.ok(!(await other.locator('body').textContent())?.includes('Grind the flange'))
    assert.deepEqual(counts(await onDisk(page)), NOTHING)
  })

  test('844 what an earlier version of the app stored is still there after the update, offline too; with the first connection all of it is encrypted', async () => {
    const page = await open('coordinator')
    const context = page.context()
    const at_ = `${stage.url}/sites/${w.site_id}/request`
    await page.goto(at_)
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.goto(at())
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Typed before')
    await waitKept(page, [permit.id, '"me"'])
    await setLine(context, false)
    await page.goto(at_)
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByLabel('Work to be done').fill('Strip the gate')
    await page.getByText('Saved on this device. It will be sent when you have a connection.').waitFor()
    const draft = page.url()
    await makePlain(page)
    const words = ['Strip the gate', 'Typed before', 'Grind the flange']
    const plain = JSON.stringify(await onDisk(page))
    for (const word of words) assert.ok(plain.includes(word), word)

    // The app was updated, and is opened where there is no connection.
    await page.goto(at())
    await page.getByRole('heading', { name: 'Grind the flange' }).waitFor()
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    assert.equal(await page.getByRole('dialog').getByRole('textbox').inputValue(), 'Typed before')
    await page.goto(draft)
    assert.equal(await page.getByLabel('Work to be done').inputValue(), 'Strip the gate')
    await page.getByLabel('Controls').fill('Two spotters')
    await page.getByText('Saved on this device. It will be sent when you have a connection.').waitFor()

    await context.route('**/api/permits/applications', route => route.abort('internetdisconnected'))
    await setLine(context, true)
    await waitKey(page, w.as('coordinator').user_id)
    const [disk, opened] = [JSON.stringify(await onDisk(page)), JSON.stringify(await withKey(page))]
    for (const word of [...words, 'Two spotters']) {
      assert.ok(!disk.includes(word), word)
      assert.ok(opened.includes(word), word)
    }
    await page.reload()
    await page.getByLabel('Controls').waitFor()
    assert.deepEqual(
      [await page.getByLabel('Work to be done').inputValue(), await page.getByLabel('Controls').inputValue()],
      ['Strip the gate', 'Two spotters'],
    )
  })
})

describe('signing out, and in again', () => {
  const stage = useStage({ CLOCK: 'system' })
  let w: PermitWorld
  let permit: Permit
  before(async () => {
    w = await permitWorld(stage.house)
    const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
    permit = await w.at('requested', { title: 'Grind the flange', start_at: day(1), end_at: day(1.2) })
  })
  const at = () => `${stage.url}/sites/${w.site_id}/permits/${permit.id}`
  /** A safety adviser of the site who signs in with a password. */
  const account = async (name: string) => {
    const email = `${name.toLowerCase()}@example.com`
    const { user_id } = await personWithAccount(stage.house, name, email)
    const member = {
      user_id,
      role: 'hse' as const,
      contractor_id: null,
      requested_contractor_name: null,
      invite_id: null,
      why_pending: null,
    }
    await writingOn(stage.house.house, { actor: jobActor('test'), cause: 'test.join' }, w.site_id, ctx =>
      admit(ctx, w.site_id, { ...member, label: name }),
    )
    return email
  }
  const signIn = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your sites' }).waitFor()
  }
  const dialog = async (page: Page) => {
    await page.goto(at())
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    return page.getByRole('dialog').getByRole('textbox')
  }
  const request = () => `${stage.url}/sites/${w.site_id}/request`

  test('V14.3.1 drafts, text, actions and files that someone has not sent survive the sign-out unreadable; another person sees nothing of them; after the next sign-in all of it is back, and is sent', async () => {
    const [gus, ida] = [await account('Gus'), await account('Ida')]
    const { page, context } = await stage.sit(null, { width: 390, offline: true })
    await page.goto(stage.url)
    await signIn(page, gus)
    await page.goto(request())
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    await waitKept(page, ['"permit-types"'])
    await page.goto(at())
    await page.getByRole('button', { name: 'Return for corrections' }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await waitKept(page, [permit.id, '"me"'])
    await setLine(context, false)
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Name the spotter')
    await page.keyboard.press('Escape')
    await page.locator('input[type=file]').first().setInputFiles({ name: 'hoist.png', mimeType: 'image/png', buffer: PIXEL })
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    await page.goto(request())
    await page.getByRole('checkbox', { name: /Hot work/ }).click()
    await page.getByLabel('Work to be done').fill('Cut the old bracket')
    await page.getByText('Saved on this device. It will be sent when you have a connection.').waitFor()
    const mine = { outbox: 1, files: 1, drafts: 1, forms: 1 }
    assert.deepEqual(counts(await onDisk(page)), { ...counts(await onDisk(page)), ...mine, keys: 1 })

    // The service is reached again only for the sign-out, so that nothing is sent before it.
    await page.goto(stage.url)
    await context.route('**/api/permits/**', route => route.abort('internetdisconnected'))
    await setLine(context, true)
    await Promise.all([
      page.getByRole('button', { name: 'Sign out' }).click(),
      page.waitForRequest(/session\/end/),
      page.waitForEvent('load'),
    ])
    // The provider asks whether its own session should end, too.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await context.unroute('**/api/permits/**')
    const left = await onDisk(page)
    assert.deepEqual(counts(left), { ...NOTHING, ...mine })
    const words = ['Cut the old bracket', 'Name the spotter', 'hoist.png', permit.id, w.site_id, 'IHDR']
    for (const word of words) assert.ok(!JSON.stringify(left).includes(word), word)

    await signIn(page, ida)
    assert.equal(await (await dialog(page)).inputValue(), '', 'Ida sees nothing of Gus')
    await page.goto(request())
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    await waitKey(page)
    for (const [drawer, all] of Object.entries(await withKey(page)))
      assert.ok(!/bracket|spotter|hoist/.test(JSON.stringify(all)), `Ida’s key opens nothing of Gus in ${drawer}`)
    assert.equal(await page.getByRole('link', { name: /waiting on this device/ }).count(), 0)
    await signOut(page, stage.url)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    const still = await onDisk(page)
    for (const drawer of ['outbox', 'files', 'drafts', 'forms']) assert.deepEqual(still[drawer], left[drawer], `${drawer}: byte for byte`)

    await signIn(page, gus)
    assert.equal(await (await dialog(page)).inputValue(), 'Name the spotter')
    const arrived = async (query: string) => {
      while ((await stage.house.rows(query, [w.site_id])).length === 0) await page.waitForTimeout(100)
    }
    await arrived("select 1 from permit where site_id = $1 and title = 'Cut the old bracket'")
    await arrived("select 1 from permit_attachment where site_id = $1 and filename = 'hoist.png'")
    assert.equal((await onDisk(page)).files?.length, 0)
  })

  test('V14.3.1 when the service ends the session, the key is deleted in the same way', async () => {
    const hal = await account('Hal')
    const { page } = await stage.sit(null, { width: 390 })
    await page.goto(stage.url)
    await signIn(page, hal)
    await (await dialog(page)).fill('Mind the edge')
    await waitKey(page)
    while (((await withKey(page)).forms ?? []).length < 1) await page.waitForTimeout(30)
    await signOutEverywhere(stage.house.house, hal, 'a lost phone')
    await page.goto(stage.url)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.deepEqual(counts(await onDisk(page)), { ...NOTHING, forms: 1 })
    await signIn(page, hal)
    assert.equal(await (await dialog(page)).inputValue(), 'Mind the edge')
  })
})
