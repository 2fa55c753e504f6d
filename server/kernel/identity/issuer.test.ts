import assert from 'node:assert/strict'
import { createPrivateKey, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Issuer, rsaKey, withIssuer } from '../../../tests/issuer.ts'
import type { TestHouse } from '../../../tests/world.ts'
import { readSettings } from '../../base/settings.ts'
import { MIN_RSA_BITS } from './domain.ts'
import { askProvider } from './door.ts'

const me = (house: TestHouse, token: string) => house.withToken(token).get('/auth/me')
const at = (house: TestHouse, seconds: number) => house.clock(new Date(Date.parse('2026-03-16T09:00:00Z') + seconds * 1000).toISOString())
const JWKS = '/jwks'

describe('an external issuer', () => {
  test('§5 tokens of the configured issuer are accepted with RS256, ES256 and EdDSA, and passwords are changed at the issuer', async () => {
    await withIssuer(async (issuer, house) => {
      for (const kid of ['rsa-1', 'ec-1', 'ed-1']) {
        const said = await me(house, await issuer.token(house.house, {}, { kid }))
        assert.deepEqual(
          [said.status, said.body.user?.name, said.body.user?.email_verified],
          [200, 'Ana Ruiz', true],
          `${kid} ${said.text}`,
        )
        assert.deepEqual(said.body.provider, { kind: 'external', can_change_password: false, account_url: issuer.url })
      }
      assert.equal(issuer.asked.get('/.well-known/openid-configuration'), 1)
      assert.equal(issuer.asked.get(JWKS), 1, 'keys are kept')
      assert.equal(issuer.asked.get('/userinfo'), undefined, 'the token contains everything')
      const change = await house
        .withToken(await issuer.token(house.house))
        .post('/auth/change-password', { current_password: 'a', new_password: 'b' })
      assert.deepEqual(
        [change.status, change.body.error.reason, change.body.error.account_url],
        [409, 'external_identity_provider', issuer.url],
      )
    })
  })

  test('§5 the same address with two subjects makes two users, and fifty parallel first calls make one', async () => {
    await withIssuer(async (issuer, house) => {
      const token = await issuer.token(house.house)
      const first = await Promise.all(Array.from({ length: 50 }, () => me(house, token)))
      assert.deepEqual([...new Set(first.map(f => f.status))], [200])
      assert.equal(new Set(first.map(f => f.body.user.id)).size, 1)
      const other = await me(house, await issuer.token(house.house, { sub: 'sub-2' }))
      assert.notEqual(other.body.user.id, first[0]?.body.user.id)
    })
  })

  test('§5 a wrong audience or issuer, an expired or early token and a missing subject are 401, each with its reason, and clocks may differ by sixty seconds', async () => {
    await withIssuer(async (issuer, house) => {
      const now = Math.floor(Date.parse(house.house.clock.now()) / 1000)
      const reason = async (claims: Record<string, unknown>) => {
        const said = await me(house, await issuer.token(house.house, claims))
        return said.status === 200 ? 'ok' : said.body.error.reason
      }
      assert.equal(await reason({ aud: 'another' }), 'wrong_audience')
      assert.equal(await reason({ aud: undefined }), 'wrong_audience')
      assert.equal(await reason({ aud: ['another', 'walkdown'] }), 'ok')
      assert.equal(await reason({ iss: 'http://elsewhere.example' }), 'wrong_issuer')
      assert.equal(await reason({ exp: now - 61 }), 'expired')
      assert.equal(await reason({ exp: now - 59 }), 'ok')
      assert.equal(await reason({ nbf: now + 61 }), 'expired')
      assert.equal(await reason({ nbf: now + 59 }), 'ok')
      assert.equal(await reason({ exp: undefined }), 'malformed')
      assert.equal(await reason({ sub: '' }), 'malformed')
      assert.equal(await reason({ sub: undefined }), 'malformed')
    })
  })

  test('§5 the expected audience is a setting, and an external provider doesn’t have to set `typ`', async () => {
    await withIssuer(
      async (issuer, house) => {
        assert.equal((await me(house, await issuer.token(house.house, { aud: 'permits:use' }, { typ: 'JWT' }))).status, 200)
        assert.equal((await me(house, await issuer.token(house.house))).body.error.reason, 'wrong_audience')
      },
      { env: { OIDC_AUDIENCE: 'permits:use' } },
    )
  })

  test('§5 a token signed with an unknown key, or with the public key as a shared secret, is refused as bad_signature', async () => {
    await withIssuer(async (issuer, house) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
      const claims = { aud: 'walkdown', sub: 'x', exp: 4_000_000_000, iss: issuer.url }
      const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ec-1' }).sign(privateKey)
      assert.equal((await me(house, foreign)).body.error.reason, 'bad_signature')
      const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)))
      const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'ec-1' }).sign(secret)
      assert.equal((await me(house, shared)).body.error.reason, 'bad_signature')
      const inside = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: 'ec-1', jwk: await exportJWK(publicKey), jku: 'http://evil.example/jwks' })
        .sign(privateKey)
      assert.equal((await me(house, inside)).body.error.reason, 'bad_signature', 'a key inside the token is ignored')
    })
  })

  const stranger = async (issuer: Issuer) => {
    const { privateKey } = await generateKeyPair('ES256')
    return (kid: string) =>
      new SignJWT({ aud: 'walkdown', sub: 'x', exp: 4_000_000_000, iss: issuer.url })
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(privateKey)
  }

  test('§5 a rotated key is found immediately; the same unknown key is looked up at most once a minute', async () => {
    await withIssuer(async (issuer, house) => {
      assert.equal((await me(house, await issuer.token(house.house))).status, 200)
      await issuer.issuer.keys.generate('ES256', { kid: 'ec-2' })
      const fresh = await issuer.token(house.house, {}, { kid: 'ec-2' })
      assert.equal((await me(house, fresh)).status, 200)
      assert.equal(issuer.asked.get(JWKS), 2)
      const unknown = await stranger(issuer)
      for (let i = 0; i < 20; i++) assert.equal((await me(house, await unknown('k'))).body.error.reason, 'bad_signature')
      assert.equal(issuer.asked.get(JWKS), 3, 'no further look-up within the minute')
      at(house, 61)
      assert.equal((await me(house, await unknown('k'))).body.error.reason, 'bad_signature')
      assert.equal(issuer.asked.get(JWKS), 4)
    })
  })

  test('10.11 an unknown key doesn’t block the next rotated key, and invented keys can’t cause endless look-ups', async () => {
    await withIssuer(async (issuer, house) => {
      assert.equal((await me(house, await issuer.token(house.house))).status, 200)
      const unknown = await stranger(issuer)
      assert.equal((await me(house, await unknown('k'))).body.error.reason, 'bad_signature')
      await issuer.issuer.keys.generate('ES256', { kid: 'ec-2' })
      const fresh = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => me(house, await issuer.token(house.house, { sub: `s${i}` }, { kid: 'ec-2' }))),
      )
      assert.deepEqual([...new Set(fresh.map(said => said.status))], [200], 'also those that come while it is looked up')
      // Five lookups in a row, then one every twelve seconds; what can't be looked up is 503, so that no app signs its user out.
      const asked = () => issuer.asked.get(JWKS) ?? 0
      const before = asked()
      const said = []
      for (let i = 0; i < 20; i++) said.push((await me(house, await unknown(`m${i}`))).status)
      assert.ok(asked() - before <= 5)
      assert.deepEqual([...new Set(said)], [401, 503])
      await issuer.issuer.keys.generate('ES256', { kid: 'ec-3' })
      const newest = await issuer.token(house.house, {}, { kid: 'ec-3' })
      const waits = await me(house, newest)
      assert.deepEqual([waits.status, waits.body.error.code], [503, 'unavailable'])
      at(house, 13)
      assert.equal((await me(house, newest)).status, 200)
    })
  })

  test('10.11 a token that was already used isn’t accepted after its key is withdrawn, because it is verified again with the next set of keys', async () => {
    await withIssuer(async (issuer, house) => {
      const old = await issuer.token(house.house, { exp: 4_000_000_000 })
      assert.equal((await me(house, old)).status, 200)
      const keys = issuer.issuer.keys.toJSON().filter(key => key.kid !== 'ec-1')
      Object.assign(issuer.issuer.keys, { toJSON: () => keys })
      at(house, 299)
      assert.equal((await me(house, old)).status, 200, 'the set of keys is five minutes old at the most')
      at(house, 301)
      await me(house, await issuer.token(house.house, { exp: 4_000_000_000 }, { kid: 'rsa-1' }))
      for (let i = 0; i < 200 && issuer.asked.get(JWKS) !== 2; i++) await wait(5)
      for (let i = 0; i < 200 && (await me(house, old)).status !== 401; i++) await wait(5)
      assert.equal((await me(house, old)).body.error?.reason, 'bad_signature')
    })
  })

  test('§5 a key that the provider has withdrawn is no longer accepted after ten minutes', async () => {
    await withIssuer(async (issuer, house) => {
      const old = await issuer.token(house.house, { exp: 4_000_000_000 })
      assert.equal((await me(house, old)).status, 200)
      const another = await issuer.token(house.house, { exp: 4_000_000_000, sub: 'sub-9' })
      const keys = issuer.issuer.keys.toJSON().filter(key => key.kid !== 'ec-1')
      Object.assign(issuer.issuer.keys, { toJSON: () => keys })
      at(house, 601)
      await me(house, await issuer.token(house.house, { exp: 4_000_000_000 }, { kid: 'rsa-1' }))
      for (let i = 0; i < 50 && issuer.asked.get(JWKS) !== 2; i++) await new Promise(done => setImmediate(done))
      for (let i = 0; i < 50; i++) await new Promise(done => setImmediate(done))
      assert.equal((await me(house, another)).body.error.reason, 'bad_signature')
    })
  })

  test('§5 while the issuer has never been reached the response is 503 and not 401, so that apps sign nobody out; once it is reached, tokens are accepted', async () => {
    await withIssuer(
      async (issuer, house) => {
        const token = await issuer.token(house.house)
        const away = await me(house, token)
        assert.deepEqual([away.status, away.body.error.code, away.headers['retry-after']], [503, 'unavailable', '2'])
        assert.equal((await me(house, 'not-a-token')).body.error.reason, 'malformed', 'faults that need no key are reported at once')
        assert.equal((await house.nobody.get('/auth/me')).body.error.reason, 'missing')
        await issuer.start()
        assert.equal((await me(house, token)).status, 200)
      },
      { down: true },
    )
  })

  test('§5 if the issuer becomes unavailable, known keys stay valid, and a token with an unknown key gets 503', async () => {
    await withIssuer(async (issuer, house) => {
      assert.equal((await me(house, await issuer.token(house.house))).status, 200)
      await issuer.stop()
      assert.equal((await me(house, await issuer.token(house.house, { sub: 'sub-3' }))).status, 200)
      at(house, 3600)
      assert.equal(
        (await me(house, await issuer.token(house.house, { sub: 'sub-4' }))).status,
        200,
        'also when they would be looked at again',
      )
      await issuer.issuer.keys.generate('ES256', { kid: 'ec-2' })
      const signed = await issuer.token(house.house, {}, { kid: 'ec-2' })
      assert.deepEqual([(await me(house, signed)).status, (await me(house, signed)).status], [503, 503])
      await issuer.start()
      at(house, 3661)
      assert.equal((await me(house, signed)).status, 200)
    })
  })

  test('§5 for a token without name and address UserInfo is called once, even by twenty first calls at once', async () => {
    await withIssuer(async (issuer, house) => {
      const bare = { name: undefined, email: undefined, email_verified: undefined, sub: 'sub-bare' }
      issuer.service.on('beforeUserinfo', response => {
        response.body = { sub: 'sub-bare', given_name: 'Bea', family_name: 'Bare', email: 'bea@firm.example', email_verified: true }
      })
      const token = await issuer.token(house.house, bare)
      const first = await Promise.all(Array.from({ length: 20 }, () => me(house, token)))
      assert.deepEqual(
        [...new Set(first.map(f => `${f.status} ${f.body.user?.name} ${f.body.user?.email} ${f.body.user?.email_verified}`))],
        ['200 Bea Bare bea@firm.example true'],
      )
      assert.equal(issuer.asked.get('/userinfo'), 1)
      at(house, 60)
      assert.equal(
        (await me(house, await issuer.token(house.house, bare))).body.user.name,
        'Bea Bare',
        'a later token that says nothing takes nothing',
      )
      assert.equal(issuer.asked.get('/userinfo'), 1)
    })
  })

  test('§5 UserInfo about another person, or no UserInfo, identifies nobody; the name comes from the token', async () => {
    await withIssuer(async (issuer, house) => {
      issuer.service.on('beforeUserinfo', response => {
        response.body = { sub: 'somebody-else', name: 'Mallory', email: 'root@walkdown.test', email_verified: true }
      })
      const said = (
        await me(house, await issuer.token(house.house, { name: undefined, email: undefined, sub: 'sub-n', preferred_username: 'nora' }))
      ).body.user
      assert.deepEqual([said.name, said.email, said.is_superadmin], ['nora', null, false])
      const mailed = (await me(house, await issuer.token(house.house, { name: undefined, email: 'otto@firm.example', sub: 'sub-o' }))).body
        .user
      assert.deepEqual([mailed.name, mailed.email], ['otto', 'otto@firm.example'])
    })
  })

  test('§5 discovery for another issuer is refused; an issuer with a trailing slash is accepted', async () => {
    await withIssuer(async (issuer, house) => {
      issuer.issuer.url = 'http://elsewhere.example'
      assert.equal((await me(house, await issuer.token(house.house))).status, 503)
    })
    await withIssuer(
      async (issuer, house) => {
        assert.ok(issuer.issuer.url?.endsWith('/'))
        assert.equal((await me(house, await issuer.token(house.house))).status, 200)
      },
      { trailing_slash: true },
    )
  })

  test('§5 weak keys in a key set are ignored, and the others are used', async () => {
    await withIssuer(async (issuer, house) => {
      const { publicKey, privateKey } = await generateKeyPair('RS256', { modulusLength: MIN_RSA_BITS, extractable: true })
      const weak = { ...(await exportJWK(publicKey)), kid: 'weak', alg: 'RS256', e: 'AQ' }
      const keys = [...issuer.issuer.keys.toJSON(), weak, { kty: 'oct', k: 'AAAA', kid: 'shared', alg: 'HS256' }, null, 'nonsense']
      Object.assign(issuer.issuer.keys, { toJSON: () => keys })
      assert.equal((await me(house, await issuer.token(house.house))).status, 200)
      const token = await new SignJWT({ aud: 'walkdown', sub: 'x', exp: 4_000_000_000, iss: issuer.url })
        .setProtectedHeader({ alg: 'RS256', kid: 'weak' })
        .sign(privateKey)
      assert.equal((await me(house, token)).body.error.reason, 'bad_signature')
    })
  })

  test('V11.2.3 a token that is signed with an RSA key of fewer than 3,072 bits isn’t accepted, and the response, the log and the health check name the cause', async () => {
    await withIssuer(async (issuer, house) => {
      const logged: { given: { keys?: unknown }; message: string }[] = []
      const warn = (given: object, message: string) => logged.push({ given, message })
      Object.assign(house.house, { log: Object.assign(Object.create(house.house.log), { warn }) })
      for (const [bits, status] of [
        [2048, 503],
        [3064, 503],
        [3072, 200],
        [4096, 200],
      ] as const) {
        const kid = `rsa-${bits}`
        await issuer.issuer.keys.add(await rsaKey(kid, bits))
        house.clock(new Date(Date.parse(house.house.clock.now()) + 61_000).toISOString())
        const said = await me(house, await issuer.token(house.house, { sub: kid }, { kid }))
        // 503 and not 401, because the app would sign its user out.
        assert.deepEqual(
          [said.status, said.status === 503 ? said.body.error.code : 'ok'],
          [status, status === 503 ? 'unavailable' : 'ok'],
          kid,
        )
        if (status === 503)
          assert.match(said.body.error.detail, /The identity provider has an RSA key of 2048 bits, and OIDC_MIN_RSA_BITS requires 3072\./)
      }
      assert.equal((await me(house, await issuer.token(house.house, { sub: 'ec' }))).status, 200, 'other keys of the set are used')
      assert.deepEqual(logged[0], {
        given: { keys: [{ kid: 'rsa-2048', bits: 2048 }], min_rsa_bits: 3072 },
        message: 'The identity provider has an RSA key of 2048 bits, and OIDC_MIN_RSA_BITS requires 3072.',
      })
      const state = await askProvider(house.house, AbortSignal.timeout(5000))
      assert.equal(state.any, true)
      assert.match(state.refused ?? '', /RSA key of 2048 bits/)
    })
  })

  /** Signs without jose, which refuses to sign with such short keys. */
  const byHand = (issuer: Issuer, kid: string) => {
    const key = issuer.issuer.keys.get(kid)
    if (key === undefined) throw new Error(`The issuer has no key ${kid}.`)
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const data = `${part({ alg: 'RS256', kid })}.${part({ aud: 'walkdown', sub: `by-hand-${kid}`, name: 'Ann', exp: 4_000_000_000, iss: issuer.url })}`
    return `${data}.${sign('sha256', Buffer.from(data), createPrivateKey({ key, format: 'jwk' })).toString('base64url')}`
  }

  test('V11.2.3 OIDC_MIN_RSA_BITS permits RSA keys of 2,048 bits, and never shorter ones', async () => {
    await withIssuer(
      async (issuer, house) => {
        for (const bits of [2048, 2040]) await issuer.issuer.keys.add(await rsaKey(`rsa-${bits}`, bits))
        const by = async (kid: string) => me(house, await issuer.token(house.house, { sub: kid }, { kid }))
        assert.equal((await by('rsa-2048')).status, 200)
        assert.deepEqual([(await askProvider(house.house, AbortSignal.timeout(5000))).refused], [null])
        assert.equal((await me(house, byHand(issuer, 'rsa-2048'))).status, 200)
        assert.equal((await me(house, byHand(issuer, 'rsa-2040'))).body.error.reason, 'bad_signature')
      },
      { env: { OIDC_MIN_RSA_BITS: '2048' } },
    )
    for (const bits of ['2047', '1024', '0', 'many'])
      assert.throws(() => readSettings({ OIDC_MIN_RSA_BITS: bits }), /OIDC_MIN_RSA_BITS must be a whole number from 2048/)
  })
})
