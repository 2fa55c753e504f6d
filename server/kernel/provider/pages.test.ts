import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { linkIn, mailsTo, sendMails } from '../../../tests/outbox.ts'
import { openBrowser, openProvider, PASSPHRASE, type Page, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

const NEW = 'kelp barn tax window'

describe('the sign-in pages', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const faultIn = (page: Page) =>
    /<div class="alert" role="alert">.*?<p>(.*?)<\/p>/.exec(page.html)?.[1] ?? /class="fault"[^>]*>(.*?)</.exec(page.html)?.[1] ?? null
  const atSignIn = async (browser = openBrowser()) => ({ browser, page: await browser.get((await provider.begin()).url) })
  const attempt = async (email: string, password: string) => {
    const { browser, page } = await atSignIn()
    return browser.submit(page, { email, password })
  }

  test('§5 every page works without scripts, labels every field and loads nothing from other origins', async () => {
    const browser = openBrowser()
    const pages = [(await atSignIn(browser)).page, await browser.get(`${provider.url}/oidc/forgot`)]
    for (const page of pages) {
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.html, /<script|onclick|http:\/\/(?!127)|https:\/\//)
      for (const [, id] of page.html.matchAll(/<input (?!type="hidden")[^>]*id="([^"]+)"/g))
        assert.ok(page.html.includes(`<label for="${id}">`), id)
      assert.match(page.html, /<html lang="en">.*<meta name="viewport"/)
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
      assert.deepEqual([page.headers.get('referrer-policy'), page.headers.get('cache-control')], ['no-referrer', 'no-store'])
    }
  })

  test('§5 a wrong password and an unknown address get the same page, which keeps the typed address as plain text', async () => {
    await personWithAccount(house, 'Lara', 'lara@example.com')
    const wrong = await attempt('lara@example.com', 'not this one here')
    const nobody = await attempt('nobody@example.com', 'not this one here')
    assert.deepEqual([wrong.status, nobody.status], [422, 422])
    assert.equal(wrong.html.replaceAll('lara@', 'x@'), nobody.html.replaceAll('nobody@', 'x@'))
    assert.equal(faultIn(wrong), 'The email address or password is wrong. Check both and try again.')
    const odd = await attempt('"><b>x', 'y')
    assert.match(odd.html, /value="&quot;&gt;&lt;b&gt;x"/)
    assert.equal((await attempt('', '')).status, 422)
  })

  test('§5 the address is found in any spelling of its case', async () => {
    await personWithAccount(house, 'Nils', 'Nils.Öst@Example.com')
    assert.equal((await attempt('  nils.öst@EXAMPLE.com ', PASSPHRASE)).left?.pathname, '/signed-in')
  })

  test('§5 an unconfirmed address is confirmed by the link in an email and the password of the account before the person can sign in', async () => {
    await personWithAccount(house, 'Petra', 'petra@example.com', { confirmed: false })
    const first = await attempt('petra@example.com', PASSPHRASE)
    assert.deepEqual([first.status, first.left], [200, null])
    assert.match(first.html, /Your password is correct/)
    assert.equal((await attempt('petra@example.com', 'not this one here')).status, 422, 'a stranger learns nothing about it')
    await sendMails(house)
    const link = linkIn(mailsTo(house, 'petra@example.com').at(-1), `${provider.url}/oidc/confirm#`)
    const browser = openBrowser()
    await browser.get(link)
    const page = await browser.get(link)
    assert.equal(page.status, 200, 'opening the page does not use the link up, because mail scanners open it too')
    const wrong = await browser.submit(page, { password: 'the password of the real owner' })
    assert.deepEqual([wrong.status, faultIn(wrong)], [422, 'This isn’t the password of the account. Try again.'])
    const done = await browser.submit(page, { password: PASSPHRASE })
    assert.match(done.html, /Email address confirmed/)
    assert.equal((await browser.get(link)).status, 400, 'once')
    assert.equal((await attempt('petra@example.com', PASSPHRASE)).left?.pathname, '/signed-in')
  })

  test('§5 a forgotten password gives the same page for every address, and a link that works once and ends every session', async () => {
    const rita = await personWithAccount(house, 'Rita', 'rita@example.com')
    const { tokens, config } = await provider.signIn(openBrowser(), rita)
    const browser = openBrowser()
    const forgot = async (email: string) => browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email })
    const known = await forgot('RITA@example.com')
    const unknown = await forgot('unknown@example.com')
    assert.equal(known.html.replace('RITA@', ''), unknown.html.replace('unknown@', ''))
    assert.equal((await forgot('no address')).status, 422)
    assert.deepEqual(
      (await sendMails(house)).map(d => d.outcome),
      ['kept', 'not_wanted'],
      'the same work is queued for nobody',
    )
    const link = linkIn(mailsTo(house, 'rita@example.com').at(-1), `${provider.url}/oidc/reset#`)
    const page = await browser.get(link)
    const change = (password: string, again = password) => browser.submit(page, { password, again })
    assert.equal(faultIn(await change(NEW, 'another')), 'The passwords don’t match. Enter both again.')
    assert.match(faultIn(await change('fourteen chars')) ?? '', /at least 15 characters; it has 14/)
    assert.match(faultIn(await change('passwordpassword')) ?? '', /easy to guess/)
    assert.match(faultIn(await change(PASSPHRASE)) ?? '', /must differ from your current password/)
    for (let i = 0; i < 6; i++) await attempt('rita@example.com', 'wrong')
    const done = await change(NEW)
    assert.match(done.html, /Password changed/)
    assert.equal((await change(NEW)).status, 400, 'once')
    const { refreshTokenGrant } = await import('openid-client')
    await assert.rejects(refreshTokenGrant(config, tokens.refresh_token ?? ''))
    assert.equal((await attempt('rita@example.com', PASSPHRASE)).status, 422)
    assert.equal((await attempt('rita@example.com', NEW)).left?.pathname, '/signed-in', 'failed sign-ins are cleared')
    await sendMails(house)
    assert.equal(mailsTo(house, 'rita@example.com').at(-1)?.kind, 'password_changed')
  })

  test('§5 if two people use one link at the same time, only one changes the password', async () => {
    await personWithAccount(house, 'Sven', 'sven@example.com')
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: 'sven@example.com' })
    await sendMails(house)
    const page = await browser.get(linkIn(mailsTo(house, 'sven@example.com').at(-1), `${provider.url}/oidc/reset#`))
    const both = await Promise.all([NEW, 'another one entirely'].map(password => browser.submit(page, { password, again: password })))
    assert.deepEqual(both.map(b => b.status).sort(), [200, 400])
  })

  test('§5 a reset also confirms the address', async () => {
    await personWithAccount(house, 'Tess', 'tess@example.com', { confirmed: false })
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: 'tess@example.com' })
    await sendMails(house)
    const page = await browser.get(linkIn(mailsTo(house, 'tess@example.com').at(-1), `${provider.url}/oidc/reset#`))
    await browser.submit(page, { password: NEW, again: NEW })
    assert.equal((await attempt('tess@example.com', NEW)).left?.pathname, '/signed-in')
  })

  test('§5 a person can sign in without an app, sees who they are signed in as, and can sign out again', async () => {
    await personWithAccount(house, 'Vera <b>', 'vera@example.com')
    const browser = openBrowser()
    const front = await browser.get(`${provider.url}/`)
    for (const path of ['/api/docs', '/oidc/sign-in', '/oidc/forgot']) {
      assert.ok(front.html.includes(`href="${path}"`), path)
      assert.equal((await browser.get(`${provider.url}${path}`)).status, 200, path)
    }
    const asked = await browser.get(`${provider.url}/oidc/sign-in`)
    const done = await browser.submit(asked, { email: 'vera@example.com', password: PASSPHRASE })
    assert.match(done.html, /Signed in.*Vera &lt;b&gt;.*vera@example\.com/s)
    assert.equal((await browser.get(done.url)).status, 400, 'the code works once')
    assert.match((await browser.get(`${provider.url}/oidc/sign-in`)).html, /Vera &lt;b&gt;/, 'the sign-in is remembered')
    const code = (await browser.get((await provider.begin()).url)).left?.searchParams.get('code') ?? ''
    assert.equal((await browser.get(`${provider.url}/oidc/signed-in?code=${code}`)).status, 400, 'a code for the app doesn’t work here')
    const leaving = await browser.get(`${provider.url}/oidc/session/end`)
    assert.match((await browser.submit(leaving, { logout: 'yes' })).html, /Signed out/)
    assert.match((await browser.get(`${provider.url}/oidc/sign-in`)).html, /name="password"/, 'the password is asked for again')
  })

  test('9.19 a person whose session at the provider has ended signs out without a script, and lands where the app wanted', async () => {
    const browser = openBrowser()
    const plain = await browser.get(`${provider.url}/oidc/session/end`)
    assert.match(plain.html, /signed out/i)
    const query = new URLSearchParams({ client_id: 'walkdown-web', post_logout_redirect_uri: `${provider.url}/`, state: 'back' })
    const back = await browser.get(`${provider.url}/oidc/session/end?${query}`)
    assert.equal(back.left?.searchParams.get('state') ?? new URL(back.url).searchParams.get('state'), 'back')
    const strange = new URLSearchParams({ client_id: 'walkdown-web', post_logout_redirect_uri: 'https://evil.example/' })
    assert.equal((await browser.get(`${provider.url}/oidc/session/end?${strange}`)).status, 400)
  })

  test('§5 an expired sign-in, an invalid link and a form from another origin show a sentence and a next step', async () => {
    const browser = openBrowser()
    for (const path of [
      '/oidc/sign-in/nothing',
      '/oidc/signed-in',
      '/oidc/signed-in?code=x',
      '/oidc/reset?token=x',
      '/oidc/confirm#x',
      '/oidc/auth/nothing',
    ]) {
      const page = await browser.get(`${provider.url}${path}`)
      assert.equal(page.status, 400, path)
      assert.match(page.html, /<a class="act" href="[^"]+">/, path)
    }
    const elsewhere = await fetch(`${provider.url}/oidc/forgot`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
      body: 'email=ana@example.com',
    })
    assert.equal(elsewhere.status, 403)
    const { page } = await atSignIn(browser)
    const stolen = await openBrowser().submit(page, { email: 'rita@example.com', password: NEW })
    assert.equal(stolen.status, 400, 'another browser can’t complete the sign-in')
  })

  test('§5 the database contains no emailed token in clear text', async () => {
    await personWithAccount(house, 'Ugo', 'ugo@example.com')
    const browser = openBrowser()
    await browser.submit(await browser.get(`${provider.url}/oidc/forgot`), { email: 'ugo@example.com' })
    await sendMails(house)
    const token = new URL(linkIn(mailsTo(house, 'ugo@example.com').at(-1), `${provider.url}/oidc/reset`)).hash.slice(1)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const { pool } = house.house.database
    for (const table of ['account_token', 'job_run', 'audit_entry', 'oidc_item']) {
      const { rows } = await pool.query(`select count(*)::int as n from ${table} x where x::text like $1`, [`%${token}%`])
      assert.equal(rows[0].n, 0, table)
    }
  })
})

