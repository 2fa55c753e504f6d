import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Browser, openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

describe('codes at our own pages', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const cookieOf = (browser: Browser) => [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; ')

  /** Goes on by hand from where the password was entered, and stops before the code is used. */
  async function codeFor(browser: Browser, at: string) {
    let url = `${provider.url}${at}`
    for (let hops = 0; hops < 6; hops++) {
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie: cookieOf(browser) } })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        const path = /path=([^;]*)/i.exec(line)?.[1] ?? '/'
        if (value === '') browser.cookies.delete(`${path} ${name}`)
        else browser.cookies.set(`${path} ${name}`, { value, path })
      }
      url = new URL(answer.headers.get('location') ?? assert.fail(await answer.text()), url).href
      if (new URL(url).searchParams.has('code')) return url
    }
    return assert.fail('no code')
  }
  const signedIn = async (email: string) => {
    await personWithAccount(house, 'Una', email)
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/sign-in`), { email, password: PASSPHRASE })
    return browser
  }

  test('10.4 a code works only in the browser that it was made for, once, and another browser doesn’t use it up', async () => {
    const mine = await signedIn('una@example.com')
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

  test('10.4 a code that has expired is refused in its own browser', async () => {
    const mine = await signedIn('late@example.com')
    const url = await codeFor(mine, '/oidc/sign-in')
    await house.rows("update oidc_item set expires_at = now() - interval '1 second' where kind = 'AuthorizationCode'")
    assert.equal((await mine.get(url)).status, 400)
  })
})
