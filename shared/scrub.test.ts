import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { networkOf, routePattern, scrubbed } from './scrub.ts'

describe('scrub', () => {
  test('site-and-people.md §9: tokens, addresses, queries, long numbers and secrets are removed', () => {
    const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
    const cases: [string, string][] = [
      [`401 with ${jwt} at`, '401 with [token] at'],
      ['Authorization: Bearer abcdef123456', 'Authorization: [out] [token]'],
      ['mail to ana.ruiz+x@site.example.org failed', 'mail to [address] failed'],
      ["GET /api/permits?token=abc&q=O'Brien 500", 'GET /api/permits?[query] 500'],
      ['{"password":"pa ss","a":1}', '{"password":[out],"a":1}'],
      ["refresh_token='x y' left", 'refresh_token=[out] left'],
      ['called +44 20 7946 0958 twice', 'called [number] twice'],
      ['call 07700900123', 'call [number]'],
      ['https://a.b/c#access_token=1&x=2', 'https://a.b/c#[fragment]'],
      // The links of invitations and emails have their token after the #; older ones in the path.
      ['https://a.b/join#kQ3xT7_vB2nM9-pL5wR8yZ1cD4fG6hJ0aS3eU7iO2qW: 404', 'https://a.b/join#[fragment]: 404'],
      ['open /u#WyJhYmMiXQ.kQ3xT7_vB2nM9-pL5wR8yZ1cD4fG6hJ0aS3eU7iO2qW', 'open /u#[fragment]'],
      ['POST /api/invite-links/accept/kQ3xT7_vB2nM9-pL5wR8yZ1cD4fG6hJ0aS3eU7iO2qW 409', 'POST /api/invite-links/accept/[token] 409'],
      ['colour #128189 in Board.#prepareNavigationAgain', 'colour #128189 in Board.#prepareNavigationAgain'],
      ['PTW-000123 at line 120:14', 'PTW-000123 at line 120:14'],
      ['permit 018f2b3c-9d4e-7000-8000-0123456789ab is gone', 'permit 018f2b3c-9d4e-7000-8000-0123456789ab is gone'],
    ]
    for (const [said, kept] of cases) assert.equal(scrubbed(said, 200), kept)
    assert.equal(scrubbed('x'.repeat(50), 10).length, 10)
  })

  test('site-and-people.md §9: a route is reduced to its pattern, an IP address to its network', () => {
    assert.equal(routePattern('/sites/018f2b3c-9d4e-7000-8000-0123456789ab/permits/12?review=endorse'), '/sites/:id/permits/:n')
    assert.equal(networkOf('203.0.113.77'), '203.0.113.0/24')
    assert.equal(networkOf('::ffff:203.0.113.77'), '203.0.113.0/24')
    assert.equal(networkOf('2001:db8:85a3::8a2e:370:7334'), '2001:db8:85a3::/48')
    assert.equal(networkOf('::1'), '0:0:0::/48')
    assert.equal(networkOf('nonsense'), null)
  })
})
