import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse, testSettings } from '../../tests/world.ts'
import { Refused } from './errors.ts'
import { limiter, subscriberOf } from './limits.ts'

const taken = (take: () => void): number | null => {
  try {
    take()
    return null
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return Number(error.refusal.context?.retry_after_seconds)
  }
}

describe('limits on requests', () => {
  test('10.7 a fixed number of calls a minute, then 429 with the remaining seconds; a refunded call can be used again', () => {
    let now = 0
    const limits = limiter(10, () => now)
    for (let i = 0; i < 10; i++)
      assert.equal(
        taken(() => limits.take('a')),
        null,
      )
    now = 20_000
    assert.equal(
      taken(() => limits.take('a')),
      40,
    )
    assert.equal(
      taken(() => limits.take('b')),
      null,
    )
    limits.give('a')
    assert.equal(
      taken(() => limits.take('a')),
      null,
    )
    assert.equal(
      taken(() => limits.take('a')),
      40,
    )
    now = 60_001
    assert.equal(
      taken(() => limits.take('a')),
      null,
    )
  })

  test('10.7 an IPv6 subscriber is a /64, however the address is written, and an IPv4 subscriber is one address', () => {
    const one = subscriberOf('2001:db8:0:7::1')
    assert.equal(one, '2001:db8:0:7::/64')
    for (const same of ['2001:0DB8:0000:0007:ffff:ffff:ffff:ffff', '2001:db8:0:7:1::', '2001:db8:0:7::1%eth0'])
      assert.equal(subscriberOf(same), one, same)
    for (const other of ['2001:db8:0:8::1', '::1', '7::']) assert.notEqual(subscriberOf(other), one, other)
    assert.equal(subscriberOf('::ffff:10.0.0.7'), '10.0.0.7')
    assert.equal(subscriberOf('10.0.0.7'), '10.0.0.7')
  })

  const invented = (i: number) => `Bearer ${Buffer.from(`{"alg":"ES256","kid":"${i}"}`).toString('base64url')}.e30.AAAA`

  test('10.7 a request with an invented token counts against the address, as do pages, metrics, sign-in and unknown paths', async () => {
    for (const url of [
      '/api/auth/me',
      '/api/health/live',
      '/',
      '/verify',
      '/metrics',
      '/oidc/jwks',
      '/oidc/sign-in',
      '/u/x',
      '/nowhere',
      '/api/nowhere',
    ]) {
      const house = await openTestHouse({ RATE_LIMIT_PER_MINUTE: '10' })
      try {
        const statuses: number[] = []
        for (let i = 0; i < 12; i++)
          statuses.push((await house.edge.app.inject({ url, headers: { authorization: invented(i) } })).statusCode)
        assert.deepEqual([statuses.indexOf(429), statuses.slice(10)], [10, [429, 429]], url)
        const refused = await house.edge.app.inject({ url })
        assert.equal(refused.json().error.code, 'rate_limited')
        assert.ok(Number(refused.headers['retry-after']) > 0)
        const elsewhere = await house.edge.app.inject({ url, remoteAddress: '10.9.9.9' })
        assert.notEqual(elsewhere.statusCode, 429, 'another address has a ceiling of its own')
      } finally {
        await house.close()
      }
    }
  })

  test('10.7 a verified token counts against the person and not the address, whichever of their tokens it is', async () => {
    const house = await openTestHouse({ RATE_LIMIT_PER_MINUTE: '10' })
    try {
      const ann = await house.person('Ann')
      const ben = await house.person('Ben')
      // Each person has used one call by signing in. The address has used none.
      for (let i = 0; i < 9; i++) for (const who of [ann, ben]) assert.equal((await who.get('/auth/me')).status, 200)
      assert.equal((await ann.get('/auth/me')).status, 429)
      assert.equal((await house.nobody.get('/health/live')).status, 200)
    } finally {
      await house.close()
    }
  })

  test('10.7 behind proxies, the address that the nearest trusted proxy reports counts, not what the caller wrote', async () => {
    const ip = async (env: Record<string, string>, forwarded: string) => {
      const house = await openTestHouse({ RATE_LIMIT_PER_MINUTE: '10', ...env })
      try {
        const statuses = []
        for (let i = 0; i < 12; i++)
          statuses.push(
            (await house.edge.app.inject({ url: '/api/health/live', headers: { 'x-forwarded-for': forwarded.replace('N', String(i)) } }))
              .statusCode,
          )
        return statuses.includes(429)
      } finally {
        await house.close()
      }
    }
    assert.equal(await ip({}, '10.0.0.N'), true, 'without a proxy the header says nothing')
    assert.equal(await ip({ TRUST_PROXY: '1' }, '10.0.0.N'), false, 'the proxy names the callers')
    assert.equal(await ip({ TRUST_PROXY: '1' }, '10.0.0.N, 203.0.113.5'), true, 'what the caller wrote before it says nothing')
    assert.equal(await ip({ TRUST_PROXY: '2' }, '1.1.1.N, 203.0.113.5, 10.0.0.1'), true)
    assert.equal(await ip({ TRUST_PROXY: '127.0.0.1,10.0.0.0/8' }, '203.0.113.N, 10.0.0.1'), false)
    assert.equal(await ip({ TRUST_PROXY: '10.0.0.0/8' }, '203.0.113.N'), true, 'the caller itself is no trusted proxy')
    assert.throws(() => testSettings({ TRUST_PROXY: 'yes' }), /TRUST_PROXY must be/)
    assert.throws(() => testSettings({ TRUST_PROXY: '10.0.0.0/33' }), /TRUST_PROXY must be/)
  })

  test('a URL with a scheme that isn’t accepted is refused with the ones that are', () => {
    assert.throws(
      () => testSettings({ SUPPORT_URL: 'ftp://x.example' }),
      /must be a URL that starts with https:\/\/ or http:\/\/ or mailto:, not/,
    )
    assert.equal(testSettings({ SUPPORT_URL: 'mailto:help@x.example' }).support.url, 'mailto:help@x.example')
  })
})
