import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recording } from '../../../../bench/record.ts'
import { type Position, planeAt } from '../../../../shared/geometry/plane.ts'
import { type Caller, type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, reading } from '../../../base/ctx.ts'
import { rooms } from '../../../groups.ts'
import { verifyChain } from '../../../kernel/audit/door.ts'
import { defineRoom, plugRooms } from '../../../kernel/sockets/door.ts'
import { placeFinder, placeOf } from './door.ts'

const plane = planeAt({ lon: -0.0877, lat: 51.5079 })
/** Returns a box, in metres from the middle of the site. */
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
const point = (x: number, y: number) => {
  const [lon, lat] = plane.degrees([x, y])
  return `lon=${lon.toFixed(8)}&lat=${lat.toFixed(8)}`
}
const storeys = (n: number) => Array.from({ length: n }, (_, index) => ({ index }))
const NOW = '2026-03-16T09:00:00.000Z'

type Row = { id: string; name: string; [field: string]: unknown }
const names = (reply: Reply): string[] => reply.body.map((row: Row) => row.name)
const paths = (reply: Reply): string[] => reply.body.error?.fields?.map((f: { path: string }) => f.path)

const drawing = (w: World, by: Caller = w.as('hse')) => ({
  draw: (name: string, outline: unknown, more: object = {}) =>
    by.post('/reference-features/zones', { site_id: w.site_id, name, outline, ...more }),
  building: (name: string, outline: unknown, more: object = {}) =>
    by.post('/reference-features/zones', { site_id: w.site_id, kind: 'building', name, outline, ...more }),
  area: (name: string, outline: unknown, more: object = {}) =>
    by.post('/reference-features/zones', { site_id: w.site_id, kind: 'area', name, outline, ...more }),
  list: (query = '') => w.as('viewer').get(`/reference-features/features?site_id=${w.site_id}${query}`),
  atTime: (query = '') => w.as('viewer').get(`/reference-features/features/at-time?site_id=${w.site_id}${query}`),
  one: (id: string) => w.as('viewer').get(`/reference-features/features/${id}`),
  oneAt: (id: string, at: string) => w.as('viewer').get(`/reference-features/features/${id}/at-time?at=${at}`),
  history: (id: string) => w.as('viewer').get(`/reference-features/features/${id}/history`),
  patch: (id: string, body: object, headers = {}) => by.patch(`/reference-features/features/${id}`, body, headers),
  end: (id: string, query = '', body?: object) => by.del(`/reference-features/features/${id}${query}`, body),
})

