import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('undoing a copy', () => {
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
  const undo = (w: World, ids: string[], more: object = {}, by: 'coordinator' | 'hse' | 'viewer' = 'coordinator') =>
    w.as(by).post('/workers/undo-copy', { site_id: w.site_id, ids, ...more })
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
    assert.deepEqual([tried.status, tried.body.removed.length, await tomorrow(w)], [200, 2, 2])
    const done = await undo(w, ids)
    assert.deepEqual([done.status, done.body.removed.toSorted(), await tomorrow(w)], [200, ids.toSorted(), 0])
    const links = await house.rows('select entity_id from permit_entity where site_id = $1', [w.site_id])
    assert.equal(links.length, 1)
    assert.equal((await copied(w)).length, 2, 'it can be copied again')
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

  test('§0.7 copies of plant and of active areas are undone as well', async () => {
    const w = await house.world()
    const by = w.as('coordinator')
    const common = { site_id: w.site_id, ...day }
    const corner = (lon: number, lat: number) => [lon, lat]
    const ring = [corner(-0.0879, 51.5079), corner(-0.0877, 51.5079), corner(-0.0877, 51.508), corner(-0.0879, 51.5079)]
    await by.post('/plant/', { ...common, name: 'Roller', category: 'roller', place: { point: { lon: -0.0877, lat: 51.5079 } } })
    await by.post('/active-areas/', { ...common, name: 'Bay', place: { polygon: { type: 'Polygon', coordinates: [ring] } } })
    const body = { site_id: w.site_id, ...range }
    const ids = (done: { body: { created: { id: string }[] } }) => done.body.created.map(one => one.id)
    const plant = ids(await by.post('/plant/copy-from-range', body))
    const areas = ids(await by.post('/active-areas/copy-from-range', body))
    const done = [
      await by.post('/plant/undo-copy', { site_id: w.site_id, ids: plant }),
      await by.post('/active-areas/undo-copy', { site_id: w.site_id, ids: areas }),
    ]
    assert.deepEqual(
      done.map(({ status, body: { removed } }) => [status, removed.length]),
      [
        [200, 1],
        [200, 1],
      ],
    )
  })

  test('§0.7 what isn’t a copy, someone else’s copy, and one of the day before yesterday are refused by position; viewers by permission', async () => {
    const w = await house.world()
    const original = await gang(w, 'A')
    const [copy = ''] = await copied(w)
    const path = async (...given: Parameters<typeof undo>) => {
      const { status, body } = await undo(...given)
      return [status, body.error.fields?.[0]?.path]
    }
    assert.deepEqual(await path(w, [original.id]), [422, 'ids[0]'])
    assert.deepEqual(await path(w, [copy], {}, 'hse'), [422, 'ids[0]'])
    assert.equal((await undo(w, [copy], {}, 'viewer')).status, 403)
    house.clock('2026-03-17T09:00:01.000Z')
    assert.deepEqual(await path(w, [copy]), [422, 'ids[0]'])
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
