import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as client from 'openid-client'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'
import { runSchedules } from '../jobs/door.ts'

const refused = (error: unknown) => error instanceof client.ResponseBodyError && error.error === 'invalid_grant'

describe('the built-in provider, used by an independent client over HTTP', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const refresh = async (token: string | undefined) => client.refreshTokenGrant(await provider.discovered(), token ?? '')

  test('§5 discovery and the code flow with PKCE through the pages give an access token that the API accepts without another request', async () => {
    const ana = await personWithAccount(house, 'Ana Ruiz', 'ana@example.com')
    const metadata = (await provider.discovered()).serverMetadata()
    assert.equal(metadata.issuer, `${provider.url}/oidc`)
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(metadata.response_types_supported, ['code'])
    assert.equal(metadata.userinfo_endpoint, undefined)
    const { tokens, left } = await provider.signIn(openBrowser(), ana)
    assert.equal(left.pathname, '/signed-in')
    assert.deepEqual([tokens.token_type.toLowerCase(), tokens.expires_in], ['bearer', 900])
    assert.deepEqual([tokens.claims()?.name, tokens.claims()?.email], ['Ana Ruiz', 'ana@example.com'])
    const [head = '', body = ''] = tokens.access_token.split('.')
    const { typ, alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
    assert.deepEqual([typ, alg], ['at+jwt', 'ES256'])
    const { aud, exp, iat } = JSON.parse(Buffer.from(body, 'base64url').toString())
    assert.deepEqual([aud, exp - iat], ['walkdown', 900])
    const me = await provider.me(tokens.access_token)
    assert.equal(me.status, 200)
    assert.deepEqual([me.body.user.id, me.body.user.name, me.body.user.email_verified], [ana.user_id, 'Ana Ruiz', true])
    assert.deepEqual(
      [me.body.provider.kind, me.body.provider.can_change_password, me.body.flags.must_change_password],
      ['built_in', true, false],
    )
  })

  test('§5 a browser stays signed in, and an app can still ask for the password', async () => {
    const ben = await personWithAccount(house, 'Ben Okafor', 'ben@example.com')
    const browser = openBrowser()
    await provider.signIn(browser, ben)
    const again = await provider.begin()
    assert.equal((await browser.get(again.url)).left?.pathname, '/signed-in')
    const asked = await browser.get((await provider.begin({ prompt: 'login', login_hint: 'ben@example.com' })).url)
    assert.match(asked.html, /value="ben@example.com"/)
  })

  test('§5 when another person signs in on the same browser, the first person’s session ends with all its tokens', async () => {
    const [carl, dora] = [
      await personWithAccount(house, 'Carl', 'carl@example.com'),
      await personWithAccount(house, 'Dora', 'dora@example.com'),
    ]
    const browser = openBrowser()
    const first = await provider.signIn(browser, carl)
    const second = await provider.signIn(browser, dora, { prompt: 'login' })
    assert.equal((await provider.me(second.tokens.access_token)).body.user.name, 'Dora')
    await assert.rejects(refresh(first.tokens.refresh_token), refused)
    assert.ok((await refresh(second.tokens.refresh_token)).access_token)
  })

  test('§5 refresh tokens rotate; if an old one is used again, the whole family ends', async () => {
    const eva = await personWithAccount(house, 'Eva', 'eva@example.com')
    const { tokens } = await provider.signIn(openBrowser(), eva)
    const second = await refresh(tokens.refresh_token)
    assert.notEqual(second.refresh_token, tokens.refresh_token)
    assert.equal((await provider.me(second.access_token)).body.user.name, 'Eva')
    const third = await refresh(second.refresh_token)
    await assert.rejects(refresh(second.refresh_token), refused)
    await assert.rejects(refresh(third.refresh_token), refused, 'the new token ends with it')
    await assert.rejects(refresh(tokens.refresh_token), refused)
  })

  test('§5 if one refresh token is used several times at once, at most one use succeeds, and the family ends', async () => {
    const finn = await personWithAccount(house, 'Finn', 'finn@example.com')
    for (let round = 0; round < 5; round++) {
      const { tokens } = await provider.signIn(openBrowser(), finn)
      const both = await Promise.allSettled(Array.from({ length: 4 }, () => refresh(tokens.refresh_token)))
      const served = both.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      assert.ok(served.length <= 1, `${served.length} succeeded`)
      for (const one of served) await assert.rejects(refresh(one.refresh_token), refused)
    }
  })

  test('§5 a sign-in without PKCE is refused, another verifier gets no tokens, and a code works once', async () => {
    const gil = await personWithAccount(house, 'Gil', 'gil@example.com')
    const browser = openBrowser()
    const plain = new URL((await provider.begin()).url)
    plain.searchParams.delete('code_challenge')
    plain.searchParams.delete('code_challenge_method')
    const { left } = await browser.get(plain.href)
    assert.deepEqual([left?.pathname, left?.searchParams.get('error')], ['/signed-in', 'invalid_request'])

    const { url, finish } = await provider.begin()
    const page = await browser.submit(await browser.get(url), gil)
    assert.ok(page.left)
    await assert.rejects(finish(page.left, client.randomPKCECodeVerifier()), refused)

    const next = await provider.begin()
    const sent = (await browser.get(next.url)).left
    assert.ok(sent)
    const tokens = await next.finish(sent)
    await assert.rejects(next.finish(sent), refused, 'a code works once')
    await assert.rejects(refresh(tokens.refresh_token), refused, 'and what it gave ends when it is shown again')
  })

  test('§5 the browser is only ever redirected to the app’s own pages', async () => {
    for (const redirect_uri of [`${provider.url}/elsewhere`, 'https://evil.example/signed-in', `${provider.url}/signed-in?x=1`]) {
      const page = await openBrowser().get((await provider.begin({ redirect_uri })).url)
      assert.deepEqual([page.status, page.left], [400, null], redirect_uri)
      assert.match(page.html, /Sign-in failed/)
      assert.match(String(page.headers.get('content-security-policy')), /default-src 'none'/)
    }
    assert.ok((await openBrowser().get((await provider.begin({ redirect_uri: `${provider.url}/` })).url)).html.includes('Sign in'))
  })

  test('§5 a refresh token that the app revokes no longer works, nor does one after signing out', async () => {
    const hana = await personWithAccount(house, 'Hana', 'hana@example.com')
    const browser = openBrowser()
    const { config, tokens } = await provider.signIn(browser, hana)
    await client.tokenRevocation(config, tokens.refresh_token ?? '')
    await assert.rejects(refresh(tokens.refresh_token), refused)

    const second = await provider.signIn(browser, hana)
    const leaving = client.buildEndSessionUrl(config, {
      id_token_hint: second.tokens.id_token ?? '',
      post_logout_redirect_uri: `${provider.url}/`,
    })
    const page = await browser.get(leaving.href)
    assert.match(page.html, /Sign out\?/)
    assert.doesNotMatch(page.html, /<script/)
    const gone = await browser.submit(page, { logout: 'yes' })
    assert.equal(gone.left?.pathname, '/')
    await assert.rejects(refresh(second.tokens.refresh_token), refused)
    assert.equal((await browser.get((await provider.begin()).url)).left, null, 'the password is asked for again')
  })

  test('§5 a changed password ends every other session with its refresh tokens, and this session continues', async () => {
    const kim = await personWithAccount(house, 'Kim', 'kim@example.com')
    const [here, there] = [openBrowser(), openBrowser()]
    const mine = await provider.signIn(here, kim)
    const other = await provider.signIn(there, kim)
    const body = { current_password: PASSPHRASE, new_password: 'kelp barn tax window' }
    assert.equal((await provider.api('POST', '/auth/change-password', mine.tokens.access_token, body)).status, 204)
    await assert.rejects(refresh(other.tokens.refresh_token), refused)
    assert.equal((await there.get((await provider.begin()).url)).left, null, 'the other browser is asked for the password')
    const next = await refresh(mine.tokens.refresh_token)
    assert.equal((await provider.me(next.access_token)).status, 200)
    assert.equal((await here.get((await provider.begin()).url)).left?.pathname, '/signed-in')
  })

  test('§5 a disabled account can’t sign in or refresh its tokens', async () => {
    const ivo = await personWithAccount(house, 'Ivo', 'ivo@example.com')
    const { tokens } = await provider.signIn(openBrowser(), ivo)
    await house.house.database.pool.query(
      `begin; set local session_replication_role = replica; update account set disabled_at = now() where id = '${ivo.account_id}'; commit`,
    )
    await assert.rejects(refresh(tokens.refresh_token), refused)
    const browser = openBrowser()
    const page = await browser.submit(await browser.get((await provider.begin()).url), ivo)
    assert.deepEqual([page.status, page.left], [422, null])
  })

  test('§5 the database contains no code, token or session in clear text, and expired items are deleted', async () => {
    const jo = await personWithAccount(house, 'Jo', 'jo@example.com')
    const browser = openBrowser()
    const { tokens, left } = await provider.signIn(browser, jo)
    const { rows } = await house.house.database.pool.query('select kind, o::text as said from oidc_item o')
    const kinds = rows.map(row => row.kind)
    assert.ok(
      ['Session', 'Grant', 'RefreshToken', 'AuthorizationCode'].every(kind => kinds.includes(kind)),
      kinds.join(),
    )
    const said = rows.map(row => row.said).join('\n')
    const session = [...browser.cookies].find(([key]) => key.endsWith(' walkdown_session'))?.[1].value
    for (const secret of [tokens.refresh_token, tokens.access_token, left.searchParams.get('code'), session, PASSPHRASE]) {
      assert.ok(secret && secret.length > 10)
      assert.ok(!said.includes(secret))
    }
    await house.house.database.pool.query(`update oidc_item set expires_at = '2026-01-01T00:00:00Z' where kind = 'AuthorizationCode'`)
    await runSchedules(house.house, 'identity_purge')
    const { rows: after } = await house.house.database.pool.query(`select kind, count(*) from oidc_item group by kind`)
    assert.ok(!after.some(row => row.kind === 'AuthorizationCode') && after.some(row => row.kind === 'RefreshToken'))
  })

  test('only scripts of our own origin can read tokens', async () => {
    const token = (origin: string) =>
      fetch(`${provider.url}/oidc/token`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&refresh_token=x&client_id=walkdown-web',
      })
    assert.equal((await token('https://evil.example')).headers.get('access-control-allow-origin'), null)
    assert.equal((await token(provider.url)).headers.get('access-control-allow-origin'), provider.url)
  })
})
