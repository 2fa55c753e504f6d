import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'

describe('health', () => {
  const house = useHouse()

  test('§8 live, ready and health answer strangers without a word of the inside', async () => {
    assert.deepEqual((await house.nobody.get('/health/live')).body, { status: 'ok' })
    assert.equal((await house.nobody.get('/health/ready')).status, 200)
    const seen = await house.nobody.get('/health')
    assert.deepEqual([seen.status, seen.body.status, seen.body.checks], [200, 'ok', undefined])
    assert.equal(seen.headers['cache-control'], 'no-store')
    const root = await house.person('Sam Root', { superadmin: true })
    assert.deepEqual(Object.keys((await root.get('/health')).body.checks).sort(), ['database', 'migrations', 'pool', 'queue', 'storage'])
  })

  test('§8 a process that is asked to end is not ready, and still live', async () => {
    house.house.process.draining = true
    const ready = await house.nobody.get('/health/ready')
    assert.deepEqual([ready.status, ready.body.error.code, ready.body.error.failing], [503, 'unavailable', ['draining']])
    assert.equal((await house.nobody.get('/health/live')).status, 200)
    house.house.process.draining = false
  })

  test('the pages of the service: API document, reference, metrics, front page', async () => {
    const { app } = house.edge
    const document = await app.inject({ url: '/api/openapi.json' })
    assert.equal(document.json().openapi, '3.1.0')
    for (const url of ['/api/docs', '/']) {
      const page = await app.inject({ url })
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    }
    assert.match((await app.inject({ url: '/metrics' })).payload, /walkdown_requests_total/)
    const nothing = await app.inject({ url: '/api/nothing' })
    assert.deepEqual([nothing.statusCode, nothing.json().error.code], [404, 'not_found'])
    assert.equal((await app.inject({ url: '/api/%zz' })).json().error.code, 'malformed_request')
  })
})
