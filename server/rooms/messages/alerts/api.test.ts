import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Caller, useHouse, type World } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { sweepAlerts } from './jobs.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const NOW = '2026-03-16T09:00:00.000Z'
const at = (time: string, day = 16) => `2026-03-${day}T${time}:00.000Z`

describe('alerts', () => {
  const house = useHouse()
  const body = (w: World, more: object = {}) => ({
    site_id: w.site_id,
    title: 'Live cable found',
    severity: 'danger',
    category: 'utilities',
    ...more,
  })
  const post = (w: World, by: Caller, more: object = {}) => by.post('/alerts/', body(w, more))
  const stop = { severity: 'danger', category: 'weather', effect: 'stops', activities: ['all'], title: 'Gusts: all work stops' }
  const made = async (w: World, by: Caller, more: object = {}) => {
    const reply = await post(w, by, more)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const list = async (w: World, query = '', by: Caller = w.as('coordinator')) => {
    const reply = await by.get(`/alerts/?site_id=${w.site_id}${query}`)
    assert.equal(reply.status, 200, reply.text)
    return reply.body.map((row: { title: string }) => row.title)
  }
  const notices = async (w: World, who: Caller, kind: string) => {
    await relayEvents(house.house)
    return house.rows('select * from notification where site_id = $1 and user_id = $2 and kind = $3', [w.site_id, who.user_id, kind])
  }
  const tasks = (w: World) => house.rows(`select status from task where site_id = $1 and kind = 'resolve_alert'`, [w.site_id])
  const faults = (reply: { body: { error?: { fields?: { path: string }[] } } }) => reply.body.error?.fields?.map(one => one.path)
  const go = async (time: string, day = 16) => {
    house.clock(at(time, day))
    await sweepAlerts(house.house)
  }

  test('§16 a member raises danger: 201, and each other active member has one in-app notification, also one who muted all; with effect stops: 403 alert_stop', async () => {
    house.clock(NOW)
    const w = await house.world()
    const muted = w.as('viewer')
    for (const channel of ['in_app', 'push'])
      assert.equal((await muted.patch(`/notification-prefs/all/${channel}`, { enabled: false, site_id: w.site_id })).status, 200)
    await made(w, w.as('member'))
    const people = await house.rows(`select user_id from membership where site_id = $1 and status = 'active'`, [w.site_id])
    for (const { user_id } of people) {
      const got = await notices(w, { user_id } as Caller, 'alert_danger')
      assert.equal(got.length, user_id === w.as('member').user_id ? 0 : 1, user_id)
      if (got.length > 0) assert.deepEqual([got[0].in_app, got[0].urgency], [true, 'critical'])
    }
    const refused = await post(w, w.as('member'), stop)
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'alert_stop'])
    const other = await made(w, w.as('member'), { title: 'Please raise later', severity: 'warning' })
    const patched = await w.as('member').patch(`/alerts/${other.id}`, { effect: 'stops', activities: ['all'] })
    assert.deepEqual([patched.status, patched.body.error.permission], [403, 'alert_stop'])
    assert.equal((await post(w, w.as('viewer'))).body.error.permission, 'alert_raise')
  })

  test('§16 a danger alert until 10:00 is overdue at 10:01, in the default list, with one task; an info alert is lapsed', async () => {
    house.clock(NOW)
    const w = await house.world()
    const danger = await made(w, w.as('member'), { end_at: at('10:00') })
    const info = await made(w, w.as('member'), { title: 'Canteen shut', severity: 'info', category: 'welfare', end_at: at('10:00') })
    await go('10:01')
    await sweepAlerts(house.house)
    const read = async (id: string) => (await w.as('viewer').get(`/alerts/${id}`)).body
    assert.deepEqual([(await read(danger.id)).state, (await read(info.id)).state], ['overdue', 'lapsed'])
    assert.deepEqual(await list(w), ['Live cable found'])
    assert.deepEqual(await tasks(w), [{ status: 'open' }])
    assert.deepEqual([(await read(danger.id)).periods[0].to, (await read(info.id)).periods[0].to], [null, at('10:00')])
    assert.deepEqual((await notices(w, w.as('viewer'), 'alert_told')).map(one => one.title).sort(), [
      'Canteen shut',
      'Still active: Live cable found',
    ])
    const moved = await w.as('coordinator').patch(`/alerts/${danger.id}`, { end_at: at('12:00') })
    assert.deepEqual([moved.status, moved.body.state, (await tasks(w))[0].status], [200, 'active', 'resolved'])
    await go('12:00')
    assert.deepEqual((await tasks(w)).map(task => task.status).sort(), ['open', 'resolved'])
    const bare = await w.as('coordinator').post(`/alerts/${danger.id}/resolve`, {})
    assert.deepEqual([bare.status, faults(bare)], [422, ['note']])
    const done = await w.as('member').post(`/alerts/${danger.id}/resolve`, { note: 'Cable isolated' })
    assert.deepEqual([done.status, done.body.state, done.body.resolve_note], [200, 'resolved', 'Cable isolated'])
    assert.deepEqual(
      (await tasks(w)).map(task => task.status),
      ['resolved', 'resolved'],
    )
  })

  test('§16 audience contractor A: B’s member doesn’t find it (404) and isn’t notified, and the coordinator sees it', async () => {
    house.clock(NOW)
    const w = await house.world()
    const [a, b] = [await w.contractor('Alpha Ltd'), await w.contractor('Beta Ltd')]
    const [ann, ben] = [await w.join('member', a), await w.join('member', b)]
    const { id } = await made(w, w.as('coordinator'), { contractor_ids: [a] })
    for (const who of [ben, w.as('viewer'), w.as('client')]) {
      assert.equal((await who.get(`/alerts/${id}`)).status, 404)
      assert.equal((await who.get(`/alerts/${id}/activity`)).status, 404)
      assert.equal((await who.post(`/alerts/${id}/resolve`, { note: 'x' })).status, 404)
      assert.deepEqual(await list(w, '', who), [])
      assert.equal((await notices(w, who, 'alert_danger')).length, 0)
    }
    for (const who of [ann, w.as('hse')]) {
      assert.equal((await who.get(`/alerts/${id}`)).status, 200)
      assert.equal((await notices(w, who, 'alert_danger')).length, 1)
    }
    assert.deepEqual([await list(w, `&contractor_id=${b}`), await list(w, `&contractor_id=${a}`)], [[], ['Live cable found']])
    const mine = await made(w, ben, { title: 'For A', contractor_ids: [a] })
    assert.equal((await ben.get(`/alerts/${mine.id}`)).status, 200, 'who raised it sees it')
    assert.deepEqual(faults(await post(w, ben, { contractor_ids: [w.site_id] })), ['contractor_ids[0]'])
  })

  test('§2 a member without a contractor is of the main contractor: alerts for it are shown and notified to them', async () => {
    house.clock(NOW)
    const w = await house.world()
    const main = await w.contractor('Main Ltd')
    const mia = await w.join('member', null)
    const { id } = await made(w, w.as('coordinator'), { contractor_ids: [main] })
    assert.deepEqual([(await mia.get(`/alerts/${id}`)).status, (await notices(w, mia, 'alert_danger')).length], [404, 0])
    assert.equal((await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: main })).status, 200)
    assert.equal((await mia.get(`/alerts/${id}`)).status, 200)
    const later = await made(w, w.as('coordinator'), { contractor_ids: [main], title: 'Crane off' })
    assert.deepEqual([(await notices(w, mia, 'alert_danger')).length, (await mia.get(`/alerts/${later.id}`)).status], [1, 200])
    assert.equal((await w.as('client').get(`/alerts/${id}`)).status, 404, 'a client belongs to no contractor')
  })

  test('§6 an alert that is for a contractor keeps it from being deleted, also when both happen at once; without alerts it can be deleted', async () => {
    house.clock(NOW)
    const w = await house.world()
    const a = await w.contractor('Alpha Ltd')
    const { id } = await made(w, w.as('member'), { contractor_ids: [a], severity: 'info' })
    const [shown] = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&id=${a}`)).body
    assert.deepEqual([shown.in_use, shown.permissions.can_delete], [true, false])
    const refused = await w.as('admin').del(`/contractors/${a}`)
    assert.deepEqual([refused.status, refused.body.error.reason, refused.body.error.in_use], [409, 'in_use', { alerts: 1 }])
    assert.match(refused.body.error.detail, /^Alpha Ltd is used by 1 alert\. Mark the contractor as left/)
    assert.equal((await w.as('member').patch(`/alerts/${id}`, { contractor_ids: [] })).status, 200)
    assert.equal((await w.as('admin').del(`/contractors/${a}`)).status, 204)
    for (let n = 0; n < 5; n++) {
      const one = await w.contractor(`Racing ${n} Ltd`)
      const [raised, deleted] = await Promise.all([
        post(w, w.as('member'), { title: `Gusts ${n}`, contractor_ids: [one] }),
        w.as('admin').del(`/contractors/${one}`),
      ])
      assert.ok(
        (raised.status === 201 && deleted.status === 409) || (raised.status === 422 && deleted.status === 204),
        `${raised.status} ${deleted.status}`,
      )
    }
  })

  test('§16 deleting an active danger after 20 min is 409 and its activity is whole; a mistake of 10 min ago and a scheduled one go', async () => {
    house.clock(NOW)
    const w = await house.world()
    const mia = w.as('member')
    const { id } = await made(w, mia)
    const mistake = await made(w, mia, { title: 'Wrong site' })
    const ahead = await made(w, mia, { title: 'Road closed', severity: 'info', start_at: at('12:00') })
    await relayEvents(house.house)
    house.clock(at('09:10'))
    assert.equal((await mia.del(`/alerts/${mistake.id}`)).status, 204)
    assert.equal((await w.as('coordinator').del(`/alerts/${ahead.id}`)).status, 204)
    assert.equal((await mia.get(`/alerts/${mistake.id}`)).status, 404)
    const history = await mia.get(`/audit/entity/alert/${mistake.id}`)
    assert.deepEqual([history.status, history.body.length > 1], [200, true], 'those who saw it can still read its history')
    assert.match((await notices(w, w.as('viewer'), 'alert_told'))[0].title, /Withdrawn: Wrong site/)
    assert.equal((await notices(w, w.as('viewer'), 'alert_told')).length, 1, 'no one is notified of one that never became active')
    house.clock(at('09:20'))
    const refused = await mia.del(`/alerts/${id}`)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_transition'])
    assert.equal((await w.as('coordinator').del(`/alerts/${id}`)).status, 409)
    assert.equal((await w.as('hse').patch(`/alerts/${id}`, { title: 'Live 11 kV cable' })).status, 200)
    assert.equal((await mia.post(`/alerts/${id}/resolve`, { note: 'Isolated' })).status, 200)
    await relayEvents(house.house)
    const activity = (await w.as('viewer').get(`/alerts/${id}/activity`)).body
    const kinds = activity.map((one: { kind: string }) => one.kind)
    assert.deepEqual([...kinds].sort(), ['changed', 'notified', 'notified', 'raised', 'resolved'])
    assert.equal(activity.find((one: { kind: string }) => one.kind === 'notified').recipients, 8)
    const changed = activity.find((one: { kind: string }) => one.kind === 'changed')
    assert.deepEqual(
      [changed.actor.name, changed.changes],
      ['Hal Safety', [{ path: 'title', before: 'Live cable found', after: 'Live 11 kV cable' }]],
    )
    assert.deepEqual(activity.find((one: { kind: string }) => one.kind === 'resolved').note, 'Isolated')
    const late = await w.as('coordinator').patch(`/alerts/${id}`, { title: 'x' })
    assert.deepEqual([late.status, late.body.error.code], [409, 'invalid_transition'])
  })

  test('§16 `at` yesterday 09:00 gives what was active then, also what is resolved now; tomorrow what will be', async () => {
    house.clock(NOW)
    const w = await house.world()
    const cora = w.as('coordinator')
    const { id } = await made(w, cora, { title: 'Yesterday' })
    await made(w, cora, { title: 'Road', severity: 'info', start_at: at('08:00', 18), end_at: at('12:00', 18) })
    await made(w, cora, { title: 'Short', severity: 'info', end_at: at('09:30') })
    house.clock(at('10:00'))
    assert.deepEqual(await list(w, `&at=${at('09:45')}`), ['Yesterday'], 'a lapse before the sweep')
    await go('11:00')
    await cora.post(`/alerts/${id}/resolve`, { note: 'Done' })
    house.clock(NOW.replace('16T', '17T'))
    assert.deepEqual(await list(w), ['Road'])
    assert.deepEqual((await list(w, `&at=${NOW}`)).sort(), ['Short', 'Yesterday'])
    assert.deepEqual(await list(w, `&at=${at('10:59')}`), ['Yesterday'])
    assert.deepEqual(await list(w, `&at=${at('11:00')}`), [])
    assert.deepEqual(await list(w, `&at=${at('09:00', 18)}`), ['Road'])
    assert.deepEqual(await list(w, `&from=${at('10:00')}&to=${at('09:00', 19)}`), ['Yesterday', 'Road'])
    assert.deepEqual(await list(w, '&state=resolved'), ['Yesterday'])
  })

  test('§16 the same title, category and place by the same person within 2 min is 409 with the first one; a race makes one', async () => {
    house.clock(NOW)
    const w = await house.world()
    const mia = w.as('member')
    const [one, two] = await Promise.all([post(w, mia, { place: { point: HERE } }), post(w, mia, { place: { point: HERE } })])
    const [first, second] = one?.status === 201 ? [one, two] : [two, one]
    assert.deepEqual(
      [first?.status, second?.status, second?.body.error.reason, second?.body.error.existing_id],
      [201, 409, 'key_taken', first?.body.id],
    )
    assert.equal((await post(w, mia, { place: null })).status, 201, 'another place')
    assert.equal((await post(w, w.as('hse'), { place: { point: HERE } })).status, 201, 'another person')
    house.clock(at('09:02'))
    assert.equal((await post(w, mia, { place: { point: HERE } })).status, 201)
  })

  test('§16 what is refused, by field: an end before the start, stops without activities or with info, times out of reach, a radius without a point', async () => {
    house.clock(NOW)
    const w = await house.world()
    const cora = w.as('coordinator')
    const wrong = async (more: object) => faults(await post(w, cora, more))
    assert.deepEqual(await wrong({ start_at: at('11:00'), end_at: at('10:00') }), ['end_at'])
    assert.deepEqual(await wrong({ effect: 'stops' }), ['activities'])
    assert.deepEqual(await wrong({ effect: 'stops', activities: ['all', 'lifting'] }), ['activities'])
    assert.deepEqual(await wrong({ effect: 'stops', activities: ['all'], severity: 'info' }), ['severity'])
    assert.deepEqual(await wrong({ activities: ['all'] }), ['activities'])
    assert.deepEqual(await wrong({ start_at: at('08:59', 15) }), ['start_at'])
    assert.deepEqual(await wrong({ start_at: '2026-04-16T09:00:00.000Z' }), ['start_at'])
    assert.deepEqual(await wrong({ start_at: at('08:00'), end_at: at('08:30') }), ['end_at'])
    assert.deepEqual(await wrong({ radius_m: 10 }), ['radius_m'])
    assert.deepEqual(await wrong({ levels: [1] }), ['levels'])
    assert.deepEqual(await wrong({ title: 'a\u0007b' }), ['title'])
    const early = await made(w, cora, { start_at: at('10:00', 15) })
    assert.equal(early.state, 'active')
    assert.deepEqual(faults(await cora.patch(`/alerts/${early.id}`, { start_at: at('08:00') })), ['start_at'])
  })

  test('§16 who raised it changes it for an hour; a change of place closes a period and opens another; a start that is moved on makes a gap', async () => {
    house.clock(NOW)
    const w = await house.world()
    const mia = w.as('member')
    const { id, radius_m, area } = await made(w, mia, { severity: 'warning', place: { point: HERE } })
    assert.deepEqual([radius_m, area.type], [25, 'Polygon'])
    house.clock(at('09:30'))
    const moved = (await mia.patch(`/alerts/${id}`, { place: { point: HERE }, radius_m: 50 })).body
    assert.deepEqual(
      moved.periods.map((p: { from: string; to: string; radius_m: number }) => [p.from, p.to, p.radius_m]),
      [
        [NOW, at('09:30'), 25],
        [at('09:30'), null, 50],
      ],
    )
    assert.equal((await mia.patch(`/alerts/${id}`, { message: 'Keep out' })).body.periods.length, 2, 'words open no period')
    house.clock(at('10:01'))
    const late = await mia.patch(`/alerts/${id}`, { message: 'Keep out' })
    assert.deepEqual([late.status, late.body.error.permission], [403, 'alert_manage'])
    const later = (await w.as('hse').patch(`/alerts/${id}`, { start_at: at('12:00') })).body
    assert.deepEqual([later.state, later.periods.at(-1).to], ['scheduled', at('10:01')])
    await go('12:00')
    const now = (await mia.get(`/alerts/${id}`)).body
    assert.deepEqual([now.state, now.periods.at(-1).from], ['active', at('12:00')])
    const calm = await made(w, mia, { title: 'Wind', severity: 'warning' })
    assert.equal((await notices(w, w.as('viewer'), 'alert_danger')).length, 0)
    await w.as('hse').patch(`/alerts/${calm.id}`, { severity: 'danger' })
    assert.equal((await notices(w, w.as('viewer'), 'alert_danger')).length, 1, 'who becomes endangered is told')
  })
})
