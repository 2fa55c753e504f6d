import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { MONDAY } from '../world.ts'
import { drawnWorld, idle } from './ground.ts'
import { holdFor, until } from './hands.ts'
import { setLine, useStage } from './kit.ts'
import { waitKept } from './stored.ts'

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** A unique picture. */
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.concat([PIXEL, Buffer.from(name)]) })

/** How many steps wait on the phone; half of them are photos (U6: 200 steps, 100 photos, 20 kills). */
const STEPS = Number(process.env.OFFLINE_STEPS ?? 12)
/** Kills while steps are queued, and as many while they are sent. */
const KILLS = Math.max(2, Math.floor(STEPS / 20))
const THREE_DAYS = 72 * 3_600_000

describe('work in the field without a connection', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  const wallet = (permit?: Permit) => `${stage.url}/sites/${w.site_id}/wallet${permit === undefined ? '' : `?permit=${permit.id}`}`
  const signs = async (permit: Permit) => ((await w.read(permit)).signatures as { kind: string }[]).map(one => one.kind)

  /** A phone on which the wallet was opened once with a connection: the app and the permits are stored. */
  async function phone(permits: readonly Permit[]): Promise<{ context: BrowserContext; page: Page }> {
    const { page, context } = await stage.sit(w.receiver, { width: 390, offline: true })
    context.setDefaultTimeout(15_000)
    await page.goto(wallet())
    for (const permit of permits) await page.getByRole('link', { name: permit.title }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await waitKept(page, ['"wallet"', '"me"', '"people"'])
    return { page, context }
  }

  const waitsHere = (page: Page, n: number) =>
    page.getByRole('link', { name: n === 1 ? '1 waiting on this device' : `${n} waiting on this device` }).waitFor()

  test('the app opens from the phone, the permit is complete with the time of its data; a countersignature is saved, and accepted once when there is a connection', async () => {
    const permit = await w.at('signed', { title: 'Weld handrails, stair 3' })
    const { page: first, context } = await phone([permit])
    await first.close()
    await context.setOffline(true)
    const page = await context.newPage()
    await page.goto(wallet())
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    await page.getByText('This page couldn’t be refreshed. Last updated 09:00').waitFor()
    await page.getByText('Offline since').waitFor()
    await stage.axe(page)
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).click()
    await page.getByText('Ivy Issuer').first().waitFor()
    await page.getByText('Fire blankets, watch').waitFor()
    await page.getByRole('button', { name: 'Show QR code' }).click()
    await page.getByRole('img', { name: /QR code of this permit/ }).waitFor()
    await page.keyboard.press('Escape')
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    await page.getByRole('list', { name: 'On this device' }).getByText('Saved on this device').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Countersign' }).count(), 0, 'nobody signs twice')
    await page.getByRole('link', { name: '1 waiting on this device' }).click()
    await page.getByText('You’re offline. Everything that is waiting will be sent automatically').waitFor()
    await stage.axe(page)
    assert.deepEqual(await signs(permit), ['stage1_approve', 'stage2_approve', 'issue'])
    await context.setOffline(false)
    await page.getByText('Nothing is waiting to be sent.').waitFor()
    assert.deepEqual(await signs(permit), ['stage1_approve', 'stage2_approve', 'issue', 'countersign'])
    assert.equal((await w.read(permit)).status, 'issued')
  })

  test('613: the field pages are stored immediately, the map once it was opened; offline, wallet, board and permit open, and the map says what is missing', async () => {
    const permit = await w.at('issued', { title: 'Patch the screed' })
    const { page: first, context } = await phone([permit])
    await first.goto(`${stage.url}/sites/${w.site_id}/board`)
    await first.getByRole('link', { name: 'Patch the screed' }).click()
    await first.getByRole('heading', { name: 'Patch the screed', level: 1 }).waitFor()
    const kept = async (page: Page) =>
      (await page.evaluate(
        `caches.open('walkdown-shell').then(cache => cache.keys()).then(keys => keys.map(key => new URL(key.url).pathname))`,
      )) as string[]
    const heavy = (files: string[]) => files.filter(file => /maplibre|\/(?:map|canvas|workflow|settings)-/.test(file))
    assert.deepEqual(heavy(await kept(first)), [], 'nobody has opened it')
    await waitKept(first, ['"board"', '"permit"'])
    await first.close()
    await setLine(context, false)
    const page = await context.newPage()
    for (const path of ['wallet', 'board'] as const) {
      await page.goto(`${stage.url}/sites/${w.site_id}/${path}`)
      await page.getByRole('link', { name: 'Patch the screed' }).first().waitFor()
    }
    await page.goto(`${stage.url}/sites/${w.site_id}/permits/${permit.id}`)
    await page.getByRole('heading', { name: 'Patch the screed', level: 1 }).waitFor()
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await page
      .getByRole('alert')
      .getByText(/hasn’t been opened on this device before/)
      .waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    // With the connection back, the page loads by itself.
    await setLine(context, true)
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    await page.locator('[data-map=idle]').waitFor()
    await waitKept(page, ['"frame"', '"boundary"'])
    await page.close()
    await setLine(context, false)
    const again = await context.newPage()
    await again.goto(`${stage.url}/sites/${w.site_id}/map`)
    await again.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    await again.locator('[data-map=idle]').waitFor()
    // On a free connection, the other parts are stored too.
    await setLine(context, true)
    await again.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.postMessage('keep all'))`)
    await until(
      again,
      `fetch('/built.json').then(answer => answer.json()).then(async ({ later }) => {
      const cache = await caches.open('walkdown-shell')
      return (await Promise.all(later.map(file => cache.match(file)))).every(one => one !== undefined)
    })`,
    )
  })

  test('if a permit changed in the meantime, the step is refused with a reason, nothing is signed, and the changes are shown; signed again, the step is accepted', async () => {
    const permit = await w.at('signed', { title: 'Grind the landing' })
    const { page, context } = await phone([permit])
    await page.goto(wallet(permit))
    await page.getByRole('button', { name: 'Countersign' }).waitFor()
    await context.setOffline(true)
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    const file = { name: 'file', filename: 'barrier.png', type: 'image/png', value: PIXEL }
    const sent = await w.issuer.send('POST', `/permits/applications/${permit.id}/attachments`, [file])
    assert.equal(sent.status, 201, sent.text)
    await context.setOffline(false)
    await page.getByRole('link', { name: '1 action was refused' }).click()
    await page.getByText('Nothing was signed.', { exact: false }).first().waitFor()
    await page.getByRole('region', { name: 'Changes' }).getByText('barrier.png').waitFor()
    await stage.axe(page)
    assert.equal((await w.read(permit)).status, 'approved')
    await page.getByRole('link', { name: 'Review again' }).click()
    await page.getByRole('button', { name: 'Countersign' }).waitFor()
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByText('Signed, but the window hasn’t started').waitFor()
    // A refused step stays until the person has read it.
    await page.getByRole('link', { name: '1 action was refused' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Nothing is waiting to be sent.').waitFor()
  })

  test('a photo taken offline survives closing the app and arrives once; so does the signature after it', async () => {
    const permit = await w.at('signed', { title: 'Cut the channel' })
    const { page: first, context } = await phone([permit])
    await first.goto(wallet(permit))
    await first.getByRole('button', { name: 'Countersign' }).waitFor()
    await context.setOffline(true)
    await first.getByLabel('Take a photo').setInputFiles(picture('front.png'))
    await first.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    await first.close()
    const page = await context.newPage()
    await page.goto(wallet(permit))
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByRole('link', { name: '2 waiting on this device' }).waitFor()
    await context.setOffline(false)
    await page.getByText('Signed, but the window hasn’t started').waitFor()
    const { attachments, status } = await w.read(permit)
    assert.deepEqual([attachments.map((file: { filename: string }) => file.filename), status], [['front.png'], 'issued'])
  })

  test('two windows of one phone send everything once', async () => {
    const permit = await w.at('signed', { title: 'Set the hoist' })
    const { page: one, context } = await phone([permit])
    const two = await context.newPage()
    for (const page of [one, two]) {
      await page.goto(wallet(permit))
      await page.getByRole('button', { name: 'Countersign' }).waitFor()
    }
    await context.setOffline(true)
    for (const [page, name] of [
      [one, 'a.png'],
      [two, 'b.png'],
      [one, 'c.png'],
    ] as const)
      await page.getByLabel('Take a photo').setInputFiles(picture(name))
    for (const page of [one, two]) await page.getByRole('link', { name: '3 waiting on this device' }).waitFor()
    await context.setOffline(false)
    for (const page of [one, two]) await page.getByRole('link', { name: /on this device/ }).waitFor({ state: 'detached' })
    const files = (await w.read(permit)).attachments as { filename: string; created_at: string }[]
    assert.deepEqual(files.map(file => file.filename).sort(), ['a.png', 'b.png', 'c.png'])
  })

  test(`U6 if the app is killed ${2 * KILLS} times, half of them while it sends ${STEPS} steps of three days, all steps arrive once, in order`, async () => {
    const days = { start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-20T18:00:00.000Z' }
    const permits: Permit[] = []
    for (let i = 0; i < STEPS / 2; i++)
      permits.push(await w.at('signed', { title: `Lift panel ${String(i + 1).padStart(3, '0')}`, ...days }))
    const [opens] = permits
    const { page: first, context } = await phone(opens === undefined ? [] : [opens])
    await context.setOffline(true)
    let page = first
    /** The app dies at this point: its process ends, and unsaved data in its memory is lost. */
    const kill = async () => {
      const line = await context.newCDPSession(page)
      const died = page.waitForEvent('crash')
      void line.send('Page.crash').catch(() => undefined)
      await died
      await page.close()
      page = await context.newPage()
    }
    const every = Math.max(1, Math.floor(permits.length / KILLS))
    let killed = 0
    const began = performance.now()
    for (const [i, permit] of permits.entries()) {
      await page.clock.setFixedTime(new Date(Date.parse(MONDAY) + (i / permits.length) * THREE_DAYS))
      await page.goto(wallet(permit))
      await page.getByLabel('Take a photo').setInputFiles(picture(`${permit.id}.png`))
      await waitsHere(page, 2 * i + 1)
      await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
      await waitsHere(page, 2 * i + 2)
      if (i % every === every - 1 && killed < KILLS) {
        await kill()
        killed++
      }
    }
    await page.clock.setFixedTime(new Date(Date.parse(MONDAY) + THREE_DAYS))
    const queued = performance.now()
    const arrived = async () => {
      const [row] = await stage.house.rows(
        `select (select count(*) from permit_attachment where permit_id = any($1)) + (select count(*) from permit_signature where permit_id = any($1) and kind = 'countersign') as n`,
        [permits.map(permit => permit.id)],
      )
      return Number(row.n)
    }
    await page.goto(`${stage.url}/sites/${w.site_id}/outbox`)
    await waitsHere(page, STEPS)
    await context.setOffline(false)
    for (let k = 1; k <= KILLS; k++) {
      while ((await arrived()) < (k * STEPS) / (KILLS + 1)) await page.waitForTimeout(10)
      await kill()
      killed++
      await page.goto(`${stage.url}/sites/${w.site_id}/outbox`)
    }
    await page.getByText('Nothing is waiting to be sent.').waitFor({ timeout: 120_000 })
    const sent = performance.now()
    assert.equal(killed, 2 * KILLS)
    // Ids are assigned in the order of arrival.
    const rows = await stage.house.rows(
      `select id, permit_id, 'photo' as what from permit_attachment where permit_id = any($1)
       union all select id, permit_id, 'countersign' from permit_signature where permit_id = any($1) and kind = 'countersign' order by id`,
      [permits.map(permit => permit.id)],
    )
    assert.deepEqual(
      rows.map(row => `${row.what} ${row.permit_id}`),
      permits.flatMap(permit => [`photo ${permit.id}`, `countersign ${permit.id}`]),
    )
    const [{ n: issued }] = await stage.house.rows(`select count(*)::int as n from permit where id = any($1) and status = 'issued'`, [
      permits.map(permit => permit.id),
    ])
    assert.equal(issued, permits.length)
    if (process.env.OFFLINE_STEPS !== undefined)
      console.log(
        `U6   ${STEPS} steps, ${permits.length} of them photos, queued over 72 h; ${killed} kills, ${KILLS} of them while sending: each arrived once, in order. ` +
          `Sent in ${((sent - queued) / 1000).toFixed(0)} s with the kills; queued in ${((queued - began) / 1000).toFixed(0)} s.`,
      )
  })

  test('U6 if the response to a photo is lost, and then the connection for three days, the photo is not sent a second time', async () => {
    const permit = await w.at('signed', { title: 'Fit the guard rail' })
    const { page, context } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(wallet(permit))
    await page.getByRole('button', { name: 'Countersign' }).waitFor()
    // Only the first attempt gets through; retries find no connection at all.
    let tries = 0
    const lost = Promise.withResolvers<void>()
    await context.route('**/attachments', async route => {
      if (tries++ === 0) await route.fetch()
      await route.abort('internetdisconnected').catch(() => undefined) // the page may be closed in the meantime
      lost.resolve()
    })
    await page.getByLabel('Take a photo').setInputFiles(picture('rail.png'))
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    // The service has it before its response is lost.
    await lost.promise
    assert.equal((await w.read(permit)).attachments.length, 1)
    await page.close()
    await context.unroute('**/attachments')
    // The service forgets a key after a day.
    await stage.house.rows('delete from idempotency_key')
    const later = await context.newPage()
    await later.clock.setFixedTime(new Date('2026-03-19T09:00:00.000Z'))
    await later.goto(wallet(permit))
    await later.getByRole('heading', { name: 'Fit the guard rail', level: 1 }).waitFor()
    await later.getByRole('link', { name: /on this device/ }).waitFor({ state: 'detached' })
    assert.equal((await w.read(permit)).attachments.length, 1)
  })

  test('a sign-in that expires offline ends nothing: the wallet opens, and actions are saved and wait for the next sign-in', async () => {
    const permit = await w.at('signed', { title: 'Seal the riser' })
    const { page: first, context } = await phone([permit])
    await context.addInitScript(`for (const name of Object.keys(localStorage)) if (name.startsWith('walkdown.user.')) {
      const user = JSON.parse(localStorage.getItem(name))
      if (sessionStorage.getItem('signed in again') === null) localStorage.setItem(name, JSON.stringify({ ...user, expires_at: 1 }))
    }`)
    await first.close()
    await context.setOffline(true)
    const page = await context.newPage()
    await page.goto(wallet(permit))
    await holdFor(page, page.getByRole('button', { name: 'Countersign' }))
    await page.getByRole('link', { name: '1 waiting on this device' }).waitFor()
    assert.deepEqual(await signs(permit), ['stage1_approve', 'stage2_approve', 'issue'])
    // Signed in again, as the same person.
    await context.setOffline(false)
    await page.evaluate(`(() => {
      sessionStorage.setItem('signed in again', 'yes')
      const name = Object.keys(localStorage).find(one => one.startsWith('walkdown.user.'))
      if (name !== undefined) localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), expires_at: 4_000_000_000 }))
    })()`)
    await page.reload()
    await page.getByText('Signed, but the window hasn’t started').waitFor()
    assert.equal((await w.read(permit)).status, 'issued')
  })

  test('1068 while the service can’t be reached, an open map only asks whether it can; when it can, everything is read again once', async () => {
    const { w: own } = await drawnWorld(stage.house)
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/map`)
    await idle(page)
    await page.locator('.line-dot.live').waitFor()
    let up = false
    await page.route('**/api/**', route => (up ? route.fallback() : route.abort('internetdisconnected')))
    let asked: string[] = []
    page.on('request', request => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.push(pathname + search)
    })
    let minutes = 0
    /** A minute later, everything on the page is due again. */
    const minuteLater = async () => {
      await page.clock.setFixedTime(new Date(Date.parse(MONDAY) + ++minutes * 60_000))
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    }
    await minuteLater()
    await page.locator('.line-dot.offline').waitFor()
    // The calls that found out may still be repeated.
    await page.waitForTimeout(3000)
    asked = []
    await minuteLater()
    await minuteLater()
    await page.waitForTimeout(5000)
    assert.deepEqual([...new Set(asked)], ['/api/diag/client-config'])
    assert.ok(asked.length <= 5, `asked ${asked.length} times`)
    asked = []
    up = true
    await page.locator('.line-dot.live').waitFor()
    await page.waitForTimeout(2000)
    const reads = asked.filter(one => one !== '/api/diag/client-config')
    for (const part of ['/api/analysis/change-points', '/api/permits', '/api/active-areas', '/api/workers'])
      assert.ok(
        reads.some(one => one.startsWith(part)),
        `${part} is read again, in ${reads.join(' ')}`,
      )
    assert.deepEqual(reads, [...new Set(reads)], 'each of them once')
  })
})
