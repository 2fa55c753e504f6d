import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Position, planeAt } from '../../../../shared/geometry/plane.ts'
import { type Reply, useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { writing } from '../../../base/ctx.ts'
import { PLATFORM } from '../../../base/ids.ts'
import { verifyChain } from '../../../kernel/audit/door.ts'
import { runJob, runsOf } from '../../../kernel/jobs/door.ts'

const plane = planeAt({ lon: -0.0877, lat: 51.5079 })
const box = (x: number, y: number, width: number, height = width) => ({
  type: 'Polygon',
  coordinates: [
    (
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
        [x, y],
      ] as Position[]
    ).map(plane.degrees),
  ],
})

describe('sites', () => {
  const house = useHouse({}, { pool: 8 })

  test('§1 POST /sites/ is for superadmins, and the creator becomes an administrator', async () => {
    const root = await house.person('Sam Root', { superadmin: true })
    const made = await root.post('/sites/', { name: 'Harbour Tower East', timezone: 'europe/london', starts_on: '2026-01-05' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.timezone, made.body.code, made.body.status, made.body.today, made.body.my_role],
      ['Europe/London', 'HTE-1', 'open', '2026-03-16', 'admin'],
    )
    assert.equal(made.headers.location, `/api/sites/${made.body.id}`)
    assert.equal(made.body.permissions.can_administer, true)
    const other = await house.person('Ann Other')
    assert.equal((await other.post('/sites/', { name: 'X', timezone: 'UTC' })).body.error.permission, 'site_create')
    assert.equal((await other.get(`/sites/${made.body.id}`)).status, 404)
  })

  test('§1 time zones are IANA names: offsets and abbreviations are refused, links kept as typed', async () => {
    const root = await house.person('Sam Root', { superadmin: true })
    for (const timezone of ['+01:00', 'BST', 'CST', 'Mars/Olympus', '', 'Europe/London ; x']) {
      const refused = await root.post('/sites/', { name: 'Z', timezone })
      assert.equal(refused.status, 422, timezone)
      assert.equal(refused.body.error.fields[0].path, 'timezone')
    }
    for (const [typed, kept] of [
      ['utc', 'UTC'],
      ['asia/kolkata', 'Asia/Kolkata'],
      ['europe/belfast', 'Europe/Belfast'],
      ['america/port_of_spain', 'America/Port_of_Spain'],
      ['US/eastern', 'US/Eastern'],
    ]) {
      assert.equal((await root.post('/sites/', { name: 'Z', timezone: typed })).body.timezone, kept)
    }
  })

  test('§1 a code is unique in the installation; holidays and dates are in order', async () => {
    const root = await house.person('Sam Root', { superadmin: true })
    const site = (more: object) => root.post('/sites/', { name: 'N', timezone: 'UTC', ...more })
    assert.equal((await site({ code: 'UNIQ-1' })).status, 201)
    const taken = (await site({ code: 'UNIQ-1' })).body.error
    assert.deepEqual([taken.reason, typeof taken.existing_id], ['key_taken', 'string'])
    // The response doesn't name a site that its caller doesn't know.
    const w = await house.world()
    const refused = (await w.as('admin').patch(`/sites/${w.site_id}`, { code: 'UNIQ-1' })).body.error
    assert.deepEqual([refused.reason, refused.existing_id], ['key_taken', undefined])
    const bad = await site({ code: 'has space', starts_on: '2026-02-30' })
    assert.deepEqual(bad.body.error.fields.map((f: { path: string }) => f.path).sort(), ['code', 'starts_on'])
    const day = { date: '2026-04-03', name: 'Good Friday' }
    const both = await site({ holidays: [day], extra_work_dates: [day], starts_on: '2026-05-01', planned_finish_on: '2026-04-01' })
    assert.deepEqual(both.body.error.fields.map((f: { path: string }) => f.path).sort(), ['extra_work_dates[0].date', 'planned_finish_on'])
  })

  test('§13 a weather limit that could never be reached, would stop before it warns, or has the key of another one is refused', async () => {
    const w = await house.world()
    const wind = { key: 'crane', label: 'Crane', activity: 'lifting', metric: 'wind_m_s', op: 'gte', caution: 5, stop: 10, enabled: true }
    const faults = async (...limits: object[]) => {
      const reply = await w.as('hse').patch(`/sites/${w.site_id}`, { weather_limits: limits.map(limit => ({ ...wind, ...limit })) })
      return reply.status === 200 ? [] : reply.body.error.fields.map((fault: { path: string }) => fault.path)
    }
    assert.deepEqual(await faults({ metric: 'wind_speed' }), ['weather_limits[0].metric'])
    assert.deepEqual(await faults({}, { label: 'Other crane' }), ['weather_limits[1].key'])
    assert.deepEqual(await faults({ caution: 11 }, { key: 'cold', metric: 'temperature_c', op: 'lte', caution: 0, stop: 5 }), [
      'weather_limits[0].caution',
      'weather_limits[1].caution',
    ])
    assert.deepEqual(await faults({ caution: null, stop: null }), ['weather_limits[0].stop'])
    assert.deepEqual(await faults({ op: 'in' }), ['weather_limits[0].op'])
    const thunder = { key: 'thunder', metric: 'weather_code', op: 'in', caution: null, stop: 95 }
    const cold = { key: 'cold', metric: 'temperature_c', op: 'lte', caution: 5, stop: 0 }
    const same = { key: 'same', metric: 'gust_at_height_m_s', caution: 10 }
    assert.deepEqual(await faults({}, thunder, cold, same, { key: 'ice', metric: 'ice', caution: 1, stop: null }), [])
    const made = { name: 'N', timezone: 'UTC', weather_limits: [{ ...wind, metric: 'wind' }] }
    assert.equal((await w.superadmin.post('/sites/', made)).body.error.fields[0].path, 'weather_limits[0].metric')
  })

  test('§1 the list has the caller’s sites, page by page; for a superadmin all sites', async () => {
    const w = await house.world({ name: 'Zebra Works' })
    const mine = await w.as('viewer').get('/sites/?include=counts')
    assert.deepEqual(
      mine.body.map((s: { id: string }) => s.id),
      [w.site_id],
    )
    assert.deepEqual(mine.body[0].counts, { live_permits: 0, open_alerts: 0, members: 9 })
    const first = await w.superadmin.get('/sites/?limit=1')
    assert.equal(first.body.length, 1)
    const next = /<(.+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await w.superadmin.get(next.slice('/api'.length))
    assert.notEqual(second.body[0].id, first.body[0].id)
    assert.equal((await w.superadmin.get('/sites/?cursor=nonsense')).status, 422)
    assert.deepEqual(
      (await w.superadmin.get('/sites/?q=zebra')).body.map((s: { name: string }) => s.name),
      ['Zebra Works'],
    )
  })

  test('§0.1 each field needs its permission: if one is forbidden, the whole change is refused and the refusal shows the field', async () => {
    const w = await house.world()
    const patch = (role: 'hse' | 'site_manager' | 'coordinator', body: object) => w.as(role).patch(`/sites/${w.site_id}`, body)
    assert.equal((await patch('hse', { emergency_phone: '999', terrain: 'urban' })).status, 200)
    const refused = await patch('hse', { emergency_phone: '998', name: 'Other' })
    assert.deepEqual([refused.status, refused.body.error.because[0].detail], [403, 'name'])
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}`)).body.emergency_phone, '999')
    assert.equal((await patch('site_manager', { name: 'Other' })).status, 200)
    assert.equal((await patch('coordinator', { emergency_phone: '1' })).status, 403)
    assert.equal((await patch('hse', { settings: { date_order: 'mdy' } })).body.error.because[0].detail, 'settings.date_order')
    assert.equal((await patch('site_manager', { settings: { date_order: 'mdy' } })).body.settings.date_order, 'mdy')
    assert.equal(
      (await patch('hse', { settings: { documents_may_leave: true } })).body.settings.date_order,
      'mdy',
      'a setting that is left out doesn’t change',
    )
    assert.equal((await patch('hse', { settings: { unknown: 1 } })).status, 422)
    assert.equal((await patch('site_manager', { timezone: 'Europe/Madrid' })).body.rederived, 0)
    assert.equal((await patch('site_manager', { locale: 'not a tag!' })).status, 422)
  })

  test('§1 PATCH of settings is partial at every depth: null clears a key, so that it has its default; what can’t be left out is refused by name', async () => {
    const w = await house.world()
    const patch = (settings: unknown) => w.as('site_manager').patch(`/sites/${w.site_id}`, { settings })
    const read = async () => (await w.as('viewer').get(`/sites/${w.site_id}`)).body.settings
    const whole = {
      diary: { period: 'week', week_ends_on: 5, issue_time: '18:00', hidden_sections: ['weather'] },
      groups: { off: ['conflicts'] },
      documents_may_leave: true,
      date_order: 'mdy',
      import_headers: { 'walkdown-register': { title: ['Job'], number: ['Ref'] } },
    }
    assert.deepEqual((await patch(whole)).body.settings, whole)
    const { issue_time: _issued, ...kept } = whole.diary
    const headers = { 'walkdown-register': { number: ['Ref'] } }
    const part = await patch({ diary: { issue_time: null }, import_headers: { 'walkdown-register': { title: null } } })
    assert.deepEqual([part.status, part.body.settings], [200, { ...whole, diary: kept, import_headers: headers }])
    for (const key of Object.keys(whole)) {
      const cleared = await patch({ [key]: null })
      assert.equal(cleared.status, 200, JSON.stringify(cleared.body))
      assert.equal(key in (await read()), false, `${key} is cleared`)
    }
    assert.deepEqual((await patch({ diary: null })).body.settings, {}, 'what isn’t set can be cleared again')
    assert.equal((await w.as('hse').patch(`/sites/${w.site_id}`, { settings: { date_order: null } })).status, 403, 'clearing is changing')
    for (const [body, path] of [
      [null, 'settings'],
      [{ groups: { off: null } }, 'settings.groups.off'],
    ] as const) {
      const refused = await patch(body)
      assert.deepEqual([refused.status, refused.body.error.fields[0].path], [422, path])
      assert.match(refused.body.error.fields[0].message, /can’t be null/)
    }
  })

  test('§0.3 a locked site refuses writes and says who locked it, when and why; reading and leaving are still possible', async () => {
    const w = await house.world()
    const lock = (body: object) => w.as('site_manager').post(`/sites/${w.site_id}/lock`, body)
    assert.equal((await w.as('coordinator').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'x' })).status, 403)
    assert.equal((await lock({ locked: true })).status, 422)
    const locked = await lock({ locked: true, reason: 'Handed over.' })
    assert.deepEqual([locked.status, locked.body.status, locked.body.lock_reason], [200, 'locked', 'Handed over.'])
    assert.equal((await lock({ locked: true, reason: 'again' })).body.error.code, 'invalid_transition')
    const refused = await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Late Ltd' })
    assert.equal(refused.status, 409)
    assert.deepEqual(
      [refused.body.error.reason, refused.body.error.locked_by, refused.body.error.lock_reason],
      ['site_locked', 'Max Manager', 'Handed over.'],
    )
    assert.match(refused.body.error.detail, /^Max Manager locked this site: Handed over\. You can’t do this/)
    assert.equal((await w.as('viewer').get(`/contractors/?site_id=${w.site_id}`)).status, 200)
    const [leaver] = (await w.as('admin').get(`/sites/${w.site_id}/members?role=viewer`)).body
    assert.equal((await w.as('admin').del(`/memberships/${leaver.membership_id}`)).status, 204)
    assert.equal((await lock({ locked: false, reason: 'Snags' })).body.status, 'open')
  })

  test('§0.3 once the lock request has returned, nothing that started before it can still commit', async () => {
    const w = await house.world()
    const writes = Array.from({ length: 20 }, (_, i) =>
      w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: `Firm ${i}` }),
    )
    const locked = w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Investigation' })
    const before = locked.then(async () => (await w.as('viewer').get(`/contractors/?site_id=${w.site_id}`)).body.length)
    const answers = await Promise.all(writes)
    const there = (await w.as('viewer').get(`/contractors/?site_id=${w.site_id}`)).body.length
    assert.equal(await before, there, 'nothing was added after the response')
    assert.equal(answers.filter(a => a.status === 201).length, there - 1, 'every confirmed write exists')
    assert.ok(answers.every(a => a.status === 201 || a.body.error.reason === 'site_locked'))
  })

  test('§1 a site can be deleted and restored, or nuked with its typed code', async () => {
    const w = await house.world()
    const { code } = (await w.as('admin').get(`/sites/${w.site_id}`)).body
    assert.equal((await w.as('site_manager').del(`/sites/${w.site_id}`)).status, 403)
    assert.equal(
      (await w.superadmin.del(`/sites/${w.site_id}/nuke`, { confirm: code, reason: 'Mistake' })).body.error.code,
      'invalid_transition',
    )
    assert.equal((await w.as('admin').del(`/sites/${w.site_id}`)).status, 204)
    assert.equal((await w.as('admin').get(`/sites/${w.site_id}`)).status, 404)
    assert.equal((await w.superadmin.get(`/sites/${w.site_id}`)).body.status, 'deleted')
    const both = await w.superadmin.patch(`/sites/${w.site_id}`, { deleted: false, name: 'Another name' })
    assert.deepEqual([both.status, both.body.error.fields?.[0]?.path], [422, 'name'])
    assert.equal((await w.superadmin.get(`/sites/${w.site_id}`)).body.status, 'deleted')
    assert.equal((await w.superadmin.patch(`/sites/${w.site_id}`, { deleted: false })).body.status, 'locked')
    assert.equal((await w.as('admin').get(`/sites/${w.site_id}`)).status, 200)
    assert.equal((await w.superadmin.del(`/sites/${w.site_id}/nuke`, { confirm: 'WRONG', reason: 'Mistake' })).status, 422)
    assert.equal((await w.as('admin').get(`/sites/${w.site_id}`)).status, 200)
    assert.equal((await w.superadmin.del(`/sites/${w.site_id}/nuke`, { confirm: code, reason: 'Mistake' })).status, 204)
    assert.equal((await w.superadmin.get(`/sites/${w.site_id}`)).status, 404)

    const [run] = await runsOf(house.house.database.db, { kinds: ['site_nuke'], limit: 1, after: null })
    await runJob(house.house, run?.id ?? '')
    const { rows } = await house.house.database.pool.query('select count(*) as n from contractor where site_id = $1', [w.site_id])
    assert.equal(rows[0].n, 0)
    const entries = await house.house.database.pool.query(
      `select changes from audit_entry where site_id = $1 and entity_id = $2 and reason = 'Mistake'`,
      [PLATFORM, w.site_id],
    )
    const [erased] = entries.rows[0].changes
    assert.equal(erased.before.code, code)
    assert.ok(erased.before.last_seq > 10)
    assert.equal((await verifyChain(house.house.database.db, PLATFORM)).fault, null)
  })

  test('§1 a site that was locked before it was deleted can be restored: it is locked as before, and nothing else about it can be changed', async () => {
    const w = await house.world()
    const site = `/sites/${w.site_id}`
    assert.equal((await w.as('admin').post(`${site}/lock`, { locked: true, reason: 'Handed over' })).status, 200)
    assert.equal((await w.as('admin').del(site)).status, 204)
    const restored = await w.superadmin.patch(site, { deleted: false })
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual([restored.body.status, restored.body.lock_reason, restored.body.deleted_at], ['locked', 'Handed over', null])
    for (const who of [w.superadmin, w.as('admin')])
      assert.deepEqual((await who.patch(site, { name: 'Another name' })).body.error?.reason, 'site_locked')
    assert.equal((await w.as('admin').post(`${site}/lock`, { locked: false, reason: 'Work goes on' })).status, 200)
    assert.equal((await w.as('admin').patch(site, { name: 'Another name' })).status, 200)
  })

  test('§1 PUT main-contractor ends the period before and starts a new one now', async () => {
    const w = await house.world()
    const [x, y] = [await w.contractor('Xenon'), await w.contractor('Yarrow')]
    const put = (contractor_id: string | null) => w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id })
    await put(x)
    house.clock('2026-03-16T12:00:00.000Z')
    const second = await put(y)
    assert.deepEqual(second.body.main_contractors, [
      { contractor_id: y, from: '2026-03-16T12:00:00.000Z', to: null },
      { contractor_id: x, from: '2026-03-16T09:00:00.000Z', to: '2026-03-16T12:00:00.000Z' },
    ])
    assert.equal((await put(y)).body.main_contractors.length, 2, 'the same contractor again changes nothing')
    await w.as('admin').patch(`/contractors/${x}`, { status: 'left' })
    assert.equal((await put(x)).body.error.reason, 'contractor_left')
    const elsewhere = await house.world()
    assert.equal((await put(await elsewhere.contractor('Zinc'))).status, 422)
    assert.equal((await w.as('coordinator').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: y })).status, 403)
  })

  test('§1 PUT observation-threshold accepts 1 to 25 or null', async () => {
    const w = await house.world()
    const put = (risk_score: unknown) => w.as('hse').put(`/sites/${w.site_id}/observation-threshold`, { risk_score })
    assert.deepEqual([(await put(20)).body.observation_threshold, (await put(null)).body.observation_threshold], [20, null])
    assert.deepEqual([(await put(0)).status, (await put(26)).status, (await put('x')).status], [422, 422, 422])
    assert.equal((await w.as('coordinator').put(`/sites/${w.site_id}/observation-threshold`, { risk_score: 9 })).status, 403)
  })

  test('§1 members are listed highest rank first, can be filtered by permission, and show addresses to people who manage them; a client sees none', async () => {
    const w = await house.world()
    const members = (role: Parameters<typeof w.as>[0], query = '') => w.as(role).get(`/sites/${w.site_id}/members${query}`)
    const all = (await members('viewer')).body
    assert.deepEqual(
      all.slice(0, 2).map((m: { role: string }) => m.role),
      ['admin', 'site_manager'],
    )
    assert.equal(all[0].email, undefined)
    assert.match((await members('site_manager')).body[0].email, /@people.test/)
    assert.deepEqual(
      (await members('viewer', '?can=site_administer')).body.map((m: { role: string }) => m.role),
      ['admin', 'site_manager'],
    )
    assert.equal((await members('viewer', '?can=nonsense')).status, 422)
    assert.equal((await members('viewer', '?status=ended')).status, 403)
    assert.equal((await members('admin', '?status=ended')).body.length, 1)
    assert.equal((await members('client')).status, 403)
    const first = await members('viewer', '?limit=4')
    const next = /<\/api(.+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    assert.deepEqual(
      [...first.body, ...(await w.as('viewer').get(next)).body].map((m: { user_id: string }) => m.user_id),
      all.slice(0, 8).map((m: { user_id: string }) => m.user_id),
    )
  })

  test('§0.4 a write that changes the picture raises the revision and its layers to one number', async () => {
    const w = await house.world()
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    const before = await revision()
    await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: await w.contractor('Ytterbium') })
    const after = await revision()
    assert.equal(after.revision, before.revision + 1)
    assert.deepEqual(
      [after.layers.tokens, after.layers.areas, after.layers.reference],
      [after.revision, after.revision, before.layers.reference],
    )
    const again = await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`, { 'if-none-match': `"${after.revision}"` })
    assert.equal(again.status, 304)
  })

  test('§0.4 a hundred parallel writes get sequence numbers without gaps, and every hash is correct', async () => {
    const w = await house.world()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: `Parallel ${i}` })),
    )
    assert.ok(answers.every(a => a.status === 201))
    const report = await verifyChain(house.house.database.db, w.site_id)
    assert.equal(report.fault, null)
    assert.ok(report.entries >= 100)
  })

  test('§0.2 working-period returns the day, the reason, its hours and its neighbours; without a shift 07:30 to 17:30', async () => {
    const w = await house.world()
    const period = async (query: string) => (await w.as('viewer').get(`/sites/${w.site_id}/working-period${query}`)).body
    const friday = await period('?work_date=2026-03-20')
    assert.deepEqual(
      [friday.state, friday.working_minutes, friday.previous_work_date, friday.next_work_date],
      ['before', 570, '2026-03-19', '2026-03-23'],
    )
    const edges = [await period('?work_date=1900-01-01'), await period('?work_date=2200-12-31')]
    assert.deepEqual(
      edges.map(day => [day.previous_work_date, day.next_work_date]),
      [
        [null, '1900-01-02'],
        ['2200-12-30', null],
      ],
      'the first and the last day that there is',
    )
    assert.deepEqual(await period('?at=2026-10-25T02:00:00Z').then(p => [p.work_date, p.state, p.because]), [
      '2026-10-25',
      'none',
      'weekend',
    ])
    await w.as('hse').patch(`/sites/${w.site_id}`, {
      holidays: [{ date: '2026-03-20', name: 'Founders' }],
      extra_work_dates: [{ date: '2026-03-21', name: 'Make-up' }],
    })
    assert.deepEqual(await period('?work_date=2026-03-20').then(p => [p.because, p.name, p.working_minutes]), ['holiday', 'Founders', 0])
    assert.deepEqual(await period('?work_date=2026-03-21').then(p => [p.because, p.working_day, p.working_minutes]), ['extra', true, 570])
    assert.equal((await period('?work_date=2026-03-13')).working_minutes, 600, 'before the first shift was created')
    assert.equal((await w.as('viewer').get(`/sites/${w.site_id}/working-period?contractor_id=${w.site_id}`)).status, 422)
  })

  const messages = (reply: Reply): string[] =>
    reply.body.error.fields.map((f: { path: string; message: string }) => `${f.path} ${f.message}`)

  test('§1 GET boundary is null when there is none; PUT replaces the boundary; DELETE removes it and `location` stays', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await house.world()
    const path = `/sites/${w.site_id}/boundary`
    const get = () => w.as('client').get(path)
    assert.deepEqual((await get()).body, { geometry: null, area_m2: null, centre: null, updated_at: null })
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    const before = await revision()
    const put = await w.as('hse').put(path, { geometry: box(0, 0, 400) })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(
      [put.body.geometry.type, Math.round(put.body.area_m2 / 10), put.body.updated_at],
      ['Polygon', 16000, '2026-03-16T09:00:00.000Z'],
    )
    assert.deepEqual(put.body.outside, { features: 0, tokens: 0 })
    const [x, y] = plane.metres([put.body.centre.lon, put.body.centre.lat])
    assert.ok(Math.hypot(x - 200, y - 200) < 0.1)
    const { outside: _o, ...said } = put.body
    const shown = await get()
    assert.deepEqual(shown.body, said)
    assert.equal(shown.headers.etag, put.headers.etag)
    const after = await revision()
    assert.deepEqual([after.revision, after.layers.reference], [before.revision + 1, after.revision])
    const site = async () => (await w.as('viewer').get(`/sites/${w.site_id}`)).body
    assert.deepEqual(
      [(await site()).boundary_area_m2, (await site()).location.lon.toFixed(6)],
      [put.body.area_m2, put.body.centre.lon.toFixed(6)],
    )
    const again = await w.as('hse').put(path, put.body)
    assert.deepEqual([again.status, again.headers.etag], [200, put.headers.etag], 'saving what was read changes nothing')
    assert.equal((await revision()).revision, after.revision)
    assert.equal((await w.as('hse').put(path, { geometry: box(0, 0, 300) }, { 'if-match': '"1"' })).status, 412)
    for (const role of ['coordinator', 'member', 'client'] as const) {
      assert.equal((await w.as(role).put(path, { geometry: box(0, 0, 10) })).body.error.permission, 'site_configure')
      assert.equal((await w.as(role).del(path)).status, 403)
    }
    const { location } = await site()
    assert.equal((await w.as('hse').del(path)).status, 204)
    assert.equal((await w.as('hse').del(path)).status, 204)
    const gone = (await get()).body
    assert.deepEqual([gone.geometry, gone.area_m2, (await site()).boundary_area_m2, (await site()).location], [null, null, null, location])
    const elsewhere = await house.world()
    for (const method of ['get', 'put', 'del'] as const)
      assert.equal((await elsewhere.as('admin')[method](path, { geometry: box(0, 0, 10) } as never)).status, 404)
    assert.equal((await house.nobody.get(path)).status, 401)
  })

  test('§1 a boundary with an invalid ring (and its place), over 25 km², or over 5 km from `location` is refused, and swapped lon and lat are pointed out', async () => {
    const w = await house.world()
    const put = (geometry: unknown) => w.as('hse').put(`/sites/${w.site_id}/boundary`, { geometry })
    const [a, b, c, d] = box(0, 0, 100).coordinates[0] as Position[]
    assert.match(
      messages(await put({ type: 'Polygon', coordinates: [[a, c, b, d, a]] }))[0] ?? '',
      /^geometry crosses itself.* at lon -0\.08/,
    )
    assert.match(messages(await put({ type: 'Polygon', coordinates: [[a, b, c, d]] }))[0] ?? '', /^geometry.coordinates\[0\] is open/)
    assert.match(messages(await put(box(0, 0, 5100)))[0] ?? '', /26\.0 km²; at most 25 km²/)
    for (const none of [undefined, null]) assert.equal((await put(none)).status, 422)
    assert.equal((await put({ type: 'Point', coordinates: [0, 0] })).status, 422)
    await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    assert.match(messages(await put(box(5100, 0, 100)))[0] ?? '', /lies 5\.1 km from the location of the site .*at most 5 km/)
    const turned = { type: 'Polygon', coordinates: box(0, 0, 100).coordinates.map(ring => ring.map(([lon, lat]) => [lat, lon])) }
    assert.match(messages(await put(turned))[0] ?? '', /With lon and lat swapped, the boundary would be close enough/)
    assert.equal((await put(box(4900, 0, 1000))).status, 200, 'its nearest point counts')
    assert.equal(
      (await put({ type: 'MultiPolygon', coordinates: [box(0, 0, 50).coordinates, box(100, 0, 50).coordinates] })).body.geometry.type,
      'MultiPolygon',
    )
    assert.equal((await put(box(0, 0, 50).coordinates[0]?.map(([lon, lat]) => ({ lon, lat })))).status, 200, 'a list of {lon, lat}')
  })

  test('§1 of two editors of a boundary with one If-Match the second is refused; the boundary of a locked site can’t change', async () => {
    const w = await house.world()
    const path = `/sites/${w.site_id}/boundary`
    const match = { 'if-match': String((await w.as('hse').get(path)).headers.etag) }
    const both = await Promise.all([100, 200].map(side => w.as('hse').put(path, { geometry: box(0, 0, side) }, match)))
    assert.deepEqual(both.map(r => r.status).sort(), [200, 412])
    assert.deepEqual((await w.as('client').get(path)).body.geometry, both.find(r => r.status === 200)?.body.geometry)
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    assert.equal((await w.as('hse').put(path, { geometry: box(0, 0, 50) })).body.error.reason, 'site_locked')
    assert.equal((await w.as('hse').del(path)).body.error.reason, 'site_locked')
  })

  test('§1 `location` is the centre of the boundary unless it is given, and follows it', async () => {
    const root = await house.person('Sam Root', { superadmin: true })
    const made = await root.post('/sites/', { name: 'Drawn', timezone: 'UTC', boundary: box(0, 0, 200) })
    assert.equal(made.status, 201, made.text)
    const near = (location: { lon: number; lat: number }, x: number, y: number) => {
      const [e, n] = plane.metres([location.lon, location.lat])
      assert.ok(Math.hypot(e - x, n - y) < 0.1, `${e}, ${n}`)
    }
    near(made.body.location, 100, 100)
    assert.equal(Math.round(made.body.boundary_area_m2 / 10), 4000)
    const site = `/sites/${made.body.id}`
    await root.put(`${site}/boundary`, { geometry: box(20_000, 0, 200) })
    near((await root.get(site)).body.location, 20_100, 100)
    const given = { lon: -0.08, lat: 51.5 }
    await root.patch(site, { location: given })
    assert.equal((await root.put(`${site}/boundary`, { geometry: box(20_000, 0, 100) })).status, 422, 'a given one doesn’t follow it')
    await root.put(`${site}/boundary`, { geometry: box(0, 0, 100) })
    assert.deepEqual((await root.get(site)).body.location, given)
    near((await root.patch(site, { location: null })).body.location, 50, 50)
    const [west, south] = plane.degrees([0, 0])
    const [east, north] = plane.degrees([100, 100])
    assert.deepEqual(
      (await root.get(`/sites/?bbox=${west},${south},${east},${north}&id=${made.body.id}`)).body.map((s: { name: string }) => s.name),
      ['Drawn'],
    )
    const both = await root.post('/sites/', { name: 'Both', timezone: 'Mars/X', boundary: box(0, 0, 0.5), location: { lon: 200, lat: 0 } })
    assert.deepEqual(
      both.body.error.fields.map((f: { path: string }) => f.path),
      ['location.lon'],
    )
    const bad = await root.post('/sites/', { name: 'Both', timezone: 'Mars/X', boundary: box(0, 0, 0.5) })
    assert.deepEqual(
      bad.body.error.fields.map((f: { path: string }) => f.path),
      ['timezone', 'boundary'],
    )
    const away = await root.post('/sites/', { name: 'Away', timezone: 'UTC', boundary: box(0, 0, 50), location: { lon: 10, lat: 50 } })
    assert.match(messages(away)[0] ?? '', /^boundary lies .* km from the location/)
    assert.equal((await root.post('/sites/', { name: 'None', timezone: 'UTC', boundary: null })).body.location, null)
  })

  test('§15 a location that is reverted to a derived one follows the boundary again; a boundary can only be drawn again', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const path = `/sites/${w.site_id}`
    const drawn = await hse.put(`${path}/boundary`, { geometry: box(0, 0, 200) })
    const newest = async () => (await w.as('admin').get(`/audit/entity/site/${w.site_id}`)).body[0]
    const revert = (id: string) => w.as('admin').post(`/audit/revert/${id}`, { reason: 'A slip of the pen' })
    const boundary = await revert((await newest()).id)
    assert.deepEqual([boundary.status, boundary.body.error.code], [409, 'conflict'], boundary.text)
    await hse.patch(path, { location: { lon: -0.08, lat: 51.5 } })
    const back = await revert((await newest()).id)
    assert.equal(back.status, 200, back.text)
    const location = async () => (await w.as('viewer').get(path)).body.location
    const at = (of: { lon: number; lat: number }) => [of.lon.toFixed(6), of.lat.toFixed(6)]
    assert.deepEqual(at(await location()), at(drawn.body.centre))
    const moved = await hse.put(`${path}/boundary`, { geometry: box(20_000, 0, 200) })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(at(await location()), at(moved.body.centre))
  })

  test('§1 PUT boundary returns what is now more than 2 km outside; nothing is moved', async () => {
    const w = await house.world()
    const draw = (name: string, outline: unknown) => w.as('hse').post('/reference-features/zones', { site_id: w.site_id, name, outline })
    await draw('Near', box(0, 0, 10))
    const far = await draw('Far', box(3000, 0, 10))
    assert.equal(far.status, 201, 'a site without a boundary or location checks nothing')
    const put = (geometry: unknown) => w.as('hse').put(`/sites/${w.site_id}/boundary`, { geometry })
    assert.deepEqual((await put(box(-100, -100, 200))).body.outside, { features: 1, tokens: 0 })
    assert.deepEqual((await put(box(-100, -100, 3000, 200))).body.outside, { features: 0, tokens: 0 })
    assert.deepEqual((await put(box(6000, 0, 200))).body.outside, { features: 2, tokens: 0 })
    assert.deepEqual((await w.as('viewer').get(`/reference-features/features/${far.body.id}`)).body.outline, far.body.outline)
    assert.equal((await draw('More', box(0, 0, 10))).status, 422)
  })

  test('§1 GET /sites/public needs no token and shows only listed sites', async () => {
    const w = await house.world({ name: 'Listed Works' })
    const seen = async () => (await house.nobody.get('/sites/public')).body.map((s: { id: string }) => s.id)
    assert.ok(!(await seen()).includes(w.site_id))
    await w.as('admin').patch(`/sites/${w.site_id}`, { public_listing: true })
    assert.ok((await seen()).includes(w.site_id))
  })

  test('a fault while a site is created leaves nothing behind', async () => {
    const root = await house.person('Sam Root', { superadmin: true })
    const before = (await root.get('/sites/')).body.length
    await assert.rejects(
      writing(house.house, { actor: jobActor('test'), cause: 'test' }, async ctx => {
        await ctx.db
          .insertInto('site')
          .values({ site_id: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e', name: 'Half', code: 'HALF-1', timezone: 'UTC' })
          .execute()
        throw new Error('a seed failed')
      }),
      /a seed failed/,
    )
    assert.equal((await root.get('/sites/')).body.length, before)
  })

  test('the audit chain reports the first entry that was altered', async () => {
    const w = await house.world()
    const client = await house.house.database.pool.connect()
    try {
      await client.query(`begin; set local session_replication_role = replica`)
      await client.query(`update audit_entry set changes = jsonb_set(changes, '{0,after}', '"forged"') where site_id = $1 and seq = 3`, [
        w.site_id,
      ])
      await client.query('commit')
    } finally {
      client.release()
    }
    const { fault } = await verifyChain(house.house.database.db, w.site_id)
    assert.deepEqual([fault?.seq, fault?.what], [3, 'digest'])
  })
})
