// Takes a screenshot of every screen in three themes and two widths, from the demo site into docs/screens: `npm run screens [-- NAME …]`. People review each
// one.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { dataShown, mapsDrawn, painted } from '../tests/browser/hands.ts'
import { launch } from '../tests/browser/kit.ts'
import { freePort } from '../tests/port.ts'
import {
  add,
  askForHotWork,
  chooseCrane,
  chooseGroup,
  open,
  openDelivery,
  openFirst,
  openPlan,
  pinGroup,
  readAlerts,
  scrollTo,
  showMap,
  signInAgain,
} from './screens-steps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}docs/screens`

/**
 * A screen: who looks at it, at which URL, and what is done before the screenshot. `{permit:…}` is the first permit of a column, `{fresh}` a site without
 * permits. `alerts`: with the alerts that nobody has read yet, so it must be the person's first screen.
 */
type Screen = { name: string; who: string | null; path: string; alerts?: true; first?(page: Page, passphrase: string): Promise<void> }

const SCREENS: Screen[] = [
  { name: 'sign-in', who: null, path: '/' },
  { name: 'sites', who: 'hal', path: '/' },
  { name: 'verify', who: null, path: '/verify' },
  { name: 'new-site', who: 'olive', path: '/sites/new' },
  { name: 'board', who: 'hal', path: '/sites/{site}/board' },
  { name: 'board-table', who: 'max', alerts: true, path: '/sites/{site}/board?view=table' },
  { name: 'board-filters', who: 'max', path: '/sites/{site}/board', first: open('button', 'Filters') },
  { name: 'request', who: 'fay', path: '/sites/{site}/request' },
  { name: 'request-when', who: 'fay', path: '/sites/{site}/request', first: askForHotWork },
  { name: 'first-use', who: 'olive', path: '/sites/{fresh}/board' },
  { name: 'review', who: 'hal', path: '/sites/{site}/permits/{permit:Endorsed}?review=approve' },
  { name: 'permit', who: 'max', path: '/sites/{site}/permits/{permit:Live}' },
  { name: 'close-out', who: 'max', path: '/sites/{site}/permits/{permit:Expired}', first: open('button', 'Close out') },
  { name: 'import', who: 'max', path: '/sites/{site}/import' },
  { name: 'people', who: 'max', path: '/sites/{site}/members' },
  { name: 'today', who: 'finn', path: '/sites/{site}/today' },
  { name: 'today-office', who: 'max', path: '/sites/{site}/today' },
  { name: 'today-kiosk', who: 'max', path: '/sites/{site}/today?kiosk' },
  { name: 'new', who: 'finn', path: '/sites/{site}/today', first: open('button', 'New') },
  { name: 'contractors', who: 'max', path: '/sites/{site}/contractors' },
  { name: 'settings-site', who: 'hal', path: '/sites/{site}/settings/site' },
  { name: 'settings-hours', who: 'hal', path: '/sites/{site}/settings/hours' },
  { name: 'settings-labels', who: 'hal', path: '/sites/{site}/settings/labels' },
  { name: 'settings-types', who: 'hal', path: '/sites/{site}/settings/types' },
  { name: 'settings-type', who: 'hal', path: '/sites/{site}/settings/types', first: open('button', 'Edit Hot work') },
  { name: 'settings-appointments', who: 'hal', path: '/sites/{site}/settings/appointments' },
  { name: 'settings-policy', who: 'hal', path: '/sites/{site}/settings/policy' },
  { name: 'settings-regime', who: 'hal', path: '/sites/{site}/settings/regime' },
  { name: 'rules', who: 'hal', path: '/sites/{site}/settings/rules' },
  { name: 'rule-new', who: 'hal', path: '/sites/{site}/settings/rules/new' },
  { name: 'rule', who: 'hal', path: '/sites/{site}/settings/rules', first: async page => page.locator('main ul.lines a').first().click() },
  { name: 'clash-rules', who: 'hal', path: '/sites/{site}/settings/clash-rules' },
  { name: 'clash-matrix', who: 'hal', path: '/sites/{site}/settings/clash-rules', first: open('link', 'Permits too close together') },
  { name: 'clash-rule', who: 'hal', path: '/sites/{site}/settings/clash-rules', first: open('link', 'Deliveries at one gate') },
  { name: 'smart-groups', who: 'cora', path: '/sites/{site}/settings/smart-groups', first: pinGroup },
  { name: 'smart-group', who: 'cora', path: '/sites/{site}/settings/smart-groups', first: open('link', 'Lifting plant') },
  { name: 'workflow', who: 'hal', path: '/sites/{site}/settings/workflow?view=graph' },
  { name: 'workflow-table', who: 'hal', path: '/sites/{site}/settings/workflow?view=table' },
  { name: 'wallet', who: 'finn', path: '/sites/{site}/wallet' },
  { name: 'wallet-permit', who: 'finn', path: '/sites/{site}/wallet', first: openFirst },
  { name: 'scan', who: 'finn', path: '/sites/{site}/scan' },
  { name: 'close-out-round', who: 'max', path: '/sites/{site}/close-out' },
  { name: 'on-this-phone', who: 'finn', path: '/sites/{site}/outbox' },
  { name: 'tasks', who: 'cora', path: '/sites/{site}/tasks' },
  { name: 'map', who: 'hal', path: '/sites/{site}/map', first: showMap },
  { name: 'map-group', who: 'cora', path: '/sites/{site}/map', first: chooseGroup },
  { name: 'map-chosen', who: 'cora', path: '/sites/{site}/map', first: chooseCrane },
  { name: 'deliveries', who: 'cora', path: '/sites/{site}/map', first: scrollTo('Deliveries today') },
  { name: 'delivery', who: 'cora', path: '/sites/{site}/map', first: openDelivery },
  { name: 'delivery-new', who: 'cora', path: '/sites/{site}/map', first: add('Delivery') },
  { name: 'plan', who: 'hal', path: '/sites/{site}/map', first: openPlan },
  { name: 'clashes', who: 'hal', path: '/sites/{site}/clashes' },
  { name: 'alerts', who: 'hal', path: '/sites/{site}/alerts' },
  { name: 'stops', who: 'hal', path: '/sites/{site}/stops' },
  { name: 'board-map', who: 'hal', path: '/sites/{site}/board?view=map' },
  { name: 'notifications', who: 'hal', path: '/sites/{site}/notifications' },
  { name: 'notification-why', who: 'hal', path: '/sites/{site}/notifications', first: open('button', 'Why did I get this notification?') },
  { name: 'preferences', who: 'hal', path: '/sites/{site}/notifications/preferences' },
  { name: 'audit', who: 'max', path: '/sites/{site}/audit' },
  { name: 'command-menu', who: 'max', path: '/sites/{site}/board', first: open('button', 'Search') },
  { name: 'you', who: 'max', path: '/sites/{site}/board', first: open('button', 'Account and device') },
  { name: 'devices', who: 'max', path: '/oidc/devices', first: signInAgain },
  { name: 'second-factor', who: 'max', path: '/oidc/second-factor', first: signInAgain },
]