describe('the provider behind a proxy that ends TLS', () => {
  const house = useHouse({ CLOCK: 'system', PUBLIC_URL: 'https://permits.example.com', TRUST_PROXY: '1' })

  test('§5 PUBLIC_URL determines the issuer, the URLs and the secure cookies, whatever the Host header says', async () => {
    const ask = (url: string) => house.edge.app.inject({ url, headers: { host: '10.0.0.7:8080' } })
    const document = (await ask('/oidc/.well-known/openid-configuration')).json()
    assert.deepEqual(
      [document.issuer, document.token_endpoint],
      ['https://permits.example.com/oidc', 'https://permits.example.com/oidc/token'],
    )
    const query = new URLSearchParams({
      client_id: 'walkdown-web',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'https://permits.example.com/signed-in',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const sent = await ask(`/oidc/auth?${query}`)
    assert.equal(sent.statusCode, 303)
    const cookies = [sent.headers['set-cookie']].flat().map(String)
    assert.ok(
      cookies.length >= 2 &&
        cookies.every(cookie => /; secure/i.test(cookie) && /; httponly/i.test(cookie) && /samesite=lax/i.test(cookie)),
      cookies.join('\n'),
    )
    assert.equal((await ask(String(sent.headers.location))).headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  })
})

describe('with another issuer', () => {
  const house = useHouse({ OIDC_ISSUER: 'http://127.0.0.1:9' })

  test('§5 with OIDC_ISSUER set every path under /oidc is 404', async () => {
    for (const url of [
      '/oidc/.well-known/openid-configuration',
      '/oidc/jwks',
      '/oidc/auth',
      '/oidc/forgot',
      '/oidc/reset?token=x',
      '/oidc/sign-in/x',
      '/oidc/sign-in',
      '/oidc/signed-in',
      '/oidc/second-factor',
      '/oidc/second-factor/open?code=x',
      '/oidc/second-factor/remove',
      '/oidc/sign-in/x/second-factor',
      '/oidc/sign-in/x/set-up',
      '/oidc',
    ]) {
      assert.equal((await house.edge.app.inject({ url })).statusCode, 404, url)
      assert.equal((await house.edge.app.inject({ method: 'POST', url })).statusCode, 404, url)
    }
  })
})
