import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, type Reply, useHouse } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`

describe('deliveries', () => {
  const house = useHouse()
  const monday = async (time = '06:00') => {
    house.clock(at(time))
    return permitWorld(house)
  }
  const body = (w: PermitWorld, more: object = {}) => ({
    ...{ site_id: w.site_id, supplier_name: 'Thames Readymix', start_at: at('08:00'), end_at: at('09:00'), place: HERE, ...more },
  })
  const post = (w: PermitWorld, more: object = {}, by: Caller = w.as('coordinator')) => by.post('/deliveries/', body(w, more))
  const patch = (w: PermitWorld, id: string, change: object, by: Caller = w.as('coordinator')) => by.patch(`/deliveries/${id}`, change)
  const bay = async (w: PermitWorld, more: object = {}): Promise<string> => {
    const area = { name: 'Bay 1', area_kind: 'delivery_bay', start_at: '2026-03-01T00:00:00.000Z', end_at: null }
    const made = await w.as('coordinator').post('/active-areas/', {
      ...{ site_id: w.site_id, ...area, place: { polygon: boxAt(0, 0, 12) }, ...more },
    })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const there = async (w: PermitWorld, time: string): Promise<{ id: string; end_at: string | null; status: string }[]> =>
    (await w.as('viewer').get(`/deliveries/at-time?site_id=${w.site_id}&at=${at(time)}`)).body
  const ids = async (w: PermitWorld, query: string, by = w.as('coordinator')): Promise<string[]> =>
    (await by.get(`/deliveries/?site_id=${w.site_id}&${query}`)).body.map((one: { id: string }) => one.id)
  const field = (reply: Reply) => reply.body.error.fields[0].path
  const code = (reply: Reply) => [reply.status, reply.body.error.reason ?? reply.body.error.code]

  test('logistics §1 a coordinator books, a contractor asks: number, name and place follow, and the request is a task', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const booked = await post(w, { direction: 'outbound', supplier_name: null })
    assert.equal(booked.status, 201, booked.text)
    assert.deepEqual(
      [booked.body.number, booked.body.name, booked.body.status, booked.body.radius_m, booked.body.slot_start_at, booked.body.tentative],
      ['DEL-000001', 'Collection', 'booked', 5, at('08:00'), false],
    )
    const asked = await post(w, {}, mate)
    assert.deepEqual(
      [asked.body.number, asked.body.name, asked.body.status, asked.body.contractor_id, asked.body.slot_start_at, asked.body.tentative],
      ['DEL-000002', 'Thames Readymix', 'requested', a, null, true],
    )
    const tasks = async () =>
      (await w.as('coordinator').get(`/tasks/?site_id=${w.site_id}`)).body.filter((one: { kind: string }) => one.kind === 'decide_delivery')
        .length
    assert.equal(await tasks(), 1)
    const decided = await patch(w, asked.body.id, { status: 'booked', decision_note: 'Gate 2' })
    assert.deepEqual(
      [decided.body.status, decided.body.decision_note, decided.body.slot_end_at, await tasks()],
      ['booked', 'Gate 2', at('09:00'), 0],
    )
    assert.deepEqual(
      (await there(w, '08:30')).map(one => one.id),
      [booked.body.id, asked.body.id],
    )
    for (const more of [{ status: 'booked' }, { allow_overlap: true }, { status: 'arrived' }])
      assert.equal((await post(w, more, mate)).body.error.permission, 'delivery_manage')
  })

  test('logistics §1 when a delivery that someone has asked for is deleted, nobody has to decide on it any longer', async () => {
    const w = await monday()
    const mate = await w.join('member', await w.contractor('B Ltd'))
    const mine = await post(w, {}, mate)
    assert.equal(mine.status, 201, mine.text)
    const tasks = async () => (await w.as('coordinator').get(`/tasks/?site_id=${w.site_id}`)).body.map((one: { kind: string }) => one.kind)
    assert.deepEqual(await tasks(), ['decide_delivery'])
    assert.equal((await mate.del(`/deliveries/${mine.body.id}`)).status, 204)
    assert.deepEqual(await tasks(), [])
  })

  test('conventions §1 Bodies: a PATCH accepts what a GET shows of a delivery, in every state, and an arrival or a departure can’t be removed', async () => {
    const w = await monday()
    const { id } = (await post(w)).body
    const back = async () => patch(w, id, (await w.as('coordinator').get(`/deliveries/${id}`)).body)
    const unchanged = async () => {
      const before = (await w.as('coordinator').get(`/deliveries/${id}`)).body
      const again = await back()
      assert.deepEqual([again.status, again.body?.version, again.body?.status], [200, before.version, before.status], again.text)
    }
    await unchanged()
    assert.equal((await patch(w, id, { left_at: null })).body.status, 'booked', 'no departure is no step')
    house.clock(at('08:10'))
    assert.equal((await patch(w, id, { status: 'arrived' })).status, 200)
    await unchanged()
    assert.equal(field(await patch(w, id, { arrived_at: null })), 'arrived_at')
    house.clock(at('08:40'))
    assert.equal((await patch(w, id, { left_at: at('08:35') })).status, 200)
    await unchanged()
    assert.equal(field(await patch(w, id, { left_at: null })), 'left_at')
  })

  test('conventions §5 a blank supplier is none, so that the delivery still has a name', async () => {
    const w = await monday()
    const made = await post(w, { supplier_name: '  ' })
    assert.deepEqual([made.status, made.body?.supplier_name, made.body?.name], [201, null, 'Delivery'], made.text)
  })

  test('logistics §1 the slot: 5 minutes to 24 hours, not before today, for coordinators not more than 31 days back', async () => {
    const w = await monday()
    const mate = await w.join('member', await w.contractor('A Ltd'))
    assert.equal(field(await post(w, { end_at: null })), 'end_at')
    assert.equal(field(await post(w, { end_at: at('07:00') })), 'end_at')
    assert.equal(field(await post(w, { end_at: at('08:04') })), 'end_at')
    assert.equal((await post(w, { end_at: at('08:05') })).status, 201)
    assert.equal(field(await post(w, { end_at: '2026-03-17T08:00:00.001Z' })), 'end_at')
    const sunday = { start_at: '2026-03-15T22:00:00.000Z', end_at: at('01:00') }
    assert.equal(field(await post(w, sunday, mate)), 'start_at')
    assert.equal((await post(w, sunday)).status, 201)
    assert.equal(field(await post(w, { start_at: '2026-02-12T22:00:00.000Z', end_at: '2026-02-12T23:00:00.000Z' })), 'start_at')
  })

  test('logistics §1 a bay is a delivery bay that is there in the slot, a gate a vehicle gate, and the machine on site then: 422 otherwise', async () => {
    const w = await monday()
    const work = await bay(w, { area_kind: 'work' })
    const short = await bay(w, { end_at: at('08:30') })
    assert.equal(field(await post(w, { bay_id: work })), 'bay_id')
    assert.equal(field(await post(w, { bay_id: short })), 'bay_id')
    assert.equal((await post(w, { bay_id: short, end_at: at('08:30') })).status, 201)
    const other = await permitWorld(house)
    assert.equal(field(await post(w, { bay_id: await bay(other) })), 'bay_id')
    const crane = { site_id: w.site_id, name: 'TC1', category: 'tower_crane', start_at: at('07:00'), end_at: at('08:30'), place: HERE }
    const plant = (await w.as('coordinator').post('/plant', crane)).body.id
    assert.equal(field(await post(w, { unload_plant_id: plant })), 'unload_plant_id')
    const poi = { site_id: w.site_id, name: 'First aid', poi_kind: 'first_aid', start_at: at('05:00'), place: HERE }
    assert.equal(field(await post(w, { gate_poi_id: (await w.as('coordinator').post('/pois/', poi)).body.id })), 'gate_poi_id')
  })

  test('logistics §1 two bookings of one bay 08:00–09:00 and 08:30–09:30, in parallel: one succeeds, one is 409 with `next_free`; 09:00–10:00 is free', async () => {
    const w = await monday()
    const bay_id = await bay(w)
    const mate = await w.join('member', await w.contractor('A Ltd'))
    const first = (await post(w, { bay_id }, mate)).body
    const second = (await post(w, { bay_id, start_at: at('08:30'), end_at: at('09:30') }, mate)).body
    assert.deepEqual([first.status, second.competes_with], ['requested', [first.id]])
    const both = await Promise.all([first, second].map(({ id }) => patch(w, id, { status: 'booked' })))
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    const refused = both.find(({ status }) => status === 409)
    const booked = both.find(({ status }) => status === 200)
    assert.deepEqual([refused?.body.error.reason, refused?.body.error.overlapping[0].id], ['overlap', booked?.body.id])
    const free = refused?.body.error.next_free
    assert.equal(free.length, 3)
    assert.ok(
      free.every((one: { start_at: string }) => one.start_at >= booked?.body.end_at),
      'what is free is free',
    )
    const lost = refused === both[0] ? first : second
    assert.equal((await patch(w, lost.id, { status: 'booked', ...free[0] })).status, 200)
    const touching = await post(w, { bay_id, start_at: free[0].end_at, end_at: free[1].end_at })
    assert.equal(touching.status, 201, touching.text)
    assert.deepEqual(code(await post(w, { bay_id })), [409, 'overlap'])
    assert.equal((await post(w, { bay_id, allow_overlap: true })).status, 201)
  })

  test('logistics §1 one delivery at an unloading machine at a time, raced', async () => {
    const w = await monday()
    const crane = { site_id: w.site_id, name: 'TC1', category: 'tower_crane', start_at: at('07:00'), place: HERE }
    const unload_plant_id = (await w.as('coordinator').post('/plant', crane)).body.id
    const all = await Promise.all([1, 2, 3, 4].map(() => post(w, { unload_plant_id })))
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409, 409])
  })

  test('logistics §1 booked 08:00–09:00, arrived 08:20, still there at 09:10: the map has it at 08:30 and 09:05, without an end; left 09:25: not at 09:30', async () => {
    const w = await monday()
    const { id } = (await post(w)).body
    house.clock(at('08:20'))
    const here = await patch(w, id, { status: 'arrived' })
    assert.deepEqual(
      [here.body.status, here.body.arrived_at, here.body.start_at, here.body.end_at, here.body.slot_start_at, here.body.overrunning],
      ['arrived', at('08:20'), at('08:20'), at('09:00'), at('08:00'), false],
    )
    assert.deepEqual([(await there(w, '08:59')).length, (await there(w, '09:00')).length], [1, 0])
    house.clock(at('09:10'))
    assert.equal((await there(w, '08:10')).length, 0)
    assert.deepEqual([(await there(w, '08:30'))[0]?.end_at, (await there(w, '09:05'))[0]?.end_at], [null, null])
    assert.equal((await w.as('viewer').get(`/deliveries/${id}`)).body.overrunning, true)
    house.clock(at('09:25'))
    const left = await patch(w, id, { left_at: at('09:25') })
    assert.deepEqual([left.body.status, left.body.left_at, left.body.end_at], ['arrived', at('09:25'), at('09:25')], left.text)
    assert.deepEqual([(await there(w, '09:24')).length, (await there(w, '09:30')).length], [1, 0])
    const fixed = await patch(w, id, { arrived_at: at('08:15'), left_at: at('09:20') })
    assert.deepEqual([fixed.body.start_at, fixed.body.end_at], [at('08:15'), at('09:20')])
    assert.equal(field(await patch(w, id, { end_at: at('09:40') })), 'end_at')
    assert.equal(field(await patch(w, id, { left_at: at('09:30') })), 'left_at')
  })

  test('logistics §1 a contractor retimes a booked slot: it is requested, and the old slot is free for others at once', async () => {
    const w = await monday()
    const bay_id = await bay(w)
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const { id } = (await post(w, { bay_id, contractor_id: a })).body
    assert.equal((await patch(w, id, { haulier_name: 'Dock' }, mate)).body.status, 'booked')
    const moved = await patch(w, id, { start_at: at('10:00'), end_at: at('11:00') }, mate)
    assert.deepEqual([moved.body.status, moved.body.slot_start_at, moved.body.decided_by], ['requested', at('08:00'), null], moved.text)
    assert.equal((await post(w, { bay_id })).status, 201)
    assert.equal((await post(w, { bay_id, start_at: at('10:00'), end_at: at('11:00') })).status, 201)
    assert.deepEqual(code(await patch(w, id, { status: 'booked' })), [409, 'overlap'])
    const retimed = await patch(w, id, { start_at: at('12:00'), end_at: at('13:00') })
    assert.deepEqual([retimed.body.status, retimed.body.slot_start_at], ['booked', at('12:00')])
  })

  test('logistics §1 a vehicle that comes while a contractor has asked for another slot is measured by that one', async () => {
    const w = await monday()
    const a = await w.contractor('A Ltd')
    const foreman = await w.join('member', a)
    const { id } = (await post(w, { contractor_id: a })).body
    const asked = await patch(w, id, { start_at: at('13:00'), end_at: at('14:00') }, foreman)
    assert.equal(asked.body.status, 'requested', asked.text)
    house.clock(at('13:05'))
    const { body: here } = await patch(w, id, { status: 'arrived' })
    assert.deepEqual([here.slot_start_at, here.slot_end_at, here.end_at, here.overrunning], [at('13:00'), at('14:00'), at('14:00'), false])
    const [event] = await house.rows("select payload from event where site_id = $1 and kind = 'delivery.arrived'", [w.site_id])
    assert.equal(event.payload.minutes_late, 5)
  })

  test('logistics §1 the clock of a phone can differ by a few minutes: it records now, or the arrival, and nothing further ahead', async () => {
    const w = await monday('08:20')
    const { id } = (await post(w, { status: 'arrived', start_at: at('08:21') })).body
    assert.equal((await w.as('viewer').get(`/deliveries/${id}`)).body.arrived_at, at('08:20'))
    assert.equal(field(await patch(w, id, { left_at: at('08:30') })), 'left_at')
    const left = await patch(w, id, { left_at: at('08:24') })
    assert.deepEqual([left.status, left.body.left_at], [200, at('08:20')], left.text)
    const second = (await post(w, { status: 'arrived' })).body.id
    house.clock(at('08:26'))
    assert.equal(field(await patch(w, second, { left_at: at('07:50') })), 'left_at')
  })

  test('logistics §1 declining needs a note and offers three free slots; a slot that was declined can be asked for again', async () => {
    const w = await monday()
    const mate = await w.join('member', await w.contractor('A Ltd'))
    const { id } = (await post(w, { bay_id: await bay(w) }, mate)).body
    assert.equal(field(await patch(w, id, { status: 'declined' })), 'decision_note')
    assert.equal((await patch(w, id, { status: 'declined', decision_note: 'x' }, mate)).body.error.permission, 'delivery_manage')
    const declined = await patch(w, id, { status: 'declined', decision_note: 'Crane is lifting steel' })
    assert.deepEqual([declined.body.status, declined.body.next_free.length, (await there(w, '08:30')).length], ['declined', 3, 0])
    const again = await patch(w, id, declined.body.next_free[1], mate)
    assert.deepEqual([again.body.status, again.body.start_at], ['requested', declined.body.next_free[1].start_at])
  })

  test('logistics §1 a step that a state doesn’t have is 409 with the states that it can lead to; flags say the same', async () => {
    const w = await monday()
    const made = (await post(w)).body
    assert.deepEqual(
      ['book', 'decline', 'cancel', 'arrive', 'mark_no_show', 'turn_away', 'leave'].map(step => made.permissions[`can_${step}`]),
      [false, false, true, true, true, false, false],
    )
    const wrong = await patch(w, made.id, { status: 'declined', decision_note: 'x' })
    assert.deepEqual(
      [wrong.status, wrong.body.error.code, wrong.body.error.allowed],
      [409, 'invalid_transition', ['cancelled', 'arrived', 'no_show']],
    )
    assert.equal((await patch(w, made.id, { status: 'cancelled' })).body.status, 'cancelled')
    assert.equal((await patch(w, made.id, { haulier_name: 'Dock' })).status, 409)
    assert.equal((await there(w, '08:30')).length, 0)
  })

  test('logistics §1 arrivals are recorded by coordinators, members of the main contractor, and the delivery’s own contractor', async () => {
    const w = await monday('08:10')
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const main = await w.contractor('Main Ltd')
    assert.equal((await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: main })).status, 200)
    const gateman = await w.join('member', main)
    const of_a = async () => (await post(w, { contractor_id: a })).body.id
    const refused = await patch(w, await of_a(), { status: 'arrived' }, await w.join('member', b))
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'delivery_gate'])
    for (const by of [await w.join('member', a), gateman, w.as('coordinator')])
      assert.equal((await patch(w, await of_a(), { status: 'arrived' }, by)).body.status, 'arrived')
    assert.equal((await patch(w, await of_a(), { haulier_name: 'x' }, gateman)).status, 403)
  })

  test('logistics §1 a contractor corrects an arrival by a day at most, as when it is recorded; a coordinator further', async () => {
    const w = await monday('08:10')
    const a = await w.contractor('A Ltd')
    const mate = await w.join('member', a)
    const { id } = (await post(w, { contractor_id: a })).body
    assert.equal((await patch(w, id, { status: 'arrived' }, mate)).status, 200)
    const far = '2026-03-15T08:00:00.000Z'
    const refused = await patch(w, id, { arrived_at: far }, mate)
    assert.deepEqual([refused.status, field(refused)], [422, 'arrived_at'])
    assert.equal((await patch(w, id, { arrived_at: '2026-03-15T08:20:00.000Z' }, mate)).status, 200)
    assert.equal((await patch(w, id, { arrived_at: far })).body.arrived_at, far)
    const same = await patch(w, id, { arrived_at: far, haulier_name: 'Smith' }, mate)
    assert.equal(same.status, 200, 'what stays as it is needs nobody else')
  })

  test('logistics §1 a vehicle that is turned away has a reason, leaves, and is no longer on the map', async () => {
    const w = await monday('08:10')
    const { id } = (await post(w, { status: 'arrived', start_at: at('08:05'), end_at: null })).body
    assert.equal((await there(w, '08:06')).length, 1)
    assert.equal(field(await patch(w, id, { status: 'turned_away' })), 'reason')
    assert.equal(field(await patch(w, id, { status: 'turned_away', reason: 'other' })), 'note')
    const away = await patch(w, id, { status: 'turned_away', reason: 'not_booked' })
    assert.deepEqual(
      [away.body.status, away.body.turned_away_reason, away.body.left_at, away.body.unbooked, away.body.slot_start_at],
      ['turned_away', 'not_booked', at('08:10'), true, null],
    )
    assert.deepEqual([(await there(w, '08:06')).length, await ids(w, 'unbooked=true&status=turned_away')], [0, [id]])
    const late = (await post(w, { status: 'arrived', start_at: at('08:10'), end_at: null })).body
    assert.equal((await patch(w, late.id, { left_at: at('08:10') })).status, 200)
    const gone = await patch(w, late.id, { status: 'turned_away', reason: 'no_space' })
    assert.equal(gone.body.error.guard, 'here')
    assert.equal(field(await post(w, { status: 'arrived', start_at: at('08:16') })), 'start_at')
  })

  test('logistics §1 only what is requested, declined or cancelled can be deleted; the rest is a record', async () => {
    const w = await monday()
    const mate = await w.join('member', await w.contractor('A Ltd'))
    const { id } = (await post(w)).body
    assert.deepEqual(code(await w.as('coordinator').del(`/deliveries/${id}`)), [409, 'is_a_record'])
    assert.equal((await w.as('coordinator').get(`/deliveries/${id}`)).body.permissions.can_delete, false)
    const asked = (await post(w, {}, mate)).body
    assert.equal(asked.permissions.can_delete, true)
    house.clock(at('08:30'))
    assert.equal((await mate.del(`/deliveries/${asked.id}`)).status, 204)
    assert.deepEqual([(await mate.get(`/deliveries/${asked.id}`)).status, await ids(w, '')], [404, [id]])
  })

  test('logistics §1 outside working hours, at short notice, on a closed route or too long for the bay: a warning, never a refusal', async () => {
    const w = await monday()
    const kinds = async (more: object) => {
      const made = await post(w, more)
      assert.equal(made.status, 201, made.text)
      return made.body.warnings.map((one: { kind: string }) => one.kind)
    }
    assert.deepEqual(await kinds({ start_at: at('10:00'), end_at: at('11:00') }), [])
    assert.deepEqual(await kinds({ start_at: at('07:59'), end_at: at('08:59') }), ['short_notice'])
    assert.deepEqual(await kinds({ start_at: at('20:00'), end_at: at('21:00') }), ['outside_hours'])
    const bay_id = await bay(w)
    const closed = { name: 'Haul road', area_kind: 'route_closed', end_at: at('12:00') }
    await bay(w, { ...closed, place: { polygon: boxAt(6, 6, 30) } })
    await bay(w, { ...closed, name: 'Far away', place: { polygon: boxAt(200, 0, 30) } })
    assert.deepEqual(await kinds({ start_at: at('10:00'), end_at: at('11:00'), bay_id, vehicle_length_m: 18 }), [
      'route_closed',
      'too_long_for_bay',
    ])
  })
})
