// Slots whose bay, machine or gate isn't there any longer when they are booked. If it is deleted in the same moment, one of the two is refused, whichever comes first.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../../../server/base/db.ts'
import { hold } from '../../../../server/kernel/records/door.ts'
import { boxAt } from '../../../../tests/geo.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { someoneWaits } from '../../../../tests/waits.ts'
import { type Reply, useHouse } from '../../../../tests/world.ts'

const HERE = { point: { lon: -0.0877, lat: 51.5079 } }
const at = (time: string) => `2026-03-16T${time}:00.000Z`
const STAY = { start_at: at('07:00'), end_at: at('18:00') }

describe('slots whose bay, machine or gate is deleted meanwhile', () => {
  const house = useHouse({}, { pool: 8 })
  const monday = async () => {
    house.clock(at('06:00'))
    return permitWorld(house)
  }
  const made = async (w: PermitWorld, path: string, body: object): Promise<string> => {
    const reply = await w.as('coordinator').post(path, { site_id: w.site_id, ...body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.id
  }
  const THINGS: { field: string; path: string; make(w: PermitWorld): Promise<string> }[] = [
    {
      ...{ field: 'bay_id', path: '/active-areas/' },
      make: w => made(w, '/active-areas/', { name: 'Bay 1', area_kind: 'delivery_bay', ...STAY, place: { polygon: boxAt(0, 0, 12) } }),
    },
    {
      ...{ field: 'unload_plant_id', path: '/plant/' },
      make: w => made(w, '/plant', { name: 'TC1', category: 'tower_crane', ...STAY, place: HERE }),
    },
    {
      ...{ field: 'gate_poi_id', path: '/pois/' },
      make: w => made(w, '/pois/', { name: 'Gate 1', poi_kind: 'vehicle_gate', ...STAY, place: HERE }),
    },
  ]

  /** Sends `first`, which waits for what `lock` locks, and `second` while it waits. */
  async function whileWaiting(lock: (db: Db) => Promise<unknown>, first: () => Promise<Reply>, second: () => Promise<Reply>) {
    const sent: Promise<Reply>[] = []
    await house.house.database.apart.db.transaction().execute(async db => {
      await lock(db)
      sent.push(first())
      await someoneWaits(house)
      sent.push(second())
      // The second one waits for the first, or it is done without it.
      await Promise.race([someoneWaits(house, 2), sent[1]])
      await setTimeout(20)
    })
    return Promise.all(sent)
  }
  const of = (reply?: Reply) => [reply?.status, reply?.body?.error?.reason ?? reply?.body?.error?.fields?.[0]?.path ?? null]
  const referring = async (w: PermitWorld, { field }: { field: string }) =>
    (await house.rows(`select 1 from delivery where site_id = $1 and ${field} is not null and deleted_at is null`, [w.site_id])).length

  const removeSlot = async (w: PermitWorld, id: string) => {
    assert.equal((await w.as('coordinator').patch(`/deliveries/${id}`, { status: 'cancelled' })).status, 200)
    assert.equal((await w.as('coordinator').del(`/deliveries/${id}`)).status, 204)
  }

  for (const thing of THINGS) {
    const { field, path, make } = thing
    const book = (w: PermitWorld, id: string, more: object = {}) =>
      w.as('coordinator').post('/deliveries/', {
        ...{ site_id: w.site_id, supplier_name: 'Readymix', start_at: at('08:00'), end_at: at('09:00'), place: HERE, [field]: id, ...more },
      })
    const remove = (w: PermitWorld, id: string) => w.as('admin').del(`${path}${id}`)

    test(`1130 a deletion that comes while a slot with this ${field} is booked waits, and is refused`, async () => {
      const w = await monday()
      const id = await make(w)
      const bay_id = await made(w, '/active-areas/', {
        ...{ name: 'Bay 2', area_kind: 'delivery_bay', ...STAY, place: { polygon: boxAt(40, 0, 12) } },
      })
      const replies = await whileWaiting(
        db => hold({ db }, 'delivery slots', w.site_id),
        () => book(w, id, field === 'bay_id' ? {} : { bay_id }),
        () => remove(w, id),
      )
      assert.deepEqual(replies.map(of), [
        [201, null],
        [409, 'in_use'],
      ])
      assert.equal(await referring(w, thing), 1)
    })

    test(`1130 a slot that is booked while its ${field} is being deleted waits, and is refused`, async () => {
      const w = await monday()
      const id = await make(w)
      const replies = await whileWaiting(
        db => db.selectFrom('site_head').select('seq').where('site_id', '=', w.site_id).forUpdate().execute(),
        () => remove(w, id),
        () => book(w, id),
      )
      assert.deepEqual(replies.map(of), [
        [204, null],
        [422, field],
      ])
      assert.equal(await referring(w, thing), 0)
    })
  }

  test('logistics §1 a request is booked only while its bay is a delivery bay, and its machine on site, during the whole slot', async () => {
    const w = await monday()
    const coordinator = w.as('coordinator')
    const bay = (i: number) =>
      made(w, '/active-areas/', {
        ...{ name: `Bay ${i}`, area_kind: 'delivery_bay', start_at: at('05:00'), end_at: null, place: { polygon: boxAt(40 * i, 0, 12) } },
      })
    const [ended, other] = [await bay(0), await bay(1)]
    const crane = await made(w, '/plant', { name: 'TC1', category: 'tower_crane', start_at: at('05:00'), place: HERE })
    const asked = (more: object) =>
      made(w, '/deliveries/', {
        ...{ supplier_name: 'Readymix', status: 'requested', start_at: at('08:00'), end_at: at('09:00'), place: HERE, ...more },
      })
    const requests: [string, string][] = [
      ['bay_id', await asked({ bay_id: ended })],
      ['bay_id', await asked({ bay_id: other })],
      ['unload_plant_id', await asked({ unload_plant_id: crane })],
    ]
    house.clock(at('06:30'))
    assert.equal((await w.as('admin').del(`/active-areas/${ended}`)).status, 204)
    assert.equal((await coordinator.patch(`/active-areas/${other}`, { area_kind: 'work' })).status, 200)
    assert.equal((await coordinator.patch(`/plant/${crane}`, { end_at: at('07:00') })).status, 200)
    for (const [field, id] of requests) {
      const refused = await coordinator.patch(`/deliveries/${id}`, { status: 'booked' })
      assert.deepEqual([refused.status, refused.body.error?.fields?.[0].path], [422, field], refused.text)
      assert.equal((await coordinator.patch(`/deliveries/${id}`, { status: 'booked', [field]: null })).status, 200)
    }
  })

  test('1132 no occurrence of a bay that a slot uses is taken away with its schedule, whose refusal says the day; once the slot is deleted, it is', async () => {
    const w = await monday()
    const coordinator = w.as('coordinator')
    const template = { name: 'Bay 1', area_kind: 'delivery_bay', place: { polygon: boxAt(0, 0, 12) } }
    const pattern = { start_date: '2026-03-16', end_date: '2026-03-20', start_time: '07:00', end_time: '18:00' }
    const schedule = await coordinator.post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
    assert.equal(schedule.status, 201, schedule.text)
    const path = `/active-areas/schedule-group/${schedule.body.group.id}` as const
    const bays = async () => (await coordinator.get(`${path}/future-occurrences`)).body
    const [{ id: bay_id }] = (await bays()).filter(({ start_at }: { start_at: string }) => start_at.startsWith('2026-03-18'))
    const slot = await made(w, '/deliveries/', {
      ...{ supplier_name: 'Readymix', start_at: '2026-03-18T08:00:00.000Z', end_at: '2026-03-18T09:00:00.000Z', place: HERE, bay_id },
    })
    const shorter = { pattern: { ...pattern, end_date: '2026-03-17' } }
    house.clock(at('10:00'))
    const all = [
      () => coordinator.put(`${path}/reconcile`, shorter),
      () => coordinator.post(`${path}/finish-early`, {}),
      () => coordinator.del(path),
    ]
    for (const send of all) {
      const refused = await send()
      assert.deepEqual(of(refused), [409, 'in_use'], refused.text)
      assert.match(refused.body.error.detail, /^Bay 1 on 2026-03-18 is used/)
      assert.deepEqual(refused.body.error.in_use, { deliveries: 1 })
      assert.equal((await bays()).length, 4)
    }
    // What no slot uses is removed.
    assert.equal((await coordinator.put(`${path}/reconcile`, { pattern: { ...pattern, end_date: '2026-03-19' } })).status, 200)
    await removeSlot(w, slot)
    assert.equal((await coordinator.put(`${path}/reconcile`, shorter)).status, 200)
    assert.equal((await bays()).length, 1)
  })

  test('1132 a machine whose position a slot uses doesn’t leave the site until the slot is deleted; its positions don’t keep each other', async () => {
    const w = await monday()
    const tomorrow = { start_at: '2026-03-17T07:00:00.000Z', end_at: '2026-03-17T18:00:00.000Z' }
    const crane = await made(w, '/plant', { name: 'MC1', category: 'mobile_crane', ...tomorrow, place: HERE })
    const later = { start_at: '2026-03-18T07:00:00.000Z', end_at: '2026-03-18T18:00:00.000Z' }
    await made(w, '/plant', { name: 'MC1', category: 'mobile_crane', ...later, source_plant_id: crane, place: HERE })
    const slot = await made(w, '/deliveries/', {
      ...{
        supplier_name: 'Readymix',
        start_at: '2026-03-17T08:00:00.000Z',
        end_at: '2026-03-17T09:00:00.000Z',
        place: HERE,
        unload_plant_id: crane,
      },
    })
    const leave = () => w.as('coordinator').del(`/plant/position-group/${crane}`)
    assert.deepEqual(of(await leave()), [409, 'in_use'])
    await removeSlot(w, slot)
    assert.equal((await leave()).status, 204)
    assert.equal((await house.rows('select 1 from plant where site_id = $1 and deleted_at is null', [w.site_id])).length, 0)
  })

  test('1132 a bay, machine or gate is deleted once the only slot that uses it is', async () => {
    const w = await monday()
    for (const { field, path, make } of THINGS) {
      const id = await make(w)
      const slot = await made(w, '/deliveries/', {
        ...{ supplier_name: 'Readymix', start_at: at('08:00'), end_at: at('09:00'), place: HERE, [field]: id },
      })
      assert.deepEqual(of(await w.as('admin').del(`${path}${id}`)), [409, 'in_use'])
      await removeSlot(w, slot)
      assert.equal((await w.as('admin').del(`${path}${id}`)).status, 204, field)
    }
  })
})
