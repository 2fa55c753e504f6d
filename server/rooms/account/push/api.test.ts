import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CryptoKey, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { type Caller, openTestHouse, type TestHouse } from '../../../../tests/world.ts'
import { ids } from '../../../base/ids.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { hasDevice, type PushMessage, pushTo } from '../../../kernel/push/door.ts'

const data = (name: string) => fileURLToPath(new URL(`../../../../tests/data/push/${name}`, import.meta.url))

/** A browser that subscribed: its keys, and how it decrypts a body (RFC 8291, without any of our code). */
type Browser = { keys: { p256dh: string; auth: string }; read(body: Buffer): Record<string, unknown> }

function browser(): Browser {
  const pair: ECDH = createECDH('prime256v1')
  const own = pair.generateKeys()
  const auth = randomBytes(16)
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    read(body) {
      const salt = body.subarray(0, 16)
      const record = body.readUInt32BE(16)
      const length = body.readUInt8(20)
      const theirs = body.subarray(21, 21 + length)
      const sealed = body.subarray(21 + length)
      assert.equal(length, 65)
      assert.ok(sealed.length <= record, 'one record')
      const shared = pair.computeSecret(theirs)
      const input = Buffer.from(hkdfSync('sha256', shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]), 32))
      const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
      const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
      const open = createDecipheriv('aes-128-gcm', key, nonce)
      open.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()])
      assert.equal(plain.at(-1), 2, 'the last record ends with its delimiter')
      return JSON.parse(plain.subarray(0, -1).toString('utf8'))
    },
  }
}

type Got = { path: string; headers: Record<string, string | string[] | undefined>; body: Buffer }

