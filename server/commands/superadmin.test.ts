import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withIssuer } from '../../tests/issuer.ts'
import { openBrowser, openProvider, PASSPHRASE, personWithAccount } from '../../tests/provider.ts'
import { type TestHouse, useHouse } from '../../tests/world.ts'
import { readSettings } from '../base/settings.ts'
import { CommandError } from './command.ts'
import { grantSuperadmin, revokedWords, revokeSuperadmin } from './superadmin.ts'
import { tokenFor } from './token.ts'

const me = async (house: TestHouse, token: string) => (await house.withToken(token).get('/auth/me')).body
const says =
  (words: RegExp, code = 1) =>
  (error: unknown) =>
    error instanceof CommandError && error.code === code && words.test(error.message)

describe('managing people with terminal commands', () => {
  const house = useHouse({ CLOCK: 'system' })
  const provider = openProvider(house)

  test('§5 the first superadmin gets an account, chooses the password with the link, signs in and can create a site', async () => {
    const { name, link } = await grantSuperadmin(house.house, 'First@Example.com', 'Flora First')
    assert.equal(name, 'Flora First')
    assert.ok(link?.startsWith(`${provider.url}/oidc/reset#`))
    const browser = openBrowser()
    const done = await browser.submit(await browser.get(link ?? ''), { password: PASSPHRASE, again: PASSPHRASE })
    assert.match(done.html, /Password changed/)
    const { tokens } = await provider.signIn(openBrowser(), { email: 'first@example.com', password: PASSPHRASE })
    const { user, flags } = (await provider.me(tokens.access_token)).body
    assert.deepEqual([user.name, user.email_verified, user.is_superadmin, flags.can_create_site], ['Flora First', true, true, true])
    const again = await grantSuperadmin(house.house, 'first@example.com', 'Somebody Else')
    assert.deepEqual(again, { name: 'Flora First', link: null }, 'an existing account keeps its name')
    const audited = await house.rows(`select x::text as said from audit_entry x where entity_id = $1`, [user.id])
    assert.ok(
      audited.some(entry => /is_superadmin/.test(entry.said)),
      'the audit log records it',
    )
  })

  test('§5 granting and revoking superadmin take effect on the next call, even with an existing token', async () => {
    await personWithAccount(house, 'Gus', 'gus@example.com')
    const token = await tokenFor(house.house, 'GUS@example.com')
    const flag = async () => (await me(house, token)).user.is_superadmin
    assert.equal(await flag(), false)
    await grantSuperadmin(house.house, 'gus@example.com', null)
    assert.equal(await flag(), true)
    assert.deepEqual(await revokeSuperadmin(house.house, 'Gus@Example.com'), ['Gus'])
    assert.equal(revokedWords(['Gus']), 'Gus is no longer a superadmin.')
    assert.equal(revokedWords(['Ana', 'Ben', 'Gus']), 'Ana, Ben and Gus are no longer superadmins.')
    assert.equal(await flag(), false)
  })

  test('§5 superadmin can’t be granted to an unconfirmed, invalid or unknown address, and can’t be revoked if the configuration grants it', async () => {
    await personWithAccount(house, 'Hugo', 'hugo@example.com', { confirmed: false })
    await assert.rejects(grantSuperadmin(house.house, 'hugo@example.com', null), says(/hasn’t been confirmed yet/))
    await assert.rejects(grantSuperadmin(house.house, 'no address', null), says(/isn’t an email address/, 2))
    await assert.rejects(revokeSuperadmin(house.house, 'nobody@example.com'), says(/No one in this installation has the address/))
    const listed = await personWithAccount(house, 'Root', 'root@walkdown.test')
    assert.equal((await me(house, await tokenFor(house.house, listed.email))).user.is_superadmin, true)
    await assert.rejects(revokeSuperadmin(house.house, listed.email), says(/SUPERADMIN_EMAILS/))
  })

  test('§5 a token for an account identifies its owner for fifteen minutes; none is issued without an account or for a disabled one', async () => {
    const ida = await personWithAccount(house, 'Ida', 'ida@example.com')
    const token = await tokenFor(house.house, ida.email)
    assert.equal((await me(house, token)).user.id, ida.user_id)
    const { exp, iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    assert.equal(exp - iat, 900)
    await assert.rejects(tokenFor(house.house, 'nobody@example.com'), says(/No account has the email address/))
    await house.rows(
      `with off as (select set_config('session_replication_role', 'replica', true)) update account set disabled_at = now() from off where email = 'ida@example.com'`,
    )
    await assert.rejects(tokenFor(house.house, ida.email), says(/has been disabled/))
    await assert.rejects(grantSuperadmin(house.house, ida.email, null), says(/has been disabled/))
  })

  test('people keep their identity when the URL of the service changes', async () => {
    const jan = await personWithAccount(house, 'Jan', 'jan@example.com')
    const { settings } = house.house
    const elsewhere: TestHouse['house'] = { ...house.house, settings: readSettings({ PUBLIC_URL: 'https://permits.example.com' }) }
    const { personOf, makeVerifier } = await import('../kernel/identity/door.ts')
    const verifier = makeVerifier(elsewhere)
    const person = await personOf(elsewhere, verifier, await verifier.verify(`Bearer ${await tokenFor(elsewhere, jan.email)}`), null)
    assert.equal(person.id, jan.user_id)
    assert.notEqual(settings.public_url, elsewhere.settings.public_url)
  })
})

describe('managing people with terminal commands, with another issuer', () => {
  test('§5 no tokens are issued; superadmin needs a previous sign-in with a verified address that only one person has', async () => {
    await withIssuer(async (issuer, house) => {
      await assert.rejects(tokenFor(house.house, 'ana@firm.example'), says(/OIDC_ISSUER is set/))
      await assert.rejects(grantSuperadmin(house.house, 'ana@firm.example', null), says(/has signed in yet/))
      const token = await issuer.token(house.house)
      assert.equal((await me(house, token)).user.is_superadmin, false)
      assert.deepEqual(await grantSuperadmin(house.house, 'Ana@Firm.example', null), { name: 'Ana Ruiz', link: null })
      assert.equal((await me(house, token)).user.is_superadmin, true)
      await me(house, await issuer.token(house.house, { sub: 'sub-2' }))
      await assert.rejects(grantSuperadmin(house.house, 'ana@firm.example', null), says(/2 people have the address/))
      assert.equal((await revokeSuperadmin(house.house, 'ana@firm.example')).length, 2)
      assert.equal((await me(house, token)).user.is_superadmin, false)
    })
  })
})
