import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxAt } from '../../../../tests/geo.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'

describe('cuts of active areas', () => {
  const house = useHouse()
  const near = (area: number, wanted: number) => assert.ok(Math.abs(area - wanted) <= 1, `${area} m² isn’t ${wanted} m²`)
  const draw = async (w: World, more: object = {}) => {
    const made = await w.as('hse').post('/active-areas/', {
      ...{ site_id: w.site_id, name: 'Slab', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' },
      ...{ place: { polygon: boxAt(0, 0, 100) }, ...more },
    })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const cut = (w: World, target_id: string, polygon: unknown, more: object = {}, role: 'hse' | 'member' = 'hse'): Promise<Reply> =>
    w.as(role).post('/geometry/cut-hole-freeform', { site_id: w.site_id, target_id, polygon, ...more })
  const atTime = async (w: World, at: string) => (await w.as('viewer').get(`/active-areas/at-time?site_id=${w.site_id}&at=${at}`)).body
  const exported = async (w: World, query: string) => {
    const reply = await w.as('hse').get(`/exports/geojson?site_id=${w.site_id}&layers=active_areas&${query}`)
    assert.equal(reply.status, 200, reply.text)
    const { features }: { features: { geometry: { coordinates: unknown[] }; properties: Record<string, unknown> }[] } = JSON.parse(
      reply.text,
    )
    return features.map(({ geometry, properties }) => [geometry.coordinates.length, properties.start_at, properties.end_at])
  }

  test('§10 a hole is cut out of an active area from now on, and undone in any order; before the cut there is no hole, and in between there still is one', async () => {
    const w = await house.world()
    const { id } = await draw(w)
    house.clock('2026-03-16T10:00:00.000Z')
    const first = await cut(w, id, boxAt(20, 20, 20))
    assert.equal(first.status, 201, first.text)
    near(first.body.feature.area_m2, 9600)
    assert.deepEqual(
      [first.body.cut.feature_kind, first.body.feature.kind, first.body.feature.outline.coordinates.length],
      ['active_area', 'active_area', 1],
    )
    const second = await cut(w, id, boxAt(30, 20, 20))
    near(second.body.feature.area_m2, 9400)
    house.clock('2026-03-16T11:00:00.000Z')
    const undone = await w.as('hse').post(`/geometry/undo-cut/${first.body.cut.id}`, {})
    assert.equal(undone.status, 200, undone.text)
    near(undone.body.feature.area_m2, 9600)
    near((await atTime(w, '2026-03-16T09:30:00.000Z'))[0].area_m2, 10_000)
    near((await atTime(w, '2026-03-16T10:30:00.000Z'))[0].area_m2, 9400)
    near((await atTime(w, '2026-03-16T11:00:00.000Z'))[0].area_m2, 9600)
    near((await w.as('hse').post(`/geometry/reapply-cut/${first.body.cut.id}`, {})).body.feature.area_m2, 9400)
    const moved = await w.as('hse').patch(`/active-areas/${id}`, { place: { polygon: boxAt(25, 0, 100) } })
    near(moved.body.area_m2, 10_000 - 25 * 20)
    const steps = (await w.as('viewer').get(`/geometry/history/${id}`)).body
    assert.deepEqual(
      steps.map((one: { step: string }) => one.step),
      ['outline', 'reapply', 'undo', 'cut', 'cut'],
    )
    assert.ok(steps[0].by_name !== null)
  })

  test('§12 the file has the shape of an active area as it was then, and during a period each shape with the time for which it was so', async () => {
    const w = await house.world()
    const { id } = await draw(w)
    house.clock('2026-03-16T10:00:00.000Z')
    await cut(w, id, boxAt(20, 20, 20))
    house.clock('2026-03-16T11:00:00.000Z')
    assert.deepEqual(await exported(w, 'at=2026-03-16T09:30:00.000Z'), [[1, '2026-03-16T08:00:00.000Z', '2026-03-16T17:00:00.000Z']])
    assert.deepEqual(await exported(w, 'at=2026-03-16T10:30:00.000Z'), [[2, '2026-03-16T08:00:00.000Z', '2026-03-16T17:00:00.000Z']])
    assert.deepEqual(await exported(w, 'from=2026-03-16T00:00:00.000Z&to=2026-03-17T00:00:00.000Z'), [
      [1, '2026-03-16T08:00:00.000Z', '2026-03-16T10:00:00.000Z'],
      [2, '2026-03-16T10:00:00.000Z', '2026-03-16T17:00:00.000Z'],
    ])
    assert.deepEqual(await exported(w, 'from=2026-03-16T10:30:00.000Z&to=2026-03-17T00:00:00.000Z'), [
      [2, '2026-03-16T10:00:00.000Z', '2026-03-16T17:00:00.000Z'],
    ])
  })

  test('§10 with scope=future, each later occurrence is cut and still follows its schedule; otherwise only this one, which is edited', async () => {
    const w = await house.world()
    const made = await w.as('hse').post('/active-areas/schedule', {
      ...{ site_id: w.site_id, template: { name: 'Bay', place: { polygon: boxAt(0, 0, 50) } } },
      pattern: { start_date: '2026-03-16', end_date: '2026-03-18', start_time: '10:00', end_time: '16:00' },
    })
    assert.equal(made.status, 201, made.text)
    const [one, two] = made.body.occurrences
    const state = async () =>
      (await w.as('viewer').get(`/active-areas/?site_id=${w.site_id}`)).body.map((area: { area_m2: number; edited: boolean }) => [
        Math.round(area.area_m2 / 100),
        area.edited,
      ])
    assert.equal((await cut(w, two.id, boxAt(10, 10, 10))).status, 201)
    assert.deepEqual(await state(), [
      [25, false],
      [24, true],
      [25, false],
    ])
    assert.equal((await cut(w, one.id, boxAt(30, 30, 10), { scope: 'future' })).status, 201)
    assert.deepEqual(await state(), [
      [24, false],
      [24, true],
      [24, false],
    ])
    const single = await draw(w)
    assert.equal((await cut(w, single.id, boxAt(10, 10, 10), { scope: 'future' })).body.error.fields[0].path, 'scope')
  })

  test('§10 a part of a fill, another contractor’s area, an ended area and another time are refused, and nothing changes', async () => {
    const w = await house.world()
    const acme = (await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Acme Ltd' })).body.id
    const area = await draw(w, { contractor_id: acme })
    assert.equal((await cut(w, area.id, boxAt(20, 20, 20), {}, 'member')).status, 403)
    const later = await cut(w, area.id, boxAt(20, 20, 20), { effective_at: '2026-03-16T12:00:00.000Z' })
    assert.equal(later.body.error.fields[0].path, 'effective_at')
    const filled = await w.as('hse').post('/active-areas/fill', {
      ...{ site_id: w.site_id, container: { polygon: boxAt(200, 0, 40) }, template: { name: 'Ours' } },
      ...{ start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z' },
    })
    assert.equal(filled.status, 201, filled.text)
    assert.equal((await cut(w, filled.body.areas[0], boxAt(205, 5, 10))).body.error.reason, 'fill_member')
    assert.equal((await cut(w, area.id, boxAt(300, 300, 10))).body.error.reason, 'no_overlap')
    assert.equal((await cut(w, area.id, boxAt(-1, 40, 102, 10))).body.error.reason, 'would_split')
    near((await w.as('viewer').get(`/active-areas/${area.id}`)).body.area_m2, 10_000)
    house.clock('2026-03-16T18:00:00.000Z')
    const ended = await cut(w, area.id, boxAt(20, 20, 20))
    assert.deepEqual([ended.status, ended.body.error.code, ended.body.error.status], [409, 'invalid_transition', 'ended'])
  })
})
