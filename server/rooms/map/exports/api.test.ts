import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import type { Position } from '../../../../shared/geometry/plane.ts'
import { boxAt, collection, pointAt } from '../../../../tests/geo.ts'
import { CHECKLIST, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { reading } from '../../../base/ctx.ts'
import { exportMap } from './actions.ts'

type Feature = { type: string; id: string; geometry: { type: string; coordinates: unknown }; properties: Record<string, unknown> }

describe('exports', () => {
  const house = useHouse()
  const file = async (who: Caller, w: World, query = '') => {
    const reply = await who.get(`/exports/geojson?site_id=${w.site_id}${query}`)
    assert.equal(reply.status, 200, reply.text)
    return { headers: reply.headers, ...(JSON.parse(reply.text) as { type: string; features: Feature[]; bbox?: number[] }) }
  }
  const put = async (w: World, path: `/${string}`, body: object) => {
    const reply = await w.as('hse').post(path, { site_id: w.site_id, ...body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const zone = (w: World, name: string, outline: unknown, more: object = {}) =>
    put(w, '/reference-features/zones', { name, outline, ...more })
  const inLayer = (features: Feature[], layer: string) => features.filter(one => one.properties.layer === layer)

  /** A site with something in every layer. */
  async function full(): Promise<World> {
    const w = await house.world({ timezone: 'Europe/London' })
    await w.as('admin').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: boxAt(-300, -300, 600) })
    await zone(w, 'Plot', boxAt(-200, -200, 400), { kind: 'area', code: 'P' })
    await zone(w, 'Tower', boxAt(0, 0, 40), { kind: 'building', levels: [{ index: -1 }, { index: 0 }, { index: 1 }] })
    const yard = await zone(w, 'Yard', boxAt(60, 0, 40), { zone_type: 'laydown' })
    await put(w, '/geometry/cut-hole-freeform', { target_id: yard.id, polygon: boxAt(70, 10, 10) })
    await zone(w, 'Road', boxAt(60, 60, 40, 5), { zone_type: 'vehicle_route' })
    const [lon, lat] = pointAt(10, 10)
    const place = { point: { lon, lat } }
    await put(w, '/pois/', { name: 'Assembly', poi_kind: 'assembly_point', place })
    await put(w, '/text-labels/', { text: 'No entry', place, style_key: 'note' })
    const end_at = '2026-03-16T17:00:00.000Z'
    await put(w, '/workers/', {
      name: 'Gang',
      trade: 'Steel fixer',
      headcount: 4,
      supervisor_name: 'Sam Secret',
      notes: 'Call Sam',
      place,
      end_at,
    })
    await put(w, '/plant', { name: 'Crane', category: 'tower_crane', operator_name: 'Olga Secret', place, working_radius_m: 10 })
    return w
  }

  test('§12 the file is RFC 7946: one collection, WGS84, outer rings anticlockwise, a bbox and no crs, with flat properties', async () => {
    const w = await full()
    const { type, features, bbox, headers, ...rest } = await file(w.as('coordinator'), w)
    assert.deepEqual([type, 'crs' in rest], ['FeatureCollection', false])
    assert.match(String(headers['content-type']), /^application\/geo\+json/)
    assert.match(String(headers['content-disposition']), /attachment; filename="[A-Z0-9-]+-2026-03-16T0900Z\.geojson"/)
    const turn = (ring: Position[]) =>
      ring.reduce((sum, [x, y], i) => {
        const [nx, ny] = ring[(i + 1) % ring.length] ?? [0, 0]
        const [x0, y0] = ring[0] ?? [0, 0]
        return sum + (x - x0) * (ny - y0) - (nx - x0) * (y - y0)
      }, 0)
    for (const { geometry, properties, id } of features) {
      assert.ok(id.length > 0)
      for (const value of Object.values(properties)) assert.ok(value === null || typeof value !== 'object', JSON.stringify(properties))
      assert.ok('local_start' in properties && 'local_end' in properties && 'layer' in properties)
      if (geometry.type !== 'Polygon') continue
      const rings = geometry.coordinates as Position[][]
      assert.deepEqual(
        rings.map(ring => turn(ring) > 0),
        rings.map((_, i) => i === 0),
      )
      for (const [lon, lat] of rings.flat()) assert.ok(String(lon).length <= 12 && lat > 51 && lat < 52)
    }
    const [west = 0, south = 0, east = 0, north = 0] = bbox ?? []
    assert.ok(west < -0.09 && south < 51.506 && east > -0.085 && north > 51.51)
    const [gang] = inLayer(features, 'workers')
    assert.deepEqual([gang?.properties.start_at, gang?.properties.local_end], ['2026-03-16T09:00:00.000Z', '2026-03-16T17:00:00'])
    assert.deepEqual(
      inLayer(features, 'buildings').map(one => one.properties.levels),
      ['B1, G, 1'],
    )
  })

  test('§12 the count of each layer is that of the lists at the same time, in the order of layers and ids, without names of people', async () => {
    const w = await full()
    const viewer = w.as('viewer')
    const { features } = await file(w.as('coordinator'), w)
    const count = async (path: `/${string}`) => (await viewer.get(path)).body.length
    const frame = (kind: string) => count(`/reference-features/features/at-time?site_id=${w.site_id}&kind=${kind}`)
    assert.deepEqual(
      ['boundary', 'areas', 'buildings', 'zones', 'workers', 'plant', 'pois', 'text_labels', 'overlays', 'permits'].map(
        layer => inLayer(features, layer).length,
      ),
      [
        1,
        await frame('area'),
        await frame('building'),
        await frame('zone'),
        await count(`/workers/at-time?site_id=${w.site_id}`),
        await count(`/plant/at-time?site_id=${w.site_id}`),
        await count(`/pois/at-time?site_id=${w.site_id}`),
        await count(`/text-labels/at-time?site_id=${w.site_id}`),
        0,
        0,
      ],
    )
    assert.equal(inLayer(features, 'zones').length, 2)
    const keys = features.map(
      one =>
        `${['boundary', 'areas', 'buildings', 'zones', 'workers', 'plant', 'pois', 'text_labels'].indexOf(String(one.properties.layer))} ${one.id}`,
    )
    assert.deepEqual(keys, keys.toSorted())
    assert.doesNotMatch(JSON.stringify(features), /Secret|Call Sam/)
    assert.deepEqual((await file(w.as('admin'), w)).features, features, 'two exports are equal')
  })

  test('§12 at and from/to choose the time, and layers, level, contractor and bbox what is in the file', async () => {
    const w = await full()
    const by = w.as('coordinator')
    const layers = async (query: string) => [...new Set((await file(by, w, query)).features.map(one => one.properties.layer))]
    assert.deepEqual(await layers('&at=2026-03-15T00:00:00.000Z'), ['boundary'])
    assert.deepEqual(await layers('&at=2026-03-16T18:00:00.000Z&layers=workers&layers=plant'), ['plant'])
    assert.deepEqual(await layers('&from=2026-03-16T16:00:00.000Z&to=2026-03-17T00:00:00.000Z&layers=workers'), ['workers'])
    assert.deepEqual(await layers('&level_index=1&layers=zones&layers=buildings'), ['buildings'])
    const [west, south] = pointAt(55, 55)
    const [east, north] = pointAt(110, 110)
    const near = await file(by, w, `&bbox=${west},${south},${east},${north}&layers=zones`)
    assert.deepEqual(
      near.features.map(one => one.properties.name),
      ['Road'],
    )
    house.clock('2026-03-16T10:00:00.000Z')
    const [yard] = inLayer((await file(by, w)).features, 'zones').filter(one => one.properties.name === 'Yard')
    await w.as('hse').patch(`/reference-features/features/${yard?.id}`, { name: 'Stores' })
    const both = await file(by, w, '&from=2026-03-16T00:00:00.000Z&to=2026-03-17T00:00:00.000Z&layers=zones')
    const versions = both.features.filter(one => one.id === yard?.id && one.properties.start_at !== one.properties.end_at)
    assert.deepEqual(
      versions.map(one => [one.properties.name, one.properties.local_end]),
      [
        ['Yard', '2026-03-16T10:00:00'],
        ['Stores', null],
      ],
    )
    const bad = async (query: string) => (await by.get(`/exports/geojson?site_id=${w.site_id}${query}`)).body.error
    assert.match((await bad('&layers=sewers')).detail, /boundary.*zones.*permits/)
    assert.equal((await bad('&at=2026-03-16T00:00:00.000Z&from=2026-03-16T00:00:00.000Z')).fields[0].path, 'at')
    assert.equal((await bad('&from=2026-03-16T00:00:00.000Z')).fields[0].path, 'from'.replace('from', 'to'))
    assert.match((await bad('&from=2025-01-01T00:00:00.000Z&to=2026-03-16T00:00:00.000Z')).detail, /366 days/)
    assert.equal((await bad('&bbox=1,2')).fields[0].path, 'bbox')
  })

  test('§12 exported zones, read into another site as a reference layer, have equal areas to 0.1 %', async () => {
    const w = await full()
    const { features } = await file(w.as('coordinator'), w, '&layers=zones')
    const other = await house.world()
    const map = { key: 'name', name: 'name', code: 'code', zone_type: 'zone_type' }
    const said = { site_id: other.site_id, name: 'Zones', role: 'reference', reference_kind: 'zone', map }
    const made = await other.as('hse').send('POST', '/geometadata/layers/upload', [
      { name: 'data', value: JSON.stringify(said) },
      { name: 'file', filename: 'zones.geojson', value: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) },
    ])
    assert.equal(made.status, 201, made.text)
    const areas = async (of: World) =>
      new Map<string, { area_m2: number; zone_type: string }>(
        (await of.as('viewer').get(`/reference-features/features?site_id=${of.site_id}&kind=zone`)).body.map((one: { name: string }) => [
          one.name,
          one,
        ]),
      )
    const [before, after] = [await areas(w), await areas(other)]
    assert.deepEqual([...after.keys()].sort(), ['Road', 'Yard'])
    for (const [name, { area_m2, zone_type }] of before) {
      assert.ok(Math.abs((after.get(name)?.area_m2 ?? 0) / area_m2 - 1) < 0.001, name)
      assert.equal(after.get(name)?.zone_type, zone_type)
    }
  })

  test('§12 exported buildings and zones, read into another site, have the same names and levels there, whatever is in a name and however many levels there are', async () => {
    const w = await house.world({ timezone: 'Europe/London' })
    const names = ['=1+1', '@x "q" <&>', '😀👷🏽‍♀️', 'שלום', 'a\u2028b\u2029c', `${'x'.repeat(99)}😀${'x'.repeat(98)}`]
    for (const [i, name] of names.entries()) await zone(w, name, boxAt(i * 30, 0, 20))
    const levels = [[5], [-3], [0], [1], [1, 2], [-50, 300], [300]]
    for (const [i, indexes] of levels.entries())
      await zone(w, `Block ${i}`, boxAt(i * 30, 60, 20), { kind: 'building', levels: indexes.map(index => ({ index })) })
    const other = await house.world({ timezone: 'America/Santiago' })
    const seen = async (of: World, kind: string) =>
      (await of.as('viewer').get(`/reference-features/features?site_id=${of.site_id}&kind=${kind}`)).body
        .map((one: { name: string; levels?: { index: number }[] }) => [one.name, one.levels?.map(({ index }) => index)])
        .sort()
    for (const kind of ['zone', 'building'] as const) {
      const { features } = await file(w.as('coordinator'), w, `&layers=${kind}s`)
      const map = { key: 'id', name: 'name', ...(kind === 'building' ? { levels: 'levels' } : {}) }
      const said = { site_id: other.site_id, name: kind, role: 'reference', reference_kind: kind, map }
      const send = (more: object) =>
        other.as('hse').send('POST', '/geometadata/layers/upload', [
          { name: 'data', value: JSON.stringify({ ...said, ...more }) },
          { name: 'file', filename: 'map.geojson', value: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) },
        ])
      const made = await send({})
      assert.equal(made.status, 201, made.text)
      assert.equal(made.body.saved.created.length, features.length)
      assert.deepEqual(await seen(other, kind), await seen(w, kind))
      const again = await send({ layer_id: made.body.id })
      assert.deepEqual(again.body.saved, { created: [], changed: [], unchanged: features.length, ended: [] }, again.text)
    }
  })

  test('§12 a zone with a part so thin that 7 decimals make it cross itself is exported as a valid one, and is read into another site', async () => {
    const w = await house.world()
    // Its notch ends 3 mm above its lower edge, in ten-millionths of a degree.
    const ring = [
      [0, 0.6],
      [1000, 299.6],
      [1000, 1000],
      [510, 1000],
      [500, 150.4],
      [490, 1000],
      [0, 1000],
      [0, 0.6],
    ].map(([x = 0, y = 0]) => [Number((-0.0877 + x / 1e7).toFixed(8)), Number((51.5079 + y / 1e7).toFixed(8))])
    const drawn = await zone(w, 'Notch', { type: 'Polygon', coordinates: [ring] })
    const { features } = await file(w.as('coordinator'), w, '&layers=zones')
    for (const position of JSON.stringify(features[0]?.geometry).match(/[\d.]+/g) ?? []) assert.match(position, /^\d+(\.\d{1,7})?$/)
    const other = await house.world()
    const said = { site_id: other.site_id, name: 'Zones', role: 'reference', reference_kind: 'zone', map: { key: 'id', name: 'name' } }
    const made = await other.as('hse').post('/geometadata/layers', { ...said, features: { type: 'FeatureCollection', features } })
    assert.equal(made.status, 201, made.text)
    const [found] = (await other.as('viewer').get(`/reference-features/features?site_id=${other.site_id}&kind=zone`)).body
    assert.ok(Math.abs(found.area_m2 / drawn.area_m2 - 1) < 0.001, `${found.area_m2} of ${drawn.area_m2}`)
  })

  test('§12 people aren’t in the file by their id either', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await full()
    const [lon, lat] = pointAt(20, 80)
    const slot = { start_at: '2026-03-16T08:30:00.000Z', end_at: '2026-03-16T10:00:00.000Z' }
    const made = await put(w, '/deliveries/', { supplier_name: 'Readymix', place: { point: { lon, lat } }, status: 'booked', ...slot })
    assert.equal(made.decided_by, w.as('hse').user_id)
    const { features } = await file(w.as('coordinator'), w)
    assert.equal(inLayer(features, 'deliveries').length, 1)
    const people = await house.rows('select user_id from membership where site_id = $1', [w.site_id])
    assert.ok(people.length > 0)
    const text = JSON.stringify(features)
    for (const { user_id } of people) assert.ok(!text.includes(user_id), text)
  })

  test('§12 a member gets 403 with map_export, and each export is in the audit log', async () => {
    const w = await full()
    const no = await w.as('member').get(`/exports/geojson?site_id=${w.site_id}`)
    assert.deepEqual([no.status, no.body.error.permission], [403, 'map_export'])
    assert.equal((await (await house.world()).as('admin').get(`/exports/geojson?site_id=${w.site_id}`)).status, 404)
    await file(w.as('coordinator'), w, '&layers=zones')
    const [entry] = (await w.as('admin').get(`/audit/site/${w.site_id}?limit=5`)).body.filter(
      (one: { action: string }) => one.action === 'read',
    )
    assert.deepEqual([entry?.entity_type, entry?.reason], ['site', 'Map as GeoJSON: zones'])
  })

  test('§12 a write during the download does not appear in it, and a receiver that leaves frees its place', async () => {
    const w = await house.world()
    const footprints = collection(
      ...Array.from({ length: 400 }, (_, i) => [boxAt((i % 20) * 30, Math.floor(i / 20) * 30, 20), { id: i }] as const),
    )
    const said = { site_id: w.site_id, name: 'Zones', role: 'reference', reference_kind: 'zone', map: { key: 'id', name: 'id' } }
    const made = await w.as('hse').post('/geometadata/layers', { ...said, features: footprints })
    assert.equal(made.status, 201, made.text)
    const open = async () =>
      (
        await exportMap(reading(house.house, { actor: jobActor('test'), cause: 'site.export_map' }), w.site_id, { site_id: w.site_id })
      ).open()
    const stream = await open()
    await once(stream, 'readable')
    const first = String(stream.read(1000))
    const [lon, lat] = pointAt(0, 0)
    await put(w, '/pois/', { name: 'Late', poi_kind: 'assembly_point', place: { point: { lon, lat } } })
    let text = first
    for await (const piece of stream) text += piece
    const { features } = JSON.parse(text)
    assert.deepEqual([features.length, inLayer(features, 'pois').length], [400, 0])
    assert.equal((await file(w.as('hse'), w)).features.length, 401)

    const [one, two] = [await open(), await open()]
    const busy = await w.as('hse').get(`/exports/geojson?site_id=${w.site_id}`)
    assert.deepEqual([busy.status, busy.body.error.code], [503, 'unavailable'])
    for (const left of [one, two]) left.destroy()
    let again = busy
    for (let i = 0; i < 100 && again.status === 503; i++) again = await w.as('hse').get(`/exports/geojson?site_id=${w.site_id}`)
    assert.equal(JSON.parse(again.text).features.length, 401)
  })

  test('§12 overlays and permits are in the file if asked for, permits only as far as the caller sees them', async () => {
    const w = await permitWorld(house)
    const by = w.as('coordinator')
    const main = { type: 'LineString', coordinates: [pointAt(0, 0), pointAt(50, 0)] }
    await put(w, '/geometadata/layers', {
      name: 'Gas',
      role: 'utilities',
      utility: 'gas',
      features: collection([main, { ref: 'G1', tags: ['a'] }]),
    })
    const yard = await zone(w, 'Yard', boxAt(0, 0, 20))
    const permit = await w.at('issued', { place: { polygon: boxAt(0, 0, 10) } })
    await w.at('requested', { place: { zone_id: yard.id } })
    await w.draft({ place: { zone_id: yard.id } })
    assert.deepEqual(
      (await file(by, w)).features.map(one => one.properties.layer),
      ['zones'],
    )
    const { features } = await file(by, w, '&layers=overlays&layers=permits&at=2026-03-16T12:00:00.000Z')
    const [gas] = inLayer(features, 'overlays')
    assert.deepEqual(
      [gas?.geometry.type, gas?.properties.ref, gas?.properties.utility, gas?.properties.tags],
      ['LineString', 'G1', 'gas', undefined],
    )
    const permits = inLayer(features, 'permits')
    assert.deepEqual(permits.map(one => one.properties.status).sort(), ['issued', 'requested'])
    assert.equal(permits.find(one => one.id === permit.id)?.properties.permit_number, permit.permit_number)
    assert.deepEqual(inLayer((await file(by, w, '&layers=permits&at=2026-03-20T12:00:00.000Z')).features, 'permits'), [])
  })

  test('§12 permits of an earlier instant have the status and the window of then, as the map at that time has them', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await permitWorld(house)
    const by = w.as('coordinator')
    const place = { polygon: boxAt(0, 0, 10) }
    const hours = { start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }
    const live = await w.at('issued', { place, ...hours })
    const asked = await w.at('requested', { place, ...hours })
    const then = '2026-03-16T10:00:00.000Z'
    house.clock(then)
    const onMap = async (at: string) =>
      inLayer((await file(by, w, `&layers=permits&at=${at}`)).features, 'permits')
        .map(({ id, properties }) => [id, properties.status, properties.end_at])
        .sort()
    const expected = [
      [live.id, 'issued', hours.end_at],
      [asked.id, 'requested', hours.end_at],
    ].sort()
    assert.deepEqual(await onMap(then), expected)
    house.clock('2026-03-16T12:00:00.000Z')
    assert.equal((await w.step(live, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
    assert.equal((await w.step(asked, 'reject', w.as('hse'), { reason: 'Not needed' })).status, 200)
    const later_one = await w.at('issued', { place, ...hours })
    const now = '2026-03-16T13:00:00.000Z'
    house.clock(now)
    assert.deepEqual(await onMap(then), expected, 'what was done since doesn’t change what was')
    const cards = (await by.get(`/permits?site_id=${w.site_id}&at=${then}`)).body as { id: string; status: string; end_at: string }[]
    assert.deepEqual(cards.map(({ id, status, end_at }) => [id, status, end_at]).sort(), expected)
    assert.deepEqual(
      await onMap(now),
      [
        [live.id, 'closed', hours.end_at],
        [later_one.id, 'issued', hours.end_at],
      ].sort(),
    )
  })
})
