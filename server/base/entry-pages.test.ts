import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestHouse, type TestHouse } from '../../tests/world.ts'
import type { Place } from './admission.ts'
import { entryOf } from './entry-pages.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'

describe('pages, files and sign-in under overload', () => {
  const opened: { it: (TestHouse & { close(): Promise<void> }) | null } = { it: null }
  const house = () => opened.it ?? assert.fail('The house is there once the tests run.')
  before(async () => {
    opened.it = await openTestHouse({ LOG_LEVEL: 'silent', METRICS_TOKEN: 'm'.repeat(40) }, { patient: false })
  })
  after(() => opened.it?.close())

  const call = (method: 'GET' | 'POST', url: string, accept = '*/*') =>
    house().edge.app.inject({
      method,
      url,
      headers: { accept, ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
      ...(method === 'POST' ? { payload: 'grant_type=refresh_token' } : {}),
    })
  /** Takes more places than there are, even for requests that wait for something else. */
  const crowd = (): Place[] => Array.from({ length: 1000 }, () => house().house.admission.again('step'))

  test('10.6 when no place is free, pages, files and sign-in are refused with 503 and Retry-After; health and metrics respond', async () => {
    const places = crowd()
    try {
      for (const [method, url, accept] of [
        ['GET', '/verify', HTML],
        ['GET', '/nowhere', HTML],
        ['POST', '/oidc/token', HTML],
        ['GET', '/verify/page.js', '*/*'],
        ['GET', '/oidc/jwks', '*/*'],
        ['GET', '/api/openapi.json', '*/*'],
      ] as const) {
        const { statusCode, headers, body } = await call(method, url, accept)
        assert.equal(statusCode, 503, url)
        assert.ok(Number(headers['retry-after']) > 0, url)
        assert.equal(headers['cache-control'], 'no-store', url)
        assert.equal(headers['x-content-type-options'], 'nosniff', url)
        if (accept === HTML) {
          assert.match(body, /<h1>The service is busy<\/h1>/)
          assert.equal(body.includes('http-equiv="refresh"'), method === 'GET', 'a form is not sent again by itself')
        } else assert.equal(JSON.parse(body).error.code, 'unavailable')
      }
      assert.equal((await call('GET', '/api/health/live')).statusCode, 200)
      assert.equal((await call('GET', '/metrics')).statusCode, 401)
    } finally {
      for (const place of places) place.leave()
    }
    for (const url of ['/verify', '/verify/page.js', '/oidc/jwks', '/api/openapi.json'])
      assert.equal((await call('GET', url)).statusCode, 200, url)
    const { working, waiting } = house().house.admission.state()
    assert.deepEqual([working, waiting], [0, 0], 'every place was left')
  })

  test('10.6 the app’s pages need a place only until they are ready, and its parts none, because a page without one of them fails; tokens rank with the steps', () => {
    for (const url of ['/', '/sites/1/board', '/sw.js', '/verify', '/nowhere?a=/oidc/'])
      assert.deepEqual(entryOf('GET', url), { rank: 'read', light: true }, url)
    assert.deepEqual(entryOf('POST', '/oidc/token'), { rank: 'step', light: false })
    assert.deepEqual(entryOf('GET', '/oidc/auth?client_id=walkdown-web'), { rank: 'read', light: false })
    assert.deepEqual(entryOf('GET', '/api/docs'), { rank: 'read', light: false })
    for (const url of ['/metrics', '/api/ws', '/api/ws?x=1', '/assets/index-1.js', '/assets/index-1.css?x'])
      assert.equal(entryOf('GET', url), null, url)
  })
})
