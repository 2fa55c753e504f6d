import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { later } from '../../../shared/time.ts'
import { codeAt, setUpApp } from '../../../tests/factor.ts'
import { type Browser, openBrowser, openProvider, PASSPHRASE, type Page, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'
import { runSchedules } from '../jobs/door.ts'

const STEP = 30_000

describe('codes at our own pages', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  /** A browser that stops before it uses a code. */
  const openMine = () => openBrowser(url => url.searchParams.has('code'))
  const codeOf = (page: Page) => page.left?.href ?? assert.fail(`no code: ${page.status}`)
  const codeFor = async (browser: Browser, at: string) => codeOf(await browser.get(`${provider.url}${at}`))
  const signedIn = async (email: string) => {
    await personWithAccount(house, 'Una', email)
    const browser = openMine()
    codeOf(await browser.submit(await browser.get(`${provider.url}/oidc/sign-in`), { email, password: PASSPHRASE }))
    return browser
  }
  const cookieOf = (browser: Browser) => [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; ')
  const items = (kind: string) => house.rows(`select 1 from oidc_item where kind = '${kind}'`)

  test('10.4 a code works only in the browser that it was made for, once, and another browser doesn’t use it up', async () => {
    const mine = await signedIn('una@example.com')
    mine.cookies.delete([...mine.cookies.keys()].find(key => key.includes('walkdown_code')) ?? '')
    const url = await codeFor(mine, '/oidc/sign-in')
    assert.equal((await openBrowser().get(url)).status, 400, 'without a cookie')
    const theirs = await signedIn('tom@example.com')
    await codeFor(theirs, '/oidc/sign-in')
    assert.equal((await theirs.get(url)).status, 400, 'with the cookie of another code')
    const name = [...mine.cookies.keys()].find(key => key.includes('walkdown_code')) ?? assert.fail('no cookie')
    theirs.cookies.set(name, { value: 'x', path: '/oidc/signed-in' })
    assert.equal((await theirs.get(url)).status, 400, 'with another value')
    assert.match((await mine.get(url)).html, /una@example\.com/)
    assert.ok(!mine.cookies.has(name), 'its cookie is deleted')
    assert.equal((await mine.get(url)).status, 400)
  })

  test('10.4 two tabs of one browser finish their sign-ins in any order', async () => {
    const mine = await signedIn('two@example.com')
    const [first, second] = [await codeFor(mine, '/oidc/sign-in'), await codeFor(mine, '/oidc/sign-in')]
    assert.equal((await mine.get(second)).status, 200)
    assert.equal((await mine.get(first)).status, 200)
  })

  for (const [at, words] of [
    ['/oidc/sign-in', /<h1>Signed in|signed in as/i],
    ['/oidc/second-factor', /Remove the second factor/],
  ] as const)
    test(`10.4 with a second factor, too, the code of ${at} is worth nothing in another browser`, async () => {
      const owner = await personWithAccount(house, 'Ana', `ana${at.replaceAll('/', '.')}@example.com`)
      const { secret } = await setUpApp(house, provider, owner)
      const mine = openMine()
      const asked = await mine.submit(await mine.get(`${provider.url}${at}`), owner)
      assert.match(asked.html, /Enter your code/)
      const url = codeOf(await mine.submit(asked, { code: codeAt(secret, later(house.house.clock.now(), STEP)) }))
      const theirs = openBrowser()
      const refused = await theirs.get(url)
      assert.deepEqual([refused.status, refused.html.includes('ticket'), refused.html.includes(owner.email)], [400, false, false])
      assert.equal(theirs.cookies.size, 0)
      const shown = await mine.get(url)
      assert.equal(shown.status, 200)
      assert.match(shown.html, words)
    })

  test('10.4 of many requests with one code at the same time, one succeeds', async () => {
    const mine = await signedIn('race@example.com')
    for (let round = 0; round < 5; round++) {
      const url = await codeFor(mine, '/oidc/sign-in')
      const cookie = cookieOf(mine)
      const all = await Promise.all(Array.from({ length: 6 }, () => fetch(url, { headers: { cookie } })))
      assert.deepEqual(all.map(one => one.status).sort(), [200, 400, 400, 400, 400, 400])
    }
  })

  test('10.4 a code that has expired is refused in its own browser', async () => {
    const mine = await signedIn('late@example.com')
    const url = await codeFor(mine, '/oidc/sign-in')
    await house.rows("update oidc_item set expires_at = now() - interval '1 second' where kind = 'AuthorizationCode'")
    assert.equal((await mine.get(url)).status, 400)
  })

  test('10.4 what binds a code to its browser expires after a minute, and is then deleted', async () => {
    const mine = await signedIn('purged@example.com')
    const url = await codeFor(mine, '/oidc/sign-in')
    const [bound] = await house.rows(
      "select max(expires_at) - now() <= interval '1 minute' as short from oidc_item where kind = 'CodeBrowser'",
    )
    assert.equal(bound?.short, true)
    await house.rows("update oidc_item set expires_at = now() - interval '1 second' where kind = 'CodeBrowser'")
    assert.equal((await mine.get(url)).status, 400)
    assert.notEqual((await items('AuthorizationCode')).length, 0, 'the code itself is still there')
    const next = await codeFor(mine, '/oidc/sign-in')
    await runSchedules(house.house, 'identity_purge')
    assert.equal((await items('CodeBrowser')).length, 1)
    assert.equal((await mine.get(next)).status, 200)
  })
})
