import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { metresBetween } from '../../../../shared/geometry/plane.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { markCursor } from '../../../base/paging.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const NOW = '2026-03-16T09:00:00.000Z'
const square = (lon: number, lat: number, size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
      [lon, lat],
    ],
  ],
})

describe('points of interest', () => {
  const house = useHouse()
  const post = (w: World, body: object, role: 'coordinator' | 'hse' | 'member' = 'coordinator') =>
    w
      .as(role)
      .post('/pois/', { site_id: w.site_id, name: 'First aid', poi_kind: 'first_aid', start_at: NOW, place: { point: HERE }, ...body })
  const list = async (w: World, query = '') => (await w.as('viewer').get(`/pois/?site_id=${w.site_id}${query}`)).body
  const names = (rows: { name: string }[]) => rows.map(row => row.name)
  const atTime = async (w: World, at: string, query = '') =>
    names((await w.as('viewer').get(`/pois/at-time?site_id=${w.site_id}&at=${at}${query}`)).body)
  const events = async (w: World, kind: string) =>
    (
      await house.house.database.pool.query('select kind, payload from event where site_id = $1 and kind = $2 order by event_no', [
        w.site_id,
        kind,
      ])
    ).rows

  test('§5 a coordinator adds a point with its sign; a member can’t', async () => {
    const w = await house.world()
    const made = await post(w, {})
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, `/api/pois/?site_id=${w.site_id}&id=${made.body.id}`)
    assert.deepEqual([made.body.iso_7010, made.body.emergency, made.body.place.point, made.body.end_at], ['E003', true, HERE, null])
    const refused = await post(w, {}, 'member')
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'map_entity_edit_any'])
    assert.deepEqual(names(await list(w)), ['First aid'])
    assert.equal((await post(w, { start_at: undefined, name: 'Second' })).body.start_at, NOW, 'the start is now unless it is given')
    assert.equal((await w.as('coordinator').del(`/pois/${(await list(w, '&q=second'))[0].id}`)).status, 204)
    const gate = await post(w, { name: 'North gate', poi_kind: 'vehicle_gate' })
    assert.deepEqual([gate.body.iso_7010, gate.body.emergency], [null, false])
    assert.deepEqual(names(await list(w, '&emergency=true')), ['First aid'])
    assert.deepEqual(names(await list(w, '&poi_kind=vehicle_gate&q=NORTH')), ['North gate'])
    assert.equal((await w.as('viewer').get(`/pois/?site_id=${w.site_id}&near=north`)).status, 422)
    const other = await house.world()
    assert.equal((await other.as('coordinator').patch(`/pois/${made.body.id}`, { name: 'x' })).status, 404)
  })

  test('§5 near orders by geodesic distance, to 0.1 m, over several pages', async () => {
    const w = await house.world()
    for (const [name, metres] of [
      ['far', 0.003],
      ['near', 0.0005],
      ['middle', 0.001],
    ] as const)
      await post(w, { name, place: { point: { lon: HERE.lon + metres, lat: HERE.lat } } })
    const first = await w.as('viewer').get(`/pois/?site_id=${w.site_id}&near=${HERE.lon},${HERE.lat}&limit=2`)
    assert.deepEqual(names(first.body), ['near', 'middle'])
    const exact = metresBetween(HERE, { lon: HERE.lon + 0.0005, lat: HERE.lat })
    assert.ok(Math.abs(first.body[0].distance_m - exact) < 0.1)
    const next = /<\/api([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    assert.deepEqual(names((await w.as('viewer').get(next)).body), ['far'])
  })

  test('§5 a cursor of `near` that was altered, or is of another list, is refused', async () => {
    const w = await house.world()
    const near = (cursor: unknown) =>
      w
        .as('viewer')
        .get(
          `/pois/?site_id=${w.site_id}&near=${HERE.lon},${HERE.lat}&cursor=${markCursor('poi.list', Buffer.from(JSON.stringify(cursor)).toString('base64url'))}`,
        )
    for (const cursor of [[-1, null], [1.5, null], ['a', null], [null, null], [1], ['gate', 'Gate 1', w.site_id], [1e308, null]]) {
      const refused = await near(cursor)
      assert.equal(refused.status, 422, JSON.stringify(cursor))
      assert.equal(refused.body.error.fields[0].path, 'cursor')
    }
    assert.equal((await near([0, null])).status, 200)
  })

  test('§5 near compares the positions of all points, and reads only those of the page in full', async () => {
    const w = await house.world()
    const at = (metres: number) => ({ place: { point: { lon: HERE.lon + metres * 0.00001, lat: HERE.lat } } })
    for (let n = 1; n <= 5; n++) await post(w, { name: `Point ${n}`, ...at(n) })
    await post(w, { name: 'Nearer', poi_kind: 'welfare', ...at(0.5) })
    const asked = '&poi_kind=first_aid&limit=2'
    const sent = await recording(async () =>
      assert.deepEqual(names(await list(w, `&near=${HERE.lon},${HERE.lat}${asked}`)), ['Point 1', 'Point 2']),
    )
    const reads = sent.filter(({ text }) => /from "?poi"?/.test(text))
    assert.deepEqual(
      reads.map(({ text }) => text.includes('t.*')),
      [false, true],
    )
    const { rows } = await house.house.database.pool.query(reads[1]?.text ?? '', reads[1]?.values)
    assert.equal(rows.length, 2)
  })

  test('§5 the only assembly point stays unless another one is there, or an H&S person sends force; people hear of every change', async () => {
    const w = await house.world()
    const point = { name: 'Assembly A', poi_kind: 'assembly_point', start_at: '2026-03-10T06:00:00.000Z' }
    const a = (await post(w, point)).body
    const refused = await w.as('coordinator').del(`/pois/${a.id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'last_assembly_point'])
    assert.equal((await w.as('coordinator').patch(`/pois/${a.id}`, { end_at: NOW })).status, 409)
    assert.equal((await w.as('coordinator').del(`/pois/${a.id}?force=true`)).body.error.permission, 'map_entity_purge')
    const b = (await post(w, { ...point, name: 'Assembly B' })).body
    const before = (await events(w, 'poi.emergency_changed')).length
    assert.equal((await w.as('coordinator').del(`/pois/${a.id}?force=true`)).status, 204, 'force isn’t needed with another one')
    const told = await events(w, 'poi.emergency_changed')
    assert.equal(told.length, before + 1)
    assert.equal(told.at(-1)?.payload.change, 'ended')
    assert.deepEqual(await atTime(w, NOW), ['Assembly B'])
    assert.deepEqual(await atTime(w, '2026-03-16T08:59:59.999Z'), ['Assembly A', 'Assembly B'])
    assert.equal((await w.as('hse').del(`/pois/${b.id}?force=true`)).status, 204)
  })

  test('§5 the only assembly point can’t be ended or moved to a later time by a change of its times either', async () => {
    const w = await house.world()
    const only = (await post(w, { name: 'Assembly', poi_kind: 'assembly_point', start_at: '2026-03-10T06:00:00.000Z' })).body
    for (const times of [{ end_at: NOW }, { start_at: '2026-03-17T06:00:00.000Z' }]) {
      const refused = await w.as('coordinator').patch(`/pois/${only.id}`, times)
      assert.deepEqual([refused.status, refused.body.error?.reason], [409, 'last_assembly_point'], refused.text)
    }
    assert.equal((await w.as('coordinator').patch(`/pois/${only.id}`, { name: 'Assembly A' })).status, 200)
  })

  test('§5 two people who each remove one of the last two assembly points can’t both succeed', async () => {
    const w = await house.world()
    const point = { poi_kind: 'assembly_point', start_at: '2026-03-10T06:00:00.000Z' }
    const ids = [(await post(w, { ...point, name: 'A' })).body.id, (await post(w, { ...point, name: 'B' })).body.id]
    const both = await Promise.all(ids.map(id => w.as('coordinator').del(`/pois/${id}`)))
    assert.deepEqual(both.map(reply => reply.status).sort(), [204, 409])
  })

  test('§5 a first-aid post that moves on Monday is on the map at every instant, without duplicates', async () => {
    const w = await house.world()
    const monday = '2026-03-23T00:00:00.000Z'
    await post(w, { name: 'Old post', end_at: monday })
    await post(w, { name: 'New post', start_at: monday })
    assert.deepEqual(await atTime(w, '2026-03-22T23:59:59.999Z'), ['Old post'])
    assert.deepEqual(await atTime(w, monday), ['New post'])
  })

  test('§5 the kind of a point that is already on the map can’t be changed, one that is ahead can', async () => {
    const w = await house.world()
    const there = (await post(w, { start_at: '2026-03-10T06:00:00.000Z' })).body
    const ahead = (await post(w, { start_at: '2026-03-20T06:00:00.000Z' })).body
    assert.equal((await w.as('hse').patch(`/pois/${there.id}`, { poi_kind: 'aed' })).body.error.fields[0].path, 'poi_kind')
    assert.equal((await w.as('hse').patch(`/pois/${ahead.id}`, { poi_kind: 'aed' })).body.iso_7010, 'E010')
  })

  test('§0.2 a swapped point, one outside the site, none, and an end before the start are refused with their reason', async () => {
    const w = await house.world()
    const fault = async (body: object) =>
      (await post(w, body)).body.error?.fields?.map((f: { path: string; message: string }) => `${f.path} ${f.message}`)
    await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: square(HERE.lon - 0.001, HERE.lat - 0.001, 0.002) })
    assert.match((await fault({ place: { point: { lon: HERE.lat, lat: HERE.lon } } })).join(), /^place\.point .*swapped/)
    assert.match((await fault({ place: { point: { lon: 0.5, lat: 51.5 } } })).join(), /^place\.point .*outside/)
    assert.deepEqual(await fault({ place: {} }), ['place Choose the point on the map where this is.'])
    assert.deepEqual(await fault({ place: { polygon: square(HERE.lon, HERE.lat, 0.0002) } }), [
      'place Choose the point on the map where this is.',
    ])
    assert.deepEqual(await fault({ end_at: NOW }), ['end_at must be later than start_at.'])
    assert.equal((await list(w)).length, 0)
    await post(w, {})
    const moved = await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: square(HERE.lon + 0.1, HERE.lat, 0.002) })
    assert.equal(moved.body.outside.tokens, 1, 'a new boundary counts what it leaves outside')
  })

  test('§0.2 building, level and zone are found from the position at the start; what a person names comes first', async () => {
    const w = await house.world()
    const feature = async (body: object) =>
      (await w.as('hse').post('/reference-features/zones', { site_id: w.site_id, effective_at: '2026-03-01T00:00:00.000Z', ...body })).body
    const levels = [{ index: 0 }, { index: 1 }]
    const big = await feature({ kind: 'building', name: 'Podium', levels, outline: square(HERE.lon - 0.001, HERE.lat - 0.001, 0.002) })
    const small = await feature({
      kind: 'building',
      name: 'Bridge',
      levels: [{ index: 2 }],
      outline: square(HERE.lon - 0.0001, HERE.lat - 0.0001, 0.0002),
    })
    const zone = await feature({
      kind: 'zone',
      name: 'Core',
      building_id: big.id,
      level_from: 1,
      outline: square(HERE.lon - 0.0005, HERE.lat - 0.0005, 0.001),
    })
    assert.ok(big.id && small.id && zone.id)
    const found = (await post(w, {})).body
    assert.deepEqual([found.place.building_id, found.place.level_index, found.place.zone_id], [small.id, null, null])
    assert.deepEqual([found.place_source, found.off_place], ['derived', false])
    const named = (await post(w, { place: { building_id: big.id, level_index: 1, point: HERE } })).body
    assert.deepEqual(
      [named.place.building_id, named.place.level_index, named.place.zone_id, named.place_source],
      [big.id, 1, zone.id, 'given'],
    )
    const ground = (await post(w, { place: { building_id: big.id, point: HERE } })).body
    assert.deepEqual([ground.place.level_index, ground.place.zone_id], [0, null])
    const off = (await post(w, { place: { building_id: small.id, point: { lon: HERE.lon + 0.0005, lat: HERE.lat } } })).body
    assert.deepEqual([off.place.building_id, off.off_place], [small.id, true])
    assert.equal(
      (await w.as('hse').del(`/reference-features/features/${zone.id}`, { effective_at: '2026-03-16T08:00:00.000Z', force: true })).status,
      204,
    )
    const zoned = await post(w, { place: { zone_id: zone.id, point: HERE } })
    assert.equal(zoned.body.error.fields[0].path, 'place.zone_id')
    const outside = (await post(w, { place: { point: { lon: HERE.lon + 0.01, lat: HERE.lat } } })).body
    assert.deepEqual([outside.place.building_id, outside.place_source], [null, 'none'])
    const level = await post(w, { place: { building_id: big.id, level_index: 7, point: HERE } })
    assert.equal(level.body.error.fields[0].path, 'place.level_index')
    // A client can submit what it has read: that names nothing, and the place is still derived.
    const same = await w.as('hse').patch(`/pois/${found.id}`, { place: found.place, name: 'Renamed' })
    assert.deepEqual([same.body.place_source, same.body.name, same.body.place], ['derived', 'Renamed', found.place])
    assert.deepEqual(names(await list(w, `&building_id=${small.id}&limit=10`)).sort(), ['First aid', 'Renamed'])
    assert.equal((await list(w, '&level_index=1')).length, 1)
    assert.equal((await list(w, `&bbox=${HERE.lon + 0.005},51.5,0,52`)).length, 1)
  })

  test('§0.2 a building that ends or moves before a point starts leaves it off its place, with the building that a person named', async () => {
    const w = await house.world()
    const tomorrow = '2026-03-17T06:00:00.000Z'
    const outline = square(HERE.lon - 0.001, HERE.lat - 0.001, 0.002)
    const feature = async (name: string) =>
      (
        await w.as('hse').post('/reference-features/zones', {
          site_id: w.site_id,
          kind: 'building',
          name,
          levels: [{ index: 0 }],
          outline,
          effective_at: '2026-03-01T00:00:00.000Z',
        })
      ).body.id
    const change = (id: string, body: object) => w.as('hse').patch(`/reference-features/features/${id}`, body)
    const one = await feature('Block A')
    const made = (await post(w, { start_at: tomorrow, place: { building_id: one, point: HERE } })).body
    const off = async () => (await list(w, `&id=${made.id}`))[0]
    assert.equal((await off()).off_place, false)
    await change(one, { outline: square(HERE.lon + 0.001, HERE.lat, 0.002), effective_at: '2026-03-17T12:00:00.000Z' })
    assert.equal((await off()).off_place, false, 'it was inside at its start')
    await change(one, { outline: square(HERE.lon + 0.001, HERE.lat, 0.002), effective_at: '2026-03-16T12:00:00.000Z' })
    assert.deepEqual([(await off()).off_place, (await off()).place.building_id], [true, one])
    assert.equal((await w.as('hse').del(`/reference-features/features/${one}`, { force: true })).status, 204)
    assert.deepEqual([(await off()).off_place, (await off()).place.building_id], [true, one])
  })

  test('§0.3 a list takes what overlaps a period; deleted points are for coordinators only; what ended stays unless purged', async () => {
    const w = await house.world()
    const past = (await post(w, { name: 'Past', start_at: '2026-03-01T06:00:00.000Z', end_at: '2026-03-02T06:00:00.000Z' })).body
    const ahead = (await post(w, { name: 'Ahead', start_at: '2026-04-01T06:00:00.000Z' })).body
    assert.deepEqual(names(await list(w, '&from=2026-03-02T06:00:00.000Z')), ['Ahead'])
    assert.deepEqual(names(await list(w, '&from=2026-03-02T05:59:59.999Z&to=2026-03-03T00:00:00.000Z')), ['Past'])
    assert.equal((await w.as('coordinator').del(`/pois/${past.id}`)).body.error.permission, 'map_entity_purge')
    assert.equal((await w.as('coordinator').del(`/pois/${ahead.id}`)).status, 204)
    assert.equal((await w.as('coordinator').del(`/pois/${ahead.id}`)).status, 404)
    assert.deepEqual(names(await list(w)), ['Past'])
    assert.equal((await w.as('member').get(`/pois/?site_id=${w.site_id}&include_deleted=true`)).status, 403)
    assert.deepEqual(names((await w.as('coordinator').get(`/pois/?site_id=${w.site_id}&include_deleted=true`)).body), ['Ahead', 'Past'])
    assert.equal((await w.as('hse').del(`/pois/${past.id}`)).status, 204)
    assert.deepEqual(await atTime(w, '2026-03-01T12:00:00.000Z'), [])
    const kinds = (
      await house.house.database.pool.query(
        "select kind, payload from event where site_id = $1 and kind like 'map_entity.%' order by event_no",
        [w.site_id],
      )
    ).rows
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['map_entity.created', 'map_entity.created', 'map_entity.removed', 'map_entity.removed'],
    )
    assert.deepEqual(Object.keys(kinds[0]?.payload).sort(), ['bbox', 'contractor_id', 'from', 'ids', 'kind', 'to'])
  })
})
