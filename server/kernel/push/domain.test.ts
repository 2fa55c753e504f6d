import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isPrivateAddress } from '../../base/outbound.ts'
import { readSettings, SettingsError } from '../../base/settings.ts'
import { judged } from './domain/answers.ts'
import { serviceFor, servicesOf } from './domain/endpoints.ts'
import { LONGEST, type PushMessage, payloadOf } from './domain/message.ts'

const message: PushMessage = {
  id: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e',
  kind: 'permit_awaiting_countersign',
  title: 'Permit PTW-000123 is waiting for your countersignature',
  body: 'Weld handrails on stair 3',
  site_id: '01929f3e-7c1a-7b60-9d5e-000000000001',
  tag: 'permit 1',
  link: null,
  urgency: 'attention',
  ttl_seconds: 4 * 3600,
}
const NOW = '2026-03-16T09:00:00.000Z'
const facts = { now: NOW, tries: 1, until: '2026-03-16T13:00:00.000Z', current: true }
const refused = (env: Record<string, string>): string[] => {
  try {
    readSettings(env)
    return []
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.faults
  }
}

describe('kernel/push', () => {
  test('messages.md §4: the text is cut to 3,000 bytes of JSON, the body first, never within a character', () => {
    assert.deepEqual(JSON.parse(payloadOf(message)).body, message.body)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.string({ unit: 'grapheme', maxLength: 3000 }), (title, body) => {
        const text = payloadOf({ ...message, title, body })
        const cut = JSON.parse(text)
        assert.ok(Buffer.byteLength(text) <= LONGEST)
        assert.ok(text.isWellFormed())
        if (cut.title !== title) assert.equal(cut.body, '', 'the title is cut only when nothing is left of the body')
        assert.ok(cut.body === body || body.startsWith(cut.body.replace(/…$/, '')))
      }),
      { numRuns: 60 },
    )
    const long = JSON.parse(payloadOf({ ...message, body: '👷‍♀️'.repeat(2000) }))
    assert.match(long.body, /^(👷‍♀️)+…$/u)
  })

  test('§4 after 2xx a message is sent; 404 and 410 remove the device, as 403 does under an old key; 400 and 413 fail; 429 and 5xx wait as requested, while the message is useful', () => {
    const is = (status: number | null, retry_after: string | null = null, more: Partial<typeof facts> = {}) =>
      judged(status === null ? { status } : { status, retry_after }, { ...facts, ...more })
    assert.deepEqual(
      [200, 201, 204].map(s => is(s).is),
      ['sent', 'sent', 'sent'],
    )
    assert.deepEqual(
      [404, 410].map(s => is(s).is),
      ['remove', 'remove'],
    )
    assert.deepEqual([is(403, null, { current: false }).is, is(403).is], ['remove', 'failed'])
    assert.deepEqual(
      [400, 401, 413, 301].map(s => is(s).is),
      ['failed', 'failed', 'failed', 'failed'],
    )
    assert.deepEqual(is(503, '30'), { is: 'later', after: '2026-03-16T09:00:30.000Z' })
    assert.deepEqual(is(429, 'Mon, 16 Mar 2026 09:10:00 GMT'), { is: 'later', after: '2026-03-16T09:10:00.000Z' })
    assert.deepEqual(is(500), { is: 'later', after: '2026-03-16T09:00:30.000Z' })
    assert.deepEqual(is(500, null, { tries: 4 }), { is: 'later', after: '2026-03-16T09:04:00.000Z' })
    assert.deepEqual(is(null, null, { tries: 40 }), { is: 'later', after: '2026-03-16T10:00:00.000Z' })
    assert.deepEqual(is(503, '14400'), { is: 'failed' }, 'by then the message is no longer useful')
  })

  test('§4 an endpoint needs https, port 443 and a configured push service; another port is only for services on the installation’s own network', () => {
    const services = servicesOf(readSettings({}).push.services, ['push.internal:8443'])
    const ok = (endpoint: string) => serviceFor(endpoint, services) !== null
    for (const good of [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://fcm.googleapis.com:443/x',
      'https://updates.push.services.mozilla.com/wpush/v2/x',
      'https://wns2-par02p.notify.windows.com/w/?token=x',
      'https://web.push.apple.com/x',
      'https://push.internal:8443/x',
    ])
      assert.ok(ok(good), good)
    for (const bad of [
      'http://fcm.googleapis.com/x',
      'https://127.0.0.1/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://push.services.mozilla.com/x',
      'https://xpush.apple.com/x',
      'https://user:pass@fcm.googleapis.com/x',
      'https://push.internal/x',
      'https://[::1]/x',
      'ftp://fcm.googleapis.com/x',
      'nothing',
    ])
      assert.ok(!ok(bad), bad)
  })

  test('private, local and reserved addresses are recognised, even in IPv6 notation', () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::a00:1',
      '224.0.0.1',
      'no address',
    ])
      assert.ok(isPrivateAddress(address), address)
    for (const address of ['8.8.8.8', '172.32.0.1', '142.250.187.202', '2a00:1450:4009::200a', '100.128.0.1'])
      assert.ok(!isPrivateAddress(address), address)
  })

  test('the settings refuse a VAPID key pair that is incomplete or doesn’t match, and push services that aren’t host names', () => {
    const [public_key, private_key] = [
      'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      'BTBZMqHH6r4Tts7J_aSIgg',
    ]
    assert.match(refused({ VAPID_PUBLIC_KEY: public_key })[0] ?? '', /must both be set/)
    assert.match(refused({ VAPID_PUBLIC_KEY: public_key, VAPID_PRIVATE_KEY: private_key })[0] ?? '', /32 bytes/)
    assert.match(
      refused({ VAPID_PUBLIC_KEY: public_key, VAPID_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url') })[0] ?? '',
      /doesn’t match/,
    )
    assert.match(refused({ VAPID_SUBJECT: 'somebody' })[0] ?? '', /VAPID_SUBJECT/)
    assert.match(refused({ PUSH_SERVICES: 'https://fcm.googleapis.com' })[0] ?? '', /PUSH_SERVICES/)
    assert.deepEqual(readSettings({ PUSH_SERVICES: 'none' }).push.services, [])
    assert.equal(readSettings({ MAIL_FROM: 'Walkdown <permits@site.example>' }).vapid.subject, 'mailto:permits@site.example')
  })
})
