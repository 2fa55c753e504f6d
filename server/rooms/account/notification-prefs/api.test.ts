import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { readMail } from '../../../../tests/outbox.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { freePort } from '../../../../tests/port.ts'
import { openRelay, type Relay, sendAfter } from '../../../../tests/relay.ts'
import { type Caller, MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import type { Id } from '../../../base/ids.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { type PushMessage, plugPush, pushPort } from '../../../kernel/notices/door.ts'

const port = await freePort()

describe('notification preferences', () => {
  const house = useHouse({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'permits@walkdown.test' })
  const pushed: { user_id: Id; message: PushMessage }[] = []
  const kept = pushPort()
  let relay: Relay
  before(async () => {
    relay = await openRelay(port)
    plugPush({
      enabled: () => true,
      hasDevice: async () => true,
      pushTo: async (_house, user_id, message) => {
        pushed.push({ user_id, message })
        return { outcome: 'sent' }
      },
    })
  })
  after(async () => {
    plugPush(kept)
    await relay.close()
  })
  beforeEach(() => house.clock(MONDAY))

  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
  type Entry = { kind: string; channels: Record<string, any>; [more: string]: unknown }
  const entry = async (who: Caller, kind: string, site_id?: Id): Promise<Entry | undefined> =>
    (
      await (site_id === undefined ? who.get('/notification-prefs/effective') : who.get(`/notification-prefs/effective?site_id=${site_id}`))
    ).body.find((one: Entry) => one.kind === kind)
  const set = (who: Caller, kind: string, channel: string, body: object) => who.patch(`/notification-prefs/${kind}/${channel}`, body)
  const sendsOf = async (who: Caller, w: World, kind: string) => {
    const [row] = (await who.get(`/notifications/?site_id=${w.site_id}&kind=${kind}&limit=1`)).body
    return row?.sends.map((send: { channel: string; state: string; detail: string | null }) => [send.channel, send.state, send.detail])
  }
  const requestExtension = async (w: PermitWorld) => {
    const permit = await w.at('issued', { categories: ['GEN'] })
    await w.step(permit, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    return permit
  }

  test('messages.md §2 by default in-app is mandatory, email is on, and push is unavailable without a device', async () => {
    const w = await house.world()
    plugPush({ enabled: () => true, hasDevice: async () => false, pushTo: async () => ({ outcome: 'no_subscription' }) })
    const found = await entry(w.as('hse'), 'permit_extension_requested', w.site_id)
    plugPush({
      enabled: () => true,
      hasDevice: async () => true,
      pushTo: async (_house, user_id, message) => {
        pushed.push({ user_id, message })
        return { outcome: 'sent' }
      },
    })
    const setting = (channel: string) => [found?.channels[channel].enabled, found?.channels[channel].source, found?.channels[channel].why]
    assert.deepEqual(
      [setting('in_app'), setting('email'), setting('push')],
      [
        [true, 'mandatory', null],
        [true, 'default', null],
        [false, 'unavailable', 'no_subscription'],
      ],
    )
    assert.equal(found?.channels.in_app.locked, true)
    assert.equal(found?.channels.email.delivery, 'immediate')
    assert.equal((await entry(w.as('hse'), 'permit_live'))?.channels.email.delivery, 'daily', 'what only informs goes into the digest')
    const nameless = await house.person('No Address', { email: null })
    assert.equal((await entry(nameless, 'permit_live'))?.channels.email.why, 'no_address')
  })

  test('messages.md §2 switching in-app off for a fixed kind gives 409 mandatory; switching email off gives 200, and the next event sends none', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const refused = await set(hse, 'permit_extension_requested', 'in_app', { enabled: false })
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'mandatory'])
    const off = await set(hse, 'permit_extension_requested', 'email', { enabled: false, site_id: null })
    assert.deepEqual([off.status, off.body.channels.email.source], [200, 'own'])
    await requestExtension(w)
    assert.deepEqual(await sendsOf(hse, w, 'permit_extension_requested'), [
      ['in_app', 'delivered', null],
      ['email', 'skipped', 'preference'],
    ])
    assert.deepEqual((await sendsOf(w.as('admin'), w, 'permit_extension_requested'))?.[1]?.[1], 'queued')
  })

  test('messages.md §2 a preference for one kind overrides the one for all kinds, until it is deleted', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    await set(hse, 'all', 'email', { enabled: false })
    await set(hse, 'permit_extension_requested', 'email', { enabled: true })
    const email = async (kind: string, site?: Id) => {
      const found = await entry(hse, kind, site)
      return [found?.channels.email.enabled, found?.channels.email.source]
    }
    assert.deepEqual(
      [await email('permit_extension_requested'), await email('permit_expired_unclosed')],
      [
        [true, 'own'],
        [false, 'own_all'],
      ],
    )
    await set(hse, 'permit_expired_unclosed', 'email', { enabled: true, site_id: w.site_id })
    assert.deepEqual(
      [await email('permit_expired_unclosed', w.site_id), await email('permit_expired_unclosed')],
      [
        [true, 'own_site'],
        [false, 'own_all'],
      ],
    )
    assert.equal((await hse.del('/notification-prefs/permit_extension_requested/email')).status, 204)
    assert.deepEqual(await email('permit_extension_requested'), [false, 'own_all'])
    assert.equal((await hse.del('/notification-prefs/permit_extension_requested/email')).status, 404)
    assert.equal((await hse.del(`/notification-prefs/permit_expired_unclosed/email?site_id=${w.site_id}`)).status, 204)
    const stranger = await w.stranger()
    assert.equal((await set(stranger, 'all', 'email', { enabled: false, site_id: w.site_id })).status, 404)
  })

  test('messages.md §2 an unknown kind or channel, a delivery schedule for push, quiet hours of one kind, equal ends and an empty body are refused', async () => {
    const w = await house.world()
    const paths = async (kind: string, channel: string, body: object) =>
      (await set(w.as('hse'), kind, channel, body)).body.error?.fields?.map((fault: { path: string }) => fault.path)
    const quiet = { from: '18:00', to: '06:00' }
    assert.deepEqual(await paths('nonsense', 'pigeon', { enabled: true }), ['kind', 'channel'])
    assert.deepEqual(await paths('rule:nonsense', 'email', { enabled: true }), ['kind'])
    assert.deepEqual(await paths('permit_live', 'push', { delivery: 'hourly' }), ['delivery'])
    assert.deepEqual(await paths('permit_live', 'email', { quiet_hours: quiet }), ['quiet_hours'])
    assert.deepEqual(await paths('all', 'in_app', { quiet_hours: quiet }), ['quiet_hours'])
    assert.deepEqual(await paths('all', 'push', { quiet_hours: { from: '18:00', to: '18:00' } }), ['quiet_hours.to'])
    for (const timezone of ['Mars/Olympus', '+01:00', 'BST'])
      assert.deepEqual(await paths('all', 'push', { quiet_hours: { ...quiet, timezone } }), ['quiet_hours.timezone'], timezone)
    assert.deepEqual(await paths('all', 'push', { digest_at: '06:30' }), ['digest_at'])
    assert.deepEqual(await paths('all', 'push', {}), ['enabled'])
  })

  test('messages.md §2 a push about a countersignature is delayed by evening quiet hours; if the permit is handed back meanwhile, nothing is sent in the morning', async () => {
    const w = await permitWorld(house)
    await set(w.receiver, 'all', 'push', { quiet_hours: { from: '18:00', to: '06:00' } })
    const window = { categories: ['GEN'], start_at: '2026-03-16T18:00:00.000Z', end_at: '2026-03-17T18:00:00.000Z' }
    const [stays, goes] = [await w.at('approved', window), await w.at('approved', window)]
    house.clock('2026-03-16T19:00:00.000Z')
    for (const permit of [stays, goes]) await w.step(permit, 'issue', w.issuer)
    await relayEvents(house.house)
    assert.deepEqual((await sendsOf(w.receiver, w, 'permit_awaiting_countersign'))?.[1], ['push', 'held', null])
    house.clock('2026-03-16T20:00:00.000Z')
    assert.ok((await w.step(goes, 'hand-back', w.receiver, { note: 'Not ready' })).status < 300)
    await relayEvents(house.house)
    await sendAfter(house, 30)
    const mine = () => pushed.filter(one => one.user_id === w.receiver.user_id && one.message.kind !== 'membership_decided')
    assert.equal(mine().length, 0)
    house.clock('2026-03-17T06:00:00.000Z')
    await runSchedules(house.house, 'digests')
    await sendAfter(house, 1)
    assert.equal(mine().length, 0, 'one was handed back, and the other is older than the four hours that it can wait')
    const states = await house.rows(
      `select s.detail from notification_send s join notification n on n.id = s.notification_id where n.site_id = $1 and s.channel = 'push' and n.kind = 'permit_awaiting_countersign' order by 1`,
      [w.site_id],
    )
    assert.deepEqual(
      states.map(row => row.detail),
      ['dealt_with', 'stale'],
    )
  })

  test('messages.md §4 a push in the daytime is sent immediately, and contains only what a push message can contain', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed', { categories: ['GEN'] })
    await relayEvents(house.house)
    await sendAfter(house, 2)
    const mine = pushed.filter(one => one.user_id === w.receiver.user_id && one.message.kind === 'permit_awaiting_countersign')
    assert.equal(mine.length, 1)
    const [{ message } = { message: null }] = mine
    assert.equal(message?.title, `Permit ${permit.permit_number} is waiting for your countersignature`)
    assert.deepEqual(
      [message?.site_id, message?.link, message?.urgency, message?.ttl_seconds],
      [w.site_id, null, 'attention', 4 * 3600 - 2],
    )
  })

  test('messages.md §2 a daily digest is sent at 06:30 local time before and after the clocks change, and an empty one isn’t sent', async () => {
    const w = await permitWorld(house)
    const hse = w.as('hse')
    for (const role of ['admin', 'site_manager'] as const) await set(w.as(role), 'all', 'email', { enabled: false })
    await set(hse, 'permit_extension_requested', 'email', { delivery: 'daily' })
    const mailOf = async () => {
      const [{ email }] = await house.rows('select email from app_user where id = $1', [hse.user_id])
      return relay.received.filter(mail => mail.to === email)
    }
    const heldUntil = async (at: string, due: string) => {
      house.clock(at)
      const permit = await w.at('issued', {
        categories: ['GEN'],
        start_at: at,
        end_at: new Date(Date.parse(at) + 6 * 3_600_000).toISOString(),
      })
      await w.step(permit, 'extensions', w.as('member'), { requested_end_at: new Date(Date.parse(at) + 8 * 3_600_000).toISOString() })
      await relayEvents(house.house)
      const [row] = await house.rows(
        `select s.due_at from notification_send s join notification n on n.id = s.notification_id where n.user_id = $1 and s.state = 'held' and n.kind = 'permit_extension_requested'`,
        [hse.user_id],
      )
      assert.equal(row?.due_at, due)
      const before = (await mailOf()).length
      house.clock(due)
      await runSchedules(house.house, 'digests')
      await sendAfter(house, 1)
      const fresh = (await mailOf()).slice(before)
      assert.equal(fresh.length, 1)
      assert.ok(readMail(fresh[0]?.raw ?? '').text.includes(permit.permit_number))
    }
    await heldUntil('2026-03-27T12:00:00.000Z', '2026-03-28T06:30:00.000Z')
    await heldUntil('2026-03-28T12:00:00.000Z', '2026-03-29T05:30:00.000Z')
    const before = (await mailOf()).length
    house.clock('2026-03-30T05:30:00.000Z')
    await runSchedules(house.house, 'digests')
    await sendAfter(house, 1)
    assert.equal((await mailOf()).length, before)
  })
  test('§1 what was held for a digest is not sent from a site that has been deleted meanwhile', async () => {
    const mails: number[] = []
    // After the days of the other tests, because a schedule runs once at each time.
    for (const [now, morning, deleted] of [
      ['2026-04-01T09:00:00.000Z', '2026-04-02T05:30:00.000Z', false],
      ['2026-04-02T09:00:00.000Z', '2026-04-03T05:30:00.000Z', true],
    ] as const) {
      house.clock(now)
      const w = await house.world()
      const admin = w.as('admin')
      await set(admin, 'membership_requested', 'email', { delivery: 'daily' })
      const { token } = (await admin.post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })).body
      const joined = await (await house.person('New Person')).post(`/invite-links/accept/${token}`, {})
      assert.equal(joined.body.status, 'pending', joined.text)
      await relayEvents(house.house)
      assert.deepEqual((await sendsOf(admin, w, 'membership_requested'))?.[1], ['email', 'held', null])
      if (deleted) assert.equal((await admin.del(`/sites/${w.site_id}`)).status, 204)
      house.clock(morning)
      await runSchedules(house.house, 'digests')
      await sendAfter(house, 1)
      const [{ email }] = await house.rows('select email from app_user where id = $1', [admin.user_id])
      mails.push(relay.received.filter(mail => mail.to === email).length)
    }
    assert.deepEqual(mails, [1, 0])
  })
  test('conventions §1 Concurrency: a setting that was changed on another device isn’t replaced; each site and all sites have their own', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const push = async () => (await entry(hse, 'permit_live', w.site_id))?.channels.push
    const send = (version: number, body: object) => hse.patch('/notification-prefs/permit_live/push', body, { 'if-match': `"${version}"` })
    assert.deepEqual([(await push()).version, (await push()).all_sites_version], [0, 0])
    const both = await Promise.all([send(0, { enabled: true }), send(0, { enabled: false })])
    assert.deepEqual(both.map(reply => reply.status).sort(), [200, 412], 'of two first saves one is refused')
    const saved = both.find(reply => reply.status === 200)
    assert.deepEqual([saved?.headers.etag, both.find(reply => reply.status === 412)?.body.error.version], ['"1"', 1])
    const stale = await send(0, { enabled: false })
    assert.deepEqual([stale.status, stale.body.error.code, stale.body.error.version], [412, 'version_conflict', 1])
    assert.equal((await send(1, { enabled: false })).headers.etag, '"2"')
    assert.equal((await send(0, { enabled: true, site_id: w.site_id })).headers.etag, '"1"', 'the setting of the site is another one')
    assert.deepEqual([(await push()).version, (await push()).all_sites_version], [1, 2])
    assert.equal((await set(hse, 'permit_live', 'push', { enabled: true })).status, 200, 'without a version the last one wins')
    const drop = (version: number) => hse.del('/notification-prefs/permit_live/push', undefined, { 'if-match': `"${version}"` })
    assert.equal((await drop(2)).status, 412)
    assert.deepEqual([(await drop(3)).status, (await push()).all_sites_version], [204, 0])
  })

  test('site-and-people.md §0.3 digests of a locked site rest until it is unlocked, except for permits in the field', async () => {
    house.clock('2026-04-07T09:00:00.000Z')
    const w = await permitWorld(house)
    const hse = w.as('hse')
    for (const kind of ['permit_extension_requested', 'permit_expired_unclosed']) await set(hse, kind, 'email', { delivery: 'daily' })
    const window = { categories: ['GEN'], start_at: '2026-04-07T09:00:00.000Z', end_at: '2026-04-07T12:00:00.000Z' }
    const [extended, expires] = [await w.at('issued', { ...window, end_at: '2026-04-09T12:00:00.000Z' }), await w.at('issued', window)]
    await w.step(extended, 'extensions', w.as('member'), { requested_end_at: '2026-04-09T15:00:00.000Z' })
    const lock = (locked: boolean) =>
      w.as('admin').post(`/sites/${w.site_id}/lock`, { locked, reason: 'Accident', ...(locked ? { force: true } : {}) })
    assert.equal((await lock(true)).status, 200)
    house.clock('2026-04-07T12:01:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    await relayEvents(house.house)
    const [{ email }] = await house.rows('select email from app_user where id = $1', [hse.user_id])
    const readAt = async (at: string) => {
      house.clock(at)
      await runSchedules(house.house, 'digests')
      await sendAfter(house, 1)
      return relay.received.filter(mail => mail.to === email).map(mail => readMail(mail.raw).text)
    }
    const [first, ...more] = await readAt('2026-04-08T05:30:00.000Z')
    assert.equal(more.length, 0)
    assert.deepEqual([first?.includes(expires.permit_number), first?.includes(extended.permit_number)], [true, false])
    assert.equal((await readAt('2026-04-08T05:31:00.000Z')).length, 1)
    await lock(false)
    const [, second] = await readAt('2026-04-08T05:32:00.000Z')
    assert.ok(second?.includes(extended.permit_number))
  })
})
