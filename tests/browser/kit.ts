// A real browser with the built app on its own instance of the service: pages for people in every role, the browser's console, and axe.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, afterEach, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { freePort } from '../port.ts'
import type { Caller, TestHouse } from '../world.ts'
import { MONDAY, openTestHouse } from '../world.ts'

const FLAGS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let shared: Promise<Browser> | null = null
let users = 0

/** Starts the browser of this machine, or the one that npm installed. `env`: variables that it gets in addition. */
export async function launch(env: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const own = [process.env.CHROMIUM, ...PLACES].find(path => path !== undefined && existsSync(path))
  const executablePath = own ?? (await (await import('@sparticuz/chromium')).default.executablePath())
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, ...env } })
}

/** A person's screen. */
export type Seat = { page: Page; context: BrowserContext; url: string }

/** What a browser test gets. */
export type Stage = {
  house: TestHouse
  /** The URL of the app. */
  url: string
  /**
   * Signs a person in on a new page; with null, nobody. `width` is in CSS pixels, 390 is a phone; `zoom` 2 draws each of them with four device
   * pixels, as 200 % zoom does.
   */
  sit(
    who: Caller | null,
    options?: { width?: number; theme?: string; offline?: boolean; busy?: boolean; locale?: string; gloves?: boolean; zoom?: number },
  ): Promise<Seat>
  /** Checks that axe finds nothing on the page in its current state. */
  axe(page: Page): Promise<void>
}

const AXE = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url))
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Lists what axe finds. A target that is only too small because a bar that stays in place covers part of it is looked at again where a person would scroll
 * it to.
 */
const FOUND_BY_AXE = `async tags => {
  const said = ({ id, nodes }) => id + ': ' + nodes.map(node => node.target.join(' ') + ' ' + node.failureSummary).join(', ')
  const found = []
  for (const one of (await axe.run(document, { runOnly: tags })).violations) {
    const left = []
    for (const node of one.nodes) {
      const element = one.id === 'target-size' ? document.querySelector(node.target[0]) : null
      element?.scrollIntoView({ block: 'center' })
      if (element === null || (await axe.run(element, { runOnly: ['target-size'] })).violations.length > 0) left.push(node)
    }
    if (left.length > 0) found.push(said({ id: one.id, nodes: left }))
  }
  return found
}`

/** Console messages that are expected and ignored. */
const NOISE = [
  /GPU stall due to ReadPixels/,
  /Failed to load resource: the server responded with a status of (401|403|404|409|412|415|422|429)/,
  /net::ERR_INTERNET_DISCONNECTED/,
]

/** Returns what the app stores for a person who has signed in. */
export const storedUser = (url: string, who: Caller): { key: string; value: string } => ({
  key: `walkdown.user.user:${url}/oidc:walkdown-web`,
  value: JSON.stringify({
    access_token: who.token,
    token_type: 'Bearer',
    scope: 'openid',
    profile: { sub: who.user_id, iss: `${url}/oidc`, aud: 'walkdown-web', exp: 4_000_000_000, iat: 1 },
    expires_at: 4_000_000_000,
  }),
})

const EVERYTHING = '**/*'

/** Takes the connection away from a device, or gives it back. The browser does it for pages, but not reliably for the service worker: its requests are cut off one by one. */
export async function setLine(context: BrowserContext, up: boolean): Promise<void> {
  await context.setOffline(!up)
  if (up) await context.unroute(EVERYTHING)
  else
    await context.route(EVERYTHING, route =>
      route.request().serviceWorker() === null ? route.fallback() : route.abort('internetdisconnected'),
    )
}

/** Sets up a browser for the tests of one file. The console of every page must stay silent. */
export function useStage(env: Record<string, string> = {}): Stage {
  const open: { house: (TestHouse & { close(): Promise<void> }) | null; browser: Browser | null; url: string } = {
    house: null,
    browser: null,
    url: '',
  }
  const said: string[] = []
  const contexts = new Set<BrowserContext>()
  before(async () => {
    const port = await freePort()
    open.url = `http://localhost:${port}`
    open.house = await openTestHouse({ PUBLIC_URL: open.url, PORT: String(port), RATE_LIMIT_PER_MINUTE: '1000000', ...env }, { web: true })
    await open.house.edge.app.listen({ host: '127.0.0.1', port })
    users++
    shared ??= launch()
    open.browser = await shared
  })
  afterEach(async () => {
    for (const context of contexts) await context.close()
    contexts.clear()
    const heard = said.splice(0)
    assert.deepEqual(heard, [], 'the console spoke')
  })
  after(async () => {
    await open.house?.close()
    if (--users === 0) {
      await (await shared)?.close()
      shared = null
    }
  })
  const stage: Stage = {
    get house() {
      return open.house ?? assert.fail('The house is there once the tests run.')
    },
    get url() {
      return open.url
    },
    async sit(who, options = {}) {
      const width = options.width ?? 1440
      const context = await (open.browser as Browser).newContext({
        // set before the first test
        viewport: { width, height: width < 600 ? 844 : 900 },
        deviceScaleFactor: options.zoom ?? 1,
        hasTouch: width < 600 && options.zoom === undefined,
        reducedMotion: 'reduce',
        serviceWorkers: options.offline === true ? 'allow' : 'block',
        timezoneId: process.env.BROWSER_ZONE ?? 'Europe/London',
        locale: 'en-GB',
      })
      contexts.add(context)
      const looks = JSON.stringify({ theme: options.theme, gloves: options.gloves })
      const user = who === null ? null : storedUser(open.url, who)
      await context.addInitScript(
        given => {
          if (given.user !== null && localStorage.getItem(given.user.key) === null) localStorage.setItem(given.user.key, given.user.value)
          if (localStorage.getItem('walkdown.looks') === null) localStorage.setItem('walkdown.looks', given.looks)
          if (given.locale !== null) localStorage.setItem('walkdown.locale', given.locale)
        },
        { user, looks, locale: options.locale ?? null },
      )
      const page = await context.newPage()
      if (env.CLOCK !== 'system') await page.clock.setFixedTime(new Date(MONDAY))
      page.on('console', message => {
        const text = `${message.type()}: ${message.text()}`
        if (
          ['error', 'warning'].includes(message.type()) &&
          !NOISE.some(noise => noise.test(text)) &&
          !(options.busy === true && /status of 503/.test(text)) &&
          // A token that is no longer valid is refused with 400 (RFC 6749 §5.2).
          !(/status of 400/.test(text) && message.location().url.endsWith('/oidc/token')) &&
          !/Service Worker registration blocked/.test(text)
        )
          said.push(text)
      })
      page.on('pageerror', error => said.push(`thrown: ${error.message}`))
      return { page, context, url: open.url }
    },
    async axe(page) {
      await page.evaluate(readFileSync(AXE, 'utf8'))
      const found = await page.evaluate(`(${FOUND_BY_AXE})(${JSON.stringify(TAGS)})`)
      assert.deepEqual(found, [], 'axe')
    },
  }
  return stage
}