describe('reference features', () => {
  const house = useHouse()

  test('§1 POST creates a zone with defaults for what is left out; it exists immediately, with its area and centre', async () => {
    const w = await house.world()
    const { draw, one } = drawing(w, w.as('coordinator'))
    const before = (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    const made = await draw('  Laydown 1 ', box(0, 0, 100, 50), { code: 'LD1', zone_type: 'laydown', aliases: ['Yard'] })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, `/api/reference-features/features/${made.body.id}`)
    assert.equal(made.headers.etag, '"1"')
    const { area_m2, centre, outline, geometry } = made.body
    assert.ok(Math.abs(area_m2 - 5000) < 5, `${area_m2}`)
    const [x, y] = plane.metres([centre.lon, centre.lat])
    assert.ok(Math.hypot(x - 50, y - 25) < 0.1)
    assert.deepEqual(outline, geometry)
    assert.deepEqual(
      [
        'kind',
        'name',
        'valid_from',
        'valid_to',
        'feature_version',
        'parent_area_id',
        'levels',
        'building_id',
        'source_layer_id',
        'version',
      ].map(f => made.body[f]),
      ['zone', 'Laydown 1', NOW, null, 1, null, [], null, null, 1],
    )
    assert.deepEqual([made.body.overlap_warnings, made.body.unresolved_permit_locations], [[], []])
    const shown = (await one(made.body.id)).body
    const { overlap_warnings: _o, unresolved_permit_locations: _u, permissions: _p, ...said } = made.body
    assert.deepEqual({ ...shown, permissions: undefined }, { ...said, permissions: undefined })
    assert.equal((await draw('Plain', box(200, 0, 10))).body.zone_type, 'work')
    const after = (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body
    assert.equal(after.revision, before.revision + 2)
    assert.equal(after.layers.reference, after.revision)
  })

  test('§1 the coordinate band can change zones and areas, the manage band also buildings, with backdated changes, and only the administer band can clean up', async () => {
    const w = await house.world()
    const post = (role: Parameters<typeof w.as>[0], body: object) =>
      w.as(role).post('/reference-features/zones', { site_id: w.site_id, name: 'X', outline: box(Math.random() * 1000, 0, 5), ...body })
    for (const role of ['member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const) {
      const refused = await post(role, {})
      assert.deepEqual([refused.status, refused.body.error.permission], [403, 'reference_edit'], role)
    }
    assert.equal((await post('coordinator', { kind: 'area' })).status, 201)
    assert.equal((await post('coordinator', { kind: 'building' })).body.error.permission, 'reference_manage')
    assert.equal((await post('hse', { kind: 'building' })).status, 201)
    const past = '2026-03-01T00:00:00Z'
    assert.equal((await post('coordinator', { effective_at: past })).body.error.permission, 'reference_manage')
    const zone = await post('site_manager', { effective_at: past })
    assert.equal(zone.body.valid_from, '2026-03-01T00:00:00.000Z')
    const change = (role: Parameters<typeof w.as>[0], body: object) =>
      w.as(role).patch(`/reference-features/features/${zone.body.id}`, body)
    assert.equal((await change('member', { name: 'Y' })).status, 403)
    assert.equal((await change('coordinator', { name: 'Y', effective_at: past })).body.error.permission, 'reference_manage')
    assert.equal((await change('coordinator', { name: 'Y' })).status, 200)
    assert.equal(
      (await w.as('coordinator').del(`/reference-features/features/${zone.body.id}`, { force: true })).body.error.permission,
      'reference_manage',
    )
    const clean = (role: Parameters<typeof w.as>[0]) =>
      w.as(role).post('/reference-features/admin/cleanup-versions', { site_id: w.site_id })
    assert.equal((await clean('hse')).body.error.permission, 'reference_cleanup')
    assert.equal((await clean('site_manager')).status, 200)
    const flags = async (role: Parameters<typeof w.as>[0]) =>
      (await w.as(role).get(`/reference-features/features/${zone.body.id}`)).body.permissions
    assert.deepEqual(
      [
        (await flags('coordinator')).can_edit,
        (await flags('coordinator')).can_force,
        (await flags('viewer')).can_edit,
        (await flags('hse')).can_edit_past,
      ],
      [true, false, false, true],
    )
  })

  test('§1 a feature of another site gives 404, and so does another site', async () => {
    const w = await house.world()
    const made = await drawing(w).draw('Z', box(0, 0, 10))
    const other = (await house.world()).as('admin')
    const id = made.body.id
    for (const path of [
      `/reference-features/features/${id}`,
      `/reference-features/features/${id}/at-time`,
      `/reference-features/features/${id}/history`,
    ])
      assert.equal((await other.get(path)).status, 404, path)
    for (const path of ['features', 'features/at-time', 'areas', `building-at-point?${point(0, 0)}`, `buildings-at-point?${point(0, 0)}`]) {
      const url = `/reference-features/${path}${path.includes('?') ? '&' : '?'}site_id=${w.site_id}`
      assert.equal((await other.get(url)).status, 404, path)
      assert.equal((await w.as('client').get(url)).status, 200, path)
      assert.equal((await house.nobody.get(url)).status, 401, path)
    }
    assert.equal((await other.patch(`/reference-features/features/${id}`, { name: 'Y' })).status, 404)
    assert.equal((await other.del(`/reference-features/features/${id}`)).status, 404)
    assert.equal((await other.post('/reference-features/zones', { site_id: w.site_id, name: 'Y', outline: box(0, 0, 10) })).status, 404)
    assert.equal((await other.post('/reference-features/admin/cleanup-versions', { site_id: w.site_id })).status, 404)
    assert.equal((await w.as('viewer').get('/reference-features/features/nonsense')).status, 404)
    assert.equal((await w.as('viewer').get('/reference-features/features')).status, 422)
  })

  test('§1 an outline that crosses itself (with the place), an open ring, a duplicate level index and an empty name are refused, all faults at once', async () => {
    const w = await house.world()
    const { draw, building } = drawing(w)
    const [a, b, c, d] = box(0, 0, 100).coordinates[0] as Position[]
    const bowtie = await draw('B', { type: 'Polygon', coordinates: [[a, c, b, d, a]] })
    assert.deepEqual(paths(bowtie), ['outline'])
    assert.match(bowtie.body.error.fields[0].message, /crosses itself.* at lon -0\.\d+, lat 51\.\d+/)
    assert.match((await draw('B', { type: 'Polygon', coordinates: [[a, b, c, d]] })).body.error.fields[0].message, /is open/)
    const many = await building(
      '',
      { type: 'Polygon', coordinates: [[a, b, c]] },
      { code: '', levels: [{ index: 0 }, { index: 400 }], nonsense: 1, level_index: 2 },
    )
    assert.deepEqual(paths(many).sort(), ['code', 'level_index', 'levels[1].index', 'name', 'nonsense'])
    const more = await building(
      'B',
      { type: 'Polygon', coordinates: [[a, b, c]] },
      {
        levels: [{ index: 0, floor_elevation_m: 5 }, { index: 0 }, { index: 1, floor_elevation_m: 4 }],
        zone_type: 'work',
        contractor_id: w.site_id,
        level_from: 1,
      },
    )
    assert.deepEqual(paths(more).sort(), [
      'contractor_id',
      'contractor_id',
      'level_from',
      'levels[1].index',
      'levels[2].floor_elevation_m',
      'outline.coordinates[0]',
      'zone_type',
    ])
    assert.deepEqual(paths(await draw('No shape', undefined)), ['outline'])
    assert.deepEqual(paths(await draw('No shape', null)), ['outline'])
    assert.deepEqual(paths(await draw('Z', box(0, 0, 10), { levels: [{ index: 0 }], kind: 'zone' })), ['levels'])
    assert.deepEqual(paths(await draw('Z', box(0, 0, 10), { kind: 'room' })), ['kind'])
    assert.deepEqual(paths(await draw('Z', box(0, 0, 10), { building_id: w.site_id, level_from: 0 })), ['building_id'])
    assert.deepEqual(paths(await draw('Z', box(0, 0, 10), { level_from: 0 })), ['level_from', 'level_to'])
    assert.deepEqual(paths(await draw('Z', box(0, 0, 10), { effective_at: 'tomorrow' })), ['effective_at'])
    assert.deepEqual(
      paths(await w.as('viewer').get(`/reference-features/building-at-point?site_id=${w.site_id}&lon=x&lat=91&tolerance_m=51`)).sort(),
      ['lat', 'lon', 'tolerance_m'],
    )
    assert.deepEqual(paths(await drawing(w).list('&bbox=1,2,3')), ['bbox'])
    assert.deepEqual(paths(await drawing(w).list('&colour=red&level_index=x')).sort(), ['colour', 'level_index[0]'])
    assert.equal((await drawing(w).list()).body.length, 0, 'nothing was written')
    const chain = await verifyChain(house.house.database.db, w.site_id)
    assert.equal(chain.fault, null)
  })

  test('§0.2 a feature more than 2 km outside the site is refused, and the refusal points out swapped lon and lat', async () => {
    const w = await house.world()
    const { draw } = drawing(w)
    await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    assert.match((await draw('Far', box(3000, 0, 10))).body.error.fields[0].message, /km from the site; at most 2 km/)
    const swapped = box(0, 0, 10)
    const turned = { type: 'Polygon', coordinates: swapped.coordinates.map(ring => ring.map(([lon, lat]) => [lat, lon])) }
    assert.match((await draw('Swapped', turned)).body.error.fields[0].message, /With lon and lat swapped/)
    assert.equal((await draw('Near', box(1900, 0, 10))).status, 201)
  })

  test('§1 a code is unique by kind among active features, in any case; the refusal identifies the feature that has it', async () => {
    const w = await house.world()
    const { draw, building, end, patch } = drawing(w)
    const first = await draw('One', box(0, 0, 10), { code: 'z-1' })
    const taken = await draw('Two', box(50, 0, 10), { code: 'Z-1' })
    assert.deepEqual([taken.status, taken.body.error.reason, taken.body.error.existing_id], [409, 'key_taken', first.body.id])
    assert.equal((await building('B', box(50, 0, 10), { code: 'Z-1' })).status, 201, 'of a different kind')
    const free = await draw('Three', box(50, 50, 10))
    assert.equal((await patch(free.body.id, { code: 'Z-1' })).body.error.reason, 'key_taken')
    assert.equal((await end(first.body.id, '?effective_at=2026-04-01T00:00:00Z')).status, 204)
    assert.equal((await draw('Two', box(50, 0, 10), { code: 'Z-1', effective_at: '2026-03-31T00:00:00Z' })).body.error.reason, 'key_taken')
    assert.equal((await draw('Two', box(50, 0, 10), { code: 'Z-1', effective_at: '2026-04-01T00:00:00Z' })).status, 201)
    assert.equal(
      (await patch(free.body.id, { code: 'Z-1', effective_at: '2026-05-01T00:00:00Z' })).body.error.reason,
      'key_taken',
      'taken by then',
    )
  })

  test('§1 if two people create features with one code at the same time, one succeeds and the other is refused', async () => {
    const w = await house.world()
    const { draw } = drawing(w)
    const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => draw(`Race ${i}`, box(i * 20, 0, 10), { code: 'R' })))
    assert.deepEqual(answers.map(a => a.status).sort(), [201, 409, 409, 409, 409, 409])
    assert.ok(answers.every(a => a.status === 201 || a.body.error.reason === 'key_taken'))
    const areas = await Promise.all(Array.from({ length: 4 }, (_, i) => drawing(w).area(`Plot ${i}`, box(500, 0, 10))))
    assert.deepEqual(areas.map(a => a.status).sort(), [201, 409, 409, 409])
  })

  test('the same Idempotency-Key creates one feature and repeats the response', async () => {
    const w = await house.world()
    const body = { site_id: w.site_id, name: 'Twice', outline: box(0, 0, 10), code: 'T' }
    const post = (more = {}) => w.as('coordinator').post('/reference-features/zones', { ...body, ...more }, { 'idempotency-key': 'draw-1' })
    const [one, two] = [await post(), await post()]
    assert.deepEqual([one.status, two.status, one.text === two.text], [201, 201, true])
    assert.equal((await post({ name: 'Other' })).body.error.reason, 'idempotency_key_reused')
    assert.equal((await drawing(w).list()).body.length, 1)
  })

  test('§1 areas can’t overlap by over 1 m²; a building can’t cover over 90 % of another on the same levels', async () => {
    const w = await house.world()
    const { area, building, patch } = drawing(w)
    const plot = await area('Plot 1', box(0, 0, 100))
    const refused = await area('Plot 2', box(99, 0, 100))
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'overlap'])
    const [other] = refused.body.error.overlapping
    assert.deepEqual([other.id, other.name, Math.round(other.overlap_m2)], [plot.body.id, 'Plot 1', 100])
    const beside = await area('Plot 2', box(100, 0, 100))
    assert.equal(beside.status, 201, 'a shared edge isn’t an overlap')
    assert.equal((await patch(beside.body.id, { outline: box(50, 0, 100) })).body.error.reason, 'overlap')
    assert.equal((await patch(beside.body.id, { name: 'Plot two' })).status, 200)
    const tower = await building('Tower', box(0, 0, 50), { levels: storeys(5) })
    assert.equal((await building('Tower again', box(1, 0, 50), { levels: storeys(3) })).body.error.reason, 'overlap')
    assert.equal((await building('Kiosk', box(10, 10, 5), { levels: storeys(1) })).body.error.reason, 'overlap', 'it is completely inside')
    assert.equal((await building('Bridge', box(0, 0, 50, 10), { levels: [{ index: 7 }] })).status, 201, 'on different levels')
    const half = await building('Annexe', box(25, 0, 50), { levels: storeys(2) })
    assert.equal(half.status, 201)
    assert.deepEqual(
      half.body.overlap_warnings.map((o: Row) => [o.id, Math.round(Number(o.overlap_m2)), Math.round(Number(o.share_of_mine) * 10)]),
      [[tower.body.id, 1250, 5]],
    )
    const { draw } = drawing(w)
    await draw('Lift zone 1', box(300, 0, 20), { zone_type: 'lifting' })
    assert.deepEqual((await draw('Lift zone 2', box(310, 0, 20), { zone_type: 'lifting' })).body.overlap_warnings.length, 1)
    assert.deepEqual((await draw('Route', box(310, 0, 20), { zone_type: 'vehicle_route' })).body.overlap_warnings, [])
  })

  test('§1 if a PATCH changes the outline of a zone from T2, it has the old ring until T2 and the new one from then on; the two versions meet at T2', async () => {
    const w = await house.world()
    const { draw, patch, oneAt, atTime, history, one } = drawing(w)
    const { id, outline: old } = (await draw('Z', box(0, 0, 10), { code: 'Z' })).body
    const T2 = '2026-03-20T06:00:00.000Z'
    const changed = await patch(id, { outline: box(0, 0, 20), effective_at: T2 })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([changed.body.feature_version, changed.body.valid_from, changed.body.version], [2, T2, 2])
    assert.equal(changed.headers.etag, '"2"')
    const ring = async (at: string) => (await oneAt(id, at)).body.outline
    assert.deepEqual(await ring(NOW), old)
    assert.deepEqual(await ring('2026-03-20T05:59:59.999Z'), old)
    assert.deepEqual(await ring(T2), changed.body.outline)
    assert.deepEqual((await atTime(`&at=${T2}`)).body[0].geometry, changed.body.geometry)
    assert.deepEqual((await atTime('&at=2026-03-19T00:00:00Z')).body[0].geometry, old)
    assert.deepEqual([(await one(id)).body.outline, (await one(id)).body.valid_to], [old, T2], 'now it is unchanged')
    assert.equal((await oneAt(id, '2026-03-16T08:59:59.999Z')).status, 404, 'it didn’t exist')
    const versions = (await history(id)).body
    assert.deepEqual(
      versions.map((v: Row) => [v.feature_version, v.valid_from, v.valid_to, v.fields, Math.round(Number(v.area_m2))]),
      [
        [2, T2, null, ['outline'], 400],
        [1, NOW, T2, [], 100],
      ],
    )
    assert.deepEqual([Math.round(versions[0].area_difference_m2), versions[1].area_difference_m2], [300, null])
    assert.deepEqual([versions[0].written_by_name, versions[0].written_at, versions[0].cut_id], ['Hal Safety', NOW, null])
  })

  test('§1 a PATCH effective between two existing versions leaves the later one as it was', async () => {
    const w = await house.world()
    const { draw, patch, oneAt, history } = drawing(w)
    const { id } = (await draw('First', box(0, 0, 10))).body
    await patch(id, { name: 'Third', effective_at: '2026-04-01T00:00:00Z' })
    const later = (await oneAt(id, '2026-04-02T00:00:00Z')).body
    await patch(id, { name: 'Second', effective_at: '2026-03-20T00:00:00Z' })
    const { version: _v, ...still } = (await oneAt(id, '2026-04-02T00:00:00Z')).body
    const { version: _w, ...was } = later
    assert.deepEqual(still, was)
    assert.deepEqual(
      (await history(id)).body.map((v: Row) => [v.feature_version, v.valid_from]),
      [
        [2, '2026-04-01T00:00:00.000Z'],
        [3, '2026-03-20T00:00:00.000Z'],
        [1, NOW],
      ],
    )
    const name = async (at: string) => (await oneAt(id, at)).body.name
    assert.deepEqual(
      [await name('2026-03-19T00:00:00Z'), await name('2026-03-21T00:00:00Z'), await name('2026-04-02T00:00:00Z')],
      ['First', 'Second', 'Third'],
    )
    assert.deepEqual(paths(await patch(id, { name: 'X', effective_at: '2026-03-01T00:00:00Z' })), ['effective_at'])
  })

  test('§1 PATCH accepts the body of a GET; `geometry` sets the outline, null clears a field, and an unknown field is refused', async () => {
    const w = await house.world()
    const { draw, patch, one } = drawing(w)
    const contractor = await w.contractor('Northgate')
    const { id } = (await draw('Z', box(0, 0, 10), { code: 'Z', aliases: ['Zed'], contractor_id: contractor, zone_type: 'lifting' })).body
    const shown = (await one(id)).body
    const back = await patch(id, shown)
    assert.equal(back.status, 200, back.text)
    assert.deepEqual([back.body.name, back.body.outline, back.body.contractor_id], ['Z', shown.outline, contractor])
    const cleared = (await patch(id, { code: null, contractor_id: null, zone_type: null, aliases: [], geometry: box(0, 0, 30) })).body
    assert.deepEqual(
      [cleared.code, cleared.contractor_id, cleared.zone_type, cleared.aliases, Math.round(cleared.area_m2)],
      [null, null, 'work', [], 900],
    )
    assert.deepEqual(cleared.outline, cleared.geometry)
    assert.deepEqual(paths(await patch(id, { colour: 'red', name: null })).sort(), ['colour', 'name'])
    assert.deepEqual(paths(await patch(id, { geometry: 'x', outline: null })), ['outline'])
    assert.deepEqual(paths(await patch(id, { geometry: 'x' })), ['geometry'])
    assert.equal((await patch(id, { kind: 'building', name: 'Still a zone' })).body.kind, 'zone')
    assert.equal((await patch(id, {})).status, 200, 'an empty change makes a version too')
  })

  test('with If-Match the second of two editors is refused; without it both versions are kept', async () => {
    const w = await house.world()
    const { draw, patch, history } = drawing(w)
    const made = await draw('Z', box(0, 0, 10))
    const { id } = made.body
    const match = { 'if-match': String(made.headers.etag) }
    const both = await Promise.all([patch(id, { name: 'A' }, match), patch(id, { name: 'B' }, match)])
    assert.deepEqual(both.map(r => r.status).sort(), [200, 412])
    const loose = await Promise.all([patch(id, { name: 'C' }), patch(id, { name: 'D' })])
    assert.deepEqual(
      loose.map(r => r.status),
      [200, 200],
    )
    assert.deepEqual((await history(id)).body.map((v: Row) => v.feature_version).sort(), [1, 2, 3, 4])
  })

  test('§1 of two simultaneous areas on one ground one is created, of two DELETEs one ends the feature, and two cleanups count each version once', async () => {
    const w = await house.world()
    const { area, draw, end, patch, list } = drawing(w)
    const areas = await Promise.all([area('East', box(0, 0, 20)), area('West', box(5, 5, 20))])
    assert.deepEqual(areas.map(r => [r.status, r.body.error?.reason]).sort(), [
      [201, undefined],
      [409, 'overlap'],
    ])
    const zone = await draw('Z', box(50, 0, 10))
    const { id } = zone.body
    for (const day of ['17', '18', '19']) await patch(id, { name: 'Z', effective_at: `2026-03-${day}T00:00:00Z` })
    const clean = () => w.as('admin').post('/reference-features/admin/cleanup-versions', { site_id: w.site_id, dry_run: false })
    assert.deepEqual((await Promise.all([clean(), clean()])).map(r => r.body.joined).sort(), [0, 3])
    const stale = await w.as('hse').del(`/reference-features/features/${id}`, undefined, { 'if-match': String(zone.headers.etag) })
    assert.deepEqual([stale.status, stale.body.error.code], [412, 'version_conflict'])
    assert.deepEqual((await Promise.all([end(id), end(id)])).map(r => r.status).sort(), [204, 409])
    assert.deepEqual((await list('&kind=zone')).body, [])
  })

  test('conventions §1: instants, boxes, points, tolerances and kinds that can’t be read, and unknown parameters, are refused, each by name', async () => {
    const w = await house.world()
    const { draw, list, atTime, end } = drawing(w)
    const { id } = (await draw('Z', box(0, 0, 10))).body
    const get = (path: string) => w.as('viewer').get(`/reference-features/${path}`)
    const refused = async (reply: Reply, ...expected: string[]) =>
      assert.deepEqual([reply.status, reply.status === 422 ? paths(reply).sort() : reply.text], [422, expected])
    for (const read of [list, atTime]) {
      await refused(await read('&at=yesterday&level_index=1.5&kind=storey&colour=red'), 'at', 'colour', 'kind[0]', 'level_index[0]')
      for (const bbox of ['1,2,3', '1,2,x,4', '3,0,1,4', '1,2,3,4,5']) await refused(await read(`&bbox=${bbox}`), 'bbox')
    }
    await refused(await get(`features/${id}/at-time?at=2026-02-30T00:00:00Z`), 'at')
    await refused(await get(`areas?site_id=${w.site_id}&at=now`), 'at')
    for (const path of ['building-at-point', 'buildings-at-point']) {
      await refused(await get(`${path}?site_id=${w.site_id}&lon=181&lat=86&tolerance_m=51`), 'lat', 'lon', 'tolerance_m')
      await refused(await get(`${path}?site_id=${w.site_id}`), 'lat', 'lon')
    }
    await refused(await end(id, '?force=perhaps'), 'force')
    await refused(await end(id, '', { effective_at: 'soon', why: 'x' }), 'effective_at', 'why')
    await refused(await w.as('admin').post('/reference-features/admin/cleanup-versions', { site_id: w.site_id, dry_run: 'no' }), 'dry_run')
    assert.equal((await get(`features/${id}`)).body.version, 1, 'and nothing was changed')
  })

  test('§1 indoor zones have a building and its levels; outdoor zones don’t', async () => {
    const w = await house.world()
    const { draw, building, patch } = drawing(w)
    const tower = (await building('Tower', box(0, 0, 50), { levels: storeys(4) })).body
    assert.deepEqual(
      tower.levels.map((l: Row) => [l.index, l.name]),
      [
        [0, 'Ground'],
        [1, 'Level 1'],
        [2, 'Level 2'],
        [3, 'Level 3'],
      ],
    )
    const zone = await draw('Riser', box(5, 5, 5), { building_id: tower.id, level_from: 1, level_to: 2 })
    assert.deepEqual([zone.status, zone.body.level_from, zone.body.level_to], [201, 1, 2])
    assert.equal((await draw('Core', box(15, 5, 5), { building_id: tower.id, level_from: 1 })).body.level_to, 1)
    assert.deepEqual(paths(await draw('X', box(5, 5, 5), { building_id: tower.id, level_from: 1, level_to: 9 })), ['level_to'])
    assert.deepEqual(paths(await draw('X', box(5, 5, 5), { building_id: tower.id, level_from: 2, level_to: 1 })), ['level_to'])
    assert.deepEqual(paths(await draw('X', box(5, 5, 5), { building_id: zone.body.id, level_from: 0 })), ['building_id'])
    assert.deepEqual(paths(await patch(zone.body.id, { building_id: null })), ['level_from', 'level_to'])
    assert.equal((await patch(zone.body.id, { building_id: null, level_from: null, level_to: null })).body.building_id, null)
    const elsewhere = await house.world()
    const foreign = (await drawing(elsewhere).building('B', box(0, 0, 10), { levels: storeys(1) })).body
    assert.deepEqual(paths(await draw('X', box(5, 5, 5), { building_id: foreign.id, level_from: 0 })), ['building_id'])
  })

  test('§1 DELETE ends at effective_at, and earlier instants still show it; the last version says `ended`, and the code is free again', async () => {
    const w = await house.world()
    const { draw, end, one, oneAt, patch, list, history } = drawing(w, w.as('coordinator'))
    const { id } = (await draw('Z', box(0, 0, 10), { code: 'Z' })).body
    await patch(id, { name: 'Planned', effective_at: '2026-05-01T00:00:00Z' })
    house.clock('2026-03-17T09:00:00.000Z')
    assert.deepEqual(paths(await drawing(w).end(id, '?effective_at=2026-03-01T00:00:00Z')), ['effective_at'])
    assert.equal((await end(id)).status, 204)
    const shown = (await one(id)).body
    assert.deepEqual([shown.ended, shown.valid_to, shown.name], [true, '2026-03-17T09:00:00.000Z', 'Z'])
    assert.equal((await oneAt(id, '2026-03-17T08:59:59Z')).status, 200)
    assert.equal((await oneAt(id, '2026-03-17T09:00:00Z')).status, 404)
    assert.equal((await oneAt(id, '2026-05-02T00:00:00Z')).status, 404, 'what was planned is cancelled')
    assert.deepEqual((await list()).body, [])
    assert.deepEqual(names(await list('&at=2026-03-16T10:00:00Z')), ['Z'])
    assert.equal((await history(id)).body.length, 1)
    const again = await end(id)
    assert.deepEqual([again.status, again.body.error.code, again.body.error.status], [409, 'invalid_transition', 'ended'])
    assert.equal((await patch(id, { name: 'X' })).body.error.code, 'invalid_transition')
    assert.equal((await draw('Z2', box(0, 0, 10), { code: 'Z' })).status, 201)
    house.clock(NOW)
  })

  test('§1 a feature that hasn’t started is shown as it will be, and can be changed or ended only from its start', async () => {
    const w = await house.world()
    const { draw, end, one, patch, list } = drawing(w)
    const { id } = (await draw('Soon', box(0, 0, 10), { effective_at: '2026-06-01T00:00:00Z' })).body
    assert.deepEqual([(await one(id)).body.valid_from, (await one(id)).body.ended], ['2026-06-01T00:00:00.000Z', undefined])
    assert.deepEqual((await list()).body, [])
    assert.equal((await patch(id, { name: 'Sooner' })).body.valid_from, '2026-06-01T00:00:00.000Z')
    assert.equal((await end(id, '', { effective_at: '2026-06-01T00:00:00Z' })).status, 204)
    assert.deepEqual((await list('&at=2026-06-02T00:00:00Z')).body, [])
    assert.equal((await one(id)).body.name, 'Sooner')
  })

  test('§1 DELETE of a building with one future worker gives 409 with `workers: 1` and leaves it unchanged; with `force` the building still ends', async () => {
    const w = await house.world()
    const { building, draw, end, one, patch } = drawing(w)
    const tower = (await building('Tower', box(0, 0, 50), { levels: storeys(3) })).body
    const asked: unknown[] = []
    const workers = defineRoom({
      name: 'workers-of-a-test',
      says: 'Made by this test',
      uses: [
        {
          of: 'reference_feature',
          name: 'workers',
          when: 'ahead',
          count: async (_ctx, _site, ids, scope) => {
            asked.push(scope)
            return new Map(ids.filter(id => id === tower.id && (scope.levels?.includes(2) ?? true)).map(id => [id, 1]))
          },
        },
      ],
    })
    plugRooms([...rooms, workers])
    try {
      const refused = await end(tower.id, '?effective_at=2026-04-01T00:00:00Z')
      assert.deepEqual([refused.status, refused.body.error.reason, refused.body.error.in_use], [409, 'in_use', { workers: 1 }])
      assert.deepEqual(asked, [{ from: '2026-04-01T00:00:00.000Z' }])
      const { permissions: _p, ...still } = (await one(tower.id)).body
      assert.deepEqual([still.version, still.valid_to], [1, null])
      const lost = await patch(tower.id, { levels: storeys(2) })
      assert.deepEqual([lost.status, lost.body.error.reason, lost.body.error.in_use], [409, 'in_use', { workers: 1 }])
      assert.deepEqual(asked.at(-1), { from: NOW, levels: [2] })
      assert.equal((await patch(tower.id, { levels: storeys(4) })).status, 200, 'an additional level affects nobody')
      assert.equal((await patch(tower.id, { levels: storeys(3) })).status, 200, 'nobody is on the fourth level')
      await draw('Riser', box(5, 5, 5), { building_id: tower.id, level_from: 0, level_to: 2 })
      assert.deepEqual((await patch(tower.id, { levels: storeys(2) })).body.error.in_use, { workers: 1, zones: 1 })
      assert.deepEqual((await end(tower.id)).body.error.in_use, { workers: 1, zones: 1 })
      assert.equal((await end(tower.id, '?force=true')).status, 204)
      assert.equal((await one(tower.id)).body.ended, true)
    } finally {
      plugRooms(rooms)
    }
    const [riser] = (await drawing(w).list('&kind=zone')).body
    assert.equal(riser.building_id, tower.id, 'the zone keeps the id')
    assert.equal((await patch(riser.id, { name: 'Riser, old' })).status, 200)
  })

  test('§1 parent_area_id is the area that contains most of the feature, at every instant', async () => {
    const w = await house.world()
    const { area, draw, building, patch, oneAt, list, end, atTime } = drawing(w)
    const [p1, p2] = [(await area('P1', box(0, 0, 100))).body, (await area('P2', box(100, 0, 100))).body]
    const within = (await draw('Within', box(10, 10, 10))).body
    const mostly = (await building('Mostly', box(70, 20, 50, 10))).body
    const outside = (await draw('Outside', box(300, 0, 10))).body
    const half = (await draw('Half', box(195, 50, 10))).body
    assert.deepEqual(
      [within.parent_area_id, mostly.parent_area_id, outside.parent_area_id, half.parent_area_id, p1.parent_area_id],
      [p1.id, p1.id, null, null, null],
    )
    const T = '2026-04-01T00:00:00.000Z'
    assert.equal((await patch(p1.id, { outline: box(0, 0, 5), effective_at: T })).status, 200)
    assert.equal((await patch(p2.id, { outline: box(60, 0, 140), effective_at: T })).status, 200)
    const parent = async (id: string, at: string) => (await oneAt(id, at)).body.parent_area_id
    assert.deepEqual(
      [await parent(within.id, NOW), await parent(within.id, T), await parent(mostly.id, NOW), await parent(mostly.id, T)],
      [p1.id, null, p1.id, p2.id],
    )
    assert.deepEqual(names(await list(`&parent_area_id=${p1.id}`)).sort(), ['Mostly', 'Within'])
    assert.deepEqual(names(await list(`&parent_area_id=${p2.id}&at=${T}`)), ['Mostly'])
    assert.equal((await patch(within.id, { name: 'Renamed' })).body.parent_area_id, p1.id, 'a new name changes nothing else')
    assert.equal((await patch(p1.id, { name: 'Plot one' })).status, 200)
    assert.equal(await parent(within.id, NOW), p1.id)
    assert.equal((await patch(within.id, { outline: box(110, 10, 10) })).body.parent_area_id, p2.id)
    assert.equal((await end(p2.id, '?effective_at=2026-03-20T00:00:00Z')).status, 204)
    assert.deepEqual([await parent(within.id, '2026-03-19T23:59:59Z'), await parent(within.id, '2026-03-20T00:00:00Z')], [p2.id, null])
    assert.equal((await atTime('&at=2026-03-20T00:00:00Z')).body.filter((f: Row) => f.parent_area_id === p2.id).length, 0)
  })

  test('§1 GET /areas returns areas with their zones and their buildings with levels, then the rest of the site', async () => {
    const w = await house.world()
    const { area, draw, building } = drawing(w)
    const tree = async (query = '') => (await w.as('client').get(`/reference-features/areas?site_id=${w.site_id}${query}`)).body
    assert.deepEqual(await tree(), [{ id: null, code: null, name: 'Rest of site', aliases: [], buildings: [], zones: [] }])
    const plot = (await area('Plot', box(0, 0, 100), { code: 'P' })).body
    const tower = (await building('Tower', box(10, 10, 20), { code: 'T', levels: storeys(2) })).body
    await draw('Riser', box(12, 12, 3), { building_id: tower.id, level_from: 0, zone_type: 'restricted' })
    await draw('Yard 10', box(300, 0, 10))
    await draw('Yard 9', box(330, 0, 10))
    const [first, rest] = await tree()
    assert.deepEqual(
      [first.id, first.name, first.buildings.map((b: Row) => b.name), first.zones.map((z: Row) => z.name)],
      [plot.id, 'Plot', ['Tower'], ['Riser']],
    )
    assert.deepEqual(first.buildings[0].levels.length, 2)
    assert.deepEqual([first.zones[0].building_id, first.zones[0].level_to, first.zones[0].zone_type], [tower.id, 0, 'restricted'])
    assert.deepEqual([rest.id, rest.name, rest.zones.map((z: Row) => z.name)], [null, 'Rest of site', ['Yard 9', 'Yard 10']])
    assert.equal((await tree('&at=2026-03-01T00:00:00Z')).length, 1)
  })

  test('§1 where two footprints overlap, buildings-at-point returns both, the smaller first, and building-at-point the smaller; a point 1 m outside with tolerance_m=2 isn’t inside', async () => {
    const w = await house.world()
    const { building, end } = drawing(w)
    const podium = (await building('Podium', box(0, 0, 100), { levels: storeys(2) })).body
    const bridge = (await building('Bridge', box(90, 40, 60, 10), { levels: [{ index: 3 }] })).body
    const many = async (query: string) =>
      (await w.as('viewer').get(`/reference-features/buildings-at-point?site_id=${w.site_id}&${query}`)).body.map(
        (f: { building: Row; inside: boolean; distance_m: number }) => [f.building.name, f.inside, Math.round(f.distance_m * 100) / 100],
      )
    const first = async (query: string) =>
      (await w.as('viewer').get(`/reference-features/building-at-point?site_id=${w.site_id}&${query}`)).body
    assert.deepEqual(await many(point(95, 45)), [
      ['Bridge', true, 0],
      ['Podium', true, 0],
    ])
    const at = await first(point(95, 45))
    assert.deepEqual([at.building.id, at.distance_m, at.inside], [bridge.id, 0, true])
    assert.deepEqual(await many(`${point(-1, 50)}&tolerance_m=2`), [['Podium', false, 1]])
    assert.equal((await first(`${point(-1, 50)}&tolerance_m=2`)).inside, false)
    assert.deepEqual(await first(point(-1, 50)), { building: null, distance_m: null })
    assert.deepEqual(await many(point(-1, 50)), [])
    assert.deepEqual(
      (await many(`${point(101, 30)}&tolerance_m=50`)).map((f: unknown[]) => f[0]),
      ['Podium', 'Bridge'],
      'the nearest first',
    )
    await end(podium.id, '?effective_at=2026-04-01T00:00:00Z')
    assert.deepEqual(await first(`${point(10, 10)}&at=2026-04-01T00:00:00Z`), { building: null, distance_m: null })
    assert.equal((await first(`${point(10, 10)}&at=2026-03-31T00:00:00Z`)).building.name, 'Podium')
  })

  test('§1 lists are ordered by kind, code and id, filtered, and paged', async () => {
    const w = await house.world()
    const { draw, building, area, list, atTime, patch } = drawing(w)
    const contractor = await w.contractor('Northgate')
    const tower = (await building('Tower', box(0, 0, 20), { code: 'b', levels: storeys(3), aliases: ['Old mill'] })).body
    await building('Shed', box(100, 0, 20), { code: 'A' })
    await draw('Riser', box(1, 1, 3), { building_id: tower.id, level_from: 1, level_to: 2, code: '2' })
    await draw('All floors', box(6, 1, 3), { building_id: tower.id })
    await draw('Gate', box(200, 0, 10), { zone_type: 'vehicle_route', contractor_id: contractor, code: '1' })
    await area('Plot', box(-50, -50, 120), { code: 'Z' })
    assert.deepEqual(names(await list()), ['Plot', 'Shed', 'Tower', 'Gate', 'Riser', 'All floors'])
    assert.deepEqual(names(await atTime()), ['Plot', 'Shed', 'Tower', 'Gate', 'Riser', 'All floors'])
    for (const read of [list, atTime]) {
      assert.deepEqual(names(await read('&kind=building&kind=area')), ['Plot', 'Shed', 'Tower'])
      assert.deepEqual(names(await read('&zone_type=vehicle_route')), ['Gate'])
      assert.deepEqual(names(await read(`&building_id=${tower.id}`)), ['Riser', 'All floors'])
      assert.deepEqual(names(await read('&level_index=2')), ['Tower', 'Riser', 'All floors'])
      assert.deepEqual(names(await read('&level_index=0')), ['Tower', 'All floors'])
      assert.deepEqual(names(await read('&level_index=0&level_index=2')), ['Tower', 'Riser', 'All floors'], 'any of several levels')
      assert.deepEqual(names(await read(`&contractor_id=${contractor}`)), ['Gate'])
      assert.deepEqual(names(await read('&q=MILL')), ['Tower'])
      assert.deepEqual(names(await read('&q=100%')), [])
      assert.deepEqual(names(await read(`&id=${tower.id}`)), ['Tower'])
      const [west, south] = plane.degrees([150, -20])
      const [east, north] = plane.degrees([250, 20])
      assert.deepEqual(names(await read(`&bbox=${west},${south},${east},${north}`)), ['Gate'])
      assert.deepEqual(names(await read('&at=2026-03-16T08:00:00Z')), [])
    }
    const gathered: string[] = []
    let next = `/reference-features/features?site_id=${w.site_id}&limit=2`
    for (let pages = 0; next !== '' && pages < 5; pages++) {
      const page = await w.as('viewer').get(next)
      gathered.push(...names(page))
      next = /<\/api(.+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    }
    assert.deepEqual(gathered, ['Plot', 'Shed', 'Tower', 'Gate', 'Riser', 'All floors'])
    assert.equal((await list('&cursor=x')).status, 422)
    house.clock('2026-03-16T10:00:00.000Z')
    await patch(tower.id, { name: 'Tower 2' })
    assert.deepEqual(names(await list('&updated_since=2026-03-16T10:00:00Z')), ['Tower 2'])
    house.clock(NOW)
    assert.ok((await list()).body.every((f: Row) => f.permissions !== undefined))
    assert.ok((await atTime()).body.every((f: Row) => f.permissions === undefined))
  })

  test('§1 the frame has the order of the list, also where codes have rare characters or none, and the database doesn’t sort its rows', async () => {
    const w = await house.world()
    const { draw, area, building, list, atTime } = drawing(w)
    // In UTF-16, halves of the rarer characters come before the last ones of the usual plane.
    const codes = ['Z2', '\u{1f6a7}', '｡', 'Ä', 'Z', 'Z 2', 'z10', '\u{1f6a7}1', undefined]
    for (const [n, code] of codes.entries())
      await draw(`Zone ${n}`, box(20 * n, 0, 10), code === undefined ? {} : { code }).then(({ status, text }) =>
        assert.equal(status, 201, text),
      )
    await building('House', box(-60, 0, 10), { code: 'H' })
    await building('Shed', box(-90, 0, 10))
    await area('Plot', box(-100, -10, 400))
    const frame = (await atTime()).body
    assert.deepEqual(
      frame,
      (await list()).body.map(({ permissions: _permissions, ...one }: Row) => one),
    )
    assert.equal(frame.length, codes.length + 3)
    const [read, ...others] = (await recording(() => atTime())).filter(({ text }) => text.includes('reference_feature_version'))
    assert.deepEqual([others.length, read?.text.includes('order by')], [0, false])
  })

  test('§1 a cleanup after ten equal PATCHes leaves fewer versions, and at-time gives the same responses as before', async () => {
    const w = await house.world()
    const { draw, area, patch, atTime, history, end } = drawing(w)
    const plot = (await area('Plot', box(-10, -10, 100))).body
    const { id } = (await draw('Z', box(0, 0, 10), { code: 'Z' })).body
    const gone = (await draw('Gone', box(40, 0, 10))).body
    const day = (n: number) => `2026-03-${17 + n}T00:00:00.000Z`
    for (let n = 0; n < 10; n++) await patch(id, { name: 'Z', effective_at: day(n) })
    await patch(id, { name: 'Other', effective_at: '2026-03-22T12:00:00Z' })
    await patch(id, { name: 'Never', effective_at: '2026-03-24T00:00:00Z' })
    await patch(id, { name: 'Z', effective_at: '2026-03-24T00:00:00Z' })
    await patch(plot.id, { name: 'Plot', effective_at: day(3) })
    await patch(plot.id, { name: 'Plot B', effective_at: day(6) })
    await end(gone.id, `?effective_at=${day(5)}`)
    const instants = Array.from({ length: 150 }, (_, n) => new Date(Date.parse('2026-03-16T06:00:00Z') + n * 7_300_000).toISOString())
    const sampled = async () => {
      const answers = []
      for (const at of instants) answers.push((await atTime(`&at=${at}`)).text)
      return answers
    }
    const before = await sampled()
    const versions = (await history(id)).body.length
    assert.equal(versions, 14)
    const clean = (body: object) => w.as('admin').post('/reference-features/admin/cleanup-versions', { site_id: w.site_id, ...body })
    const dry = (await clean({})).body
    assert.deepEqual([dry.removed, dry.joined], [2, 10])
    assert.equal((await history(id)).body.length, versions, 'a dry run only counts')
    assert.deepEqual((await clean({ dry_run: false })).body, dry)
    assert.deepEqual(await sampled(), before)
    assert.deepEqual((await clean({ dry_run: false })).body, { removed: 0, joined: 0 })
    assert.equal((await history(id)).body.length, 3)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
    const { rows } = await house.house.database.pool.query(
      `select count(*) as n from audit_entry where site_id = $1 and cause = 'reference_feature.clean_up'`,
      [w.site_id],
    )
    assert.ok(rows[0].n >= 11, 'the audit log says what was deleted')
  })

  test('§1 the audit log says what changed, and the events say where and when', async () => {
    const w = await house.world()
    const { draw, patch, end } = drawing(w)
    const { id } = (await draw('Z', box(0, 0, 10), { code: 'Z' })).body
    await patch(id, { name: 'Y', outline: box(0, 0, 20), effective_at: '2026-03-20T00:00:00Z' })
    await end(id, '?effective_at=2026-04-01T00:00:00Z')
    const { rows } = await house.house.database.pool.query(
      `select action, changes, entity_label from audit_entry where site_id = $1 and entity_type = 'reference_feature' and entity_id = $2 and not quiet order by seq`,
      [w.site_id, id],
    )
    assert.deepEqual(
      rows.map(r => [r.action, r.entity_label]),
      [
        ['create', 'Z'],
        ['update', 'Z'],
        ['delete', 'Y'],
      ],
    )
    const changed = new Map<string, { before: { area_m2?: number } & string; after: { area_m2?: number } & string }>(
      rows[1].changes.map((c: { path: string }) => [c.path, c]),
    )
    assert.deepEqual([...changed.keys()], ['geometry', 'name', 'outline', 'valid_from'])
    assert.deepEqual([changed.get('name')?.before, changed.get('name')?.after], ['Z', 'Y'])
    assert.deepEqual(
      [Math.round(changed.get('outline')?.before.area_m2 ?? 0), Math.round(changed.get('outline')?.after.area_m2 ?? 0)],
      [100, 400],
    )
    assert.deepEqual(rows[2].changes, [{ path: 'valid_to', before: null, after: '2026-04-01T00:00:00.000Z' }])
    const events = await house.house.database.pool.query(
      `select kind, payload from event where site_id = $1 and subject_id = $2 order by event_no`,
      [w.site_id, id],
    )
    assert.deepEqual(
      events.rows.map(e => [e.kind, e.payload.kind, e.payload.ids, e.payload.from]),
      [
        ['reference_feature.created', 'zone', [id], NOW],
        ['reference_feature.changed', 'zone', [id], '2026-03-20T00:00:00.000Z'],
        ['reference_feature.ended', 'zone', [id], '2026-04-01T00:00:00.000Z'],
      ],
    )
    assert.equal(events.rows[1].payload.bbox.length, 4)
  })

  test('§1 a contractor in charge of a zone can’t be deleted', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Northgate')
    await drawing(w).draw('Z', box(0, 0, 10), { contractor_id: contractor })
    assert.deepEqual((await w.as('admin').del(`/contractors/${contractor}`)).body.error.in_use, { reference_features: 1 })
    assert.deepEqual(paths(await drawing(w).draw('Y', box(0, 0, 10), { contractor_id: w.site_id })), ['contractor_id'])
  })

  test('§1 the frame of a locked site can’t change', async () => {
    const w = await house.world()
    const { draw, list } = drawing(w)
    await draw('Z', box(0, 0, 10))
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    assert.equal((await draw('Y', box(50, 0, 10))).body.error.reason, 'site_locked')
    assert.deepEqual(names(await list()), ['Z'])
  })

  const ctxOn = (w: World): Ctx => {
    assert.ok(w.site_id)
    return reading(house.house, { actor: jobActor('test'), cause: 'test.read' })
  }

  test('§1 "Block A / Level 3" before the building exists is unresolved; after POST it has level 3; level 9 of a five-storey building stays unresolved', async () => {
    const w = await house.world()
    const row = (location: string) => ({ location, zone: null, level: null })
    const before = await placeFinder(ctxOn(w), w.site_id)
    assert.deepEqual(
      [before(row('Block A / Level 3')).matched, before(row('Block A / Level 3')).why],
      [false, '“Block A / Level 3” isn’t a building or zone on this site.'],
    )
    const permits = defineRoom({
      name: 'permits-of-a-test',
      says: 'Made by this test',
      site: {
        unplaced: [
          async () =>
            ['Block A / Level 3', 'Block A / Level 9', 'Block Z'].map((location, i) => ({
              kind: 'permit',
              id: w.site_id,
              label: `PTW-${i}`,
              ...row(location),
            })),
        ],
      },
    })
    plugRooms([...rooms, permits])
    try {
      const made = await drawing(w).building('Block A', box(0, 0, 20), { levels: storeys(5) })
      assert.deepEqual(
        made.body.unresolved_permit_locations.map((p: { label: string; location: string }) => [p.label, p.location]),
        [['PTW-0', 'Block A / Level 3']],
      )
      const find = await placeFinder(ctxOn(w), w.site_id)
      assert.deepEqual(find(row('Block A / Level 3')).place, { building_id: made.body.id, level_index: 3 })
      assert.deepEqual(find(row('block-a, L03')).place, { building_id: made.body.id, level_index: 3 })
      assert.match(find(row('Block A / Level 9')).why ?? '', /has no level 9/)
      const earlier = await placeFinder(ctxOn(w), w.site_id, '2026-03-01T00:00:00.000Z')
      assert.equal(earlier(row('Block A')).matched, false)
    } finally {
      plugRooms(rooms)
    }
  })

  test('placeFinder loads the frame once: it works after its transaction, with the frame as it was at the requested instant', async () => {
    const w = await house.world()
    const { building, draw, end } = drawing(w)
    const tower = (await building('Block A', box(0, 0, 20), { levels: storeys(3) })).body
    const yard = (await draw('North yard', box(50, 0, 20), { code: 'Z1' })).body
    const load = (at?: string) => house.house.database.snapshot(db => placeFinder({ ...ctxOn(w), db }, w.site_id, at))
    const find = await load()
    const rows = ['Block A / L2', 'north yard', 'Z1', 'Block A / L7', 'Block B'].map(location => ({ location, zone: null, level: null }))
    const answers = rows.map(row => find(row).place)
    const level = { building_id: tower.id, level_index: 2 }
    assert.deepEqual(answers, [level, { zone_id: yard.id }, { zone_id: yard.id }, null, null])
    assert.equal((await end(tower.id, '?effective_at=2026-04-01T00:00:00Z')).status, 204)
    assert.deepEqual(
      rows.map(row => find(row).place),
      answers,
    )
    const [march, april] = [await load('2026-03-31T23:59:59Z'), await load('2026-04-01T00:00:00Z')]
    const row = { location: 'Block A / L2', zone: null, level: null }
    assert.deepEqual([march(row).place, april(row).place], [level, null])
    const elsewhere = await house.world()
    const theirs = await placeFinder(ctxOn(elsewhere), elsewhere.site_id)
    assert.equal(theirs({ location: 'Block A', zone: null, level: null }).matched, false, 'another site has its own frame')
  })

  test('places in a body are checked against the active frame and the 2 km rule', async () => {
    const w = await house.world()
    const { draw, building, end } = drawing(w)
    await w.as('hse').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    const tower = (await building('Tower', box(0, 0, 20), { levels: storeys(3) })).body
    const shed = (await building('Shed', box(50, 0, 20), { levels: storeys(1) })).body
    const riser = (await draw('Riser', box(1, 1, 3), { building_id: tower.id, level_from: 1, level_to: 2 })).body
    const core = (await draw('Core', box(5, 1, 3), { building_id: tower.id, level_from: 2 })).body
    const yard = (await draw('Yard', box(100, 0, 10))).body
    const ctx = ctxOn(w)
    const judged = async (given: object, more = {}) => {
      const { place, faults } = await placeOf(ctx, w.site_id, given, more)
      assert.equal(place === null || faults.length === 0, true)
      return faults.length > 0 ? faults.map(f => f.path) : place
    }
    assert.deepEqual(await judged({}), null)
    assert.deepEqual(await judged({ building_id: null, point: null }), null)
    assert.deepEqual(await judged({ building_id: tower.id, level_index: 2 }), { building_id: tower.id, level_index: 2 })
    assert.deepEqual(await judged({ zone_id: riser.id }), { building_id: tower.id, zone_id: riser.id })
    assert.deepEqual(await judged({ zone_id: core.id }), { building_id: tower.id, zone_id: core.id, level_index: 2 })
    assert.deepEqual(await judged({ zone_id: yard.id, building_id: tower.id }), { building_id: tower.id, zone_id: yard.id })
    assert.deepEqual(await judged({ building_id: tower.id, level_index: 9 }), ['place.level_index'])
    assert.deepEqual(await judged({ level_index: 0 }), ['place.level_index'])
    assert.deepEqual(await judged({ zone_id: yard.id, level_index: 1 }), ['place.level_index'])
    assert.deepEqual(await judged({ zone_id: riser.id, level_index: 0 }), ['place.level_index'])
    assert.deepEqual(await judged({ zone_id: riser.id, building_id: shed.id }), ['place.zone_id'])
    assert.deepEqual(await judged({ building_id: w.site_id, zone_id: tower.id, level_index: 1 }), ['place.zone_id', 'place.building_id'])
    assert.deepEqual(await judged({ building_id: tower.id }, { at: '2026-03-01T00:00:00.000Z', path: 'to' }), ['to.building_id'])
    const [lon, lat] = plane.degrees([5, 5])
    assert.deepEqual(await judged({ point: { lon, lat } }), {
      point: { lon: Math.round(lon * 1e8) / 1e8, lat: Math.round(lat * 1e8) / 1e8 },
    })
    assert.deepEqual(await judged({ point: { lon: lat, lat: lon } }), ['place.point'])
    assert.deepEqual(await judged({ point: { lon, lat }, polygon: box(0, 0, 5) }), ['place.polygon'])
    assert.deepEqual(await judged({ polygon: box(5000, 0, 5), building_id: tower.id, level_index: 7 }), [
      'place.polygon',
      'place.level_index',
    ])
    assert.equal(((await judged({ polygon: box(0, 0, 5) })) as { polygon: { type: string } }).polygon.type, 'Polygon')
    const { faults } = await placeOf(ctx, w.site_id, { point: { lon: lat, lat: lon } })
    assert.match(faults[0]?.message ?? '', /With lon and lat swapped/)
    await end(shed.id)
    assert.deepEqual(await judged({ building_id: shed.id }), ['place.building_id'])
  })
})
