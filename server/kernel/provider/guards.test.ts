import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'

const AUTHORISATION = new URLSearchParams({
  client_id: 'walkdown-web',
  response_type: 'code',
  scope: 'openid',
  redirect_uri: 'https://permits.example.com/signed-in',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})

describe('cookies of the provider over HTTPS', () => {
  const house = useHouse({ CLOCK: 'system', PUBLIC_URL: 'https://permits.example.com', TRUST_PROXY: '1' })
  const bare = (url: unknown) => String(url).replace('https://permits.example.com', '')
  const set = (reply: { headers: Record<string, unknown> }) => [reply.headers['set-cookie'] ?? []].flat().map(String)

  /** A browser that accepts only cookies of this host, over HTTPS and for every path, as `__Host-` promises. */
  const openTabs = () => {
    const jar = new Map<string, string>()
    const seen: string[] = []
    const go = async (url: unknown, form?: Record<string, string>) => {
      const reply = await house.edge.app.inject({
        method: form === undefined ? 'GET' : 'POST',
        url: bare(url),
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
      })
      for (const cookie of set(reply)) {
        seen.push(cookie)
        assert.match(cookie, /^__Host-walkdown_(session|(sign_in|resume|code)\.[\w-]+)(\.sig)?=/)
        for (const attribute of [/; path=\/(;|$)/i, /; secure/i, /; httponly/i, /; samesite=lax/i]) assert.match(cookie, attribute)
        assert.doesNotMatch(cookie, /domain=/i)
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
        if (/; expires=Thu, 01 Jan 1970|; max-age=0(;|$)/.test(cookie)) jar.delete(name)
        else jar.set(name, value)
      }
      return reply
    }
    const begin = async (state: string) => (await go(`/oidc/auth?${AUTHORISATION}&state=${state}`)).headers.location
    const end = async (at: unknown, email: string) => {
      const signed = await go(at, { email, password: PASSPHRASE })
      return new URL(String((await go(signed.headers.location)).headers.location)).searchParams
    }
    return { jar, seen, go, begin, end }
  }

  test('V3.3.3 every cookie has the prefix __Host- and its attributes, two tabs sign in side by side, and a cookie ends with its sign-in', async () => {
    await personWithAccount(house, 'Una', 'una@example.com')
    const { jar, seen, go, begin, end } = openTabs()
    const first = await begin('first')
    const second = await begin('second')
    assert.equal(jar.size, 8, 'two sign-ins, each with two cookies and their signatures')
    for (const at of [first, second]) assert.match((await go(at)).body, /name="password"/)
    assert.equal((await end(second, 'una@example.com')).get('state'), 'second')
    const said = await end(first, 'una@example.com')
    assert.deepEqual([said.get('state'), said.get('code') !== null], ['first', true])
    assert.deepEqual([...jar.keys()].sort(), ['__Host-walkdown_session', '__Host-walkdown_session.sig'])
    assert.ok(seen.length > 12)
  })

  test('V3.3.3 the cookie of a code for our own pages has the prefix, lasts a minute, and ends with its code', async () => {
    await personWithAccount(house, 'Ida', 'ida@example.com')
    const { jar, seen, go } = openTabs()
    const auth = (await go('/oidc/sign-in')).headers.location
    const signed = await go((await go(auth)).headers.location, { email: 'ida@example.com', password: PASSPHRASE })
    const url = (await go(signed.headers.location)).headers.location
    assert.match(String(url), /\/oidc\/signed-in\?code=/)
    const name = [...jar.keys()].find(key => key.startsWith('__Host-walkdown_code.')) ?? assert.fail('no cookie')
    assert.ok(!url?.includes(jar.get(name) ?? ''), 'the URL doesn’t contain its value')
    assert.match(seen.find(cookie => cookie.startsWith(name)) ?? '', /; max-age=60;/)
    const other = openTabs()
    assert.equal((await other.go(url)).statusCode, 400)
    other.jar.set(name.replace('__Host-', ''), jar.get(name) ?? '')
    assert.equal((await other.go(url)).statusCode, 400, 'any subdomain could have set a cookie without the prefix')
    assert.equal((await go(url)).statusCode, 200)
    assert.ok(!jar.has(name))
  })

  test('V3.3.3 a cookie that was altered, has no prefix, or belongs to another sign-in doesn’t continue a sign-in', async () => {
    const { jar, go, begin } = openTabs()
    const at = await begin('mine')
    const uid = String(at).split('/').at(-1) ?? ''
    const state = async () => ((await go(at)).statusCode === 200 ? 'shown' : 'ended')
    assert.equal(await state(), 'shown')
    const mine = [...jar]
    const only = (cookies: (readonly [string, string])[]) => {
      jar.clear()
      for (const [name, value] of cookies) jar.set(name, value)
    }
    only(mine.map(([name, value]) => [name.replace('__Host-', '').replace(`.${uid}`, ''), value]))
    assert.equal(await state(), 'ended', 'any subdomain could have set it')
    only(mine.map(([name, value]) => [name, name.endsWith('.sig') ? `${value.slice(0, -2)}AA` : value]))
    assert.equal(await state(), 'ended', 'with another signature')
    const other = openTabs()
    await other.begin('theirs')
    only([...other.jar].map(([name, value]) => [name.replace(/\.[\w-]{10,}/, `.${uid}`), value]))
    assert.notEqual((await go(at)).statusCode, 200, 'with the values of another sign-in')
    only(mine)
    assert.equal(await state(), 'shown')
  })

  test('V3.3.3 a browser has the cookies of eight sign-ins at most: the oldest ends when another begins', async () => {
    const { jar, go, begin } = openTabs()
    const first = await begin('0')
    for (let i = 1; i < 8; i++) await begin(String(i))
    assert.equal((await go(first)).statusCode, 200)
    const last = await begin('8')
    assert.equal(jar.size, 8 * 4)
    assert.deepEqual([(await go(first)).statusCode === 200, (await go(last)).statusCode], [false, 200])
  })
})

