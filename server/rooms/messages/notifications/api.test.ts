import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { readMail } from '../../../../tests/outbox.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { freePort } from '../../../../tests/port.ts'
import { openRelay, type Relay, sendAfter } from '../../../../tests/relay.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { ids } from '../../../base/ids.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'

const port = await freePort()

describe('notifications', () => {
  const house = useHouse({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Walkdown <permits@walkdown.test>' })
  let relay: Relay
  before(async () => {
    relay = await openRelay(port)
  })
  after(() => relay.close())
  beforeEach(() => house.clock(MONDAY))

  type Row = {
    id: string
    kind: string
    title: string
    because: unknown[]
    link: string | null
    sends: { channel: string; state: string; detail: string | null }[]
  }
  const inbox = async (who: Caller, site_id: string, query = ''): Promise<Row[]> =>
    (await who.get(`/notifications/?site_id=${site_id}${query}`)).body
  const kinds = async (who: Caller, site_id: string) =>
    (
      await inbox(
        who,
        site_id,
        '&kind=permit_awaiting_endorsement&kind=permit_awaiting_approval&kind=permit_awaiting_countersign&kind=permit_extension_requested&kind=permit_expired_unclosed&kind=permit_expiring_soon',
      )
    ).map(row => row.kind)
  const unread = async (who: Caller, site_id: string) => (await who.get(`/notifications/unread-count?site_id=${site_id}`)).body.unread
  const openTasks = async (who: Caller, site_id: string) =>
    (await who.get(`/tasks/?site_id=${site_id}`)).body.map((task: { kind: string }) => task.kind)
  const HOT = { categories: ['HW'] }
  const single = async (w: PermitWorld) => Object.values(w.types).length > 0

  test('messages.md §0.6 submitting a two-stage permit sends one message to each person in the stage-1 band, none to others and no email, and raises one task', async () => {
    const w = await permitWorld(house)
    await w.at('requested', HOT)
    for (const role of ['coordinator', 'hse', 'site_manager', 'admin'] as const)
      assert.deepEqual(await kinds(w.as(role), w.site_id), ['permit_awaiting_endorsement'], role)
    for (const role of ['member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const)
      assert.deepEqual(await kinds(w.as(role), w.site_id), [], role)
    assert.deepEqual(await openTasks(w.as('coordinator'), w.site_id), ['endorse_permit'])
    assert.deepEqual(
      (await inbox(w.as('hse'), w.site_id, '&kind=permit_awaiting_endorsement'))[0]?.sends.map(send => [send.channel, send.state]),
      [['in_app', 'delivered']],
    )
    await sendAfter(house, 60)
    assert.equal(relay.received.length, 0)
    house.clock(MONDAY)
    assert.deepEqual((await w.superadmin.get('/notifications/')).body, [], 'a superadmin without a role isn’t notified')
    assert.equal((await w.superadmin.get('/notifications/unread-count')).body.unread, 0)
  })

  test('messages.md §0.3 the texts are those of the table, in site time, and the recipient sees why they were notified', async () => {
    const w = await permitWorld(house, { timezone: 'Europe/Athens' })
    const permit = await w.at('issued', { categories: ['GEN'] })
    await w.step(permit, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z', reason: 'Rain' })
    const [row] = await inbox(w.as('hse'), w.site_id, '&kind=permit_extension_requested')
    assert.equal(row?.title, `An extension of ${permit.permit_number} to 16 Mar 2026, 22:00 was requested`)
    assert.deepEqual([row?.link, row?.because], [null, [{ band: 'stage2' }]])
    assert.deepEqual(await inbox(w.as('coordinator'), w.site_id, '&kind=permit_extension_requested'), [])
    assert.ok(!(await openTasks(w.as('hse'), w.site_id)).some((kind: string) => kind.includes('extension')), 'no task of any kind')
    const mine = await inbox(w.receiver, w.site_id, '&kind=permit_awaiting_countersign')
    assert.equal(mine[0]?.title, `Permit ${permit.permit_number} is waiting for your countersignature`)
  })

  test('messages.md §0.6 submitting a single-stage permit raises approve_permit, and nobody is asked to endorse', async () => {
    const w = await permitWorld(house)
    assert.ok(await single(w))
    const gen = w.types.HW
    await w.as('hse').patch(`/permits/types/${gen?.id}`, { single_stage: true })
    await w.at('requested', HOT)
    assert.deepEqual([await kinds(w.as('hse'), w.site_id), await openTasks(w.as('hse'), w.site_id)], [[], ['approve_permit']])
  })

  test('messages.md §0.6 endorsing notifies the stage-2 band, the nominee and the deputy once each, and the endorser too', async () => {
    const w = await permitWorld(house)
    const nominee = await w.join('member', null, 'Nia Nominee')
    const deputy = await w.join('viewer', null, 'Dee Deputy')
    await w
      .as('hse')
      .put(`/permits/config?site_id=${w.site_id}`, { nominee_user_id: w.as('hse').user_id, deputy_nominee_user_id: deputy.user_id })
    const permit = await w.at('requested', HOT)
    await w.step(permit, 'endorse', w.as('site_manager'))
    assert.ok(!(await openTasks(w.as('hse'), w.site_id)).includes('endorse_permit'))
    assert.ok((await openTasks(w.as('hse'), w.site_id)).includes('approve_permit'))
    for (const who of [w.as('hse'), w.as('site_manager'), w.as('admin'), deputy])
      assert.equal((await inbox(who, w.site_id, '&kind=permit_awaiting_approval')).length, 1)
    const [row] = await inbox(w.as('hse'), w.site_id, '&kind=permit_awaiting_approval')
    assert.deepEqual(row?.because, [{ gate: 'next' }, { named: 'nominee' }])
    for (const who of [w.as('coordinator'), nominee])
      assert.equal((await inbox(who, w.site_id, '&kind=permit_awaiting_approval')).length, 0)
  })

  test('messages.md §0.6 issuing sends exactly one countersign message, to the receiver', async () => {
    const w = await permitWorld(house)
    await w.at('signed', HOT)
    assert.equal((await inbox(w.receiver, w.site_id, '&kind=permit_awaiting_countersign')).length, 1)
    const others = await house.rows(`select user_id from notification where site_id = $1 and kind = 'permit_awaiting_countersign'`, [
      w.site_id,
    ])
    assert.deepEqual(
      others.map(row => row.user_id),
      [w.receiver.user_id],
    )
  })

  test('messages.md §0.6 an expiry notifies each H&S person and admin in the app and by email, but no site manager or superadmin without a role; 30 expiries make one email', async () => {
    const w = await permitWorld(house)
    await sendAfter(house, 200) // what other tests left behind
    house.clock(MONDAY)
    const permits = []
    for (let i = 0; i < 30; i++) permits.push(await w.at('issued', { categories: ['GEN'], title: `Lift ${i}` }))
    await relayEvents(house.house)
    const before = relay.received.length
    house.clock('2026-03-16T18:01:00.000Z')
    await runSchedules(house.house, 'permit_sweep')
    assert.equal((await w.read(permits[0] ?? { id: '' })).status, 'expired')
    assert.equal((await inbox(w.as('hse'), w.site_id, '&kind=permit_expired_unclosed')).length, 30)
    assert.equal((await inbox(w.as('admin'), w.site_id, '&kind=permit_expired_unclosed')).length, 30)
    assert.equal((await inbox(w.as('site_manager'), w.site_id, '&kind=permit_expired_unclosed')).length, 0)
    await sendAfter(house, 11)
    const mails = relay.received.slice(before)
    assert.equal(mails.length, 2, mails.map(m => m.to).join())
    const mail = readMail(mails[0]?.raw ?? '')
    assert.equal(mail.subject, '30 permits have expired and aren’t closed out – Riverside Quarter')
    for (const permit of permits) assert.ok(mail.text.includes(permit.permit_number), permit.permit_number)
    const [row] = await inbox(w.as('hse'), w.site_id, '&kind=permit_expired_unclosed&limit=1')
    assert.deepEqual(
      row?.sends.map(send => [send.channel, send.state]),
      [
        ['in_app', 'delivered'],
        ['email', 'sent'],
      ],
    )
  })

  test('messages.md §3.2 an email has text and HTML, one thread for each permit, a mark as automatic, its own return path and an unsubscribe link', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'], title: 'Cut\r\nX-Evil: yes' })
    await w.step(permit, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    await relayEvents(house.house)
    const before = relay.received.length
    await sendAfter(house, 11)
    const mails = relay.received.slice(before).filter(mail => mail.raw.includes(permit.id))
    assert.equal(mails.length, 3, 'the stage-2 band: hse, site manager, administrator')
    const [first] = mails
    const mail = readMail(first?.raw ?? '')
    assert.match(mail.headers, /^Content-Type: multipart\/alternative/m)
    assert.match(mail.headers, /^Auto-Submitted: auto-generated$/m)
    const id = /^Message-ID: <([^@>]+)@walkdown\.test>$/im.exec(mail.headers)?.[1]
    assert.equal(first?.from, `permits+${id}@walkdown.test`, 'a returned report identifies the email')
    assert.match(mail.headers, new RegExp(`^References: <permit\\.${permit.id}@walkdown\\.test>$`, 'm'))
    assert.match(mail.headers, /^List-Unsubscribe: <http:\/\/walkdown\.test\/u\/[\w.-]+>$/m)
    assert.match(mail.headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    assert.ok(!/^X-Evil/m.test(mail.headers), 'what a person typed can’t add a header')
    assert.ok(mail.subject.length <= 150 && !/<img|http:\/\/(?!walkdown\.test)/.test(mail.html))
    assert.ok(mail.text.includes(`An extension of ${permit.permit_number}`) && mail.html.includes('viewport'))
  })

  test('messages.md §3.2, 6 GET of the unsubscribe page changes nothing, and POST switches that kind of email off; a second POST changes nothing more', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'] })
    const ask = (end: string) => w.step(permit, 'extensions', w.as('member'), { requested_end_at: end })
    await ask('2026-03-16T20:00:00.000Z')
    await relayEvents(house.house)
    const before = relay.received.length
    await sendAfter(house, 11)
    const [{ user_id, email }] = await house.rows(
      `select u.id as user_id, u.email from app_user u join membership m on m.user_id = u.id where m.site_id = $1 and m.role = 'hse'`,
      [w.site_id],
    )
    const raw = relay.received.slice(before).find(mail => mail.to === email)?.raw ?? ''
    const path = /^List-Unsubscribe: <http:\/\/walkdown\.test(\/u\/[^>]+)>/m.exec(readMail(raw).headers)?.[1] ?? ''
    const own = () => house.rows('select kind, channel, enabled from notification_preference where user_id = $1', [user_id])
    const shown = await house.edge.app.inject({ method: 'GET', url: path })
    assert.deepEqual([shown.statusCode, await own()], [200, []])
    assert.ok(shown.payload.includes('Extension requests') && shown.payload.includes('<form method="post">'))
    for (let i = 0; i < 2; i++) {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const pressed = await house.edge.app.inject({ method: 'POST', url: path, headers: form, payload: 'List-Unsubscribe=One-Click' })
      assert.equal(pressed.statusCode, 200, pressed.payload)
    }
    assert.deepEqual(await own(), [{ kind: 'permit_extension_requested', channel: 'email', enabled: false }])
    for (const bad of [`${path}x`, '/u/abc']) assert.equal((await house.edge.app.inject({ method: 'POST', url: bad })).statusCode, 404)
    // This is the URL of the app, which has only GET.
    assert.equal((await house.edge.app.inject({ method: 'POST', url: '/u/..' })).statusCode, 405)
    // The link in the text has the token after the #, where no server sees it; its page asks first, too.
    const token = path.slice('/u/'.length)
    assert.ok(readMail(raw).text.includes(`http://walkdown.test/u#${token}`))
    assert.ok(!readMail(raw).text.includes(path) && !readMail(raw).html.includes(path))
    await house.rows('delete from notification_preference where user_id = $1', [user_id])
    const send = (payload: Record<string, string>) =>
      house.edge.app.inject({
        method: 'POST',
        url: '/u',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(payload).toString(),
      })
    for (const link of [token, `http://walkdown.test/u#${token}`, `http://walkdown.test${path}`]) {
      const page = await send({ link })
      assert.deepEqual([page.statusCode, await own()], [200, []])
      assert.ok(page.payload.includes(`action="/u"><input type="hidden" name="token" value="${token}">`))
    }
    assert.equal((await send({ token })).statusCode, 200)
    assert.deepEqual(await own(), [{ kind: 'permit_extension_requested', channel: 'email', enabled: false }])
    assert.deepEqual([(await send({ link: 'x' })).statusCode, (await send({ token: `${token}x` })).statusCode], [404, 404])
    const [request] = (await w.as('hse').get(`/permits/applications/${permit.id}`)).body.extensions ?? []
    if (request !== undefined) await w.as('hse').post(`/permits/extensions/${request.id}/reject`, { reason: 'No' })
    await ask('2026-03-16T21:00:00.000Z')
    const [again] = await inbox(w.as('hse'), w.site_id, '&kind=permit_extension_requested&limit=1')
    assert.deepEqual(
      again?.sends.map(send => [send.channel, send.state, send.detail]),
      [
        ['in_app', 'delivered', null],
        ['email', 'skipped', 'preference'],
      ],
    )
  })

  test('messages.md §3.2, 4–5 an address that bounces is suppressed, and in-app notifications continue; once it is cleared, email is tried again; after a 451 the message waits', async () => {
    const w = await permitWorld(house)
    const [{ email }] = await house.rows(
      `select u.email from app_user u join membership m on m.user_id = u.id where m.site_id = $1 and m.role = 'hse'`,
      [w.site_id],
    )
    const expire = async (at: string) => {
      house.clock(MONDAY)
      const permit = await w.at('issued', { categories: ['GEN'] })
      house.clock(at)
      await runSchedules(house.house, 'permit_sweep')
      await inbox(w.as('hse'), w.site_id)
      await sendAfter(house, 75)
      const [row] = await inbox(w.as('hse'), w.site_id, `&kind=permit_expired_unclosed&subject_id=${permit.id}`)
      return row?.sends.find(send => send.channel === 'email')
    }
    relay.refuse(email, '550 5.1.1 no such user')
    assert.equal((await expire('2026-03-16T18:10:00.000Z'))?.state, 'failed')
    const listed = () => house.rows('select reason, cleared_at from email_suppression where email = $1', [email.toLowerCase()])
    assert.deepEqual(await listed(), [{ reason: 'hard_bounce', cleared_at: null }])
    relay.refuse(email, null)
    assert.deepEqual(
      [(await expire('2026-03-16T18:20:00.000Z'))?.state, relay.received.filter(mail => mail.to === email).length],
      ['skipped', 0],
    )
    await house.rows('update email_suppression set cleared_at = now() where email = $1', [email.toLowerCase()])
    assert.equal((await expire('2026-03-16T18:30:00.000Z'))?.state, 'sent')
    relay.refuse(email, '451 4.3.0 try again later')
    assert.equal((await expire('2026-03-16T18:40:00.000Z'))?.state, 'queued')
    relay.refuse(email, null)
    const had = relay.received.filter(mail => mail.to === email).length
    await sendAfter(house, 61)
    assert.equal(relay.received.filter(mail => mail.to === email).length, had + 1, 'once, after a minute')
    assert.equal((await listed())[0]?.cleared_at !== null, true, 'a refusal that may be temporary doesn’t suppress the address')
  })

  test('messages.md §1 people see only their own notifications, even superadmins; another person’s gives 404, and listing them marks none as read', async () => {
    const w = await permitWorld(house)
    await w.at('requested', HOT)
    const [row] = await inbox(w.as('hse'), w.site_id, '&kind=permit_awaiting_endorsement')
    for (const who of [w.as('admin'), w.superadmin, await w.stranger()]) {
      assert.equal((await who.get(`/notifications/${row?.id}`)).status, 404)
      assert.equal((await who.post(`/notifications/${row?.id}/mark-read`, {})).status, 404)
    }
    const read = await w.as('hse').get(`/notifications/${row?.id}`)
    assert.deepEqual([read.status, read.body.read_at], [200, null])
    const marked = await w.as('hse').post(`/notifications/${row?.id}/mark-read`, {})
    assert.deepEqual([marked.status, marked.body.read_at], [200, MONDAY])
    assert.equal((await w.as('hse').post(`/notifications/${row?.id}/mark-read`, { read: false })).body.read_at, null)
    assert.equal((await w.as('hse').get(`/notifications/${ids.next()}`)).status, 404)
    assert.equal((await w.as('hse').get('/notifications/?kind=no_such_kind')).status, 422)
    assert.deepEqual(
      (await inbox(w.as('hse'), w.site_id, '&q=waiting')).map(one => one.id),
      [row?.id],
    )
    assert.deepEqual(await inbox(w.as('hse'), w.site_id, '&q=100%25'), [])
    assert.deepEqual(await inbox(w.as('hse'), w.site_id, '&unread=false'), [])
  })

  test('messages.md §1 mark-all-read up to an instant leaves later ones unread', async () => {
    const w = await permitWorld(house)
    await w.at('requested', HOT)
    await unread(w.as('hse'), w.site_id)
    house.clock('2026-03-16T09:05:00.000Z')
    await w.at('requested', { ...HOT, title: 'Second' })
    const before = await unread(w.as('hse'), w.site_id)
    const { body } = await w.as('hse').post('/notifications/mark-all-read', { site_id: w.site_id, up_to: '2026-03-16T09:04:00.000Z' })
    assert.deepEqual([body.marked, await unread(w.as('hse'), w.site_id)], [before - 1, 1])
    const { by_urgency, by_site } = (await w.as('hse').get('/notifications/unread-count')).body
    assert.deepEqual([by_urgency, by_site], [{ info: 0, attention: 1, critical: 0 }, [{ site_id: w.site_id, unread: 1 }]])
    assert.equal((await w.as('hse').post('/notifications/mark-all-read', { up_to: '2026-03-17T00:00:00.000Z' })).status, 422)
    assert.equal((await w.as('hse').post('/notifications/mark-all-read', { kind: 'nonsense' })).status, 422)
    assert.deepEqual((await w.as('hse').post('/notifications/mark-all-read', {})).body, { marked: 1 })
  })

  test('messages.md §1 an unknown kind is refused, as a filter and to mark as read: `all` and a rule without an id are none; so is `up_to` in the future', async () => {
    const w = await house.world()
    const who = w.as('hse')
    for (const kind of ['nonsense', 'all', 'rule:', 'rule:nonsense', '']) {
      const refused = [
        await who.get(`/notifications/?site_id=${w.site_id}&kind=permit_live&kind=${kind}`),
        await who.post('/notifications/mark-all-read', { kind }),
      ]
      for (const one of refused) assert.deepEqual([one.status, one.body.error?.fields?.[0]?.path], [422, 'kind'], `“${kind}”`)
    }
    assert.equal((await who.get(`/notifications/?site_id=${w.site_id}&kind=rule:${w.site_id}`)).status, 200)
    const late = await who.post('/notifications/mark-all-read', { up_to: '2026-03-16T09:00:00.001Z' })
    assert.deepEqual([late.status, late.body.error.fields[0].path], [422, 'up_to'])
  })

  test('messages.md §1 after a membership ends, its notifications are hidden in the list, in the count and by id', async () => {
    const w = await permitWorld(house)
    await w.at('requested', HOT)
    const [row] = await inbox(w.as('hse'), w.site_id)
    const [member] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.as('hse').user_id}`)).body
    await w.as('admin').del(`/memberships/${member.membership_id}`)
    assert.deepEqual((await w.as('hse').get('/notifications/')).body, [])
    assert.equal((await w.as('hse').get('/notifications/unread-count')).body.unread, 0)
    assert.equal((await w.as('hse').get(`/notifications/${row?.id}`)).status, 404)
    assert.equal((await w.as('hse').get(`/notifications/?site_id=${w.site_id}`)).status, 404)
  })

  test('messages.md §1 _test_dispatch sends in-app and email, and reports that push has no device; the sixth within an hour gives 429', async () => {
    const w = await permitWorld(house)
    const before = relay.received.length
    const send = (who: Caller, more: object = {}) => who.post('/notifications/_test_dispatch', { site_id: w.site_id, ...more })
    const { status, body } = await send(w.as('member'))
    assert.equal(status, 200)
    const outcomes = Object.fromEntries(body.results.map((one: { channel: string; outcome: string }) => [one.channel, one.outcome]))
    assert.deepEqual([outcomes.in_app, outcomes.email], ['sent', 'sent'])
    assert.ok(['not_configured', 'no_subscription'].includes(outcomes.push))
    assert.match(readMail(relay.received[before]?.raw ?? '').subject, /^\[TEST\] /)
    assert.match((await inbox(w.as('member'), w.site_id, '&kind=test_message'))[0]?.title ?? '', /^\[TEST\] /)
    assert.equal((await send(w.as('member'), { user_id: w.as('hse').user_id })).status, 403)
    assert.equal((await send(w.as('hse'), { user_id: w.as('member').user_id, channels: ['in_app'] })).status, 200)
    assert.equal((await send(w.as('hse'), { user_id: ids.next() })).status, 422)
    assert.equal((await send(w.as('hse'), { rule_id: ids.next() })).status, 422)
    const [rule] = (await w.as('hse').get(`/notification-rules/?site_id=${w.site_id}`)).body
    const withRule = { rule_id: rule.id, channels: ['in_app'] }
    assert.equal((await send(w.as('coordinator'), withRule)).status, 200)
    const refused = await send(w.as('member'), withRule)
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'notification_rule_view'], '1098 the text of a rule')
    assert.equal((await send(await w.stranger())).status, 404)
    const rest = []
    for (let i = 0; i < 5; i++) rest.push((await send(w.as('member'), { channels: ['in_app'] })).status)
    assert.deepEqual(rest, [200, 200, 200, 200, 429])
  })

  test('messages.md §1 a test that is sent twice at once under one key has the same results in both responses, whole', async () => {
    const w = await permitWorld(house)
    const who = w.as('member')
    const [{ email }] = await house.rows('select email from app_user where id = $1', [who.user_id])
    relay.refuse(email, '450 4.2.1 Refused: too many: try later')
    const body = { site_id: w.site_id, channels: ['email'] }
    const send = () => who.post('/notifications/_test_dispatch', body, { 'idempotency-key': 'one-test' })
    const [one, two] = await Promise.all([send(), send()])
    relay.refuse(email, null)
    assert.deepEqual([one.status, two.status], [200, 200], one.text + two.text)
    // The first of them to end keeps its response. The other reads what was recorded, as does a repetition whose original was lost before it was kept.
    await house.rows('delete from idempotency_key where owner = $1', [who.user_id])
    assert.deepEqual((await send()).body, one.body)
    assert.match(one.body.results[0].detail, /Refused: too many: try later$/)
    assert.deepEqual(two.body, one.body)
  })

  test('messages.md §1 a test whose process ended while it was sent has failed when the request is repeated, and isn’t said to be on its way', async () => {
    const w = await permitWorld(house)
    const who = w.as('member')
    const body = { site_id: w.site_id, channels: ['in_app', 'email'] }
    const send = () => who.post('/notifications/_test_dispatch', body, { 'idempotency-key': 'cut-off' })
    assert.equal((await send()).status, 200)
    // As the database is when a process ends right after it took the test on.
    await house.rows('delete from idempotency_key where owner = $1', [who.user_id])
    await house.rows("update notification_send set state = 'sending', detail = null where site_id = $1", [w.site_id])
    const before = relay.received.length
    house.clock('2026-03-16T09:01:00.000Z')
    const { status, body: again } = await send()
    assert.deepEqual(
      [status, ...again.results.map((one: { outcome: string }) => one.outcome), relay.received.length],
      [200, 'sent', 'failed', before],
    )
    assert.match(again.results[1].detail, /^The service was stopped while it sent this test/)
    const [row] = await inbox(who, w.site_id, '&kind=test_message')
    assert.deepEqual(row?.sends.map(one => [one.channel, one.state]).sort(), [
      ['email', 'failed'],
      ['in_app', 'delivered'],
    ])
  })

  test('messages.md §0.2 if nobody can be notified, the site’s administrators are, once a day for each kind', async () => {
    const w = await permitWorld(house)
    const signed = async () => {
      const permit = await w.at('approved', HOT)
      await w.step(permit, 'issue', w.issuer)
    }
    const [member] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.receiver.user_id}`)).body
    await signed()
    await w.as('admin').del(`/memberships/${member.membership_id}`) // before anyone relays it
    const faults = () => inbox(w.as('admin'), w.site_id, '&kind=nobody_addressed')
    assert.equal((await faults()).length, 1)
    const [row] = await faults()
    assert.match(row?.title ?? '', /^No one was notified about PTW-/)
  })

  test('messages.md §1 read notifications are deleted after 90 days, unread ones after 400', async () => {
    const w = await permitWorld(house)
    const left = async (who: Caller) =>
      (await house.rows('select count(*)::int as n from notification where user_id = $1 and site_id = $2', [who.user_id, w.site_id]))[0].n
    await w.at('requested', HOT)
    const [row] = await inbox(w.as('hse'), w.site_id, '&kind=permit_awaiting_endorsement')
    await w.as('hse').post(`/notifications/${row?.id}/mark-read`, {})
    const had = await left(w.as('hse'))
    house.clock('2026-06-15T00:00:05.000Z')
    await runSchedules(house.house, 'notification_retention')
    assert.deepEqual([await left(w.as('hse')), (await w.as('hse').get(`/notifications/${row?.id}`)).status], [had - 1, 404])
    house.clock('2027-05-01T00:00:05.000Z')
    await runSchedules(house.house, 'notification_retention')
    assert.equal(await left(w.as('admin')), 0)
  })
})
