// How the app starts: what it requests before it appears, and as which person.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
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
