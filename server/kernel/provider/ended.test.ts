import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as client from 'openid-client'
import { type Owner, openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../../tests/provider.ts'
import { useHouse } from '../../../tests/world.ts'
import { erasePeople } from '../../commands/erase.ts'
import { signOutEverywhere } from '../../commands/sign-out.ts'

describe('an access token after its session', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)
  const status = async (tokens: { access_token: string }) => (await provider.me(tokens.access_token)).status
  let number = 0

  /** Signs a new person in twice, on two devices; `end` ends the session of the first one. */
  async function ends(
    end: (who: Owner, first: Awaited<ReturnType<typeof signedIn>>, second: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown>,
  ) {
    const who = await personWithAccount(house, 'Ada', `ada-${++number}@example.com`)
    const [first, second] = [await signedIn(who), await signedIn(who)]
    assert.deepEqual([await status(first.tokens), await status(second.tokens)], [200, 200])
    await end(who, first, second)
    const said = await provider.me(first.tokens.access_token)
    assert.deepEqual([said.status, said.body.error?.reason], [401, 'expired'])
    return status(second.tokens)
  }
  async function signedIn(who: Owner) {
    const browser = openBrowser()
    return { browser, ...(await provider.signIn(browser, who)) }
  }

  test('10.4 signing out ends the access token immediately, on this device only', async () => {
    const left = await ends(async (_, { browser, config, tokens }) => {
      const leaving = client.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: `${provider.url}/`,
      })
      await browser.submit(await browser.get(leaving.href), { logout: 'yes' })
    })
    assert.equal(left, 200)
  })

  test('10.4 a sign-in by another person on the same browser ends the access token immediately', async () => {
    const next = await personWithAccount(house, 'Bo', 'bo@example.com')
    await ends((_, { browser }) => provider.signIn(browser, next, { prompt: 'login' }))
  })

  test('10.4 a new password ends the access token immediately on every other device', async () => {
    const body = { current_password: PASSPHRASE, new_password: 'kelp barn tax window' }
    const left = await ends((_, __, second) => provider.api('POST', '/auth/change-password', second.tokens.access_token, body))
    assert.equal(left, 200)
  })

  test('10.4 a refresh token that is used again, or revoked, ends the access token immediately', async () => {
    const refresh = async (token: string | undefined) => client.refreshTokenGrant(await provider.discovered(), token ?? '')
    const left = await ends(async (_, { tokens }) => {
      await refresh(tokens.refresh_token)
      await assert.rejects(refresh(tokens.refresh_token))
    })
    assert.equal(left, 200)
    assert.equal(await ends(async (_, { config, tokens }) => client.tokenRevocation(config, tokens.refresh_token ?? '')), 200)
  })

  test('10.4 signing a person out from the terminal ends the access token immediately everywhere', async () => {
    assert.equal(await ends(who => signOutEverywhere(house.house, who.email, 'Phone lost')), 401)
  })

  test('10.4 erasing a person ends the access token immediately, and the token doesn’t bring their name and address back', async () => {
    let erased = ''
    const erase = async (who: Owner) => {
      erased = who.email
      await erasePeople(house.house, who.email, 'They asked')
    }
    assert.equal(await ends(erase), 401)
    assert.deepEqual(await house.rows('select name, email from app_user where email = $1', [erased]), [])
  })
})