async function withDemo<T>(work: (url: string, passphrase: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'walkdown-screens-'))
  await chmod(folder, 0o755) // PostgreSQL refuses to run as root
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '1000000' }
  const service = spawn(process.execPath, ['server/main.ts', 'serve'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await new Promise<void>((up, failed) => {
      service.stdout.on('data', data => String(data).includes('is running at') && up())
      service.on('exit', code => failed(new Error(`The service stopped with exit code ${code}.`)))
    })
    const said = readFileSync(join(folder, 'demo-sign-in.txt'), 'utf8')
    return await work(`http://localhost:${port}`, /passphrase\s+(\S+)/.exec(said)?.[1] ?? '')
  } finally {
    service.kill('SIGTERM')
    await new Promise(done => service.once('exit', done))
    await rm(folder, { recursive: true, force: true })
  }
}

async function signedIn(browser: Browser, url: string, who: string | null, passphrase: string) {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  })
  context.setDefaultTimeout(60_000) // the first tiles of the map can take long
  const page = await context.newPage()
  if (who !== null) {
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('input[type=email]').fill(`${who}@quayside.example`)
    await page.locator('input[type=password]').fill(passphrase)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your sites' }).waitFor()
  }
  return { context, page }
}

/** Returns the id of a new site, created by the person who is signed in. */
const freshSite = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const kept = Object.keys(localStorage).find(name => name.startsWith('walkdown.user.')) ?? ''
    const { access_token } = JSON.parse(localStorage.getItem(kept) ?? '{}') as { access_token: string } // as the app stores it
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Mill Lane', timezone: 'Europe/London' })
    const made = await fetch('/api/sites/', { method: 'POST', headers, body })
    return ((await made.json()) as { id: string }).id // the endpoint returns a site
  })

