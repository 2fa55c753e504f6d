import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BRITISH_PRJ, boxAt, collection, dbfOf, pointAt, shpOf, zipped } from '../../../../tests/geo.ts'
import { type Caller, type Part, useHouse, type World } from '../../../../tests/world.ts'
import { markCursor } from '../../../base/paging.ts'

const calgary = readFileSync(fileURLToPath(new URL('../../../../tests/data/geo/calgary-permit-points.geojson', import.meta.url)))
const part = (content: unknown, filename = 'layer.geojson'): Part => ({
  name: 'file',
  filename,
  value: Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)),
})
const send = (who: Caller, content: unknown, said: Record<string, unknown>, filename?: string) =>
  who.send('POST', '/geometadata/layers/upload', [{ name: 'data', value: JSON.stringify(said) }, part(content, filename)])
const bowtie = { type: 'Polygon', coordinates: [[pointAt(0, 0), pointAt(20, 20), pointAt(20, 0), pointAt(0, 20), pointAt(0, 0)]] }

describe('geodata layers', () => {
  const house = useHouse()
  const count = async (w: World, query = '') => (await w.as('viewer').get(`/geometadata/layers?site_id=${w.site_id}${query}`)).body.length

  test('§9 a layer is uploaded, listed, shown with its properties, changed, and deleted', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const made = await send(hse, calgary, { site_id: w.site_id, name: 'Records', role: 'topography' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.accepted, made.body.refused, made.body.feature_count, made.body.status, made.body.content_version],
      [500, [], 500, 'ready', 1],
    )
    const one = `/geometadata/layers/${made.body.id}` as const
    assert.equal(made.headers.location, `/api${one}`)
    const shown = (await w.as('client').get(one)).body
    assert.deepEqual(shown.property_schema[0], { name: 'permitnum', type: 'text', samples: shown.property_schema[0].samples })
    assert.equal(shown.property_schema[0].samples.length, 5)
    const features = await w.as('viewer').get(`${one}/features?limit=200`)
    assert.deepEqual([features.body.type, features.body.features.length], ['FeatureCollection', 200])
    assert.match(String(features.headers.link), /rel="next"/)
    const next = await w.as('viewer').get(String(/<\/api([^>]+)>/.exec(String(features.headers.link))?.[1]) as `/${string}`)
    assert.equal(next.body.features[0].id, `${made.body.id}/200`)

    assert.equal((await w.as('coordinator').patch(one, { name: 'x' })).body.error.permission, 'layer_manage')
    const changed = await hse.patch(one, {
      name: 'Permits',
      visible: false,
      sort: 3,
      role: 'utilities',
      style: { stroke: '#112233', fill: '#112233', width: 1 },
    })
    assert.deepEqual([changed.status, changed.body.name, changed.body.visible, changed.body.role], [200, 'Permits', false, 'topography'])
    assert.equal(await count(w, '&visible=true'), 0)
    assert.equal(await count(w, '&role=topography'), 1)
    assert.equal((await hse.del(one)).status, 204)
    assert.deepEqual([await count(w), (await hse.get(one)).status, (await hse.get(`${one}/features`)).status], [0, 404, 404])
    assert.equal((await (await house.world()).as('admin').get(one)).status, 404)
  })

  test('§9 an inline FeatureCollection makes a layer; more than 5,000 features are refused', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const body = {
      site_id: w.site_id,
      name: 'Trees',
      role: 'constraint',
      features: collection([{ type: 'Point', coordinates: pointAt(0, 0) }, { ref: 'T1' }]),
    }
    const made = await hse.post('/geometadata/layers', body)
    assert.deepEqual([made.status, made.body.feature_count], [201, 1], made.text)
    const many = collection(...Array.from({ length: 5001 }, () => [{ type: 'Point', coordinates: [0, 51] }, {}] as const))
    assert.equal((await hse.post('/geometadata/layers', { ...body, features: many })).status, 413)
    assert.equal((await hse.post('/geometadata/layers', { ...body, features: { type: 'Point' } })).status, 422)
    assert.equal((await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'Empty' })).body.feature_count, 0)
  })

  test('§9 a layer of services never loses its quality level, and has the colour of the service that it turns out to be, unless someone chose another', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const gas = (await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'Gas', role: 'utilities', quality_level: 'QL-B' })).body
    const change = async (body: object) => (await hse.patch(`/geometadata/layers/${gas.id}`, body)).body
    const known = await change({ utility: 'gas' })
    assert.deepEqual([known.utility, known.style.stroke, known.quality_level], ['gas', '#f5b800', 'QL-B'])
    const own = await change({ style: { stroke: '#000000', fill: '#000000', width: 5 } })
    assert.equal(own.style.stroke, '#000000')
    const water = await change({ utility: 'water', quality_level: null })
    assert.deepEqual([water.style.stroke, water.quality_level], ['#000000', 'QL-D'])
    assert.equal((await change({ utility: null })).utility, 'unknown')
  })

  test('§9 only layers of services have a utility and a quality level; they are unknown and QL-D unless someone says more', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const gas = (await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'Gas', role: 'utilities' })).body
    assert.deepEqual([gas.utility, gas.quality_level], ['unknown', 'QL-D'])
    assert.equal((await hse.patch(`/geometadata/layers/${gas.id}`, { utility: 'gas', quality_level: 'QL-B' })).body.quality_level, 'QL-B')
    const wrong = await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'x', utility: 'gas', map: { key: 'a', name: 'b' } })
    assert.deepEqual(wrong.body.error.fields.map((field: { path: string }) => field.path).sort(), ['map', 'utility'])
    const missing = await hse.post('/geometadata/layers', { site_id: w.site_id, name: 'x', role: 'reference' })
    assert.deepEqual(missing.body.error.fields.map((field: { path: string }) => field.path).sort(), ['map', 'reference_kind'])
  })

  test('§9 a file of zones that is uploaded a second time as another layer warns that they are there twice; in its own layer it changes nothing', async () => {
    const w = await house.world()
    const said = { site_id: w.site_id, name: 'Zones', role: 'reference', reference_kind: 'zone', map: { key: 'id', name: 'name' } }
    // Two zones of one file can lie over each other.
    const file = collection([boxAt(0, 0, 20), { id: 'a', name: 'Yard' }], [boxAt(0, 0, 20), { id: 'b', name: 'Above' }])
    const first = await send(w.as('hse'), file, said)
    assert.deepEqual([first.status, first.body.warnings], [201, []], first.text)
    const same = await send(w.as('hse'), file, { site_id: w.site_id, layer_id: first.body.id })
    assert.deepEqual([same.body.saved.unchanged, same.body.warnings], [2, []], same.text)
    const second = await send(w.as('hse'), file, said)
    assert.deepEqual([second.status, second.body.warnings.map((one: { code: string }) => one.code)], [201, ['already_there']], second.text)
    assert.match(second.body.warnings[0].detail, /^There was already a zone on the same ground as 2 new zones \(Yard and Above\)\./)
  })

  test('§9 the same Shapefile in 27700 and in 4326 lands within the accuracy_m that the layer says', async () => {
    const w = await house.world()
    const british = await send(
      w.as('hse'),
      zipped({ 'a.shp': shpOf([[651_409.903, 313_177.27]]), 'a.prj': BRITISH_PRJ, 'a.dbf': dbfOf(['Tower']) }),
      { site_id: w.site_id },
      'Tower.zip',
    )
    assert.deepEqual(
      [british.status, british.body.name, british.body.crs, british.body.accuracy_m],
      [201, 'Tower', 'EPSG:27700', 5],
      british.text,
    )
    assert.ok(british.body.warnings.some((warning: { code: string }) => warning.code === 'accuracy'))
    const found = await w.as('viewer').get(`/geometadata/layers/${british.body.id}/features?near=1.71607397,52.65800783&within_m=5`)
    assert.deepEqual([found.body.features.length, found.body.features[0].properties.name], [1, 'Tower'])
    assert.ok(found.body.features[0].properties.distance_m < 5)
  })

  test('§9 a Shapefile without .prj and eastings of 530,000 is refused naming crs, and accepted with one', async () => {
    const w = await house.world()
    const file = zipped({ 'a.shp': shpOf([[530_000, 180_000]]) })
    const no = await send(w.as('hse'), file, { site_id: w.site_id, name: 'x' }, 'a.zip')
    assert.deepEqual([no.status, no.body.error.fields[0].path], [422, 'crs'])
    assert.equal((await send(w.as('hse'), file, { site_id: w.site_id, name: 'x', crs: 'EPSG:27700' }, 'a.zip')).status, 201)
    assert.equal(await count(w), 1)
  })

  test('§9 a zip bomb is refused and the service goes on', async () => {
    const w = await house.world()
    const bomb = zipped({ 'a.shp': Buffer.alloc(30 * 1024 * 1024) })
    assert.equal((await send(w.as('hse'), bomb, { site_id: w.site_id, name: 'x' }, 'a.zip')).status, 413)
    assert.equal((await send(w.as('hse'), calgary, { site_id: w.site_id, name: 'x' })).status, 201)
  })

  test('§9 a self-crossing polygon is refused by its index and place, and nothing else of the file is stored unless skip_refused is sent', async () => {
    const w = await house.world()
    const file = collection([boxAt(0, 0, 5), {}], [bowtie, {}], [boxAt(9, 9, 5), {}])
    const no = await send(w.as('hse'), file, { site_id: w.site_id, name: 'x' })
    assert.equal(no.status, 422)
    assert.deepEqual([no.body.error.refused.length, no.body.error.refused[0].index, no.body.error.fields[0].path], [1, 1, 'features[1]'])
    assert.match(no.body.error.refused[0].reason, /crosses itself.* at lon -0\.08\d+, lat 51\.50\d+/)
    assert.equal(await count(w), 0)
    const some = await send(w.as('hse'), file, { site_id: w.site_id, name: 'x', skip_refused: true })
    assert.deepEqual([some.status, some.body.accepted, some.body.refused.length, some.body.feature_count], [201, 2, 1, 2])
    const none = await send(w.as('hse'), collection([bowtie, {}]), { site_id: w.site_id, name: 'x', skip_refused: true })
    assert.equal(none.status, 422)
  })

  test('§9 a new file replaces the features of its layer in one step; the same file again changes no content', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const said = { site_id: w.site_id, name: 'Trees' }
    const first = (await send(hse, collection([boxAt(0, 0, 5), { n: 1 }], [boxAt(9, 9, 5), { n: 2 }]), said)).body
    const layer_id = first.id
    const same = await send(hse, collection([boxAt(0, 0, 5), { n: 1 }], [boxAt(9, 9, 5), { n: 2 }]), { ...said, layer_id })
    assert.deepEqual([same.status, same.body.id, same.body.content_version, same.body.version], [201, layer_id, 1, first.version])
    const refused = await send(hse, collection([bowtie, {}]), { ...said, layer_id })
    assert.equal(refused.status, 422)
    assert.equal((await hse.get(`/geometadata/layers/${layer_id}/features`)).body.features.length, 2)
    const other = await send(hse, collection([boxAt(30, 0, 5), { n: 3 }]), { ...said, layer_id, source: 'Survey 2' })
    assert.deepEqual([other.body.content_version, other.body.feature_count, other.body.source], [2, 1, 'Survey 2'])
    assert.equal((await hse.get(`/geometadata/layers/${layer_id}/features`)).body.features[0].properties.n, 3)
    assert.equal((await send(hse, calgary, { ...said, layer_id, role: 'utilities' })).status, 422)
    const elsewhere = await house.world()
    assert.equal((await send(elsewhere.as('hse'), calgary, { site_id: elsewhere.site_id, layer_id })).status, 422)
  })

  const footprints = (moved = -1) =>
    collection(
      ...Array.from({ length: 12 }, (_, i) => {
        const [x, y] = [(i % 4) * 40 - 100, Math.floor(i / 4) * 40 - 60]
        return [boxAt(i === moved ? x + 3 : x, y, 20), { id: i + 1, label: `Block ${i + 1}`, ref: `B${i + 1}`, storeys: 5 }] as const
      }),
    )
  const map = { key: 'id', name: 'label', code: 'ref', levels: 'storeys' }
  const versions = async (w: World) =>
    Number((await house.rows('select count(*) as n from reference_feature_version where site_id = $1', [w.site_id]))[0].n)

  test('§9 12 footprints with the role reference make 12 buildings; again no new version; with one moved one new version', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const said = { site_id: w.site_id, name: 'Blocks', role: 'reference', reference_kind: 'building', map }
    const made = await send(hse, footprints(), said)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.accepted, made.body.saved.created.length], [12, 12])
    const buildings = async () => (await w.as('viewer').get(`/reference-features/features?site_id=${w.site_id}&kind=building`)).body
    const [first] = await buildings()
    assert.deepEqual([(await buildings()).length, first.levels.length, first.source_layer_id, await versions(w)], [12, 5, made.body.id, 12])
    house.clock('2026-03-16T10:00:00.000Z')
    const layer_id = made.body.id
    const again = await send(hse, footprints(), { site_id: w.site_id, layer_id })
    assert.deepEqual([again.status, again.body.saved.unchanged, await versions(w)], [201, 12, 12], again.text)
    const moved = await send(hse, footprints(4), { site_id: w.site_id, layer_id })
    assert.deepEqual([moved.body.saved.changed.length, moved.body.saved.unchanged, await versions(w)], [1, 11, 13])
    const history = await w.as('viewer').get(`/reference-features/features/${moved.body.saved.changed[0]}/history`)
    assert.deepEqual(history.body[0].fields, ['outline'])
  })

  test('§9 a missing key ends its feature only with end_missing, and what has ended comes back as a new feature', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const zone = (n: number) => [boxAt(n * 30, 0, 20), { id: n, label: `Zone ${n}`, use: 'Vehicle route' }] as const
    const said = {
      site_id: w.site_id,
      name: 'Zones',
      role: 'reference',
      reference_kind: 'zone',
      map: { key: 'id', name: 'label', zone_type: 'use' },
    }
    const { id: layer_id, saved } = (await send(hse, collection(zone(1), zone(2)), said)).body
    const zones = async () => (await w.as('viewer').get(`/reference-features/features?site_id=${w.site_id}`)).body
    assert.deepEqual(
      (await zones()).map((one: { zone_type: string }) => one.zone_type),
      ['vehicle_route', 'vehicle_route'],
    )
    house.clock('2026-03-16T10:00:00.000Z')
    await send(hse, collection(zone(1)), { site_id: w.site_id, layer_id })
    assert.equal((await zones()).length, 2)
    const ended = await send(hse, collection(zone(1)), { site_id: w.site_id, layer_id, end_missing: true })
    assert.deepEqual([ended.body.saved.ended, (await zones()).length], [[saved.created[1]], 1])
    house.clock('2026-03-16T11:00:00.000Z')
    const back = await send(hse, collection(zone(1), zone(2)), { site_id: w.site_id, layer_id })
    assert.deepEqual([back.body.saved.created.length, back.body.saved.unchanged, (await zones()).length], [1, 1, 2])
    assert.notEqual(back.body.saved.created[0], saved.created[1])
    assert.equal((await hse.del(`/geometadata/layers/${layer_id}`)).status, 204)
    assert.deepEqual(
      (await zones()).map((one: { source_layer_id: null }) => one.source_layer_id),
      [null, null],
    )
  })

  test('§9 features of a reference layer are refused as drawn ones are, by index, and none is stored', async () => {
    const w = await house.world()
    const hse = w.as('hse')
    const said = { site_id: w.site_id, name: 'Blocks', role: 'reference', reference_kind: 'building', map }
    const file = collection(
      [boxAt(0, 0, 20), { id: 1, label: 'A', ref: 'A' }],
      [boxAt(50, 0, 20), { id: 1, label: 'B' }],
      [boxAt(100, 0, 20), { label: 'C' }],
      [boxAt(150, 0, 20), { id: 4, label: 'D', ref: 'a' }],
      [boxAt(0, 0, 20), { id: 5, label: 'E' }],
      [
        { type: 'Point', coordinates: pointAt(0, 0) },
        { id: 6, label: 'F' },
      ],
      [boxAt(200, 0, 20), { id: 7, label: 'G', storeys: 'many' }],
      [boxAt(250, 0, 20), { id: 8, label: 'H', storeys: 'B1, G, 1' }],
    )
    const no = await send(hse, file, said)
    assert.equal(no.status, 422)
    assert.deepEqual(
      no.body.error.refused.map((one: { index: number }) => one.index),
      [1, 2, 3, 4, 5, 6],
      JSON.stringify(no.body.error.refused),
    )
    assert.equal(await versions(w), 0)
    const some = await send(hse, file, { ...said, skip_refused: true })
    assert.deepEqual([some.body.accepted, some.body.saved.created.length, some.body.feature_count], [2, 2, 2], some.text)
    assert.equal((await hse.get(`/geometadata/layers/${some.body.id}/features`)).body.features.length, 2)
    const levels = (await hse.get(`/reference-features/features/${some.body.saved.created[1]}`)).body.levels
    assert.deepEqual(
      levels.map((level: { index: number }) => level.index),
      [-1, 0, 1],
    )
  })

  test('§9 features are found by bbox and by their distance from a position, and simplified for the map; a cursor that was altered is refused', async () => {
    const w = await house.world()
    const line = { type: 'LineString', coordinates: [pointAt(-50, 3), pointAt(0, 3.01), pointAt(50, 3)] }
    const file = collection(
      [line, { ref: 'main' }],
      [boxAt(-5, -5, 10), { ref: 'around' }],
      [{ type: 'Point', coordinates: pointAt(30, 0) }, { ref: 'far' }],
    )
    const { id } = (await send(w.as('hse'), file, { site_id: w.site_id, name: 'x' })).body
    const get = async (query: string) => (await w.as('viewer').get(`/geometadata/layers/${id}/features?${query}`)).body.features
    const [lon, lat] = pointAt(0, 0)
    const near = await get(`near=${lon},${lat}&within_m=5`)
    assert.deepEqual(
      near.map((one: { properties: unknown }) => one.properties),
      [
        { ref: 'around', distance_m: 0 },
        { ref: 'main', distance_m: 3.01 },
      ],
    )
    assert.equal((await get(`near=${lon},${lat}&within_m=5&limit=1`)).length, 1)
    const [west, south] = pointAt(25, -5)
    const [east, north] = pointAt(35, 2)
    assert.deepEqual(
      (await get(`bbox=${west},${south},${east},${north}`)).map((one: { properties: { ref: string } }) => one.properties.ref),
      ['far'],
    )
    assert.equal((await get('simplify_m=0.1'))[0].geometry.coordinates.length, 2)
    assert.equal((await w.as('viewer').get(`/geometadata/layers/${id}/features?near=99,99`)).status, 422)
    const asked = async (cursor: unknown, query = '') => {
      const text = markCursor('geodata_layer.list_features', Buffer.from(JSON.stringify(cursor)).toString('base64url'))
      return (await w.as('viewer').get(`/geometadata/layers/${id}/features?limit=1${query}&cursor=${text}`)).status
    }
    for (const cursor of [['a'], [-1], [1.5], [null], [1e308], [1, 2, 3]]) {
      assert.equal(await asked(cursor), 422, `${JSON.stringify(cursor)} is no cursor of a layer`)
      assert.equal(
        await asked(cursor[0] === 1 ? cursor : [cursor[0], null], `&near=${lon},${lat}`),
        422,
        `${JSON.stringify(cursor)} is no cursor of near`,
      )
    }
    assert.equal(await asked([9_007_199_254_740_991]), 422)
    assert.equal(await asked([0]), 200)
    assert.equal((await w.as('viewer').get(`/geometadata/layers/${id}/features?within_m=5`)).status, 422)
  })

  test('§0.2 a layer with nothing near the site is stored with a warning, which says if lon and lat are swapped', async () => {
    const w = await house.world()
    await w.as('admin').patch(`/sites/${w.site_id}`, { location: { lon: -0.0877, lat: 51.5079 } })
    const [lon, lat] = pointAt(0, 0)
    const made = await send(w.as('hse'), collection([{ type: 'Point', coordinates: [lat, lon] }, {}]), { site_id: w.site_id, name: 'x' })
    assert.deepEqual([made.status, made.body.warnings[0]?.code], [201, 'outside_site'], made.text)
    assert.match(made.body.warnings[0].detail, /swapped/)
    assert.deepEqual(
      (await send(w.as('hse'), collection([{ type: 'Point', coordinates: [lon, lat] }, {}]), { site_id: w.site_id, name: 'y' })).body
        .warnings,
      [],
    )
  })

  test('§0.9 a layer that changes raises the revision of the overlays', async () => {
    const w = await house.world()
    const revision = async () => (await w.as('viewer').get(`/sites/${w.site_id}/snapshot-revision`)).body.layers
    const before = await revision()
    await send(w.as('hse'), calgary, { site_id: w.site_id, name: 'x' })
    const after = await revision()
    assert.ok(after.overlays > before.overlays)
    assert.equal(after.reference, before.reference)
  })
})
