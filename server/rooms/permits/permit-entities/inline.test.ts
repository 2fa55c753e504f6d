import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

const at = (time: string) => `2026-03-16T${time}:00.000Z`
const HERE = { point: { lon: -0.0877, lat: 51.5079 } }

describe('permits that begin with the work on the map', () => {
  const house = useHouse()
  const monday = async () => {
    house.clock(at('09:00'))
    return permitWorld(house)
  }
  const put = async (w: PermitWorld, path: 'workers' | 'plant', more: object = {}): Promise<string> => {
    const body = { site_id: w.site_id, name: 'Welders', contractor_id: w.acme, start_at: at('10:00'), end_at: at('17:00'), place: HERE }
    const own = path === 'workers' ? { trade: 'Welder' } : { category: 'mewp' }
    const made = await w.as('coordinator').post(`/${path}/`, { ...body, ...own, ...more })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const worker = (entity_id: string) => ({ entity_type: 'worker', entity_id })
  const request = (w: PermitWorld, entities: object[], more: object = {}, by = 'member' as 'member' | 'coordinator' | 'viewer') =>
    w.as(by).post('/permits/applications/inline', { site_id: w.site_id, categories: ['HW'], title: 'Weld', entities, ...more })

  test('§1 inline: contractor, window and place are filled from the entities, which are linked in the same transaction', async () => {
    const w = await monday()
    const gang = await put(w, 'workers')
    const lift = await put(w, 'plant', { start_at: at('11:00'), end_at: at('18:30') })
    const made = await request(w, [worker(gang), { entity_type: 'plant', entity_id: lift }])
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.status, made.body.contractor_id, made.body.start_at, made.body.end_at, made.headers.location],
      ['draft', w.acme, at('10:00'), at('18:30'), `/api/permits/applications/${made.body.id}`],
    )
    const linked = (await w.as('member').get(`/permits/applications/${made.body.id}/entities`)).body
    assert.deepEqual(
      linked.map((one: { entity_id: string; outside_permit_window: boolean }) => [one.entity_id, one.outside_permit_window]),
      [
        [lift, false],
        [gang, false],
      ],
    )
  })

  test('§1 inline: a single record gives its position; what the body says wins', async () => {
    const w = await monday()
    const gang = await put(w, 'workers')
    const made = await request(w, [worker(gang)], { start_at: at('12:00'), end_at: at('13:00') })
    assert.deepEqual(made.body.place.point, HERE.point)
    assert.deepEqual([made.body.start_at, made.body.end_at], [at('12:00'), at('13:00')])
    const [linked] = (await w.as('member').get(`/permits/applications/${made.body.id}/entities`)).body
    assert.equal(linked.outside_permit_window, true)
  })

  test('§1 inline: work without an end gets the default duration of the types', async () => {
    const w = await monday()
    const crane = await put(w, 'plant', { end_at: null })
    const made = await request(w, [{ entity_type: 'plant', entity_id: crane }])
    assert.equal(made.status, 201, made.text)
    assert.ok(made.body.end_at > made.body.start_at)
  })

  test('§1 inline: work of two contractors needs the contractor; work that doesn’t exist, or that the caller can’t change, makes no permit', async () => {
    const w = await monday()
    const gang = await put(w, 'workers')
    const { id: bolt } = (await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name: 'Bolt', colour: '#aa3300' })).body
    const others = await put(w, 'workers', { name: 'Bolters', contractor_id: bolt })
    const two = await request(w, [worker(gang), worker(others)], {}, 'coordinator')
    assert.deepEqual([two.status, two.body.error.fields[0].path], [422, 'contractor_id'])
    assert.equal((await request(w, [worker(gang), worker(others)], { contractor_id: w.acme }, 'coordinator')).status, 201)
    const gone = await request(w, [worker(gang), worker(w.acme)])
    assert.deepEqual([gone.status, gone.body.error.fields[0].path], [422, 'entities[1].entity_id'])
    assert.equal((await request(w, [worker(others)])).status, 403)
    assert.equal((await request(w, [worker(gang)], {}, 'viewer')).status, 403)
    assert.equal((await request(w, [])).status, 422)
    const drafts = (await w.as('member').get(`/permits?site_id=${w.site_id}`)).body
    assert.equal(drafts.length, 0, 'every refusal left nothing')
  })
})
