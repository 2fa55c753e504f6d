import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('copies of days', () => {
  const house = useHouse()
  const range = { from_date: '2026-03-16', to_date: '2026-03-16', target_date: '2026-03-17' }
  const day = { start_at: '2026-03-16T10:00:00.000Z', end_at: '2026-03-16T16:00:00.000Z' }
  const gang = async (w: World, name: string, more: object = {}) => {
    const body = { site_id: w.site_id, name, trade: 'Fixer', place: { point: { lon: -0.0877, lat: 51.5079 } }, ...day, ...more }
    const made = await w.as('coordinator').post('/workers/', body)
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const copied = async (w: World): Promise<string[]> => {
    const done = await w.as('coordinator').post('/workers/copy-from-range', { site_id: w.site_id, ...range })
    assert.equal(done.status, 201, done.text)
    return done.body.created.map((one: { id: string }) => one.id)
  }
  const undo = (w: World, worker_ids: string[], more: object = {}, by: 'coordinator' | 'hse' | 'viewer' = 'coordinator') =>
    w.as(by).post('/copies/undo', { site_id: w.site_id, worker_ids, ...more })
  const tomorrow = async (w: World) =>
    (await w.as('viewer').get(`/workers/at-time?site_id=${w.site_id}&at=2026-03-17T12:00:00.000Z`)).body.length

  test('§0.7 a copy is undone in one step, with its links to permits; what it was copied from stays', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { end_at: '2026-03-18T18:00:00.000Z' })
    await gang(w, 'A', { contractor_id: w.acme, permit_id: permit.id })
    await gang(w, 'B')
    const ids = await copied(w)
    assert.equal(await tomorrow(w), 2)
    const tried = await undo(w, ids, { dry_run: true })
    assert.deepEqual([tried.status, tried.body.worker_ids.length, await tomorrow(w)], [200, 2, 2])
    const done = await undo(w, ids)
    assert.deepEqual([done.status, done.body.worker_ids.toSorted(), await tomorrow(w)], [200, ids.toSorted(), 0])
    const links = await house.rows('select entity_id from permit_entity where site_id = $1', [w.site_id])
    assert.equal(links.length, 1)
    assert.equal((await copied(w)).length, 2, 'it can be copied again')
  })

  test('1114 people undo copies only for a contractor that they act for, not for one that they have left since', async () => {
    const w = await permitWorld(house)
    await gang(w, 'A', { contractor_id: w.acme })
    const member = w.as('member')
    const done = await member.post('/workers/copy-from-range', { site_id: w.site_id, ...range })
    assert.equal(done.status, 201, done.text)
    const [{ id }] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, member.user_id])
    const move = async (contractor_id: string) => w.as('admin').post(`/memberships/${id}/approve`, { contractor_id })
    const body = { site_id: w.site_id, worker_ids: done.body.created.map((one: { id: string }) => one.id) }
    assert.equal((await move(await w.contractor('B Ltd'))).status, 200)
    const refused = await member.post('/copies/undo', body)
    assert.deepEqual([refused.status, refused.body.error.fields[0].path, await tomorrow(w)], [422, 'worker_ids[0]', 1])
    await move(w.acme)
    assert.equal((await member.post('/copies/undo', body)).status, 200)
    assert.equal(await tomorrow(w), 0)
  })

  test('§0.7 if someone has changed one of the copies, nothing is undone, and the refusal lists it', async () => {
    const w = await house.world()
    await gang(w, 'A')
    await gang(w, 'B')
    const ids = await copied(w)
    const changed = await w.as('hse').patch(`/workers/${ids[1]}`, { headcount: 9 })
    assert.equal(changed.status, 200, changed.text)
    const refused = await undo(w, ids)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'changed_since'])
    assert.match(refused.body.error.detail ?? refused.body.error.message, /^[AB] has been changed since it was copied\. Nothing was undone/)
    assert.equal(await tomorrow(w), 2)
  })

  /** Copies a gang, a machine and an area to tomorrow, and returns the ids of the copies by kind. */
  const copiedOfAll = async (w: World) => {
    const by = w.as('coordinator')
    const common = { site_id: w.site_id, ...day }
    const corner = (lon: number, lat: number) => [lon, lat]
    const ring = [corner(-0.0879, 51.5079), corner(-0.0877, 51.5079), corner(-0.0877, 51.508), corner(-0.0879, 51.5079)]
    await gang(w, 'A')
    await by.post('/plant/', { ...common, name: 'Roller', category: 'roller', place: { point: { lon: -0.0877, lat: 51.5079 } } })
    await by.post('/active-areas/', { ...common, name: 'Bay', place: { polygon: { type: 'Polygon', coordinates: [ring] } } })
    const copy = async (path: string): Promise<string[]> => {
      const done = await by.post(`${path}copy-from-range`, { site_id: w.site_id, ...range })
      assert.equal(done.status, 201, done.text)
      return done.body.created.map((one: { id: string }) => one.id)
    }
    return { worker_ids: await copy('/workers/'), plant_ids: await copy('/plant/'), active_area_ids: await copy('/active-areas/') }
  }
  /** Counts what is there tomorrow: workers, plant, areas. */
  const allTomorrow = async (w: World) => {
    const query = `site_id=${w.site_id}&at=2026-03-17T12:00:00.000Z`
    const rows = ['/workers', '/plant', '/active-areas'].map(path => w.as('viewer').get(`${path}/at-time?${query}`))
    return (await Promise.all(rows)).map(({ body }) => body.length)
  }

  test('§0.7 copies of workers, plant and active areas are undone in one step; repeating it changes nothing', async () => {
    const w = await house.world()
    const ids = await copiedOfAll(w)
    assert.deepEqual(await allTomorrow(w), [1, 1, 1])
    const done = await undo(w, ids.worker_ids, ids)
    assert.deepEqual([done.status, done.body], [200, ids])
    assert.deepEqual(await allTomorrow(w), [0, 0, 0])
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).text
    const before = await revision()
    const again = await undo(w, ids.worker_ids, ids)
    assert.deepEqual([again.status, again.body], [200, { worker_ids: [], plant_ids: [], active_area_ids: [] }])
    assert.equal(await revision(), before)
  })

  test('§0.7 if one of the machines has been changed since, or one id is wrong, the workers and the areas stay as well', async () => {
    const w = await house.world()
    const ids = await copiedOfAll(w)
    const wrong = await undo(w, ids.worker_ids, { ...ids, active_area_ids: [...ids.active_area_ids, w.site_id] })
    assert.deepEqual(
      [wrong.status, wrong.body.error.fields],
      [422, [{ path: 'active_area_ids[1]', message: 'isn’t a copy that you made on this site.' }]],
    )
    const changed = await w.as('hse').patch(`/plant/${ids.plant_ids[0]}`, { name: 'Roller 2' })
    assert.equal(changed.status, 200, changed.text)
    const refused = await undo(w, ids.worker_ids, ids)
    assert.deepEqual([refused.status, refused.body.error.reason, refused.body.error.ids], [409, 'changed_since', ids.plant_ids])
    assert.match(
      refused.body.error.detail ?? refused.body.error.message,
      /^Roller 2 has been changed since it was copied\. Nothing was undone/,
    )
    assert.deepEqual(await allTomorrow(w), [1, 1, 1])
  })

  test('§0.7 a copy that someone has already removed keeps nobody from undoing the others', async () => {
    const w = await house.world()
    const ids = await copiedOfAll(w)
    assert.equal((await w.as('hse').del(`/plant/${ids.plant_ids[0]}`)).status, 204)
    const done = await undo(w, ids.worker_ids, ids)
    assert.deepEqual([done.status, done.body], [200, { ...ids, plant_ids: [] }])
    assert.deepEqual(await allTomorrow(w), [0, 0, 0])
  })

  test('§0.7 undone twice at the same time, each copy is removed once; undone while someone changes a copy, either all are removed or nothing is', async () => {
    const w = await house.world()
    const ids = await copiedOfAll(w)
    const both = await Promise.all([undo(w, ids.worker_ids, ids), undo(w, ids.worker_ids, ids)])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(
      both.flatMap(({ body }) => [...body.worker_ids, ...body.plant_ids, ...body.active_area_ids]).toSorted(),
      Object.values(ids).flat().toSorted(),
    )
    const other = await house.world()
    const theirs = await copiedOfAll(other)
    const [undone, changed] = await Promise.all([
      undo(other, theirs.worker_ids, theirs),
      other.as('hse').patch(`/active-areas/${theirs.active_area_ids[0]}`, { name: 'Bay 2' }),
    ])
    const pair = [undone.status, changed.status].join(' ')
    assert.ok(['200 404', '409 200', '200 409'].includes(pair), pair)
    assert.deepEqual(await allTomorrow(other), undone.status === 200 ? [0, 0, 0] : [1, 1, 1])
  })

  test('§0.7 without any copy, with one id twice, or with something that isn’t an id, the request is refused by field', async () => {
    const w = await house.world()
    const path = async (body: object) => {
      const { status, body: said } = await w.as('coordinator').post('/copies/undo', { site_id: w.site_id, ...body })
      return [status, said.error.fields[0].path]
    }
    assert.deepEqual(await path({}), [422, 'worker_ids'])
    assert.deepEqual(await path({ plant_ids: [w.site_id, w.site_id] }), [422, 'plant_ids'])
    assert.deepEqual(await path({ active_area_ids: ['bay'] }), [422, 'active_area_ids[0]'])
  })

  test('§0.7 what isn’t a copy, someone else’s copy, and one of the day before yesterday are refused by position; viewers by permission', async () => {
    const w = await house.world()
    const original = await gang(w, 'A')
    const [copy = ''] = await copied(w)
    const path = async (...given: Parameters<typeof undo>) => {
      const { status, body } = await undo(...given)
      return [status, body.error.fields?.[0]?.path]
    }
    assert.deepEqual(await path(w, [original.id]), [422, 'worker_ids[0]'])
    assert.deepEqual(await path(w, [copy], {}, 'hse'), [422, 'worker_ids[0]'])
    assert.equal((await undo(w, [copy], {}, 'viewer')).status, 403)
    house.clock('2026-03-17T09:00:01.000Z')
    assert.deepEqual(await path(w, [copy]), [422, 'worker_ids[0]'])
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
