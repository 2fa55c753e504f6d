import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { useHouse } from '../../../../tests/world.ts'
import { ROLES } from '../../../base/actor.ts'
import { mintToken, providerKeys } from '../../../kernel/identity/door.ts'

describe('auth', () => {
  const house = useHouse()
  const person = { subject: 'sub-1', name: 'Ana Ruiz', email: 'ana@people.test', email_verified: true }
  const ask = (token: string) => house.withToken(token).get('/auth/me')

  test('§5 fifty first calls with one token make one user; another subject with the same address is a different user', async () => {
    const token = await mintToken(house.house, person)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(token)))
    assert.deepEqual([...new Set(answers.map(a => a.status))], [200])
    assert.equal(new Set(answers.map(a => a.body.user.id)).size, 1)
    const second = await ask(await mintToken(house.house, { ...person, subject: 'sub-2' }))
    assert.notEqual(second.body.user.id, answers[0]?.body.user.id)
    assert.deepEqual(
      [second.body.user.initials, second.body.provider.kind, second.body.memberships, second.body.flags.can_create_site],
      ['AR', 'built_in', [], false],
    )
  })

  test('§5 every fault of a token has its own reason', async () => {
    const reason = async (token: string) => {
      const answer = await ask(token)
      assert.equal(answer.status, 401)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer/)
      return answer.body.error.reason
    }
    const { house: h } = house
    assert.equal(await reason('not-a-token'), 'malformed')
    assert.equal((await house.nobody.get('/auth/me')).body.error.reason, 'missing')
    assert.equal(await reason(await mintToken(h, person, { seconds: -61 })), 'expired')
    assert.equal(
      (await ask(await mintToken(h, person, { seconds: -59 }))).status,
      200,
      'a token is accepted for sixty seconds after it expires',
    )
    const [head = '', body = '', signature = ''] = (await mintToken(h, person)).split('.')
    assert.equal(await reason(`${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`), 'bad_signature')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    assert.equal(await reason(`${none}.${body}.x`), 'bad_signature')
    const { jwks } = await providerKeys(h)
    const signed = (claims: object, alg = 'HS256', typ = 'at+jwt') =>
      new SignJWT({ iss: 'http://walkdown.test/oidc', aud: 'walkdown', sub: 'x', exp: 4_000_000_000, ...claims })
        .setProtectedHeader({ alg, typ, kid: jwks[0]?.kid ?? '' })
        .sign(new TextEncoder().encode(JSON.stringify(jwks[0])))
    assert.equal(await reason(await signed({})), 'bad_signature', 'HS256 signed with the public key')
    assert.equal(await reason(await mintToken(h, { ...person, subject: '' })), 'malformed')
  })

  test('§5 issuer and audience must be those of the installation, and an id token is not an access token', async () => {
    const { importJWK } = await import('jose')
    const { jwks } = await providerKeys(house.house)
    const key = await importJWK(jwks[0] ?? {}, 'ES256')
    const token = (claims: object, typ = 'at+jwt') =>
      new SignJWT({ iss: 'http://walkdown.test/oidc', aud: 'walkdown', sub: 'x', exp: 4_000_000_000, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, kid: jwks[0]?.kid ?? '' })
        .sign(key)
    assert.equal((await ask(await token({}))).status, 200)
    assert.equal((await ask(await token({ iss: 'http://elsewhere.test' }))).body.error.reason, 'wrong_issuer')
    assert.equal((await ask(await token({ aud: 'another' }))).body.error.reason, 'wrong_audience')
    assert.equal((await ask(await token({}, 'JWT'))).body.error.reason, 'malformed')
    assert.equal((await ask(await token({ nbf: 4_000_000_000 }))).body.error.reason, 'expired')
  })

  test('§5 a listed superadmin address works only once it is verified, and no longer after it is removed from the list', async () => {
    const me = async (more: object, issued = 0) =>
      (
        await ask(
          await mintToken(house.house, { ...person, subject: 'sub-root', email: 'ROOT@walkdown.test', ...more }, { claims: { issued } }),
        )
      ).body.user.is_superadmin
    assert.equal(await me({ email_verified: false }), false)
    house.clock('2026-03-16T09:00:05.000Z')
    assert.equal(await me({ email_verified: true }), true)
    house.clock('2026-03-16T09:00:10.000Z')
    assert.equal(await me({ email: 'other@people.test' }), false)
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§5 a newer token with another name updates the user, and an older one doesn’t', async () => {
    const name = async (n: string) => (await ask(await mintToken(house.house, { ...person, subject: 'sub-name', name: n }))).body.user.name
    assert.equal(await name('Ana Ruiz'), 'Ana Ruiz')
    house.clock('2026-03-16T09:01:00.000Z')
    assert.equal(await name('Ana Ruiz-Smith'), 'Ana Ruiz-Smith')
    house.clock('2026-03-16T09:00:30.000Z')
    assert.equal(await name('Ana Old'), 'Ana Ruiz-Smith')
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§5 the permissions of each membership match what the endpoints allow, for every role', async () => {
    const w = await house.world()
    for (const role of ROLES) {
      const [mine] = (await w.as(role).get('/auth/me')).body.memberships
      const site = (await w.as(role).get(`/sites/${w.site_id}`)).body.permissions
      assert.equal(mine.permissions.includes('site_configure'), site.can_configure, role)
      assert.equal(mine.permissions.includes('site_administer'), site.can_administer, role)
      assert.equal((await w.as(role).get(`/sites/${w.site_id}/members`)).status === 200, mine.permissions.includes('member_view'), role)
      assert.equal(
        (await w.as(role).post('/contractors/', { site_id: w.site_id, name: `By ${role}` })).status === 201,
        mine.permissions.includes('contractor_edit'),
        role,
      )
      assert.equal(
        (await w.as(role).get(`/memberships/sites/${w.site_id}/pending`)).status === 200,
        mine.permissions.includes('member_manage'),
        role,
      )
    }
  })

  test('a disabled account is refused and the response says so', async () => {
    const who = await house.person('Dan Disabled')
    await house.house.database.pool.query(
      `begin; set local session_replication_role = replica; update app_user set disabled_at = now() where id = '${who.user_id}'; commit`,
    )
    assert.equal((await who.get('/auth/me')).body.error.reason, 'disabled')
  })
})
