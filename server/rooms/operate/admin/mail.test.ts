import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { readReport } from './domain/reports.ts'

const SECRET = 'a secret of the relay'
const NOON = '2026-03-16T12:00:00.000Z'

const DSN = (email: string, status: string, action = 'failed') =>
  [
    'From: MAILER-DAEMON@relay.test',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="=_b1"',
    '',
    'This is a MIME-encapsulated message.',
    '--=_b1',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--=_b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.test',
    '',
    `Final-Recipient: rfc822; elsewhere@forwarded.test`,
    `Original-Recipient: rfc822;${email}`,
    `Action: ${action}`,
    `Status: ${status} (who knows)`,
    `Diagnostic-Code: smtp; 550 ${status}`,
    '  no such user',
    '',
    '--=_b1',
    'Content-Type: text/rfc822-headers',
    '',
    'Message-ID: <0199-abc@walkdown.test>',
    `To: ${email}`,
    '',
    '--=_b1--',
    '',
  ].join('\r\n')

const ARF = (email: string) =>
  [
    'Content-Type: multipart/report; report-type=feedback-report; boundary=xyz',
    '',
    '--xyz',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    `Original-Rcpt-To: <${email}>`,
    '',
    '--xyz',
    'Content-Type: message/rfc822',
    '',
    'Message-ID: <m2@walkdown.test>',
    `To: ${email}`,
    '',
    'Hello',
    '--xyz--',
  ].join('\n')

