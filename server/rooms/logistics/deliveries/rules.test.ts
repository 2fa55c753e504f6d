import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { freeSlots } from './domain.ts'
import { sweepLate, sweepNoShows, sweepPeople } from './jobs.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const DAY = '2026-03-16'
const at = (time: string) => `${DAY}T${time}:00.000Z`

describe('deliveries on the map and over time', () => {
  const house = useHouse()
  const monday = async (time = '06:00') => {
    house.clock(at(time))
    return permitWorld(house)
  }
  const post = (w: PermitWorld, more: object = {}, by: Caller = w.as('coordinator')) =>
    by.post('/deliveries/', {
      ...{ site_id: w.site_id, supplier_name: 'Thames Readymix', start_at: at('08:00'), end_at: at('09:00'), place: HERE, ...more },
    })
  const one = async (w: PermitWorld, id: string, by: Caller = w.as('coordinator')) => (await by.get(`/deliveries/${id}`)).body
  const ids = async (w: PermitWorld, query: string, by: Caller = w.as('coordinator')): Promise<string[]> =>
    (await by.get(`/deliveries/?site_id=${w.site_id}&${query}`)).body.map((row: { id: string }) => row.id)

  test('logistics §0.3 driver, registration and notes: own contractor, coordinators and commercial; no one finds a registration that they can’t see', async () => {
    const w = await monday()
    const [a, b] = [await w.contractor('A Ltd'), await w.contractor('B Ltd')]
    const people = { vehicle_reg: 'LX24 KDN', driver_name: 'Sam Field', driver_phone: '07700 900123', notes: 'Ring first' }
    const { id } = (await post(w, { contractor_id: a, ...people })).body
    const seen = async (by: Caller) => {
      const { vehicle_reg, driver_name, driver_phone, notes } = await one(w, id, by)
      return [vehicle_reg, driver_name, driver_phone, notes]
    }
    const other = await w.join('member', b)
    for (const by of [await w.join('member', a), w.as('coordinator'), await w.join('commercial', b)])
      assert.deepEqual(await seen(by), Object.values(people))
    assert.deepEqual(await seen(other), [null, null, null, null])
    assert.deepEqual(
      [await ids(w, 'q=lx24'), await ids(w, 'q=lx24', other), await ids(w, 'q=readymix', other), await ids(w, 'q=del-000001', other)],
      [[id], [], [id], [id]],
    )
    // What people see, they also find: with a right to the details, or through the oversight of their contractor.
    assert.deepEqual(await ids(w, 'q=lx24', await w.join('commercial', b)), [id])
    assert.equal((await w.as('admin').post(`/contractors/${b}/oversight`, { subordinate_id: a })).status, 201)
    assert.deepEqual([(await seen(other))[0], await ids(w, 'q=lx24', other)], ['LX24 KDN', [id]])
  })

  test('logistics §1 drivers and registrations are blanked 90 days after the day', async () => {
    const w = await monday()
    const { id } = (await post(w, { vehicle_reg: 'LX24 KDN', driver_name: 'Sam Field' })).body
    house.clock('2026-06-14T07:59:00.000Z')
    await sweepPeople(house.house)
    assert.equal((await one(w, id)).vehicle_reg, 'LX24 KDN')
    house.clock('2026-06-14T08:01:00.000Z')
    // The database has other sites, too.
    assert.deepEqual([(await sweepPeople(house.house)) > 0, await sweepPeople(house.house)], [true, 0])
    const { vehicle_reg, driver_name, supplier_name } = await one(w, id)
    assert.deepEqual([vehicle_reg, driver_name, supplier_name], [null, null, 'Thames Readymix'])
  })

  test('logistics §1 a booked vehicle that has not come is late after 15 minutes and a no-show after midnight on site; a coordinator can still record that it came', async () => {
    const w = await monday()
    const { id } = (await post(w)).body
    const asked = (await post(w, { status: 'requested' })).body.id
    house.clock(at('08:14'))
    assert.deepEqual([(await one(w, id)).late, await ids(w, 'late=true')], [false, []])
    house.clock(at('08:15'))
    assert.deepEqual([(await one(w, id)).late, await ids(w, 'late=true')], [true, [id]])
    house.clock(at('23:59'))
    await sweepNoShows(house.house)
    assert.equal((await one(w, id)).status, 'booked')
    house.clock('2026-03-17T00:00:00.000Z')
    assert.deepEqual([(await sweepNoShows(house.house)) > 0, await sweepNoShows(house.house)], [true, 0])
    assert.deepEqual([(await one(w, id)).status, (await one(w, asked)).status], ['no_show', 'requested'])
    house.clock('2026-03-17T00:30:00.000Z')
    const came = await w.as('coordinator').patch(`/deliveries/${id}`, { status: 'arrived' })
    assert.deepEqual([came.body.status, came.body.end_at, came.body.overrunning], ['arrived', null, true], came.text)
  })

  test('§0.8 a permit covers a delivery: `permit_id` at creation, `no_permit` only while it is there, link and unlink', async () => {
    const w = await monday('08:30')
    await w.as('hse').put('/permits/config', { site_id: w.site_id, coverage_policy_enabled: true })
    const permit = await w.at('issued')
    const bare = (await post(w)).body
    const covered = await post(w, { permit_id: permit.id })
    assert.equal(covered.status, 201, covered.text)
    assert.deepEqual(
      [bare.no_permit, covered.body.no_permit, covered.body.permits[0].id, covered.body.number],
      [true, false, permit.id, 'DEL-000002'],
    )
    assert.deepEqual([await ids(w, 'no_permit=true'), await ids(w, `permit_id=${permit.id}`)], [[bare.id], [covered.body.id]])
    const change = (verb: string) =>
      w.as('coordinator').post(`/permits/applications/${permit.id}/${verb}`, { entity_type: 'delivery', entity_ids: [bare.id] })
    assert.equal((await change('link')).status, 200)
    assert.equal((await one(w, bare.id)).no_permit, false)
    const entities = (await w.as('coordinator').get(`/permits/applications/${permit.id}/entities`)).body
    assert.deepEqual(
      entities.map((entity: { entity_type: string }) => entity.entity_type),
      ['delivery', 'delivery'],
    )
    assert.equal((await change('unlink')).status, 200)
    assert.equal((await w.as('coordinator').patch(`/deliveries/${bare.id}`, { status: 'cancelled' })).body.no_permit, false)
    assert.deepEqual(await ids(w, 'no_permit=true'), [])
  })

  test('§12 the layer `deliveries` of an export has as many features as the map, and no names of people', async () => {
    const w = await monday('08:30')
    await post(w, { driver_name: 'Sam Field', vehicle_reg: 'LX24 KDN' })
    await post(w, { status: 'arrived', start_at: at('08:10') })
    const gone = (await post(w)).body.id
    await w.as('coordinator').patch(`/deliveries/${gone}`, { status: 'cancelled' })
    const file = await w.as('coordinator').get(`/exports/geojson?site_id=${w.site_id}&layers=deliveries&at=${at('08:40')}`)
    const map = await w.as('viewer').get(`/deliveries/at-time?site_id=${w.site_id}&at=${at('08:40')}`)
    assert.deepEqual([file.body.features.length, map.body.length], [2, 2])
    assert.doesNotMatch(file.text, /Sam Field|LX24/)
    const period = await w
      .as('coordinator')
      .get(`/exports/geojson?site_id=${w.site_id}&layers=deliveries&from=${at('07:00')}&to=${at('12:00')}`)
    assert.equal(period.body.features.length, 2)
  })

  test('§0.9 a delivery raises the revision of tokens, and tells of a change on the map', async () => {
    const w = await monday()
    const layers = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body.layers
    const before = await layers()
    const { id } = (await post(w)).body
    const then = await layers()
    assert.deepEqual([then.tokens > (before.tokens ?? 0), then.reference], [true, before.reference])
    await w.as('coordinator').patch(`/deliveries/${id}`, { status: 'cancelled' })
    assert.ok((await layers()).tokens > then.tokens)
    const { rows } = await house.house.database.pool.query(
      `select kind from event where site_id = $1 and subject_id = $2 order by event_no`,
      [w.site_id, id],
    )
    assert.deepEqual(
      rows.map(row => row.kind),
      ['map_entity.created', 'delivery.booked', 'delivery.cancelled', 'map_entity.changed'],
    )
  })

  test('§17 the time slider stops at an arrival, a departure, and the end of the slot of a vehicle that is here', async () => {
    const w = await monday('08:20')
    const here = (await post(w)).body.id
    const gone = (await post(w, { start_at: at('07:00'), end_at: at('08:00') })).body.id
    await w.as('coordinator').patch(`/deliveries/${here}`, { status: 'arrived', arrived_at: at('08:10') })
    await w.as('coordinator').patch(`/deliveries/${gone}`, { status: 'cancelled' })
    const asked = { site_id: w.site_id, from: at('00:00'), to: at('23:00'), kinds: ['delivery'] }
    // The first point is the start of the period.
    const points = async () =>
      (await w.as('viewer').post('/analysis/change-points', asked)).body.points
        .slice(1)
        .map((point: { at: string; alive: object }) => [point.at, point.alive])
    assert.deepEqual(await points(), [
      [at('08:10'), { delivery: 1, headcount: 0 }],
      [at('09:00'), { delivery: 0, headcount: 0 }],
    ])
    house.clock(at('09:30'))
    await w.as('coordinator').patch(`/deliveries/${here}`, { left_at: at('09:20') })
    assert.deepEqual(
      (await points()).map(([time]: string[]) => time),
      [at('08:10'), at('09:20')],
    )
  })

  test('messages §0.5 who asked for a slot and the contractor hear how it was decided, and coordinators and commercial of a vehicle that was turned away', async () => {
    house.clock('2026-03-16T06:00:00.000Z')
    const w = await permitWorld(house)
    const a = await w.contractor('A Ltd')
    const [asker, mate, other] = [await w.join('member', a), await w.join('member', a), await w.join('member', await w.contractor('B Ltd'))]
    const heard = async (by: Caller): Promise<string[]> => {
      await relayEvents(house.house)
      return (await by.get(`/notifications/?site_id=${w.site_id}`)).body
        .filter(({ kind }: { kind: string }) => kind.startsWith('delivery_'))
        .map(({ title, body, link }: Record<string, string>) => [title, body, link].join(' | '))
    }
    const slot = { start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T09:00:00.000Z' }
    const place = { point: { lon: -0.0877, lat: 51.5079 } }
    const asked = (await asker.post('/deliveries/', { site_id: w.site_id, name: 'Rebar', ...slot, place })).body
    const change = (body: object) => w.as('coordinator').patch(`/deliveries/${asked.id}`, body)
    assert.equal((await change({ status: 'declined', decision_note: 'The crane is lifting steel' })).status, 200)
    const link = `/sites/${w.site_id}/map?delivery=${asked.id}`
    const declined = `Declined: ${asked.number} Rebar | The crane is lifting steel | ${link}`
    assert.deepEqual([await heard(asker), await heard(mate), await heard(other)], [[declined], [declined], []])
    const later = { start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T13:00:00.000Z' }
    assert.equal((await asker.patch(`/deliveries/${asked.id}`, later)).body.status, 'requested')
    assert.equal((await change({ status: 'booked' })).status, 200)
    assert.match((await heard(asker))[0] ?? '', /^Booked: DEL-\d+ Rebar \| The delivery has its slot from .*12:00/)
    await change({ start_at: '2026-03-16T13:00:00.000Z', end_at: '2026-03-16T14:00:00.000Z' })
    assert.match((await heard(mate))[0] ?? '', /^Another slot: DEL-\d+ Rebar \| .*13:00/)
    house.clock('2026-03-16T13:00:00.000Z')
    await change({ status: 'arrived' })
    await asker.patch(`/deliveries/${asked.id}`, { status: 'turned_away', reason: 'unsafe_load' })
    for (const by of [w.as('coordinator'), w.as('commercial')]) assert.match((await heard(by))[0] ?? '', /^Turned away: DEL-\d+ Rebar/)
    assert.equal((await heard(other)).length, 0)
  })

  test('messages §0.5 coordinators hear once for each slot that a booked vehicle is a quarter of an hour late, and again after it was given another slot', async () => {
    const w = await monday()
    const { id, number } = (await post(w)).body
    await post(w, { status: 'requested' })
    const heard = async (by: Caller): Promise<string[]> => {
      await sweepLate(house.house)
      await relayEvents(house.house)
      return (await by.get(`/notifications/?site_id=${w.site_id}`)).body
        .filter(({ kind }: { kind: string }) => kind === 'delivery_late')
        .map(({ title, body }: Record<string, string>) => `${title} | ${body}`)
    }
    house.clock(at('08:14'))
    assert.deepEqual(await heard(w.as('coordinator')), [])
    house.clock(at('08:15'))
    const [first, ...more] = await heard(w.as('coordinator'))
    assert.match(
      first ?? '',
      new RegExp(`^Late: ${number} Thames Readymix \\| The vehicle was booked for .*08:00.* and hasn’t arrived\\.$`),
    )
    assert.deepEqual([more, (await heard(w.as('coordinator'))).length, await heard(w.as('commercial'))], [[], 1, []])
    await w.as('coordinator').patch(`/deliveries/${id}`, { start_at: at('09:00'), end_at: at('10:00') })
    assert.equal((await heard(w.as('coordinator'))).length, 1)
    house.clock(at('09:20'))
    assert.equal((await heard(w.as('coordinator'))).length, 2)
    await w.as('coordinator').patch(`/deliveries/${id}`, { status: 'arrived' })
    house.clock(at('12:00'))
    assert.equal((await heard(w.as('coordinator'))).length, 2)
  })

  test('logistics §1, site-and-people §0.2 free slots are offered in the night shift that began the day before, in quarters of an hour on site', async () => {
    // Monday 16 March, 21:00 in Kathmandu.
    house.clock('2026-03-16T15:15:00.000Z')
    const w = await permitWorld(house, { timezone: 'Asia/Kathmandu' })
    const { site_id } = w
    const nights = { site_id, name: 'Nights', start_time: '20:00', end_time: '04:00', breaks: [] }
    assert.equal((await w.as('hse').post('/shifts/', nights)).status, 201)
    const bay = { site_id, name: 'Bay 1', area_kind: 'delivery_bay', start_at: '2026-03-16T00:00:00.000Z', end_at: null }
    const bay_id = (await w.as('coordinator').post('/active-areas/', { ...bay, place: { polygon: boxAt(0, 0, 12) } })).body.id
    // Tuesday, 01:00 to 02:00.
    const slot = { bay_id, start_at: '2026-03-16T19:15:00.000Z', end_at: '2026-03-16T20:15:00.000Z' }
    const booked = await post(w, slot)
    assert.deepEqual([booked.status, booked.body.warnings], [201, []])
    const taken = await post(w, slot)
    assert.equal(taken.status, 409, taken.text)
    // 02:00 and 03:00 in the night, then 07:30.
    assert.deepEqual(
      taken.body.error.next_free.map((one: { start_at: string }) => one.start_at.slice(5, 16)),
      ['03-16T20:15', '03-16T21:15', '03-17T01:45'],
    )
  })

  test('logistics §1 free slots are quarters of an hour within working hours, and touch nothing that is taken', () => {
    const hours = [
      { start_at: at('07:30'), end_at: at('10:00') },
      { start_at: '2026-03-17T07:30:00.000Z', end_at: '2026-03-17T17:30:00.000Z' },
    ]
    const taken = [{ start_at: at('08:10'), end_at: at('08:50') }]
    assert.deepEqual(
      freeSlots(hours, taken, 3_600_000, at('07:05')).map(({ start_at }) => start_at),
      [at('09:00'), '2026-03-17T07:30:00.000Z', '2026-03-17T08:30:00.000Z'],
    )
    assert.deepEqual(freeSlots(hours, [], 24 * 3_600_000, at('07:05')), [])
  })
})