describe('push', () => {
  const got: Got[] = []
  /** The responses of the push service by path; 201 for any other path. */
  const answers = new Map<string, { status: number; headers?: Record<string, string> }>()
  let service: Server
  let origin = ''
  let house: TestHouse & { close(): Promise<void> }

  before(async () => {
    service = createServer(
      { key: readFileSync(data('localhost.key.pem')), cert: readFileSync(data('localhost.crt.pem')) },
      (request, response) => {
        const chunks: Buffer[] = []
        request.on('data', chunk => chunks.push(chunk))
        request.on('end', () => {
          got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
          const { status, headers } = answers.get(request.url ?? '') ?? { status: 201 }
          response.writeHead(status, headers)
          response.end()
        })
      },
    )
    await new Promise<void>(done => service.listen(0, done))
    const { port } = service.address() as AddressInfo
    origin = `https://localhost:${port}`
    house = await openTestHouse({
      PUSH_SERVICES: 'fcm.googleapis.com,*.push.services.mozilla.com,localhost',
      PUSH_OWN_SERVICES: `localhost:${port}`,
      PUSH_CA_FILE: data('localhost.crt.pem'),
      VAPID_SUBJECT: 'mailto:permits@site.example',
    })
  })
  after(async () => {
    await house.close()
    service.closeAllConnections()
    service.close()
  })

  const message = (more: Partial<PushMessage> = {}): PushMessage => ({
    id: ids.next(),
    kind: 'permit_awaiting_countersign',
    title: 'Permit PTW-000123 is waiting for your countersignature',
    body: 'Weld handrails on stair 3',
    site_id: ids.next(),
    tag: 'permit 1',
    link: null,
    urgency: 'attention',
    ttl_seconds: 4 * 3600,
    ...more,
  })
  const put = (who: Caller, endpoint: string, more: object = {}, keys = browser().keys) =>
    who.put('/push/subscriptions', { endpoint, keys, ...more })
  const list = async (who: Caller) => (await who.get('/push/subscriptions')).body
  const received = (path: string) => got.filter(one => one.path === path)

  test('messages.md §4: the device’s keys decrypt the body to the JSON, and the key of /push/config verifies its JWT', async () => {
    const rex = await house.person('Rex Receiver')
    const config = (await rex.get('/push/config')).body
    assert.equal(config.enabled, true)
    const point = Buffer.from(config.vapid_public_key, 'base64url')
    assert.deepEqual([point.length, point[0]], [65, 4])
    const phone = browser()
    assert.equal(await hasDevice(house.house.database.db, rex.user_id), false)
    const made = await put(rex, `${origin}/rex`, { device_label: 'Phone', expiration_time: null }, phone.keys)
    assert.equal(made.status, 201, made.text)
    assert.equal(await hasDevice(house.house.database.db, rex.user_id), true)
    const pushed = message()
    assert.deepEqual(await pushTo(house.house, rex.user_id, pushed), { outcome: 'sent' })
    const [one, ...more] = received('/rex')
    assert.equal(more.length, 0)
    assert.ok(one !== undefined)
    const { id, kind, title, body, site_id, tag, link } = pushed
    assert.deepEqual(phone.read(one.body), { id, kind, title, body, site_id, tag, link })
    assert.ok(one.body.length <= 4096)
    assert.deepEqual([one.headers['content-encoding'], one.headers.ttl, one.headers.urgency], ['aes128gcm', '14400', 'high'])
    assert.match(String(one.headers.topic), /^[A-Za-z0-9_-]{32}$/)
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(one.headers.authorization)) ?? []
    assert.equal(key, config.vapid_public_key)
    const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
    const { payload } = await jwtVerify(token, (await importJWK(jwk, 'ES256')) as CryptoKey, {
      audience: origin,
      currentDate: new Date(house.house.clock.now()),
    })
    assert.equal(decodeProtectedHeader(token).alg, 'ES256')
    assert.equal(payload.sub, 'mailto:permits@site.example')
    assert.equal(payload.exp, Date.parse(house.house.clock.now()) / 1000 + 12 * 3600)
    // Key and salt are fresh each time; the same kind about the same subject has the same topic, and another subject another.
    await pushTo(house.house, rex.user_id, message({ tag: 'permit 1', urgency: 'info' }))
    await pushTo(house.house, rex.user_id, message({ tag: 'permit 2', urgency: 'critical' }))
    const [, second, third] = received('/rex')
    assert.notDeepEqual(second?.body.subarray(0, 86), one.body.subarray(0, 86))
    assert.deepEqual([second?.headers.urgency, third?.headers.urgency], ['normal', 'high'])
    assert.equal(second?.headers.topic, one.headers.topic)
    assert.notEqual(third?.headers.topic, one.headers.topic)
    const [shown] = await list(rex)
    assert.deepEqual(
      [shown.host, shown.device_label, shown.vapid_key_id, shown.failures, shown.last_success_at],
      [new URL(origin).host, 'Phone', config.vapid_key_id, 0, house.house.clock.now()],
    )
    assert.deepEqual(Object.keys(shown).sort(), [
      'created_at',
      'device_label',
      'expires_at',
      'failures',
      'host',
      'id',
      'last_success_at',
      'vapid_key_id',
    ])
  })

  test('§4 after a 410 the next GET doesn’t list the device, and no second attempt is made', async () => {
    const who = await house.person('Gone Phone')
    await put(who, `${origin}/gone`)
    answers.set('/gone', { status: 410 })
    const pushed = message()
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'no_subscription' })
    assert.deepEqual(await list(who), [])
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'no_subscription' })
    assert.equal(received('/gone').length, 1)
  })

  test('§4 a 503 with Retry-After: 30 is tried again after 30 s, and delivered once; the other device doesn’t get it twice', async () => {
    const who = await house.person('Busy Phone')
    await put(who, `${origin}/busy`)
    await put(who, `${origin}/free`)
    answers.set('/busy', { status: 503, headers: { 'retry-after': '30' } })
    const pushed = message({ ttl_seconds: 3600 })
    const now = house.house.clock.now()
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'later', after: '2026-03-16T09:00:30.000Z' })
    answers.delete('/busy')
    house.clock('2026-03-16T09:00:10.000Z')
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'later', after: '2026-03-16T09:00:30.000Z' }, 'too early')
    assert.equal(received('/busy').length, 1)
    house.clock('2026-03-16T09:00:30.000Z')
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'sent' })
    assert.deepEqual(await pushTo(house.house, who.user_id, pushed), { outcome: 'sent' })
    assert.deepEqual([received('/busy').length, received('/free').length], [2, 1])
    assert.equal(received('/busy')[1]?.headers.ttl, '3570', 'the rest of its time to live')
    house.clock(now)
  })

  test('§4 a failed message is logged and not tried again; a waiting one is dropped once it is no longer useful', async () => {
    const who = await house.person('Odd Phone')
    await put(who, `${origin}/odd`)
    answers.set('/odd', { status: 413 })
    const pushed = message()
    const failed = await pushTo(house.house, who.user_id, pushed)
    assert.equal(failed.outcome, 'failed')
    assert.match('detail' in failed ? (failed.detail ?? '') : '', /^localhost:\d+: 413/)
    assert.equal((await pushTo(house.house, who.user_id, pushed)).outcome, 'failed')
    assert.equal(received('/odd').length, 1)
    assert.equal((await list(who))[0].failures, 1)
    answers.set('/odd', { status: 302, headers: { location: `${origin}/elsewhere` } })
    assert.equal((await pushTo(house.house, who.user_id, message())).outcome, 'failed')
    assert.equal(received('/elsewhere').length, 0, 'redirects aren’t followed')
    answers.set('/odd', { status: 429, headers: { 'retry-after': '600' } })
    assert.equal((await pushTo(house.house, who.user_id, message({ ttl_seconds: 500 }))).outcome, 'failed')
    assert.equal((await pushTo(house.house, who.user_id, message({ ttl_seconds: 700 }))).outcome, 'later')
  })

  test('§4 a host name that resolves to a private address is refused on sending, and no connection is made', async () => {
    const who = await house.person('Local Phone')
    // A configured service on port 443, but its name resolves to a local address.
    assert.equal((await put(who, 'https://localhost/inside')).status, 201)
    const refused = await pushTo(house.house, who.user_id, message())
    assert.deepEqual(refused, { outcome: 'failed', detail: 'localhost is a private or local address.' })
  })

  test('§4 an endpoint without https, on another port or host, a key that isn’t a point of the curve and a secret that isn’t 16 bytes are refused with 422, all faults at once', async () => {
    const who = await house.person('Wrong Phone')
    const { keys } = browser()
    const paths = async (endpoint: string, more: object = keys) => {
      const reply = await who.put('/push/subscriptions', { endpoint, keys: more })
      assert.equal(reply.status, 422, endpoint)
      return reply.body.error.fields.map((f: { path: string }) => f.path)
    }
    for (const endpoint of [
      'https://127.0.0.1/x',
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:444/x',
      'https://push.example.com/x',
      'x',
    ])
      assert.deepEqual(await paths(endpoint), ['endpoint'])
    const good = 'https://fcm.googleapis.com/x'
    const point = Buffer.from(keys.p256dh, 'base64url')
    const off = Buffer.from(point)
    off.writeUInt8(off.readUInt8(64) ^ 1, 64)
    for (const p256dh of [
      point.subarray(0, 64).toString('base64url'),
      off.toString('base64url'),
      'x y',
      Buffer.alloc(65).toString('base64url'),
    ])
      assert.deepEqual(await paths(good, { ...keys, p256dh }), ['keys.p256dh'])
    assert.deepEqual(await paths('x', { p256dh: 'AA', auth: 'AA' }), ['endpoint', 'keys.p256dh', 'keys.auth'])
    for (const expiration_time of [1, Date.UTC(2201, 0)]) assert.equal((await put(who, good, { expiration_time })).status, 422)
    assert.equal((await put(who, good, { vapid_key_id: 'unknown' })).status, 422)
    assert.deepEqual(await list(who), [])
  })

  test('§4 an endpoint that A and then B register is listed for B only; B can renew it; if both register it at the same time, one of them has it', async () => {
    const [a, b] = [await house.person('Alf'), await house.person('Bea')]
    const endpoint = `${origin}/tablet`
    assert.equal((await put(a, endpoint)).status, 201)
    assert.equal((await put(b, endpoint)).status, 201)
    assert.deepEqual([(await list(a)).length, (await list(b)).length], [0, 1])
    const renewed = browser()
    assert.equal((await put(b, endpoint, {}, renewed.keys)).status, 200)
    await pushTo(house.house, b.user_id, message({ title: 'For Bea' }))
    assert.equal((await pushTo(house.house, a.user_id, message())).outcome, 'no_subscription')
    const [one] = received('/tablet')
    assert.equal(renewed.read(one?.body ?? Buffer.alloc(0)).title, 'For Bea')
    const raced = await Promise.all([a, b, a, b].map(who => put(who, `${origin}/raced`)))
    assert.ok(raced.every(r => r.status < 300))
    assert.equal((await list(a)).length + (await list(b)).length, 2)
  })

  test('§4 previous_endpoint is removed in the same step; sign-out never fails; of more than ten devices, the one unused for longest is removed', async () => {
    const who = await house.person('Many Phones')
    const other = await house.person('Other')
    await put(other, `${origin}/theirs`)
    await put(who, `${origin}/old`)
    await put(who, `${origin}/new`, { previous_endpoint: `${origin}/old` })
    assert.equal((await list(who)).length, 1)
    await put(who, `${origin}/new2`, { previous_endpoint: `${origin}/theirs` })
    assert.equal((await list(other)).length, 1, 'people can remove only their own')
    for (const endpoint of [`${origin}/new2`, `${origin}/new2`, `${origin}/theirs`, 'nonsense'])
      assert.equal((await who.del('/push/subscriptions', undefined, { 'x-push-endpoint': endpoint })).status, 204)
    assert.equal((await who.del(`/push/subscriptions?endpoint=${encodeURIComponent(`${origin}/new`)}`)).status, 204)
    assert.equal((await who.del('/push/subscriptions')).status, 422)
    assert.equal((await list(other)).length, 1)
    const now = house.house.clock.now()
    for (let n = 0; n < 10; n++) {
      house.clock(`2026-03-16T10:${String(n).padStart(2, '0')}:00.000Z`)
      await put(who, `${origin}/n${n}`, { device_label: `n${n}` })
    }
    // The oldest has been used since, so the next oldest is removed.
    assert.equal((await list(who)).length, 10)
    assert.ok(!(await list(who)).some((d: { device_label: string | null }) => d.device_label === null), 'the first device was removed')
    house.clock('2026-03-16T11:00:00.000Z')
    await house.rows(`update push_subscription set last_success_at = $1 where device_label = 'n0' and user_id = $2`, [
      '2026-03-16T10:59:00Z',
      who.user_id,
    ])
    await put(who, `${origin}/n10`, { device_label: 'n10' })
    const labels = (await list(who)).map((d: { device_label: string }) => d.device_label)
    assert.deepEqual(labels, ['n10', 'n9', 'n8', 'n7', 'n6', 'n5', 'n4', 'n3', 'n2', 'n0'])
    house.clock(now)
  })

  test('§4 an expired subscription gets no message, and the nightly sweep deletes it', async () => {
    const who = await house.person('Short Phone')
    const now = house.house.clock.now()
    await put(who, `${origin}/short`, { expiration_time: Date.parse('2026-03-16T12:00:00Z') })
    await pushTo(house.house, who.user_id, message({ ttl_seconds: 60 }))
    house.clock('2026-03-16T12:00:00.000Z')
    assert.deepEqual(await pushTo(house.house, who.user_id, message()), { outcome: 'no_subscription' })
    assert.equal(received('/short').length, 1)
    await runSchedules(house.house)
    house.clock('2026-03-17T00:00:00.000Z')
    await runSchedules(house.house)
    assert.deepEqual(await list(who), [])
    assert.equal((await house.rows(`select count(*) as n from push_send where gone_at <= '2026-03-17T00:00:00Z'`))[0].n, 0)
    house.clock(now)
  })

  test('two nodes use the same key; PUSH_SERVICES=none switches push off', async () => {
    const who = await house.person('Two Nodes')
    const second = await house.beside()
    try {
      assert.deepEqual((await second.withToken(who.token ?? '').get('/push/config')).body, (await who.get('/push/config')).body)
    } finally {
      await second.close()
    }
    const off = await openTestHouse({ PUSH_SERVICES: 'none' })
    try {
      const someone = await off.person('Someone')
      assert.deepEqual((await someone.get('/push/config')).body, { enabled: false, vapid_public_key: null, vapid_key_id: null })
      assert.equal((await put(someone, 'https://fcm.googleapis.com/x')).status, 422)
    } finally {
      await off.close()
    }
  })

  test('§4 key rotation: a device gets messages with the key that it subscribed with until the app renews it; a 403 under an old key removes it', async () => {
    const who = await house.person('Old Key')
    const before = (await who.get('/push/config')).body
    await put(who, `${origin}/old-key`)
    const pair = createECDH('prime256v1')
    const public_key = pair.generateKeys().toString('base64url')
    const { settings } = house.house
    const rotated = {
      ...house.house,
      settings: {
        ...settings,
        vapid: { ...settings.vapid, keys: { public_key, private_key: pair.getPrivateKey().toString('base64url') } },
      },
    }
    assert.deepEqual(await pushTo(rotated, who.user_id, message()), { outcome: 'sent' })
    assert.ok(String(received('/old-key')[0]?.headers.authorization).endsWith(`k=${before.vapid_public_key}`))
    answers.set('/old-key', { status: 403 })
    assert.equal((await pushTo(house.house, who.user_id, message())).outcome, 'failed', 'under today’s key the fault is ours')
    assert.equal((await list(who)).length, 1)
    assert.equal((await pushTo(rotated, who.user_id, message())).outcome, 'no_subscription')
    assert.deepEqual(await list(who), [])
  })
})