describe('admin mail (site-and-people.md §10)', () => {
  const house = useHouse({ BOUNCE_SECRET: SECRET })
  let n = 0
  const fresh = () => `person.${++n}@people.test`
  const bounce = (by: Caller, events: Record<string, unknown>[]) => by.post('/admin/email/bounce', { events })
  const event = (email: string, more: Record<string, unknown> = {}) => ({
    event_id: `evt-${++n}`,
    type: 'bounce',
    email,
    status: '5.1.1',
    ...more,
  })
  const signed = (text: string, more: { at?: string; secret?: string; type?: string; query?: string } = {}) => {
    const t = Math.floor(Date.parse(more.at ?? NOON) / 1000)
    const v1 = createHmac('sha256', more.secret ?? SECRET)
      .update(`${t}.${text}`)
      .digest('hex')
    return house.edge.app.inject({
      method: 'POST',
      url: `/api/admin/email/bounce${more.query ?? ''}`,
      headers: { 'content-type': more.type ?? 'application/json', 'x-signature': `t=${t},v1=${v1}` },
      payload: text,
    })
  }
  const suppressed = async (by: Caller, email: string) => {
    const { body } = await by.get(`/admin/email/suppressions?q=${encodeURIComponent(email)}`)
    return body.length === 0 ? null : body[0].reason
  }

  test('5.1.1 suppresses an address immediately; 5.7.1, 5.6.0 and 5.3.4 never do, however often they come, and a complaint does', async () => {
    const w = await house.world()
    house.clock(NOON)
    const [gone, policy, angry] = [fresh(), fresh(), fresh()]
    const hard = await bounce(w.superadmin, [event(gone.toUpperCase())])
    assert.deepEqual([hard.status, hard.body], [200, { accepted: 1, suppressed: 1, ignored: 0 }])
    assert.equal(await suppressed(w.superadmin, gone), 'hard_bounce')
    const ours = ['5.7.1', '5.6.0', '5.3.4'].flatMap(status => Array.from({ length: 10 }, () => event(policy, { status })))
    assert.deepEqual((await bounce(w.superadmin, ours)).body, { accepted: 30, suppressed: 0, ignored: 0 })
    assert.equal(await suppressed(w.superadmin, policy), null)
    await bounce(w.superadmin, [event(angry, { type: 'complaint', status: null })])
    assert.equal(await suppressed(w.superadmin, angry), 'complaint')
  })

  test('one 5.2.2 doesn’t suppress an address; five over three days do, unless an email is delivered in between; five on one day don’t', async () => {
    const w = await house.world()
    house.clock(NOON)
    const [full, between, once] = [fresh(), fresh(), fresh()]
    const on = (email: string, day: number, more = {}) =>
      event(email, { status: '5.2.2', at: `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`, ...more })
    await bounce(w.superadmin, [on(full, 10)])
    assert.equal(await suppressed(w.superadmin, full), null)
    await bounce(w.superadmin, [on(full, 10), on(full, 11), on(full, 12)])
    assert.equal(await suppressed(w.superadmin, full), null)
    await bounce(w.superadmin, [on(full, 13)])
    assert.equal(await suppressed(w.superadmin, full), 'repeated_soft')
    await bounce(w.superadmin, [
      on(between, 9),
      on(between, 10),
      on(between, 11, { type: 'delivered', status: null }),
      on(between, 12),
      on(between, 13),
      on(between, 14),
    ])
    assert.equal(await suppressed(w.superadmin, between), null)
    await bounce(
      w.superadmin,
      Array.from({ length: 8 }, () => on(once, 15, { status: '4.2.2' })),
    )
    assert.equal(await suppressed(w.superadmin, once), null)
  })

  test('the same report twice counts once, and the second is ignored', async () => {
    const w = await house.world()
    house.clock(NOON)
    const one = event(fresh())
    await bounce(w.superadmin, [one])
    assert.deepEqual((await bounce(w.superadmin, [one])).body, { accepted: 0, suppressed: 0, ignored: 1 })
    assert.deepEqual((await bounce(w.superadmin, [event(one.email), event(one.email)])).body, { accepted: 2, suppressed: 2, ignored: 0 })
    const [row] = (await w.superadmin.get(`/admin/email/suppressions?q=${one.email}`)).body
    assert.equal(row.count, 3)
  })

  test('an altered body, a wrong key, a signature six minutes old and no signature at all each give 401', async () => {
    house.clock(NOON)
    const text = JSON.stringify({ events: [event(fresh())] })
    assert.deepEqual((await signed(text)).json(), { accepted: 1, suppressed: 1, ignored: 0 })
    const t = Math.floor(Date.parse(NOON) / 1000)
    const v1 = createHmac('sha256', SECRET).update(`${t}.${text}`).digest('hex')
    const altered = await house.edge.app.inject({
      method: 'POST',
      url: '/api/admin/email/bounce',
      headers: { 'content-type': 'application/json', 'x-signature': `t=${t},v1=${v1}` },
      payload: text.replace('5.1.1', '5.1.2'),
    })
    const old = await signed(text, { at: '2026-03-16T11:54:00.000Z' })
    const early = await signed(text, { at: '2026-03-16T12:06:00.000Z' })
    for (const reply of [altered, await signed(text, { secret: 'another secret key' }), old, early])
      assert.deepEqual([reply.statusCode, reply.json().error.code, reply.json().error.reason], [401, 'unauthenticated', 'bad_signature'])
    assert.equal((await signed(text, { at: '2026-03-16T11:55:00.000Z' })).statusCode, 200)
    const bare = await house.nobody.post('/admin/email/bounce', { events: [event(fresh())] })
    assert.deepEqual([bare.status, bare.body.error.reason], [401, 'missing'])
  })

  test('format=dsn accepts raw delivery reports and raw complaints, ignores delays, and refuses anything else', async () => {
    const w = await house.world()
    house.clock(NOON)
    const [gone, late, angry] = [fresh(), fresh(), fresh()]
    const raw = (text: string, type = 'message/rfc822') => signed(text, { type, query: '?format=dsn' })
    assert.deepEqual((await raw(DSN(gone, '5.1.1'))).json(), { accepted: 1, suppressed: 1, ignored: 0 })
    assert.deepEqual((await raw(DSN(gone, '5.1.1'))).json(), { accepted: 0, suppressed: 0, ignored: 1 })
    assert.deepEqual((await raw(DSN(late, '4.4.7', 'delayed'))).json(), { accepted: 0, suppressed: 0, ignored: 0 })
    assert.deepEqual((await raw(ARF(angry), 'multipart/report; boundary=xyz')).json(), { accepted: 1, suppressed: 1, ignored: 0 })
    assert.deepEqual(
      [await suppressed(w.superadmin, gone), await suppressed(w.superadmin, late), await suppressed(w.superadmin, angry)],
      ['hard_bounce', null, 'complaint'],
    )
    assert.equal((await raw('Hello there', 'text/plain')).statusCode, 422)
    assert.equal((await signed('{}')).statusCode, 422)
    assert.deepEqual(readReport(DSN('a+b@x.test', '5.1.1')), [
      { type: 'bounce', email: 'a+b@x.test', status: '5.1.1', diagnostic: '550 5.1.1 no such user', message_id: '0199-abc@walkdown.test' },
    ])
    const elsewhere = await house.edge.app.inject({
      method: 'POST',
      url: '/api/diag/auth-event',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    assert.equal(elsewhere.statusCode, 415)
  })

  test('a%2Bb%40example.com clears A+b@example.com; clearing a complaint needs confirm; an address that isn’t suppressed gives 404', async () => {
    const w = await house.world()
    house.clock(NOON)
    await bounce(w.superadmin, [event('A+b@example.com')])
    const clear = (email: string, body: Record<string, unknown>) =>
      w.superadmin.post(`/admin/email/suppressions/${encodeURIComponent(email)}/clear`, body)
    const cleared = await clear('a+b@example.com', { reason: 'Mailbox was repaired' })
    assert.deepEqual([cleared.status, cleared.body.email, cleared.body.cleared_by], [200, 'a+b@example.com', w.superadmin.user_id])
    assert.equal((await clear('a+b@example.com', { reason: 'Again' })).status, 404)
    assert.equal((await bounce(w.superadmin, [event('a+b@example.com')])).body.suppressed, 1)
    const angry = fresh()
    await bounce(w.superadmin, [event(angry, { type: 'complaint' })])
    const unmeant = await clear(angry, { reason: 'Try' })
    assert.deepEqual([unmeant.status, unmeant.body.error.fields[0].path], [422, 'confirm'])
    assert.equal(await suppressed(w.superadmin, angry), 'complaint')
    assert.equal((await clear(angry, { reason: 'He asked', confirm: true })).status, 200)
    const old = (await w.superadmin.get(`/admin/email/suppressions?active=false&q=${angry}`)).body
    assert.equal(old[0].reason, 'complaint')
    const [entry] = await house.rows(
      "select entity_label, reason from audit_entry where entity_type = 'email_suppression' order by seq desc limit 1",
    )
    assert.deepEqual(entry, { entity_label: 'p…@people.test', reason: 'He asked' })
  })

  test('auth/me shows a member that their address is suppressed, and check_address is open on their sites until the address is cleared or changed or they leave', async () => {
    const w = await house.world()
    house.clock(NOON)
    const who = await w.join('member', null, 'Vera Volt')
    const [{ email }] = await house.rows('select email from app_user where id = $1', [who.user_id])
    const open = async () =>
      (await w.as('admin').get(`/tasks/?site_id=${w.site_id}&kind=check_address`)).body.map(
        (task: { subject: { label: string } }) => task.subject.label,
      )
    await bounce(w.superadmin, [event(email), event(email)])
    assert.equal((await who.get('/auth/me')).body.flags.email_suppressed, true)
    assert.deepEqual(await open(), ['Vera Volt'])
    assert.deepEqual((await w.as('hse').get(`/tasks/?site_id=${w.site_id}&kind=check_address`)).body, [])
    await w.superadmin.post(`/admin/email/suppressions/${encodeURIComponent(email)}/clear`, { reason: 'Repaired' })
    assert.deepEqual(await open(), [])
    await bounce(w.superadmin, [event(email)])
    assert.deepEqual(await open(), ['Vera Volt'])
    const [{ id }] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, who.user_id])
    const left = await w.as('admin').del(`/memberships/${id}`)
    assert.ok(left.status < 300, left.text)
    assert.deepEqual(await open(), [])
  })

  test('queue-stats is for superadmins; it shows the queues by kind, and schedules that are late', async () => {
    const w = await house.world()
    house.clock(NOON)
    assert.equal((await w.as('admin').get('/admin/queue-stats')).status, 403)
    await house.rows(
      "insert into schedule_run (kind, last_due_at, last_run_at, last_state) values ('permit_sweep', $1, $1, 'succeeded') on conflict (kind) do update set last_due_at = $1",
      ['2026-03-16T11:50:00.000Z'],
    )
    const asked = await w.as('admin').post(`/invites/sites/${w.site_id}`, { email: fresh(), role: 'viewer' })
    assert.ok(asked.status < 300, asked.text)
    const { status, body } = await w.superadmin.get('/admin/queue-stats')
    assert.equal(status, 200)
    const mail = body.queues.find((queue: { name: string }) => queue.name === 'mail')
    assert.deepEqual([mail.ready >= 1, mail.running, mail.dead, mail.oldest_ready_seconds >= 0], [true, 0, 0, true])
    const sweep = body.schedules.find((schedule: { kind: string }) => schedule.kind === 'permit_sweep')
    assert.deepEqual([sweep.next_run_at, sweep.late, sweep.last_state], ['2026-03-16T11:51:00.000Z', true, 'succeeded'])
    assert.equal(typeof body.outbox.pending, 'number')
  })
})