/** Returns the URL of a screen, with the ids of this demo site. */
async function addressOf(page: Page, url: string, path: string): Promise<string> {
  if (!path.includes('{')) return url + path
  if (path.includes('{fresh}')) return url + path.replace('{fresh}', await freshSite(page))
  await page.goto(url)
  const href = (await page.locator('a.site-row').first().getAttribute('href')) ?? ''
  let at = path.replace('{site}', href.split('/')[2] ?? '')
  const wanted = /\{permit:([^}]+)\}/.exec(at)
  if (wanted !== null) {
    // A permit that was requested in the product, and so has a history to show.
    await page.goto(`${url}/sites/${href.split('/')[2]}/board?q=PTW`)
    const column = page.getByRole('region', { name: wanted[1] ?? '', exact: true })
    await column.scrollIntoViewIfNeeded()
    const card = column.getByRole('article').filter({ hasText: 'PTW-' }).locator('[data-card]').first()
    await card.waitFor()
    at = at.replace(wanted[0], ((await card.getAttribute('href')) ?? '').split('/').at(-1) ?? '')
  }
  return url + at
}

const IDLE_MS = 5000

/** Takes the screenshots of one screen. */
async function take(page: Page, url: string, screen: Screen, passphrase: string): Promise<void> {
  const address = await addressOf(page, url, screen.path)
  for (const theme of ['light', 'dark', 'outdoor'])
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      await page.goto(url)
      await page.evaluate(`localStorage.setItem('walkdown.looks', JSON.stringify({ theme: '${theme}' }))`)
      await page.goto(address)
      // A request of the page before can keep it from ever being idle.
      await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined)
      await page.waitForTimeout(400)
      if (screen.alerts !== true) await readAlerts(page)
      await screen.first?.(page, passphrase)
      await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined)
      await dataShown(page)
      await mapsDrawn(page)
      await page.evaluate('document.fonts.ready.then(() => null)')
      await painted(page)
      await sharp(await page.screenshot())
        .webp({ quality: 82 })
        .toFile(`${out}/${screen.name}-${theme}-${width}.webp`)
    }
}

const asked = process.argv.slice(2)
const chosen = SCREENS.filter(screen => asked.length === 0 || asked.includes(screen.name))
mkdirSync(out, { recursive: true })
// The fields for dates show them as the browser's own language writes them.
const browser = await launch({ LANGUAGE: 'en_GB', LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8' })
await withDemo(async (url, passphrase) => {
  for (const [who, screens] of Map.groupBy(chosen, screen => screen.who)) {
    const { context, page } = await signedIn(browser, url, who, passphrase)
    for (const screen of screens) {
      // One that fails doesn't keep the others from being taken.
      const done = await take(page, url, screen, passphrase).then(
        () => true,
        error => console.error(error),
      )
      console.log(done === true ? screen.name : `FAILED: ${screen.name}`)
      if (done !== true) process.exitCode = 1
    }
    await context.close()
  }
})
await browser.close()