describe('guards of the provider', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const grant = (fields: Record<string, string>) =>
    fetch(`${provider.url}/oidc/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: 'walkdown-web', ...fields }).toString(),
    })
  const lines = async () => {
    await house.house.lines.flush()
    return house.rows("select kind, level, message, network from diag_line where source = 'auth' order by at, id")
  }

  test('10.4 only the grants and response types of the app exist: no password, client credentials, device, implicit or hybrid flow', async () => {
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:openid:params:grant-type:ciba',
    ]) {
      const reply = await grant({ grant_type, username: 'una@example.com', password: PASSPHRASE })
      assert.equal(reply.status, 400, grant_type)
      assert.match(((await reply.json()) as { error: string }).error, /^(unsupported_grant_type|unauthorized_client)$/, grant_type)
    }
    for (const response_type of ['token', 'id_token', 'id_token token', 'code id_token', 'code token', 'none']) {
      const page = await openBrowser().get((await provider.begin({ response_type })).url)
      const said = page.left ?? new URL(`http://x/?${/unsupported_response_type|invalid_request|unauthorized_client/.exec(page.html)?.[0]}`)
      assert.ok(!/access_token|id_token=|code=/.test(said.href), response_type)
      assert.match(`${said.href}`, /unsupported_response_type|invalid_request|unauthorized_client/, response_type)
    }
    const plain = await openBrowser().get((await provider.begin({ code_challenge_method: 'plain' })).url)
    assert.equal(plain.left?.searchParams.get('error'), 'invalid_request')
    for (const path of ['/oidc/reg', '/oidc/device', '/oidc/request', '/oidc/token/introspection'])
      assert.ok([400, 404].includes((await fetch(`${provider.url}${path}`, { method: 'POST' })).status), path)
  })

  test('conventions §1 the token endpoint answers other methods than POST with 405, Allow, and an error in JSON', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
      for (const path of ['/oidc/token', '/oidc/token?code=x', '/oidc/token/']) {
        const refused = await fetch(`${provider.url}${path}`, { method })
        assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST'], `${method} ${path}`)
        assert.match(String(refused.headers.get('content-type')), /^application\/json/)
        if (method === 'GET')
          assert.deepEqual(await refused.json(), { error: 'invalid_request', error_description: 'This URL accepts only POST.' })
      }
    const empty = await fetch(`${provider.url}/oidc/token`, { method: 'POST' })
    assert.deepEqual([empty.status, /invalid_request/.test(await empty.text())], [400, true])
  })

  test('10.4 a code is valid for one minute, and the scopes are those of the app', async () => {
    const { scopes_supported } = (await provider.discovered()).serverMetadata()
    assert.deepEqual([...(scopes_supported ?? [])].sort(), ['email', 'offline_access', 'openid', 'profile'])
    await provider.signIn(openBrowser(), await personWithAccount(house, 'Cai', 'cai@example.com'))
    const codes = await house.rows("select payload from oidc_item where kind = 'AuthorizationCode'")
    assert.ok(codes.length > 0)
    for (const { payload } of codes) assert.equal(payload.exp - payload.iat, 60)
  })

  test('10.4 a sign-in ends after thirty days, however often its tokens were renewed', async () => {
    const dan = await personWithAccount(house, 'Dan', 'dan@example.com')
    const { tokens } = await provider.signIn(openBrowser(), dan)
    const ends = async () =>
      (
        await house.rows("select payload from oidc_item where kind = 'RefreshToken' and account_id = $1 and consumed_at is null", [
          dan.account_id,
        ])
      )[0].payload
    const first = await ends()
    assert.equal(first.exp - first.iat, 14 * 24 * 3600, 'unused, it ends after fourteen days')
    // Moves the sign-in 29 days into the past.
    await house.rows(
      "update oidc_item set payload = payload || jsonb_build_object('authTime', $2::int) where kind = 'RefreshToken' and account_id = $1",
      [dan.account_id, first.authTime - 29 * 24 * 3600],
    )
    assert.equal((await grant({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })).status, 200)
    const second = await ends()
    assert.ok(second.exp - second.iat <= 24 * 3600, `${second.exp - second.iat} s are left of it`)
  })

  test('10.4 the session of a browser ends thirty days after the sign-in, however often an app used it', async () => {
    const eve = await personWithAccount(house, 'Eve', 'eve@example.com')
    const browser = openBrowser()
    await provider.signIn(browser, eve)
    const session = "kind = 'Session' and account_id = $1"
    const days_ago = (days: number) =>
      house.rows(`update oidc_item set payload = payload || jsonb_build_object('loginTs', $2::int) where ${session}`, [
        eve.account_id,
        Math.floor(Date.now() / 1000) - days * 24 * 3600,
      ])
    await days_ago(29)
    assert.notEqual((await browser.get((await provider.begin()).url)).left, null, 'still signed in')
    const [{ left_s }] = await house.rows(
      `select extract(epoch from expires_at - clock_timestamp())::int as left_s from oidc_item where ${session}`,
      [eve.account_id],
    )
    assert.ok(left_s <= 24 * 3600, `${left_s} s are left of it`)
  })

  test('10.4 a sign-in that no app used for fourteen days asks for the password', async () => {
    const fay = await personWithAccount(house, 'Fay', 'fay@example.com')
    const browser = openBrowser()
    const { tokens } = await provider.signIn(browser, fay)
    const fortnight = 14 * 24 * 3600 + 60
    const unused = () =>
      house.rows(
        "update oidc_item set used_at = used_at - make_interval(secs => $2), payload = case when payload ? 'loginTs' then payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - $2::int) else payload end where account_id = $1",
        [fay.account_id, fortnight],
      )
    await unused()
    const page = await browser.get((await provider.begin()).url)
    assert.equal(page.left, null)
    assert.match(page.html, /autocomplete="current-password"/)
    // A refresh is a use.
    assert.equal((await grant({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })).status, 200)
    assert.notEqual((await browser.get((await provider.begin()).url)).left, null)
    await unused()
    const again = await provider.signIn(browser, fay)
    assert.ok(again.tokens.access_token, 'the password begins a new sign-in')
    assert.notEqual((await browser.get((await provider.begin()).url)).left, null)
  })

  test('10.4 a sign-in gives the browser a new session, so that a session planted before is useless', async () => {
    const [una, vic] = [await personWithAccount(house, 'Una', 'una@example.com'), await personWithAccount(house, 'Vic', 'vic@example.com')]
    const browser = openBrowser()
    const sessionNow = () => [...browser.cookies].find(([key]) => key.endsWith(' walkdown_session'))?.[1].value
    await provider.signIn(browser, una)
    const first = sessionNow()
    await provider.signIn(browser, una, { prompt: 'login' })
    const second = sessionNow()
    await provider.signIn(browser, vic, { prompt: 'login' })
    assert.equal(new Set([first, second, sessionNow()]).size, 3)
    const planted = openBrowser()
    planted.cookies.set('/ walkdown_session', { value: 'planted-by-a-stranger', path: '/' })
    await provider.signIn(planted, una)
    assert.notEqual([...planted.cookies].find(([key]) => key.endsWith(' walkdown_session'))?.[1].value, 'planted-by-a-stranger')
  })

  test('10.4 every sign-in, refusal, reuse of a token and sign-out is recorded, without address, password or token', async () => {
    const will = await personWithAccount(house, 'Will', 'will@example.com')
    const before = (await lines()).length
    const attempt = async (email: string, password: string) => {
      const browser = openBrowser()
      return browser.submit(await browser.get((await provider.begin()).url), { email, password })
    }
    await attempt('will@example.com', 'a secret wrong one')
    await attempt('no-one-here@example.com', 'a secret wrong one')
    const browser = openBrowser()
    const { tokens } = await provider.signIn(browser, will)
    await grant({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })
    assert.equal((await grant({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })).status, 400)
    await browser.submit(await browser.get(`${provider.url}/oidc/session/end`), { logout: 'yes' })
    for (let i = 0; i < 6; i++) await attempt('will@example.com', 'a secret wrong one')
    const found = (await lines()).slice(before)
    const account = `account ${will.account_id}`
    assert.deepEqual(
      found.slice(0, 5).map(line => [line.kind, line.level, line.message.split(';')[0]]),
      [
        ['sign_in_refused', 'warn', account],
        ['sign_in_refused', 'warn', 'no account'],
        ['signed_in', 'info', account],
        ['token_refused', 'warn', account],
        ['signed_out', 'info', account],
      ],
    )
    assert.deepEqual([...new Set(found.slice(5).map(line => line.kind))], ['sign_in_refused', 'sign_in_throttled'])
    assert.equal(found[0].network, '127.0.0.0/24')
    assert.doesNotMatch(JSON.stringify(found), /secret wrong|will@|no-one-here|eyJ/)
    assert.ok(!JSON.stringify(found).includes(tokens.refresh_token ?? 'x'))
  })
})
