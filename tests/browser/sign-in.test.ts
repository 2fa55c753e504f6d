// Sign-in with a company's own provider: an independent server (`oauth2-mock-server`), with an authorisation code and PKCE, in a real browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Issuer, startIssuer } from '../issuer.ts'
import { useStage } from './kit.ts'

describe('the app: sign-in with another provider', () => {
  const env: Record<string, string> = { CLOCK: 'system' } // that server's tokens have the real date
  let issuer: Issuer
  before(async () => {
    issuer = await startIssuer()
    env.OIDC_ISSUER = issuer.url
    issuer.service.on('beforeTokenSigning', token => {
      Object.assign(token.payload, {
        aud: token.payload.aud ?? 'walkdown',
        sub: 'ana-1',
        name: 'Ana Ruiz',
        email: 'ana@firm.example',
        email_verified: true,
      })
    })
  })
  /** Changes claims of the tokens of one test. */
  let altered: Record<string, unknown> = {}
  before(() => {
    issuer.service.on('beforeTokenSigning', token => void Object.assign(token.payload, altered))
  })
  const stage = useStage(env)
  after(() => issuer.stop())

  test('one button leads to the provider and back; the app shows the person’s name and keeps them signed in', async () => {
    const { page, url } = await stage.sit(null)
    const asked: URL[] = []
    page.on('request', request => {
      if (request.url().startsWith(issuer.url)) asked.push(new URL(request.url()))
    })
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your sites' }).waitFor()
    await stage.axe(page)
    const [authorize] = asked.filter(one => one.pathname === '/authorize')
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'redirect_uri'].map(name => authorize?.searchParams.get(name)),
      ['code', 'S256', `${url}/signed-in`],
    )
    assert.doesNotMatch(page.url(), /code=|state=/)
    await page.reload()
    await page.getByRole('heading', { name: 'Your sites' }).waitFor()
    assert.equal(asked.filter(one => one.pathname === '/authorize').length, 1, 'nobody is sent there again')
    assert.equal((await stage.house.rows(`select name from app_user where issuer = $1`, [issuer.url]))[0]?.name, 'Ana Ruiz')
  })

  test('V10.5.1 an ID token with another nonce, V10.5.4 or for another app, signs nobody in', async () => {
    for (const [claims, said] of [
      [{ nonce: 'of another sign-in' }, /nonce/],
      [{ aud: 'another-app' }, /for another app/],
    ] as const) {
      altered = claims
      const { page, url } = await stage.sit(null)
      await page.goto(url)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(said).waitFor()
      const kept = await page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('walkdown.user.')))
      assert.deepEqual(kept, [])
      altered = {}
      await page.getByRole('button', { name: /again|Sign in/ }).click()
      await page.getByRole('heading', { name: 'Your sites' }).waitFor()
    }
  })

  test('a provider that refuses is explained in words, with a way to try again', async () => {
    const { page, url } = await stage.sit(null)
    await page.route(`${issuer.url}/authorize*`, async route => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? ''
      await route.fulfill({ status: 302, headers: { location: `${url}/signed-in?error=access_denied&state=${state}` } })
    })
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/signed-in/)
    await page
      .getByText('The sign-in provider refused access, or you cancelled. Try again, or ask your administrator for access.')
      .waitFor()
    await page.getByRole('button', { name: /again|Sign in/ }).waitFor()
    await stage.axe(page)
  })
})
