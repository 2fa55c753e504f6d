// How the app starts: what it requests before it appears, and as which person.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { painted } from './hands.ts'
import { storedUser, useStage } from './kit.ts'

describe('the app, starting', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Weld handrails, stair 3' })
  })

  /** Every request to the service, with its token. */
  const listen = (page: Page) => {
    const asked: { path: string; token: string | undefined }[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.push({ path: pathname.slice(4), token: request.headers().authorization })
    })
    return asked
  }
  const times = (asked: ReturnType<typeof listen>, path: string) => asked.filter(one => one.path === path).length

  test('U1 the requests of the first screen are sent before the app has loaded, and only once', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    const asked = listen(page)
    const gate = Promise.withResolvers<void>()
    await page.route('**/assets/libraries-*', async route => {
      await gate.promise
      await route.continue()
    })
    const questions = ['/auth/me', '/permits'].map(path => page.waitForResponse(answer => new URL(answer.url()).pathname === `/api${path}`))
    await page.goto(`${url}/sites/${w.site_id}/board?type=HW,GEN`, { waitUntil: 'commit' })
    await Promise.all(questions)
    assert.equal(await page.locator('#app > *').count(), 0, 'the app is not there yet')
    gate.resolve()
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    assert.deepEqual([times(asked, '/auth/me'), times(asked, '/permits'), times(asked, '/diag/client-config')], [1, 1, 1])
  })

  for (const [part, seen] of [
    ['board', '[data-card]'],
    ['today', '.today-parts .tiles'],
  ] as const)
    test(`U1 the first ${part} on a phone loads at most 170 kB of script, counted as they come over a slow connection, with the headers of their responses`, async () => {
      const { page, context, url } = await stage.sit(w.as('hse'), { width: 390 })
      const line = await context.newCDPSession(page)
      await line.send('Network.enable')
      // As bench/web.ts: slow 4G. What the board fetches once it is shown comes later then.
      await line.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 209_715,
        uploadThroughput: 96_000,
      })
      const scripts = new Map<string, string>()
      const loaded: { file: string; bytes: number }[] = []
      line.on('Network.responseReceived', ({ response, requestId }) => {
        if (response.mimeType.includes('javascript') && !response.url.endsWith('/sw.js'))
          scripts.set(requestId, new URL(response.url).pathname.slice('/assets/'.length))
      })
      line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        const file = scripts.get(requestId)
        if (file !== undefined) loaded.push({ file, bytes: encodedDataLength })
      })
      await page.goto(`${url}/sites/${w.site_id}/${part}`)
      await page.locator(seen).first().waitFor()
      const kilobytes = loaded.reduce((sum, one) => sum + one.bytes, 0) / 1024
      const list = loaded.map(one => `${one.file} ${one.bytes}`).join('\n')
      assert.ok(loaded.length > 5 && loaded.some(one => one.file.startsWith('libraries-')), list)
      assert.ok(
        kilobytes <= 170,
        `${kilobytes.toFixed(1)} kB. Load what this page doesn’t show first with the part that shows it (decision 1005).\n${list}`,
      )
    })

  /** Records what moves on the pages of this device, and how much, as browsers count it. */
  const watchMoves = (context: BrowserContext) =>
    context.addInitScript(`
      window.moved = []
      new PerformanceObserver(list => {
        for (const one of list.getEntries())
          moved.push([one.value, one.sources.map(of => (of.node?.parentElement?.className ?? '') + ' > ' + (of.node?.className ?? '') + ': ' + JSON.stringify([of.previousRect, of.currentRect])).join('; ')])
      }).observe({ type: 'layout-shift', buffered: true })`)

  /** Checks that what has moved so far is within the goal. */
  async function movedLittle(page: Page): Promise<void> {
    await painted(page)
    const moved = (await page.evaluate('moved')) as [number, string][] // as the script above writes it
    assert.ok(
      moved.reduce((sum, [value]) => sum + value, 0) <= 0.02,
      moved.map(([value, what]) => `${value.toFixed(4)} ${what}`).join('\n'),
    )
  }

  for (const width of [320, 360, 390, 412, 1440])
    test(`U1 nothing moves on the board when the fonts of the app come after it was drawn in a font of the device, at ${width} px`, async () => {
      const { page, context, url } = await stage.sit(w.as('hse'), { width })
      await watchMoves(context)
      const gate = Promise.withResolvers<void>()
      await page.route('**/*.woff2', async route => {
        await gate.promise
        await route.continue()
      })
      await page.goto(`${url}/sites/${w.site_id}/board`, { waitUntil: 'commit' })
      await page.locator('[data-card]').first().waitFor()
      await painted(page)
      assert.equal(await page.evaluate(() => document.fonts.check('16px "IBM Plex Sans"')), false, 'the fonts are not there yet')
      gate.resolve()
      await page.waitForFunction(() => document.fonts.status === 'loaded' && document.fonts.check('600 16px "IBM Plex Sans"'))
      await movedLittle(page)
    })

  test('U1 nothing moves on Today when the wallet comes last: tasks are shown below it, not in its place', async () => {
    await w.at('issued', { title: 'Lift the chiller' })
    const { page, context, url } = await stage.sit(w.as('member'), { width: 390 })
    await watchMoves(context)
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/permits/applications/wallet?*', async route => {
      await gate.promise
      await route.continue()
    })
    const tasks = page.waitForResponse('**/api/tasks/waiting?*')
    await page.goto(`${url}/sites/${w.site_id}/today`)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await (await tasks).finished()
    await painted(page)
    assert.equal(await page.getByRole('heading', { name: 'Waiting for you' }).count(), 0)
    gate.resolve()
    await page.getByRole('link', { name: 'Lift the chiller' }).first().waitFor()
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    await movedLittle(page)
  })

  for (const [part, beside] of [
    ['today', 'Waiting for you'],
    ['wallet', 'Wallet'],
  ] as const)
    test(`U1 nothing moves on the ${part} page when the close-out round comes last: its button has its place above the cards from the start`, async () => {
      const own = await permitWorld(stage.house)
      await own.at('approved', { title: 'Lift the chiller' })
      const done = await own.at('issued', { title: 'Weld the stair' })
      const back = await own.step(done, 'hand-back', own.receiver, { work_complete: true, fire_watch_minutes: 45 })
      assert.equal(back.status, 200, back.text)
      const { page, context, url } = await stage.sit(own.issuer, { width: 390 })
      await watchMoves(context)
      const gate = Promise.withResolvers<void>()
      const asked = page.waitForRequest('**/api/permits/close-out-round?*')
      await page.route('**/api/permits/close-out-round?*', async route => {
        await gate.promise
        await route.continue()
      })
      await page.goto(`${url}/sites/${own.site_id}/${part}`)
      await asked
      await painted(page)
      gate.resolve()
      await page.getByRole('link', { name: /^Close-out round/ }).waitFor()
      await page.getByRole('link', { name: 'Lift the chiller' }).first().waitFor()
      await page.getByRole('heading', { name: beside }).waitFor()
      await movedLittle(page)
    })

  test('a person who chose a theme sees no other one first: page and bar have it before the app has loaded', async () => {
    const shown = async (theme: string) => {
      const { page, url } = await stage.sit(w.as('hse'), { theme, gloves: true })
      await page.route('**/assets/libraries-*', () => undefined) // the app never loads
      await page.goto(`${url}/sites/${w.site_id}/board`, { waitUntil: 'commit' })
      await page.waitForFunction(() => getComputedStyle(document.documentElement).getPropertyValue('--ground') !== '')
      return page.evaluate(() => ({
        app: document.querySelectorAll('#app > *').length,
        theme: document.documentElement.dataset.theme,
        gloves: document.documentElement.dataset.gloves,
        ground: getComputedStyle(document.documentElement).getPropertyValue('--ground'),
        bars: [...document.querySelectorAll('meta[name=theme-color]')].map(bar => bar.getAttribute('content')),
      }))
    }
    const [dark, outdoor] = [await shown('dark'), await shown('outdoor')]
    assert.deepEqual([dark.app, dark.theme, dark.gloves, dark.bars], [0, 'dark', '', ['#191b1e', '#191b1e']])
    assert.deepEqual([outdoor.app, outdoor.theme, outdoor.bars], [0, 'outdoor', ['#ffffff', '#ffffff']])
    assert.notEqual(dark.ground, outdoor.ground)
  })

  test('of the scripts in the page, only the one that the build put there runs', async () => {
    const { page, url } = await stage.sit(null)
    const answer = await page.goto(url)
    const policy = (await answer?.headerValue('content-security-policy')) ?? ''
    assert.match(policy, /(?:^|; )script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/)
    assert.doesNotMatch(policy, /unsafe/)
  })

  test('an early request that is refused is repeated as usual, and the refusal is shown', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    const asked = listen(page)
    let refused = 0
    await page.route('**/api/permits?*', route => (refused++ === 0 ? route.fulfill({ status: 429, json: {} }) : route.continue()))
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    assert.equal(times(asked, '/permits'), 2)
  })

  test('an expired token is not sent', async () => {
    const { page, context, url } = await stage.sit(null)
    const { key, value } = storedUser(url, w.as('hse'))
    const old = JSON.stringify({ ...JSON.parse(value), expires_at: 1_000_000_000, refresh_token: 'gone' })
    await context.addInitScript(given => localStorage.setItem(given.key, given.old), { key, old })
    await page.route('**/oidc/**', () => undefined) // a provider that does not respond
    const asked = listen(page)
    const renewing = page.waitForRequest('**/oidc/**')
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await renewing
    assert.deepEqual(
      asked.filter(one => one.token !== undefined),
      [],
    )
  })

  test('if the stored data about a person is unreadable, nobody is signed in, and they sign in again', async () => {
    const { page, context, url } = await stage.sit(null)
    const { key } = storedUser(url, w.as('hse'))
    await context.addInitScript(given => localStorage.setItem(given, '{"access_token": 7'), key)
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.waitForURL(/\/oidc\//)
  })

  test('an unreadable stored configuration is fetched again', async () => {
    const { page, context, url } = await stage.sit(w.as('hse'))
    await context.addInitScript(() => localStorage.setItem('walkdown.config', '{"issuer": '))
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
  })
})
