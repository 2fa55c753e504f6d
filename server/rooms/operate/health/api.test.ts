import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rsaKey, startIssuer } from '../../../../tests/issuer.ts'
import { testSettings, useHouse } from '../../../../tests/world.ts'
import { migrations } from '../../../base/migrate.ts'
import { notReady, overall, silence } from './domain.ts'
import { checksOf } from './door.ts'

describe('health', () => {
  const house = useHouse()

  test('§8 live, ready and health respond to anonymous callers and reveal nothing internal', async () => {
    assert.deepEqual((await house.nobody.get('/health/live')).body, { status: 'ok' })
    assert.equal((await house.nobody.get('/health/ready')).status, 200)
    const seen = await house.nobody.get('/health')
    assert.deepEqual([seen.status, seen.body.status, seen.body.checks], [200, 'ok', undefined])
    assert.equal(seen.headers['cache-control'], 'no-store')
    const root = await house.person('Sam Root', { superadmin: true })
    assert.deepEqual(Object.keys((await root.get('/health')).body.checks).sort(), [
      'database',
      'identity',
      'load',
      'log',
      'mail',
      'migrations',
      'outbox',
      'push',
      'queue',
      'scanner',
      'storage',
      'superadmin',
      'weather',
    ])
  })

  test('§8 a process that is shutting down is not ready, but still live', async () => {
    house.house.process.draining = true
    const ready = await house.nobody.get('/health/ready')
    assert.deepEqual([ready.status, ready.body.error.code, ready.body.error.failing], [503, 'unavailable', ['draining']])
    assert.equal((await house.nobody.get('/health/live')).status, 200)
    house.house.process.draining = false
  })

  test('R11 while every connection of the pool and of the queue is taken, a process that works is still ready', async () => {
    const { pool, apart } = house.house.database
    const free = (one: typeof pool) => (one.options.max ?? 0) - (one.totalCount - one.idleCount) // one listens
    const taken = await Promise.all([pool, apart.pool].flatMap(one => Array.from({ length: free(one) }, () => one.connect())))
    try {
      const checks = await checksOf({ ...house.house })
      assert.deepEqual([checks.database?.status, checks.migrations?.status, notReady(checks)], ['ok', 'ok', []])
    } finally {
      for (const client of taken) client.release()
    }
  })

  test('R11 the migrations of a running process are those that it started with, whatever files replace them', () => {
    assert.equal(migrations(), migrations())
  })

  test('§8 an email that waits for over a minute degrades the outbox and nothing else', async () => {
    await house.rows(
      `insert into pgboss.job (name, data, start_after, state) values ('mail', '{}', '2026-03-16T08:58:30Z', 'created'), ('mail', '{}', '2026-03-16T10:00:00Z', 'created')`,
    )
    const checks = await checksOf({ ...house.house })
    assert.deepEqual(
      [checks.outbox?.status, checks.outbox?.message],
      ['degraded', 'The oldest message that is ready to send has been waiting for 90 s.'],
    )
    assert.equal(checks.queue?.status, 'ok')
    assert.equal(overall(checks), 'degraded')
    await house.rows(`delete from pgboss.job where name = 'mail'`)
  })

  test('§8 a failing external service only degrades, and its message contains no host name', async () => {
    const env = { OIDC_ISSUER: 'http://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Walkdown <w@example.com>' }
    const checks = await checksOf({ ...house.house, settings: { ...testSettings(env), superadmin_emails: [] } })
    assert.deepEqual([checks.identity?.status, checks.mail?.status, checks.superadmin?.status], ['degraded', 'degraded', 'ok'])
    assert.doesNotMatch(JSON.stringify(checks), /127\.0/)
    assert.deepEqual(notReady(checks), [])
  })

  test('§8 if the push services accept nothing for an hour, the service is degraded; one notification that arrived is enough', async () => {
    const w = await house.world()
    const push = async () => (await checksOf({ ...house.house })).push
    assert.equal((await push())?.status, 'ok')
    const [now, soon] = ['2026-03-16T08:30:00Z', '2026-03-17T08:30:00Z']
    for (const device of ['d1', 'd2'])
      await house.rows(
        `insert into push_subscription (endpoint_hash, id, user_id, endpoint, p256dh, auth, vapid_key_id, created_at) values ($1, gen_random_uuid(), $2, 'https://push.example/1', 'p', 'a', 'k', $3)`,
        [device, w.as('member').user_id, now],
      )
    const send = (device: string, state: string, tries: number) =>
      house.rows(
        `insert into push_send (endpoint_hash, message_id, first_at, gone_at, tries, state) values ($1, gen_random_uuid(), $2, $3, $4, $5)`,
        [device, now, soon, tries, state],
      )
    await send('d1', 'waiting', 1)
    assert.equal((await push())?.status, 'ok', 'a service can be busy for a moment')
    await send('d1', 'waiting', 2)
    await send('d2', 'failed', 1)
    const failing = await push()
    assert.deepEqual(
      [failing?.status, failing?.message],
      ['degraded', 'The push services have accepted no notification for an hour. Not delivered in this time: 2.'],
    )
    assert.deepEqual(notReady({ push: failing ?? { status: 'ok' } }), [])
    await send('d2', 'sent', 1)
    assert.equal((await push())?.status, 'ok')
  })

  test('V11.2.3 if no key of the identity provider is long enough, the health check is degraded and says what to change', async () => {
    const issuer = await startIssuer()
    try {
      const short = [await rsaKey('rsa-2048', 2048)]
      Object.assign(issuer.issuer.keys, { toJSON: () => short })
      const identity = async (env: Record<string, string>) =>
        (await checksOf({ ...house.house, settings: testSettings({ OIDC_ISSUER: issuer.url, ...env }) })).identity
      const refused = await identity({})
      assert.deepEqual(
        [refused?.status, refused?.message],
        [
          'degraded',
          'The identity provider has an RSA key of 2048 bits, and OIDC_MIN_RSA_BITS requires 3072. No one can sign in. Let the provider sign with RSA keys of 3,072 bits or more, ES256 or EdDSA, or set OIDC_MIN_RSA_BITS=2048.',
        ],
      )
      assert.deepEqual((await identity({ OIDC_MIN_RSA_BITS: '2048' }))?.status, 'ok')
    } finally {
      await issuer.stop()
    }
  })

  test('§8 if there is no superadmin, the health check says how to make one', async () => {
    await house.rows(
      `with off as (select set_config('session_replication_role', 'replica', true)) update app_user set is_superadmin = false from off`,
    )
    const checks = await checksOf({ ...house.house, settings: { ...house.house.settings, superadmin_emails: [] } })
    assert.match(checks.superadmin?.message ?? '', /walkdown superadmin grant EMAIL/)
  })

  test('the service serves the API document, the reference, the metrics and the front page', async () => {
    const { app } = house.edge
    const document = await app.inject({ url: '/api/openapi.json' })
    assert.equal(document.json().openapi, '3.1.0')
    for (const url of ['/api/docs', '/']) {
      const page = await app.inject({ url })
      assert.match(String(page.headers['content-type']), /^text\/html/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
    }
    const nothing = await app.inject({ url: '/api/nothing' })
    assert.deepEqual([nothing.statusCode, nothing.json().error.code], [404, 'not_found'])
    assert.equal((await app.inject({ url: '/api/%zz' })).json().error.code, 'malformed_request')
  })
})

describe('metrics', () => {
  const closed = useHouse()
  const open = useHouse({ METRICS_TOKEN: 'a-token-for-prometheus' })
  const ask = (house: typeof open, authorization?: string) =>
    house.edge.app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

  test('10.12 /metrics responds to the holder of METRICS_TOKEN and nobody else', async () => {
    for (const [authorization, status] of [
      [undefined, 401],
      ['Bearer a-token-for-prometheuS', 401],
      ['Bearer a-token-for', 401],
      [`Bearer ${(await open.person('Sam Root', { superadmin: true })).token}`, 401],
      ['Bearer a-token-for-prometheus', 200],
    ] as const) {
      const reply = await ask(open, authorization)
      assert.equal(reply.statusCode, status, String(authorization))
      assert.equal(/walkdown_requests_total/.test(reply.payload), status === 200)
    }
  })

  test('10.12 without METRICS_TOKEN nobody reads it, and a short token is refused at the start', async () => {
    for (const authorization of [undefined, 'Bearer ', 'Bearer null', 'Bearer a-token-for-prometheus'])
      assert.equal((await ask(closed, authorization)).statusCode, 404)
    assert.throws(() => testSettings({ METRICS_TOKEN: 'short' }), /METRICS_TOKEN/)
  })

  test('10.6 one slow response of the database only degrades the service, and a second one in a row keeps requests away', () => {
    assert.deepEqual([silence(false).status, silence(true).status], ['degraded', 'down'])
    assert.deepEqual([notReady({ database: silence(false) }), notReady({ database: silence(true) })], [[], ['database']])
  })
})
