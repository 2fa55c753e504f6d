// 10.11: forged, absurd and oversized tokens are refused with 401 and their reason; none reaches the database.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { useHouse } from '../../../tests/world.ts'
import { claimsFault, claimsOf } from './domain.ts'
import { builtInIssuer, providerKeys } from './door.ts'

const part = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('attacks on tokens', () => {
  const house = useHouse()

  const now = () => Math.floor(Date.parse(house.house.clock.now()) / 1000)
  const good = () => ({
    iss: builtInIssuer(house.house),
    aud: 'walkdown',
    sub: 'attacker',
    name: 'Ann',
    email: 'ann@people.test',
    iat: now(),
    exp: now() + 900,
  })
  const own = async () => {
    const [jwk] = (await providerKeys(house.house)).jwks
    if (jwk === undefined) throw new Error('The provider has no key.')
    return { jwk, key: (await importJWK(jwk, 'ES256')) as CryptoKey } // an EC key
  }
  const header = async (more: Record<string, unknown> = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid: (await own()).jwk.kid ?? '', ...more })
  /** Signed with our own key: content that only a careless or compromised provider would sign. */
  const signed = async (claims: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    new SignJWT({ ...good(), ...claims }).setProtectedHeader(await header(more)).sign((await own()).key)
  const said = async (token: string) => {
    const reply = await house.withToken(token).get('/auth/me')
    return reply.status === 401 ? reply.body.error.reason : reply.status
  }

  test('10.11 the token on which the attacks below are based is valid', async () => {
    assert.equal(await said(await signed({})), 200)
  })

  test('10.11 a token without a signature, with another algorithm, or with the public key as a secret is refused', async () => {
    const { jwk } = await own()
    const body = part(good())
    for (const alg of ['none', 'None', 'NONE']) {
      assert.equal(await said(`${part({ ...(await header()), alg })}.${body}.`), 'malformed', alg)
      assert.equal(await said(`${part({ ...(await header()), alg })}.${body}.AA`), 'bad_signature', alg)
    }
    const { d: _, ...open } = jwk
    const spki = await exportSPKI((await importJWK(open, 'ES256', { extractable: true })) as CryptoKey) // an EC key
    for (const secret of [JSON.stringify(open), spki, spki.trim(), Buffer.from(jwk.x ?? '', 'base64url'), '']) {
      const head = part({ ...(await header()), alg: 'HS256' })
      const mac = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')
      assert.equal(await said(`${head}.${body}.${mac}`), 'bad_signature')
    }
  })

  test('10.11 a token with another key, referred to or included in its header, is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const foreign = await exportJWK(publicKey)
    const { jwk } = await own()
    const by = async (more: Record<string, unknown>) => new SignJWT(good()).setProtectedHeader(await header(more)).sign(privateKey)
    const heads: Record<string, unknown>[] = [
      {},
      { kid: 'another' },
      { kid: '../../../../dev/null' },
      { kid: `${jwk.kid}' or '1'='1` },
      { kid: '__proto__' },
      { kid: 'x'.repeat(3000) },
      { jwk: foreign },
      { jku: 'http://127.0.0.1:9/jwks.json', kid: 'another' },
      { x5u: 'http://127.0.0.1:9/cert.pem' },
      { x5c: ['AAAA'] },
    ]
    for (const head of heads) assert.equal(await said(await by(head)), 'bad_signature', JSON.stringify(head).slice(0, 80))
    const numbered = `${part({ ...(await header()), kid: 7 })}.${part(good())}.${(await by({})).split('.')[2]}`
    assert.equal(await said(numbered), 'bad_signature')
  })

  test('10.11 a token with critical extensions, an unencoded body or another type is refused', async () => {
    const { key } = await own()
    for (const crit of [['exp'], ['unknown'], [], 'exp', [7]]) {
      const head = await header({ crit, unknown: true })
      const data = `${part(head)}.${part(good())}`
      const signature = Buffer.from(
        await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(data)),
      ).toString('base64url')
      assert.equal(await said(`${data}.${signature}`), 'malformed', JSON.stringify(crit))
    }
    for (const typ of ['JWT', 'id_token+jwt', '']) assert.equal(await said(await signed({}, { typ })), 'malformed')
  })

  test('10.11 refuses absurd times, subjects, issuers and audiences, even signed by our own key', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ iat: 1e300 }, 'malformed'],
      [{ iat: 9e15 }, 'malformed'],
      [{ iat: -1 }, 'malformed'],
      [{ iat: -1e300 }, 'malformed'],
      [{ iat: 'now' }, 'malformed'],
      [{ iat: null }, 'malformed'],
      [{ iat: [now()] }, 'malformed'],
      [{ exp: 1e300 }, 'malformed'],
      [{ exp: 9e15 }, 'malformed'],
      [{ exp: String(now() + 900) }, 'malformed'],
      [{ exp: -1 }, 'expired'],
      [{ nbf: 1e300 }, 'expired'],
      [{ nbf: -1e300 }, 'malformed'],
      [{ nbf: {} }, 'malformed'],
      [{ sub: 'x'.repeat(256) }, 'malformed'],
      [{ sub: 'x'.repeat(5000) }, 'malformed'],
      [{ sub: 'a\u0000b' }, 'malformed'],
      [{ sub: 'a\ud800b' }, 'malformed'],
      [{ sub: 7 }, 'malformed'],
      [{ sub: ['attacker'] }, 'malformed'],
      [{ sub: { toString: 'x' } }, 'malformed'],
      [{ sub: null }, 'malformed'],
      [{ aud: [] }, 'wrong_audience'],
      [{ aud: [['walkdown']] }, 'wrong_audience'],
      [{ aud: { walkdown: true } }, 'wrong_audience'],
      [{ aud: 'walkdown ' }, 'wrong_audience'],
      [{ aud: 7 }, 'wrong_audience'],
      [{ iss: [builtInIssuer(house.house)] }, 'wrong_issuer'],
      [{ iss: `${builtInIssuer(house.house)}/` }, 'wrong_issuer'],
      [{ iss: 7 }, 'wrong_issuer'],
    ]
    for (const [claims, reason] of cases) assert.equal(await said(await signed(claims)), reason, JSON.stringify(claims).slice(0, 80))
    for (const good_one of [{ iat: now() + 0.5 }, { iat: 0 }, { aud: ['other', 'walkdown'] }, { sub: 'x'.repeat(255) }])
      assert.equal(await said(await signed(good_one)), 200, JSON.stringify(good_one).slice(0, 80))
  })

  test('10.11 absurd claims about a person are cut or left out, and never cause a 500', async () => {
    for (const claims of [
      { name: 'x'.repeat(4000) },
      { name: 7, email: { a: 1 } },
      { name: ['Ann'], email: 'x'.repeat(2000) },
      { name: '\u0000', email: '\u0000@\u0000' },
      { locale: 'x'.repeat(3000), zoneinfo: 'x'.repeat(3000) },
      { family: { a: 1 } },
      { email_verified: 'yes' },
    ])
      assert.equal(await said(await signed({ ...claims, sub: `odd ${JSON.stringify(claims).slice(0, 40)}` })), 200)
    assert.equal(await said(await signed({ family: 'x'.repeat(3000) })), 'expired', 'no session has such a name')
  })

  test('10.11 a language with an underscore counts, because some identity providers write it so; other text is left out', async () => {
    for (const [locale, known] of [
      ['en_GB', 'en-GB'],
      ['de', 'de'],
      ['EN-us', 'en-US'],
      ['a language', null],
      ['*', null],
      [7, null],
    ])
      assert.equal(claimsOf('issuer', 'subject', { locale }).locale, known, String(locale))
  })

  test('10.11 a repeated claim counts once, as it was signed, and a changed copy is refused', async () => {
    const { key } = await own()
    const sign = async (body: string) => {
      const data = `${part(await header())}.${part(body)}`
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, new TextEncoder().encode(data))
      return `${data}.${Buffer.from(signature).toString('base64url')}`
    }
    const whole = JSON.stringify({ ...good(), sub: 'twice' })
    // JSON uses the last one, and every later reader of the token must use the same.
    assert.equal(await said(await sign(whole.replace('{', '{"aud":"walkdown","aud":"another","aud":"walkdown",'))), 200)
    assert.equal(await said(await sign(whole.replace('}', ',"aud":"another"}'))), 'wrong_audience')
    assert.equal(await said(await sign(whole.replace('}', `,"exp":${now() - 900}}`))), 'expired')
    const [head, , signature] = (await sign(whole)).split('.')
    assert.equal(await said(`${head}.${part(whole.replace('"sub":"twice"', '"sub":"root"'))}.${signature}`), 'bad_signature')
  })

  test('10.11 text that is too large, truncated, or not a token is refused', async () => {
    const whole = await signed({})
    const [head, body, signature] = whole.split('.')
    for (const token of [
      `${head}.${body}`,
      `${head}..${signature}`,
      `.${body}.${signature}`,
      `${whole}.x`,
      `${whole}=`,
      `${part('{')}.${body}.${signature}`,
      `${part('[]')}.${body}.${signature}`,
      `${part('null')}.${body}.${signature}`,
      `${head}.${part('null')}.${signature}`,
      'a.b.c',
      `${'a'.repeat(4000)}.${'b'.repeat(4000)}.${'c'.repeat(4000)}`,
    ])
      assert.match(String(await said(token)), /^(malformed|bad_signature)$/, token.slice(0, 60))
    assert.equal(await said(await signed({ padding: 'x'.repeat(60_000) })), 'malformed')
  })

  test('10.11 the rule for claims refuses values that aren’t times', () => {
    const claims = { sub: 'a', iat: 1, exp: 2, nbf: 3 }
    assert.equal(claimsFault(claims), null)
    for (const time of ['iat', 'exp', 'nbf'])
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, 8.64e12 + 1, '1', null, true, []])
        assert.match(claimsFault({ ...claims, [time]: value }) ?? '', new RegExp(`${time} isn’t a time`))
  })
})
