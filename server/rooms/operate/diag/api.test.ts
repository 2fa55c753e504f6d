import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'

const AT = '2026-03-16T09:00:00.000Z'
const event = (more: Record<string, unknown> = {}) => ({
  kind: 'error',
  at: AT,
  name: 'TypeError',
  message: 'x is undefined',
  route: '/permits/:id',
  app_version: '1.0.0',
  ...more,
})

describe('diag (site-and-people.md §9)', () => {
  const house = useHouse({ SUPPORT_EMAIL: 'help@example.com', MIN_APP_VERSION: '1.2.0' })

  test('client-config returns all that the app needs without a token, with the same ETag until something changes', async () => {
    const { status, body, headers } = await house.nobody.get('/diag/client-config')
    assert.equal(status, 200)
    assert.equal(body.issuer, `${house.house.settings.public_url}/oidc`)
    assert.deepEqual([body.client_id, body.provider_kind, body.min_app_version], ['walkdown-web', 'built_in', '1.2.0'])
    assert.deepEqual(body.support, { name: null, email: 'help@example.com', url: null })
    assert.deepEqual(body.limits, { upload_mb: 25, batch: 50 })
    assert.equal(body.ws_url, `${house.house.settings.public_url.replace('http', 'ws')}/api/ws`)
    house.clock('2026-03-16T09:00:01.000Z')
    const again = await house.nobody.get('/diag/client-config', { 'if-none-match': String(headers.etag) })
    assert.equal(again.status, 304)
    house.clock(AT)
  })

  test('a message with a JWT, an address and ?token=abc is stored without them; markup is returned as plain text', async () => {
    const w = await house.world()
    const message = 'GET https://x.y/api/permits?token=abc by ana@example.com with eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln failed'
    const sent = await w.as('member').post('/diag/client-events', {
      events: [event({ message, name: '<script>alert(1)</script>', route: `/sites/${w.site_id}/permits?q=1` })],
    })
    assert.deepEqual([sent.status, sent.body], [202, { accepted: 1, dropped: [] }])
    const found = await w.superadmin.get(`/diag/logs?user_id=${w.as('member').user_id}`)
    const [line] = found.body
    assert.equal(line.message, 'GET https://x.y/api/permits?[query] by [address] with [token] failed')
    assert.deepEqual(
      [line.name, line.route, line.level, line.source],
      ['<script>alert(1)</script>', '/sites/:id/permits', 'error', 'client'],
    )
    assert.deepEqual([line.at, line.device_at, line.network], [AT, AT, '127.0.0.0/24'])
  })

  test('a report of 51 events is refused; of 50 with one bad kind, 49 are accepted and the bad one is listed', async () => {
    const w = await house.world()
    const many = (n: number) => Array.from({ length: n }, () => event())
    const over = await w.as('hse').post('/diag/client-events', { events: many(51) })
    assert.deepEqual([over.status, over.body.error.code], [422, 'validation_failed'])
    const mixed = await w.as('hse').post('/diag/client-events', { events: [...many(49), event({ kind: 'joke' })] })
    assert.deepEqual([mixed.status, mixed.body.accepted, mixed.body.dropped.length, mixed.body.dropped[0].index], [202, 49, 1, 49])
    for (const [bad, reason] of [
      [{ at: 'yesterday' }, /at must be/],
      [{ name: '' }, /name must be/],
      [{ value: 'much' }, /value must be/],
      [{ site_id: 'x' }, /site_id must be/],
      [{ stack: 'x'.repeat(16_001) }, /stack must be/],
      [{ position: [1, 2] }, /position isn’t a field/],
    ] as const) {
      const [dropped] = (await w.as('admin').post('/diag/client-events', { events: [event(bad)] })).body.dropped
      assert.match(dropped.reason, reason)
    }
    const huge = await w.as('admin').post('/diag/client-events', { events: [event({ message: 'x'.repeat(70_000) })] })
    assert.deepEqual([huge.status, huge.body.error.code], [413, 'too_large'])
  })

  test('a person’s 121st event within a minute gives 429 with Retry-After until the next minute; other people aren’t limited', async () => {
    const w = await house.world()
    const batch = (n: number) => ({ events: Array.from({ length: n }, () => event()) })
    for (const n of [50, 50, 20]) assert.equal((await w.as('member').post('/diag/client-events', batch(n))).status, 202)
    const over = await w.as('member').post('/diag/client-events', batch(1))
    assert.deepEqual([over.status, Number(over.headers['retry-after']) > 0], [429, true])
    assert.equal((await w.as('hse').post('/diag/client-events', batch(1))).status, 202)
    assert.equal((await w.as('member').get(`/permits?site_id=${w.site_id}`)).status, 200)
    house.clock('2026-03-16T09:01:30.000Z')
    assert.equal((await w.as('member').post('/diag/client-events', batch(1))).status, 202)
    house.clock(AT)
  })

  test('auth-event accepts 10 a minute from one IP address without a token; its lines are kept for 90 days, others for 14', async () => {
    const w = await house.world()
    house.clock('2026-04-01T09:00:00.000Z')
    const reported = {
      event: 'clock_skew',
      at: '2026-04-01T08:00:00.000Z',
      skew_ms: -3_600_000,
      app_version: '1.0.0',
      platform: 'Android 15',
    }
    for (let i = 0; i < 10; i++) assert.equal((await house.nobody.post('/diag/auth-event', reported)).status, 204)
    assert.equal((await house.nobody.post('/diag/auth-event', reported)).status, 429)
    await w.as('member').post('/diag/client-events', { events: [event()] })
    const logs = async (query: string) => (await w.superadmin.get(`/diag/logs?${query}`)).body
    const [line] = await logs('source=auth&limit=1')
    assert.deepEqual([line.kind, line.value, line.platform, line.user_id], ['clock_skew', -3_600_000, 'Android 15', null])
    assert.equal((await house.nobody.post('/diag/auth-event', { ...reported, event: 'hacked' })).status, 422)
    const mine = `from=2026-04-01T00:00:00.000Z&user_id=${w.as('member').user_id}`
    assert.equal((await logs(mine)).length, 1)
    house.clock('2026-04-16T09:00:00.000Z')
    await runSchedules(house.house, 'line_retention')
    assert.deepEqual([(await logs(mine)).length, (await logs('source=auth')).length], [0, 10])
    house.clock('2026-07-01T09:00:00.000Z')
    await runSchedules(house.house, 'line_retention')
    assert.equal((await logs('source=auth')).length, 0)
    house.clock(AT)
  })

  test('the request_id of an error response finds its log line; only superadmins can read logs, and the platform’s audit log records it', async () => {
    const w = await house.world()
    const refused = await w.as('viewer').post('/permits/applications', { site_id: w.site_id, categories: ['HW'] })
    assert.equal(refused.status, 403)
    const found = await w.superadmin.get(`/diag/logs?request_id=${refused.headers['x-request-id']}`)
    assert.equal(found.body.length, 1, found.text)
    const [line] = found.body
    assert.deepEqual(
      [line.source, line.level, line.kind, line.user_id, line.site_id],
      ['server', 'warn', 'request', w.as('viewer').user_id, w.site_id],
    )
    assert.equal(line.message, 'POST /permits/applications responded 403')
    assert.equal((await w.as('admin').get('/diag/logs')).status, 403)
    const [entry] = await house.rows("select action, reason from audit_entry where entity_type = 'diag_log' order by seq desc limit 1")
    assert.deepEqual(entry, { action: 'read', reason: `request_id ${refused.headers['x-request-id']}` })
    const first = await w.superadmin.get('/diag/logs?limit=1')
    assert.match(String(first.headers.link), /rel="next"/)
    assert.equal((await w.superadmin.get('/diag/logs?level=awful')).status, 422)
  })

  test('lines that arrive faster than they can be written are dropped and counted, and no request waits', async () => {
    const w = await house.world()
    const { lines } = house.house
    await lines.flush()
    for (let i = 0; i < 6000; i++) lines.push({ source: 'server', level: 'info', kind: 'flood', name: 'flood', message: String(i) })
    await lines.flush()
    const kept = await house.rows("select count(*)::int as n from diag_line where kind = 'flood'")
    assert.equal(kept[0].n, 5000)
    const [reported] = (await w.superadmin.get('/diag/logs?kind=lines')).body
    assert.equal(reported.message, '1000 lines were dropped because lines arrived faster than they could be written.')
  })
})
