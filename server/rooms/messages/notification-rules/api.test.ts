import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { contractorWords } from '../../../../shared/contractors-of-events.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import { sql } from '../../../base/db.ts'
import { ids } from '../../../base/ids.ts'
import { rooms } from '../../../groups.ts'
import { allEvents, relayEvents } from '../../../kernel/events/door.ts'
import { allNotices, plugNotices } from '../../../kernel/notices/door.ts'

describe('notification rules', () => {
  const house = useHouse()
  beforeEach(() => house.clock(MONDAY))

  const HOT = {
    name: 'Hot work after four',
    event_kind: 'permit.submitted',
    when: {
      all: [
        { field: 'categories', op: 'overlaps', value: ['HW'] },
        { field: 'local_time', op: 'between', value: ['16:00', '06:00'] },
      ],
    },
    audience: [{ role: 'viewer' }, { role: 'hse' }],
    channels: ['in_app'],
    title: 'Hot work {{permit_number}} for {{contractor_id}}',
    body: '{{title}}',
    enabled: true,
  }
  const write = async (w: World, more: object = {}) => {
    const made = await w.as('hse').post('/notification-rules/', { site_id: w.site_id, ...HOT, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const list = async (w: World, query = '') => (await w.as('hse').get(`/notification-rules/?site_id=${w.site_id}${query}`)).body
  const shipped = async (w: World, kind: string) => (await list(w, `&kind=${kind}`))[0]
  const receivedBy = async (who: Caller, w: World, kind: string): Promise<{ title: string }[]> =>
    (await who.get(`/notifications/?site_id=${w.site_id}&kind=${kind}`)).body
  const submit = async (w: PermitWorld, categories: string[]) => {
    const permit = await w.draft({ categories, start_at: '2026-03-17T10:00:00.000Z', end_at: '2026-03-17T16:00:00.000Z' })
    await w.step(permit, 'submit', w.as('member'))
    return w.read(permit)
  }

  test('messages.md §3 a locked rule can’t be changed or switched off (409 locked); its copy is created switched off, and can be changed', async () => {
    const w = await house.world()
    const rule = await shipped(w, 'permit_awaiting_endorsement')
    assert.deepEqual([rule.locked, rule.source, rule.enabled, rule.version], [true, 'shipped', true, 1])
    for (const call of [
      w.as('hse').patch(`/notification-rules/${rule.id}`, { enabled: false }),
      w.as('hse').post(`/notification-rules/${rule.id}/enabled`, { enabled: false }),
    ]) {
      const { status, body } = await call
      assert.deepEqual([status, body.error.reason], [409, 'locked'])
    }
    assert.equal((await w.as('hse').del(`/notification-rules/${rule.id}`)).body.error.reason, 'shipped')
    const copy = await w.as('hse').post(`/notification-rules/${rule.id}/clone`, {})
    assert.deepEqual([copy.status, copy.body.enabled, copy.body.based_on_id, copy.body.source], [201, false, rule.id, 'site'])
    assert.equal(copy.body.kind, `rule:${copy.body.id}`)
    const changed = await w.as('hse').patch(`/notification-rules/${copy.body.id}`, { title: 'Look at {{permit_number}}' })
    assert.deepEqual([changed.status, changed.body.version], [200, 2])
    assert.equal((await w.as('hse').post(`/notification-rules/${rule.id}/clone`, { name: copy.body.name })).body.error.reason, 'key_taken')
  })

  test('conventions §2 each rule says what the caller can do with it, as its calls do', async () => {
    const w = await house.world()
    const of = async (id: string, role: 'hse' | 'coordinator' = 'hse') => {
      const { permissions } = (await w.as(role).get(`/notification-rules/${id}`)).body
      const { can_edit, can_switch, can_clone, can_delete } = permissions
      return { flags: [can_edit, can_switch, can_clone, can_delete], permissions }
    }
    const [fixed, standard, own] = [await shipped(w, 'permit_awaiting_endorsement'), await shipped(w, 'permit_rejected'), await write(w)]
    assert.deepEqual((await of(fixed.id)).flags, [false, false, true, false])
    assert.deepEqual((await of(fixed.id)).permissions.delete.because[0].code, 'shipped')
    assert.deepEqual((await of(standard.id)).flags, [true, true, true, false])
    assert.deepEqual((await of(own.id)).flags, [true, true, true, true])
    assert.deepEqual((await of(own.id, 'coordinator')).flags, [false, false, false, false])
    assert.equal((await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })).status, 200)
    assert.deepEqual((await of(own.id)).flags, [false, false, false, false])
    assert.equal((await of(own.id)).permissions.edit.because[0].code, 'site_locked')
  })

  test('messages.md §3 only the switch and the channels of an unlocked standard rule can be changed; another site’s rules give 404', async () => {
    const w = await house.world()
    const rule = await shipped(w, 'permit_live')
    assert.equal((await w.as('hse').patch(`/notification-rules/${rule.id}`, { title: 'Mine' })).body.error.reason, 'shipped')
    const set = await w.as('hse').patch(`/notification-rules/${rule.id}`, { channels: ['in_app', 'email'] })
    assert.deepEqual([set.status, set.body.version, set.body.channels], [200, 2, ['in_app', 'email']])
    const off = await w.as('hse').post(`/notification-rules/${rule.id}/enabled`, { enabled: false })
    assert.deepEqual([off.body.enabled, off.body.version], [false, 3])
    assert.equal(
      (await w.as('hse').post(`/notification-rules/${rule.id}/enabled`, { enabled: false })).body.version,
      3,
      'the same changes nothing',
    )
    const versions = (await w.as('hse').get(`/notification-rules/${rule.id}/versions`)).body
    assert.deepEqual(
      versions.map((one: { version: number; changes: string[] }) => [one.version, one.changes]),
      [
        [3, ['switched off']],
        [2, ['is sent in the app and by email']],
        [1, []],
      ],
    )
    const other = await house.world()
    assert.equal((await other.as('hse').get(`/notification-rules/${rule.id}`)).status, 404)
    assert.notEqual((await shipped(other, 'permit_live')).id, rule.id)
    assert.equal((await shipped(other, 'permit_live')).enabled, true)
    assert.equal((await w.as('member').get(`/notification-rules/?site_id=${w.site_id}`)).status, 403)
    assert.equal((await w.as('coordinator').post(`/notification-rules/${rule.id}/enabled`, { enabled: true })).status, 403)
  })

  test('messages.md §3 the sentence about a standard rule can be read aloud, and every contractor that an event names is described in it', async () => {
    const w = await house.world()
    const rules: { name: string; explanation: string }[] = await list(w)
    const said = rules.find(one => one.name === 'Work without a live permit' && one.explanation.includes('about to begin'))
    assert.equal(
      said?.explanation,
      'When no live permit covers work on the map that starts soon or has begun, and the work is about to begin, notify every coordinator, every H&S person and people who work for the contractor whose work it is, in the app.',
    )
    const waiting = rules.filter(one => /waiting to be issued/.test(one.explanation)).map(one => one.explanation)
    const nominees = 'people who can take the next step, the nominee and the deputy nominee, in the app.'
    assert.deepEqual(waiting.sort(), [
      `When a permit is endorsed, and the permit is waiting to be issued, notify ${nominees}`,
      `When a permit is endorsed, and the permit isn’t waiting to be issued, notify ${nominees}`,
    ])
    assert.deepEqual(
      rules
        .filter(one => /\b(gate|gap|asker|severity|effect|commercial,|these applies)\b|^When [^,]* (was|were) |;|_/.test(one.explanation))
        .map(one => one.explanation),
      [],
      'the words of the trade, in the present',
    )
    assert.deepEqual(
      rules.filter(one => /contractor \(|\b(own|entity|overseer|audience)\b/.test(one.explanation)),
      [],
    )
    for (const { kind, contractors } of allEvents())
      for (const name of Object.keys(contractors ?? {})) assert.match(contractorWords(name), /^the /, `${kind}: ${name}`)
  })

  test('messages.md §3 a site’s rule on hot work after four notifies people about HW at 17:00, but not at 10:00, and not about GEN', async () => {
    const w = await permitWorld(house)
    const rule = await write(w)
    assert.match(rule.explanation, /^When a permit is submitted, and .*notify every viewer and every H&S person, in the app\.$/)
    await submit(w, ['HW'])
    assert.deepEqual(await receivedBy(w.as('hse'), w, rule.kind), [])
    house.clock('2026-03-16T17:00:00.000Z')
    await submit(w, ['GEN'])
    assert.deepEqual(await receivedBy(w.as('hse'), w, rule.kind), [])
    const permit = await submit(w, ['HW'])
    const [row] = await receivedBy(w.as('hse'), w, rule.kind)
    assert.equal(row?.title, `Hot work ${permit.permit_number} for Acme Scaffolding Ltd`)
    assert.deepEqual(
      await receivedBy(w.as('viewer'), w, rule.kind),
      [],
      'a viewer can’t see a permit in review, and isn’t notified of what they couldn’t open',
    )
    const [shown] = await list(w, `&id=${rule.id}`)
    assert.deepEqual([shown.fired_30d, shown.reached_30d], [1, 1])
  })

  test('messages.md §0.1, 2 a rule applies as it was when the event was recorded, whenever it is relayed', async () => {
    const w = await permitWorld(house)
    const rule = await write(w, { when: true, enabled: true })
    await submit(w, ['HW'])
    await w.as('hse').post(`/notification-rules/${rule.id}/enabled`, { enabled: false })
    await submit(w, ['HW'])
    await relayEvents(house.house)
    assert.equal(
      (await receivedBy(w.as('hse'), w, rule.kind)).length,
      1,
      'an event recorded before the rule was switched off sends a message; one recorded after doesn’t',
    )
    await w.as('hse').del(`/notification-rules/${rule.id}`)
    assert.equal((await w.as('hse').get(`/notification-rules/${rule.id}`)).status, 404)
    assert.equal((await write(w)).name, HOT.name, 'its name can be used again')
  })

  test('messages.md §0.1 the events of one delivery share what they read: the rules of their kind, the people, what they have set and who oversees', async () => {
    const w = await permitWorld(house)
    await write(w, { when: true, enabled: true })
    await relayEvents(house.house)
    for (let n = 0; n < 3; n++) await submit(w, ['HW'])
    const sent = (await recording(() => relayEvents(house.house))).filter(({ values }) => values.flat().includes(w.site_id))
    const readings = (of: RegExp, value?: string) =>
      sent.filter(({ text, values }) => of.test(text) && (value === undefined || values.includes(value))).length
    assert.equal(readings(/insert into notification \(/), 6, 'three events under two rules each')
    assert.equal(readings(/from notification_rule_version/, 'permit.submitted'), 1)
    assert.equal(readings(/from membership m join app_user u/), 2, 'for each rule')
    assert.equal(readings(/from notification_preference/), 2)
    assert.equal(readings(/from contractor_oversight/), 2, 'the deliveries to notifications and to clashes each read it')
  })

  test('messages.md §0.1, 3 if two rules of the same kind notify one person of an event, they get one message, with the channels and reasons of both', async () => {
    const w = await permitWorld(house)
    const all = { kinds: allNotices(), rules: rooms.flatMap(room => room.notices?.rules ?? []) }
    const sockets = {
      sights: rooms.flatMap(room => room.notices?.sights ?? []),
      gates: rooms.flatMap(room => room.notices?.gates ?? []),
    }
    const second = {
      key: 'second',
      event_kind: 'permit.issued',
      kind: 'permit_live',
      audience: [{ role: 'member' as const }],
      channels: ['in_app' as const, 'email' as const],
      title: 'Another title',
    }
    plugNotices({ ...all, ...sockets, rules: [...all.rules, second] })
    try {
      await w.at('issued', { categories: ['GEN'] })
      await relayEvents(house.house)
    } finally {
      plugNotices({ ...all, ...sockets })
    }
    const [row, ...more] = (await w.as('member').get(`/notifications/?site_id=${w.site_id}&kind=permit_live`)).body
    assert.equal(more.length, 0)
    assert.deepEqual(row.because, [{ named: 'requestor' }, { role: 'member' }])
    assert.deepEqual(
      row.sends.map((send: { channel: string }) => send.channel),
      ['in_app', 'email'],
    )
  })

  test('messages.md §1 an event with 1,000 recipients sends each of them exactly one message', async () => {
    const w = await permitWorld(house)
    const from = '2026-03-01T00:00:00Z'
    await house.rows(
      `with off as (select set_config('session_replication_role', 'replica', true)), people as (
         insert into app_user (id, version, created_at, updated_at, issuer, subject, name) select gen_random_uuid(), 1, $2::timestamptz, $2::timestamptz, 'crowd', $1 || '-' || n, 'Person ' || n
         from generate_series(1, 1000) n, off returning id)
       insert into membership (site_id, id, version, created_at, updated_at, user_id, role, status) select $1::uuid, gen_random_uuid(), 1, $2::timestamptz, $2::timestamptz, id, 'viewer', 'active' from people`,
      [w.site_id, from],
    )
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    await relayEvents(house.house)
    const [{ n, people }] = await house.rows(
      `select count(*)::int as n, count(distinct user_id)::int as people from notification where site_id = $1 and kind = 'site_locked'`,
      [w.site_id],
    )
    assert.ok(n >= 1000 && n === people, `${n} for ${people}`)
  })

  test('messages.md §3.1 a rule that would send more than 500 notifications in an hour is paused; its author and the administer band are notified', async () => {
    const w = await permitWorld(house)
    const rule = await write(w, { when: true, audience: [{ role: 'hse' }], include_actor: true })
    const hour = '2026-03-16T09:00:00.000Z'
    await house.rows('insert into notification_rule_hour (site_id, rule_id, hour, fired, reached) values ($1, $2, $3, 500, 500)', [
      w.site_id,
      rule.id,
      hour,
    ])
    await submit(w, ['HW'])
    await submit(w, ['HW'])
    assert.equal((await receivedBy(w.as('hse'), w, rule.kind)).length, 0)
    assert.equal((await receivedBy(w.as('hse'), w, 'notification_rule_paused')).length, 1, 'the author, only once')
    assert.equal((await receivedBy(w.as('admin'), w, 'notification_rule_paused')).length, 1)
    assert.equal((await list(w, `&id=${rule.id}`))[0].paused_until, '2026-03-16T10:00:00.000Z')
    house.clock('2026-03-16T10:00:00.000Z')
    await submit(w, ['HW'])
    assert.equal((await receivedBy(w.as('hse'), w, rule.kind)).length, 1)
  })

  test('messages.md §3 the preview shows recipients, the people left out and the texts, never a superadmin without a role, and stores nothing', async () => {
    const w = await permitWorld(house)
    const birch = await w.contractor('Birch Steel')
    const outsider = await w.join('member', birch, 'Otto Other')
    const permit = await submit(w, ['HW'])
    const definition = { ...HOT, when: true, audience: [{ band: 'read' }], enabled: undefined }
    const preview = async (more: object) =>
      (await w.as('hse').post('/notification-rules/preview-recipients', { site_id: w.site_id, definition, ...more })).body
    const seen = await preview({})
    assert.deepEqual([seen.valid, seen.problems], [true, []])
    const dropped = new Map(seen.dropped.map((one: { user_id: string; why: string }) => [one.user_id, one.why]))
    assert.equal(dropped.get(outsider.user_id), 'not_visible')
    assert.equal(dropped.get(w.as('member').user_id), 'actor')
    const names = seen.recipients.map((one: { name: string }) => one.name)
    assert.ok(names.includes('Hal Safety') && !names.includes('Sam Root') && !names.includes('Otto Other'), names.join())
    assert.equal(seen.rendered.title, `Hot work ${permit.permit_number} for Acme Scaffolding Ltd`)
    assert.deepEqual([seen.last_30_days.events, seen.last_30_days.would_fire], [1, 1])
    assert.equal(seen.last_30_days.notifications, seen.recipients.length)
    assert.deepEqual(await list(w, '&source=site'), [])
    const bad = await preview({ definition: { ...definition, title: '{{foo}}', event_kind: 'permit.submitted' } })
    assert.deepEqual([bad.valid, bad.problems.map((one: { path: string }) => one.path)], [false, ['title']])
    const sample = await preview({ definition: { ...definition, event_kind: 'permit.rejected', title: 'Rejected: {{reason}}' } })
    assert.ok(sample.valid && sample.rendered.title.startsWith('Rejected: '))
    assert.equal(
      (await w.as('hse').post('/notification-rules/preview-recipients', { site_id: w.site_id, rule_id: ids.next() })).status,
      422,
    )
    assert.equal((await w.as('member').post('/notification-rules/preview-recipients', { site_id: w.site_id, definition })).status, 403)
  })

  test('messages.md §3 a preview shows no event about something that its caller can’t see, and no names from other sites', async () => {
    const w = await house.world()
    const { token } = (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'required' })).body
    assert.equal((await (await w.stranger('Nina Newcomer')).post(`/invite-links/accept/${token}`, {})).body.status, 'pending')
    const { rows } = await sql<{ id: string }>`select id from event where site_id = ${w.site_id} and kind = 'membership.requested'`.execute(
      house.house.database.db,
    )
    const definition = { event_kind: 'membership.requested', title: '{{user_id}} has asked to join', audience: [{ band: 'read' }] }
    const preview = (as: 'hse' | 'admin', more: object = {}) =>
      w.as(as).post('/notification-rules/preview-recipients', { site_id: w.site_id, definition, ...more })
    assert.equal((await preview('admin')).body.rendered.title, 'Nina Newcomer has asked to join')
    const [hidden, chosen] = [await preview('hse'), await preview('hse', { event_id: rows[0]?.id })]
    assert.deepEqual([hidden.status, hidden.body.last_30_days.events], [200, 1])
    assert.ok(!hidden.text.includes('Nina'), hidden.text)
    assert.deepEqual([chosen.status, chosen.body.error.fields[0].path], [422, 'event_id'])
    assert.equal((await preview('admin', { event_id: rows[0]?.id })).status, 200)
    const elsewhere = await (await house.world()).join('member', null, 'Ella Elsewhere')
    assert.ok(!(await preview('admin', { payload: { user_id: elsewhere.user_id } })).text.includes('Ella'))
  })

  test('messages.md §3 a preview refuses a payload whose values don’t fit their fields, and recipients that are no ids, each at its field', async () => {
    const w = await house.world()
    const faults = async (definition: object, payload?: object) => {
      const { status, body } = await w.as('hse').post('/notification-rules/preview-recipients', {
        site_id: w.site_id,
        definition: { event_kind: 'permit.submitted', title: '{{start_at}}', audience: [{ role: 'hse' }], ...definition },
        ...(payload === undefined ? {} : { payload }),
      })
      return [status, (body.problems ?? body.error.fields).map((one: { path: string }) => one.path)]
    }
    assert.deepEqual(await faults({}, { start_at: 'soon', permit_id: 'x', categories: [1] }), [
      422,
      ['payload.permit_id', 'payload.categories', 'payload.start_at'],
    ])
    assert.deepEqual(await faults({}, { start_at: '2026-13-45T10:00:00.000Z' }), [422, ['payload.start_at']])
    assert.deepEqual(await faults({}, { start_at: '2026-03-17T10:00:00.000Z' }), [200, []])
    assert.deepEqual(await faults({ audience: [{ user_id: '-'.repeat(36) }] }), [200, ['audience[0]']])
  })

  test('messages.md §3 bad input reports every fault with its path', async () => {
    const w = await house.world()
    const faults = async (more: object) => {
      const { status, body } = await w.as('hse').post('/notification-rules/', { site_id: w.site_id, ...HOT, ...more })
      return status === 422 ? body.error.fields.map((fault: { path: string }) => fault.path) : status
    }
    assert.deepEqual(await faults({ title: '{{foo}}' }), ['title'])
    assert.deepEqual(
      await faults({ event_kind: 'permit.created' }),
      ['event_kind'],
      'private events are only for the person who made the record',
    )
    for (const event_kind of ['notification.nobody_addressed', 'task.acknowledged', 'no.such'])
      assert.deepEqual(await faults({ event_kind }), ['event_kind'])
    const audience = [
      { role: 'king' },
      { named: 'owner' },
      { contractor: 'b' },
      { user_id: ids.next() },
      { otherwise: [] },
      {},
      { role: 'hse', band: 'read' },
    ]
    assert.deepEqual(await faults({ audience }), [
      'audience[0]',
      'audience[1]',
      'audience[2]',
      'audience[4]',
      'audience[5]',
      'audience[6]',
      'audience[3].user_id',
    ])
    assert.deepEqual(await faults({ event_kind: 'contractor.created', when: true, title: 'x', body: '', audience: [{ gate: 'next' }] }), [
      'audience[0]',
    ])
    assert.deepEqual(await faults({ when: { all: [{ field: 'nonsense', op: 'eq', value: 1 }] } }), ['when.all[0].field'])
    assert.deepEqual(await faults({ channels: ['pigeon'], audience: [] }), ['audience', 'channels[0]'])
    assert.deepEqual(await faults({}), 201)
    assert.deepEqual(await faults({ name: HOT.name.toUpperCase() }), 409)
  })

  test('messages.md §3 event-schemas has one entry for every kind that a rule can use, with its people, contractors and a sample', async () => {
    const w = await house.world()
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
    const found: any[] = (await w.as('viewer').get('/notification-rules/event-schemas')).body
    const submitted = found.find(one => one.event_kind === 'permit.submitted')
    assert.deepEqual(submitted.identities, ['requestor', 'receiver', 'issuer', 'nominee', 'deputy_nominee'])
    assert.deepEqual([submitted.contractors, submitted.area], [['own'], 'permits'])
    const gate = submitted.fields.find((field: { path: string }) => field.path === 'next_gate')
    assert.deepEqual([gate.type, gate.values], ['enum', ['endorse', 'approve', 'issue', 'close_out']])
    for (const path of ['local_time', 'weekday', 'building_id', 'actor_role', 'categories'])
      assert.ok(
        submitted.fields.some((field: { path: string }) => field.path === path),
        path,
      )
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const named = (path: string) => submitted.fields.find((field: any) => field.path === path)
    assert.deepEqual(
      ['contractor_ids', 'receiver_id', 'categories', 'zone_ids', 'permit_number'].map(path => named(path).refers),
      ['contractor', 'user', 'permit_type', 'reference_feature', undefined],
      'what ids and codes refer to, so that a form can offer them by name',
    )
    assert.deepEqual(named('weekday').operators, ['in', 'not_in', 'is_set', 'is_not_set'])
    assert.ok(named('actor_role').values.includes('contractor_hse'))
    for (const path of ['permit_number', 'site_name', 'actor_name', 'work_date'])
      assert.ok(
        submitted.words.some((word: { path: string }) => word.path === path),
        `${path} can be used in the texts`,
      )
    for (const one of found) {
      const title = one.words.map((word: { path: string }) => `{{${word.path}}}`).join(' ')
      assert.ok(title.includes('{{subject_label}}'), one.event_kind)
      assert.ok(
        one.fields.every((field: { operators: string[] }) => field.operators.length > 2),
        one.event_kind,
      )
      for (const { label } of [...one.fields, ...one.words])
        assert.doesNotMatch(label, /\bnull\b|`/, `${one.event_kind}: ${label} is read by people who write a rule`)
    }
    assert.equal(submitted.sample.permit_number, 'PTW-000123')
    assert.ok(
      !found.some(
        one =>
          ['permit.created', 'permit.edited', 'task.acknowledged'].includes(one.event_kind) || one.event_kind.startsWith('notification.'),
      ),
    )
  })

  test('messages.md §3.1 a site can have at most 200 rules; one whose people have left can’t be switched on', async () => {
    const w = await house.world()
    const leaver = await w.join('viewer', null, 'Lea Leaver')
    const rule = await write(w, { audience: [{ user_id: leaver.user_id }], enabled: false })
    const [member] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${leaver.user_id}`)).body
    await w.as('admin').del(`/memberships/${member.membership_id}`)
    const refused = await w.as('hse').post(`/notification-rules/${rule.id}/enabled`, { enabled: true })
    assert.deepEqual(
      [refused.status, refused.body.error.reason, refused.body.error.fields[0].path],
      [409, 'invalid', 'audience[0].user_id'],
    )
    for (let i = 1; i < 200; i++) await write(w, { name: `Rule ${i}`, enabled: false })
    const more = await w.as('hse').post('/notification-rules/', { site_id: w.site_id, ...HOT, name: 'One more' })
    assert.deepEqual([more.status, more.body.error.reason], [409, 'too_many'])
  })

  test('messages.md §3.1 a rule for a person who has left can be switched off and changed by PATCH; its recipients are checked when they change or it is switched on', async () => {
    const w = await house.world()
    const leaver = await w.join('viewer', null, 'Lea Leaver')
    const rule = await write(w, { audience: [{ role: 'hse' }, { user_id: leaver.user_id }] })
    const [member] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${leaver.user_id}`)).body
    await w.as('admin').del(`/memberships/${member.membership_id}`)
    const change = async (body: object) => {
      const reply = await w.as('hse').patch(`/notification-rules/${rule.id}`, body)
      return [reply.status, reply.body.error?.fields?.[0]?.path ?? reply.body.enabled]
    }
    assert.deepEqual(await change({ title: 'Hot work {{permit_number}}' }), [200, true])
    assert.deepEqual(await change({ title: 'Hot work {{nothing}}' }), [422, 'title'])
    assert.deepEqual(await change({ audience: [{ user_id: leaver.user_id }] }), [422, 'audience[0].user_id'])
    assert.deepEqual(await change({ event_kind: 'permit.approved' }), [422, 'audience[1].user_id'])
    // The app sends the whole rule.
    assert.deepEqual(await change({ enabled: false, audience: rule.audience }), [200, false])
    assert.deepEqual(await change({ enabled: true }), [422, 'audience[1].user_id'])
    assert.deepEqual(await change({ enabled: true, audience: [{ role: 'hse' }] }), [200, true])
  })
})
