import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { metresBetween } from '../../../shared/geometry/plane.ts'
import { fieldsIn, itemsIn } from '../../../shared/narrow.ts'
import { BRITISH_PRJ, boxAt, collection, dbfOf, pointAt, shpOf, tableOf, zipped } from '../../../tests/geo.ts'
import { Refused } from '../../base/errors.ts'
import type { GeoSummary } from './domain/files.ts'
import { batchesIn, featuresIn, readGeoFile } from './door.ts'

const data = fileURLToPath(new URL('../../../tests/data/geo/', import.meta.url))
const WGS84_PRJ =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'

type Found = GeoSummary & {
  features: { index: number; geometry: { type: string; coordinates: unknown }; properties: Record<string, unknown> }[]
}

describe('files of layers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'geofiles-'))
  after(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'out')

  async function read(content: string | Buffer, filename: string, crs?: string): Promise<Found> {
    const path = join(folder, 'in')
    writeFileSync(path, content)
    const summary = await readGeoFile({ path, filename, crs }, out)
    const features: Found['features'] = []
    for await (const feature of featuresIn(out)) features.push(feature as Found['features'][number])
    return { ...summary, features }
  }
  /** Returns status, problem and detail of the refusal. */
  async function refused(
    content: string | Buffer,
    filename: string,
    crs?: string,
  ): Promise<{ status: number; problem: unknown; detail: string }> {
    const found = await read(content, filename, crs).catch((error: unknown) => error)
    assert.ok(found instanceof Refused, `${filename} was accepted: ${JSON.stringify(found).slice(0, 300)}`)
    const { status, context, detail } = found.refusal
    return { status, problem: context?.problem, detail }
  }
  const stored = (name: string, crs?: string) => read(readFileSync(`${data}${name}`), name.slice(name.indexOf('/') + 1), crs)
  const one = (geometry: unknown, properties: Record<string, unknown> = {}) => JSON.stringify(collection([geometry, properties]))
  const kml = (inside: string) => `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`

  type Expected = {
    file: string
    layers: { name: string; features: number; geoms: Record<string, number>; extent: number[]; srs: string | null }[]
  }
  const expected: Expected[] = JSON.parse(readFileSync(`${data}expected.json`, 'utf8'))
  /** GDAL writes broken numbers as zero, keeps features without a geometry, and ignores the rotation of an overlay and the second track of a recording. */
  const OTHERWISE: Record<string, { accepted: number; refused: number } | 'extent'> = {
    'kml-gpx/bad.gpx': { accepted: 0, refused: 4 },
    'kml-gpx/bad.kml': { accepted: 0, refused: 3 },
    'kml-gpx/null_geometry.kml': { accepted: 0, refused: 1 },
    'kml-gpx/gdal.gpx': { accepted: 4, refused: 3 },
    'kml-gpx/addresses.kml': { accepted: 7, refused: 8 },
    'kml-gpx/ground_overlay.kml': 'extent',
    'kml-gpx/gxmultitrack.kml': 'extent',
  }
  const NAMES: Record<string, string> = { LINEARRING: 'LineString' }
  const typeOf = (name: string) =>
    NAMES[name] ?? ['Point', 'LineString', 'Polygon', 'MultiLineString', 'GeometryCollection'].find(type => type.toUpperCase() === name)

  for (const { file, layers } of expected) {
    if (file === 'kml-gpx/networklink.kml' || file.includes('no-prj')) continue
    test(`§9 ${file} has the features that GDAL finds in it, at the same place`, async () => {
      const found = await stored(file)
      // Positions of tracks and routes are layers of their own only in GDAL.
      const own = layers.filter(layer => !/^(route|track)_points$/.test(layer.name))
      const count = own.reduce((sum, layer) => sum + layer.features, 0)
      const differs = OTHERWISE[file]
      if (typeof differs === 'object') return assert.deepEqual([found.accepted, found.refused_count], [differs.accepted, differs.refused])
      assert.deepEqual([found.accepted, found.refused_count], [count, 0], JSON.stringify(found.refused))
      const kinds = new Map<string, number>()
      for (const layer of own)
        for (const [kind, n] of Object.entries(layer.geoms)) kinds.set(String(typeOf(kind)), (kinds.get(String(typeOf(kind))) ?? 0) + n)
      for (const [kind, n] of kinds) assert.equal(found.features.filter(feature => feature.geometry.type === kind).length, n, kind)
      if (differs === 'extent' || own.some(layer => layer.srs !== '4326')) return
      const west = Math.min(...own.map(layer => layer.extent[0] ?? 0))
      const north = Math.max(...own.map(layer => layer.extent[3] ?? 0))
      assert.ok(Math.abs((found.bounds?.[0] ?? 0) - west) < 1e-5 && Math.abs((found.bounds?.[3] ?? 0) - north) < 1e-5, String(found.bounds))
    })
  }

  test('§9 the same points as GeoJSON, KMZ and Shapefile in degrees and in UTM lie within 0.2 m of each other', async () => {
    const files = [
      'calgary-permit-points.geojson',
      'calgary-permit-points.kmz',
      'calgary-permit-points-epsg4326.shp.zip',
      'calgary-permit-points-epsg26911.shp.zip',
    ]
    const [first, ...others] = await Promise.all(files.map(async () => null)).then(() => inTurn(files))
    const at = (found: Found | undefined) => (found?.features ?? []).map(({ geometry }) => geometry.coordinates as [number, number])
    for (const other of others)
      at(first).forEach(([lon, lat], i) => {
        const [x, y] = at(other)[i] ?? [0, 0]
        assert.ok(metresBetween({ lon, lat }, { lon: x, lat: y }) < 0.2)
      })
    assert.deepEqual([others[2]?.crs, others[2]?.accuracy_m], ['EPSG:26911', 2])
    assert.equal(others[1]?.features[0]?.properties.permitnum, first?.features[0]?.properties.permitnum)
  })
  async function inTurn(files: readonly string[]): Promise<Found[]> {
    const all: Found[] = []
    for (const file of files) all.push(await stored(file))
    return all
  }

  test('§9 metres without a .prj are refused naming crs, and converted with one that a person names', async () => {
    const no = await refused(readFileSync(`${data}calgary-permit-points-no-prj.shp.zip`), 'points.zip')
    assert.deepEqual([no.status, no.problem], [422, 'no_grid'])
    assert.match(no.detail, /crs/)
    const named = await stored('calgary-permit-points-no-prj.shp.zip', 'EPSG:26911')
    assert.deepEqual([named.accepted, Math.round((named.bounds?.[0] ?? 0) * 1e6) / 1e6], [500, -114.280653])
    const eastings = await refused(one({ type: 'Point', coordinates: [530_000, 180_000] }), 'a.geojson')
    assert.deepEqual([eastings.status, eastings.problem], [422, 'no_grid'])
    const other = await refused(readFileSync(`${data}calgary-permit-points-epsg26911.shp.zip`), 'points.zip', 'EPSG:27700')
    assert.deepEqual([other.status, other.problem], [422, 'other_grid'])
    assert.match(other.detail, /EPSG:26911/)
  })

  test('§9 the British National Grid lands within the 5 m that the layer says, by a published control point', async () => {
    // Ordnance Survey’s worked example, Caister water tower: OSGB36 by OSTN15, and ETRS89.
    const shp = shpOf([[651_409.903, 313_177.27]])
    const found = await read(zipped({ 'a.shp': shp, 'a.prj': BRITISH_PRJ }), 'a.zip')
    const heights = 'VERT_CS["ODN height",VERT_DATUM["Ordnance Datum Newlyn",2005],UNIT["metre",1]]'
    const levelled = await read(
      zipped({ 'a.shp': shp, 'a.prj': `COMPD_CS["British National Grid + ODN height",${BRITISH_PRJ},${heights}]` }),
      'a.zip',
    )
    assert.deepEqual(levelled.features, found.features, 'a system of heights with the grid changes nothing')
    const [lon = 0, lat = 0] = (found.features[0]?.geometry.coordinates ?? []) as number[]
    const away = metresBetween({ lon, lat }, { lon: 1 + 42 / 60 + 57.8663 / 3600, lat: 52 + 39 / 60 + 28.8282 / 3600 })
    assert.ok(away < 5, `${away} m`)
    assert.deepEqual([found.crs, found.accuracy_m], ['EPSG:27700', 5])
    assert.equal((await read(one({ type: 'Point', coordinates: [651_409.903, 313_177.27] }), 'a.geojson', 'EPSG:27700')).accuracy_m, 5)
  })

  test('§9 Web Mercator and UTM are converted by their EPSG code, in the file or from a person, and other grids are refused by name', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } }
    const mercator = await read(
      JSON.stringify({ ...collection([{ type: 'Point', coordinates: [-9762.72, 6_711_542.5] }, {}]), crs }),
      'a.json',
    )
    assert.equal(mercator.crs, 'EPSG:3857')
    const [lon = 0, lat = 0] = (mercator.features[0]?.geometry.coordinates ?? []) as number[]
    assert.ok(Math.abs(lon + 0.0877) < 1e-4 && Math.abs(lat - 51.5079) < 1e-3, `${lon} ${lat}`)
    // 30N: 3° W is its middle; 500,000 E on the equator.
    const utm = await read(one({ type: 'Point', coordinates: [500_000, 0] }), 'a.geojson', 'EPSG:32630')
    assert.deepEqual(utm.features[0]?.geometry.coordinates, [-3, 0])
    for (const name of ['EPSG:2154', 'EPSG:32661', 'something'])
      assert.deepEqual((await refused(one({ type: 'Point', coordinates: [1, 1] }), 'a.geojson', name)).problem, 'unknown_grid')
    const lambert =
      'PROJCS["RGF93_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],UNIT["Meter",1.0]]'
    const no = await refused(zipped({ 'a.shp': shpOf([[7e5, 66e5]]), 'a.prj': lambert }), 'a.zip')
    assert.deepEqual([no.status, no.problem], [422, 'unknown_grid'])
    assert.match(no.detail, /RGF93_Lambert_93/)
    const feet = BRITISH_PRJ.replace('UNIT["Meter",1.0]', 'UNIT["Foot_US",0.3048006]')
    assert.equal((await refused(zipped({ 'a.shp': shpOf([[1, 1]]), 'a.prj': feet }), 'a.zip')).problem, 'unknown_grid')
  })

  test('§9 an empty .prj says as little as none, and one whose longitudes aren’t counted from Greenwich is refused', async () => {
    const shp = shpOf([[-0.08, 51.5]])
    assert.equal((await read(zipped({ 'a.shp': shp, 'a.prj': ' \r\n' }), 'a.zip')).crs, 'EPSG:4326')
    assert.equal((await refused(zipped({ 'a.shp': shpOf([[530_000, 180_000]]), 'a.prj': '' }), 'a.zip')).problem, 'no_grid')
    const paris = WGS84_PRJ.replace('"Greenwich",0.0', '"Paris",2.33722917')
    assert.equal((await refused(zipped({ 'a.shp': shp, 'a.prj': paris }), 'a.zip')).problem, 'unknown_grid')
  })

  test('§9 several Shapefiles of an archive are one layer whose features have the name of their file, and are refused if they are in different grids', async () => {
    const files = {
      'Export/Mains.shp': shpOf([[-0.08, 51.5], null]),
      'Export/Mains.dbf': dbfOf(['a', 'b']),
      'Export/Mains.prj': WGS84_PRJ,
      'Export/valves.SHP': shpOf([[-0.09, 51.5]]),
      'Export/valves.dbf': tableOf([['layer', 'C', 5]], ['own  ']),
      'Export/valves.prj': WGS84_PRJ,
    }
    const [left] = (await read(zipped(files), 'gas.zip')).refused
    assert.deepEqual(left, {
      index: 1,
      reason: `In Mains: ${(await read(zipped({ 'a.shp': shpOf([[1, 1], null]) }), 'a.zip')).refused[0]?.reason}`,
    })
    const { features, crs } = await read(
      zipped({
        ...files,
        'Export/Mains.shp': shpOf([
          [-0.08, 51.5],
          [-0.07, 51.5],
        ]),
      }),
      'gas.zip',
    )
    assert.deepEqual(
      [crs, ...features.map(({ properties }) => properties)],
      ['EPSG:4326', { name: 'a', layer: 'Mains' }, { name: 'b', layer: 'Mains' }, { layer: 'own', layer_2: 'valves' }],
    )
    const alike = { 'gas/a.shp': shpOf([[1, 1]]), 'water/a.shp': shpOf([[1, 1]]) }
    assert.deepEqual(
      (await read(zipped(alike), 'a.zip')).features.map(({ properties }) => properties.layer),
      ['gas/a', 'water/a'],
    )
    const mixed = await refused(zipped({ ...files, 'Export/valves.prj': BRITISH_PRJ }), 'gas.zip')
    assert.equal(
      mixed.detail,
      'file: “gas.zip” contains Shapefiles in different grids: Mains is in EPSG:4326, and valves is in EPSG:27700. Send one of them at a time.',
    )
    const damaged = await refused(zipped({ ...alike, 'water/a.shp': 'nothing' }), 'a.zip')
    assert.deepEqual([damaged.problem, damaged.detail.includes('in water/a, its .shp doesn’t begin as one')], ['damaged', true])
  })

  test('§9 a .prj in WKT 2 is read without a code, too', async () => {
    const base = (datum: string) =>
      `BASEGEOGCRS["x",DATUM["${datum}",ELLIPSOID["e",6377563.396,299.3249646,LENGTHUNIT["metre",1]]],PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]]`
    const parameters = (values: readonly [string, number][]) => values.map(([name, value]) => `PARAMETER["${name}",${value}]`).join(',')
    const grid = (datum: string, [middle, origin, scale, east, north]: readonly [number, number, number, number, number], unit = 1) =>
      `PROJCRS["grid",${base(datum)},CONVERSION["c",METHOD["Transverse Mercator"],${parameters([
        ['Latitude of natural origin', origin],
        ['Longitude of natural origin', middle],
        ['Scale factor at natural origin', scale],
        ['False easting', east],
        ['False northing', north],
      ])}],CS[Cartesian,2],AXIS["(E)",east,ORDER[1],LENGTHUNIT["metre",${unit}]],AXIS["(N)",north,ORDER[2],LENGTHUNIT["metre",${unit}]]]`
    const british = [-2, 49, 0.9996012717, 400_000, -100_000] as const
    const files = (prj: string) => zipped({ 'a.shp': shpOf([[530_000, 180_000]]), 'a.prj': prj })
    const utm = grid('World Geodetic System 1984', [-3, 0, 0.9996, 500_000, 0])
    for (const [prj, crs] of [
      [grid('Ordnance Survey of Great Britain 1936', british), 'EPSG:27700'],
      [utm, 'EPSG:32630'],
      [`BOUNDCRS[SOURCECRS[${utm}],TARGETCRS[GEOGCRS["WGS 84"]]]`, 'EPSG:32630'],
    ] as const)
      assert.equal((await read(files(prj), 'a.zip')).crs, crs)
    for (const prj of [
      grid('Ordnance Survey of Great Britain 1936', british, 0.3048),
      grid('Ordnance Survey of Great Britain 1936', [-2, 49, 0.9996012717, 400_000, 0]),
      grid('Reseau Geodesique Francais 1993', [-3, 0, 0.9996, 500_000, 0]),
    ])
      assert.equal((await refused(files(prj), 'a.zip')).problem, 'unknown_grid')
  })

  test('§9 the grid of an old GeoJSON file is known by its code, and by names that lack a colon', async () => {
    const point = collection([{ type: 'Point', coordinates: [-9762.72, 6_711_542.5] }, {}])
    const named = (name: string) => ({ type: 'name', properties: { name } })
    for (const crs of [
      { type: 'EPSG', properties: { code: 3857 } },
      named('urn:ogc:def:crs:EPSG:3857'),
      named('urn:x-ogc:def:crs:EPSG:3857'),
      named('urn:ogc:def:crs:EPSG:6.9:3857'),
    ])
      assert.equal((await read(JSON.stringify({ ...point, crs }), 'a.geojson')).crs, 'EPSG:3857')
    const other = { type: 'EPSG', properties: { code: 2154 } }
    assert.match((await refused(JSON.stringify({ ...point, crs: other }), 'a.geojson')).detail, /EPSG:2154/)
  })

  test('§9 the text of a Shapefile is read in its code page: from .cpg, from the table, or Windows-1252', async () => {
    const shp = shpOf([[-0.08, 51.5]])
    const name = async (files: Record<string, Buffer | string>) =>
      (await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ, ...files }), 'a.zip')).features[0]?.properties.name
    const latin = Buffer.from('Straße', 'latin1')
    assert.equal(await name({ 'a.dbf': dbfOf([latin]) }), 'Straße')
    assert.equal(await name({ 'a.dbf': dbfOf([Buffer.from('Straße')]), 'a.cpg': 'UTF-8' }), 'Straße')
    assert.equal(await name({ 'a.dbf': dbfOf([Buffer.from([0x53, 0x82, 0xe1])], 2) }), 'Séß', 'code page 850')
    assert.equal(await name({ 'a.dbf': dbfOf([Buffer.from([0xc3, 0xe0, 0xe7])]), 'a.cpg': '1251' }), 'Газ')
    assert.equal((await refused(zipped({ 'a.shp': shp, 'a.dbf': dbfOf(['x']), 'a.cpg': '99999' }), 'a.zip')).problem, 'damaged')
  })

  test('§9 a .cpg names a code page in any of its usual ways, and without one a table that is UTF-8 is read as that', async () => {
    const shp = shpOf([[-0.08, 51.5]])
    const name = async (text: Buffer, cpg?: string) => {
      const more: Record<string, string> = cpg === undefined ? {} : { 'a.cpg': cpg }
      const { features } = await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ, 'a.dbf': dbfOf([text]), ...more }), 'a.zip')
      return features[0]?.properties.name
    }
    assert.equal(await name(Buffer.from([0x93, 0x8c, 0x8b, 0x9e]), 'SHIFT_JIS'), '東京')
    assert.equal(await name(Buffer.from([0xb9, 0xe3, 0xb6, 0xab]), 'GB18030'), '广东')
    assert.equal(await name(Buffer.from([0xe7, 0xc1, 0xda]), 'KOI8-R'), 'Газ')
    assert.equal(await name(Buffer.from([0x53, 0x74, 0x72, 0x61, 0xa7, 0x65]), '10000'), 'Straße', 'of a Macintosh')
    assert.equal(await name(Buffer.from('Straße', 'latin1'), '28591'), 'Straße')
    assert.equal(await name(Buffer.from('Straße'), '\ufeffUTF-8\r\n'), 'Straße')
    assert.equal(await name(Buffer.from('Straße')), 'Straße', 'nothing says which')
    assert.equal(await name(Buffer.from('Straße'), 'Unicode'), 'Straße', 'no table has two bytes for each character')
    assert.equal(await name(Buffer.from('Straße ä', 'latin1')), 'Straße ä', 'no UTF-8')
  })

  test('§9 tables of DOS in Polish and Czech, and of the Macintosh, are read in their code page, by its number or by what the table says', async () => {
    const name = async (bytes: number[], cpg: string | undefined, driver?: number) => {
      const more: Record<string, string> = cpg === undefined ? {} : { 'a.cpg': cpg }
      const files = { 'a.shp': shpOf([[-0.08, 51.5]]), 'a.prj': WGS84_PRJ, 'a.dbf': dbfOf([Buffer.from(bytes)], driver), ...more }
      return (await read(zipped(files), 'a.zip')).features[0]?.properties.name
    }
    assert.equal(await name([0x9c, 0xa2, 0x64, 0xa6], '620'), 'Łódź')
    assert.equal(await name([0x9c, 0xa2, 0x64, 0xa6], undefined, 0x69), 'Łódź')
    assert.equal(await name([0x80, 0x65, 0x9f, 0xa9], '895'), 'Čeťř')
    assert.equal(await name([0x80, 0x65, 0x9f, 0xa9], undefined, 0x68), 'Čeťř')
    assert.equal(await name([0xfc, 0x97, 0x64, 0x90], '10029'), 'Łódź')
    assert.equal(await name([0xa1, 0xa2, 0xa3], undefined, 0x98), 'ΓΔΘ')
    assert.equal(await name([0xa4], '28605'), '€')
  })

  test('§9 numbers, amounts and times that FoxPro stores as bytes are read, and numbers of blocks in a file of memos aren’t taken for text', async () => {
    const bytes = Buffer.alloc(8 + 8 + 8 + 4 + 10, ' ')
    bytes.writeDoubleLE(2.5, 0)
    bytes.writeBigInt64LE(123_456n, 8)
    bytes.writeInt32LE(2_461_104, 16)
    bytes.writeInt32LE(3_600_000, 20)
    bytes.writeInt32LE(-7, 24)
    bytes.write('       112', 28)
    const fields = [
      ['depth', 'B', 8],
      ['cost', 'Y', 8],
      ['at', 'T', 8],
      ['n', 'I', 4],
      ['notes', 'M', 10],
    ] as const
    const found = await read(
      zipped({ 'a.shp': shpOf([[-0.08, 51.5]]), 'a.prj': WGS84_PRJ, 'a.dbf': tableOf(fields, [bytes], { version: 0x30 }) }),
      'a.zip',
    )
    assert.deepEqual(found.features[0]?.properties, { depth: 2.5, cost: 12.3456, at: '2026-03-04T01:00:00', n: -7, notes: null })
  })

  test('§9 a polygon of a Shapefile whose rings are all wound as in GeoJSON keeps its hole', async () => {
    const square = (from: number, to: number): [number, number][] => [
      [from, 51 + from],
      [to, 51 + from],
      [to, 51 + to],
      [from, 51 + to],
      [from, 51 + from],
    ]
    const rings = [square(0, 0.01), square(0.002, 0.004).toReversed()]
    const body = Buffer.alloc(44 + 8 + 160)
    body.writeInt32LE(5, 0)
    body.writeInt32LE(2, 36)
    body.writeInt32LE(10, 40)
    body.writeInt32LE(5, 48)
    rings.flat(2).forEach((value, i) => void body.writeDoubleLE(value, 52 + 8 * i))
    const head = Buffer.alloc(8)
    head.writeInt32BE(1, 0)
    head.writeInt32BE(body.length / 2, 4)
    const shp = Buffer.concat([shpOf([]), head, body])
    shp.writeInt32BE(shp.length / 2, 24)
    const found = await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ }), 'a.zip')
    assert.deepEqual([found.refused, found.features[0]?.geometry.type], [[], 'Polygon'])
    assert.equal((found.features[0]?.geometry.coordinates as unknown[] | undefined)?.length, 2)
  })

  test('§9 a table keeps long identifiers, fields whose names were cut to the same one, and text that a zero or its field ends', async () => {
    const shp = shpOf([[-0.08, 51.5]])
    const rowOf = async (fields: [string, string, number][], row: Buffer) => {
      const dbf = tableOf(fields, [row])
      return (await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ, 'a.dbf': dbf, 'a.cpg': 'UTF-8' }), 'a.zip')).features[0]?.properties
    }
    assert.deepEqual(await rowOf([['parcel', 'N', 18]], Buffer.from('123456789012345679')), { parcel: '123456789012345679' })
    assert.deepEqual(await rowOf([['parcel', 'N', 18]], Buffer.from('  9007199254740991')), { parcel: 9_007_199_254_740_991 })
    const twice: [string, string, number][] = [
      ['long_field', 'C', 1],
      ['long_field', 'C', 1],
    ]
    assert.deepEqual(await rowOf(twice, Buffer.from('ab')), { long_field: 'a', long_field_2: 'b' })
    assert.deepEqual(await rowOf([['name', 'C', 8]], Buffer.from('abc\0junk')), { name: 'abc' })
    assert.deepEqual(await rowOf([['name', 'C', 3]], Buffer.from('aßß').subarray(0, 3)), { name: 'aß' })
    assert.deepEqual(await rowOf([['name', 'C', 4]], Buffer.from('aßß').subarray(0, 4)), { name: 'aß' }, 'half of the last character')
  })

  test('§9 whole numbers of GeoJSON and KML that a number can’t have exactly stay text', async () => {
    const text =
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[0.1234567890123456789,51]},"properties":{"id":123456789012345679,"n":5}}'
    const json = await read(text, 'a.geojson')
    assert.deepEqual(json.features[0]?.properties, { id: '123456789012345679', n: 5 })
    assert.deepEqual(json.features[0]?.geometry.coordinates, [0.12345679, 51])
    const schema = '<Schema id="S"><SimpleField name="id" type="int"/></Schema>'
    const data =
      '<ExtendedData><SchemaData schemaUrl="#S"><SimpleData name="id">123456789012345679</SimpleData></SchemaData></ExtendedData>'
    const found = await read(kml(`${schema}<Placemark>${data}<Point><coordinates>0,51</coordinates></Point></Placemark>`), 'a.kml')
    assert.deepEqual(found.features[0]?.properties, { id: '123456789012345679' })
  })

  test('§9 shapes are where the index of a Shapefile says: changed shapes can be at the end, and their old records are left behind', async () => {
    const shp = shpOf([
      [1, 51],
      [2, 51],
      [3, 51],
    ])
    // The first shape was changed and is now the third record; the second one stayed.
    const index = (...places: number[]) => {
      const shx = Buffer.alloc(100 + 8 * places.length)
      shx.writeInt32BE(9994, 0)
      shx.writeInt32BE(shx.length / 2, 24)
      places.forEach((place, i) => {
        shx.writeInt32BE((100 + 28 * place) / 2, 100 + 8 * i)
        shx.writeInt32BE(10, 104 + 8 * i)
      })
      return shx
    }
    const files = (shx: Buffer) => zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ, 'a.dbf': dbfOf(['first', 'second']), 'a.shx': shx })
    const found = await read(files(index(2, 1)), 'a.zip')
    assert.deepEqual(
      found.features.map(({ geometry, properties }) => [properties.name, geometry.coordinates]),
      [
        ['first', [3, 51]],
        ['second', [2, 51]],
      ],
    )
    for (const shx of [index(0, 9), index(0, 1, 2), index(0, 0, 0, 0), index(0, 1).subarray(0, 90)])
      assert.deepEqual((await refused(files(shx), 'a.zip')).problem, 'damaged')
  })

  test('§9 holes of a Shapefile belong to the outline around them, and two outlines make a MultiPolygon', async () => {
    const square = (x: number, y: number, side: number, hole = false) => {
      const ring = [
        [x, y],
        [x, y + side],
        [x + side, y + side],
        [x + side, y],
        [x, y],
      ]
      return hole ? ring.toReversed() : ring
    }
    const shp = shpOf([[square(0, 0, 1), square(0.2, 0.2, 0.2, true), square(2, 0, 1)], null])
    const found = await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ }), 'a.zip')
    assert.deepEqual([found.accepted, found.refused], [1, [{ index: 1, reason: 'It has no geometry, so it can’t be on a map.' }]])
    const polygons = found.features[0]?.geometry.coordinates as unknown[][]
    assert.deepEqual([found.features[0]?.geometry.type, polygons.map(rings => rings.length)], ['MultiPolygon', [2, 1]])
  })

  test('§9 a height stays as a property, and the feature keeps the properties that it has', async () => {
    const found = await read(
      JSON.stringify(
        collection(
          [
            {
              type: 'LineString',
              coordinates: [
                [0, 51, 1.5],
                [0.001, 51, 3],
              ],
            },
            { name: ' Main ', depth: 2, live: true, tags: ['a', 'b'] },
          ],
          [{ type: 'Point', coordinates: [0, 51, 7] }, { height_m: 3 }],
        ),
      ),
      'a.geojson',
    )
    assert.deepEqual(found.features[0]?.properties, {
      name: 'Main',
      depth: 2,
      live: true,
      tags: ['a', 'b'],
      height_min_m: 1.5,
      height_max_m: 3,
    })
    assert.deepEqual(found.features[0]?.geometry.coordinates, [
      [0, 51],
      [0.001, 51],
    ])
    assert.deepEqual(found.features[1]?.properties, { height_m: 3 })
    assert.deepEqual(
      found.property_schema.find(({ name }) => name === 'depth'),
      { name: 'depth', type: 'number', samples: [2] },
    )
  })

  test('§9 text keeps every separator of lines, and a sample of it never ends in half of a character', async () => {
    const name = 'Yard\u2028north\u2029😀'
    const long = `${'x'.repeat(99)}😀 and more`
    const found = await read(
      JSON.stringify(collection([boxAt(0, 0, 10), { name, long }], [boxAt(20, 0, 10), { name: 'Next' }])),
      'a.geojson',
    )
    assert.deepEqual(
      found.features.map(({ properties }) => properties),
      [{ name, long }, { name: 'Next' }],
    )
    const samples = found.property_schema.flatMap(facts => facts.samples)
    assert.ok(
      samples.every(sample => String(sample).isWellFormed()),
      JSON.stringify(samples),
    )
    let whole = ''
    for await (const batch of batchesIn(out)) whole += batch
    const rows = itemsIn(JSON.parse(whole) as unknown).map(fieldsIn)
    assert.deepEqual(
      rows.map(({ p }) => fieldsIn(p).name),
      [name, 'Next'],
    )
  })

  test('§9 several GeoJSON documents, one on each line or in a sequence of texts, are one collection; a damaged one is refused by its number', async () => {
    const feature = (name: string, at = pointAt(0, 0)) =>
      JSON.stringify({ type: 'Feature', properties: { name }, geometry: { type: 'Point', coordinates: at } })
    const names = (found: Found) => found.features.map(({ properties }) => properties.name)
    const bare = JSON.stringify({ type: 'Point', coordinates: pointAt(5, 5) })
    const list = JSON.stringify(collection([{ type: 'Point', coordinates: pointAt(1, 1) }, { name: 'c' }]))
    for (const end of ['\n', '\r\n', '\r']) {
      const found = await read(`\ufeff${[feature('a'), '', feature('b'), list, bare, ''].join(end)}`, 'a.ndjson')
      assert.deepEqual([names(found), found.refused, found.crs], [['a', 'b', 'c', undefined], [], 'EPSG:4326'])
    }
    const spread = JSON.stringify(JSON.parse(feature('b')), null, 2)
    const sequence = await read(
      ['', feature('a'), spread, feature('c').slice(0, -9), ''].map(text => `\u001e${text}\n`).join(''),
      'a.geojsons',
    )
    assert.deepEqual(names(sequence), ['a', 'b'])
    assert.deepEqual(
      sequence.refused.map(({ index, reason }) => [index, reason.split('(')[0]]),
      [[2, 'Text 4: it isn’t complete JSON ']],
    )
    const damaged = await read([feature('a').slice(0, -1), feature('b'), '', '7', '{"type":"Topology"}', feature('d')].join('\n'), 'a.json')
    assert.deepEqual(names(damaged), ['b', 'd'])
    assert.deepEqual(
      damaged.refused.map(({ index, reason }) => `${index} ${reason.split(' (')[0]}`),
      [
        '0 Line 1: it isn’t complete JSON',
        '2 Line 4: it is JSON, but no GeoJSON object.',
        '3 Line 5: it is JSON, but its type isn’t one of GeoJSON.',
      ],
    )
    for (const endless of ['{}\n'.repeat(300_000), '\u001e'.repeat(300_000)]) {
      const no = await refused(endless, 'a.geojsonl')
      assert.deepEqual([no.status, no.problem], [413, 'too_many_features'])
    }
    const cut = await refused(JSON.stringify(JSON.parse(list), null, 2).slice(0, -4), 'a.geojson')
    assert.deepEqual([cut.status, cut.problem], [422, 'damaged'])
    assert.match(cut.detail, /isn’t complete JSON/)
  })

  test('§9 all documents of a file of lines are in one grid', async () => {
    const inGrid = (code: number | null, at: number[]) =>
      JSON.stringify({
        ...collection([{ type: 'Point', coordinates: at }, {}]),
        ...(code === null ? {} : { crs: { type: 'name', properties: { name: `EPSG:${code}` } } }),
      })
    const same = await read([inGrid(27700, [530_000, 180_000]), inGrid(27700, [530_001, 180_000])].join('\n'), 'a.geojsonl')
    assert.deepEqual([same.accepted, same.crs], [2, 'EPSG:27700'])
    const other = await read([inGrid(27700, [530_000, 180_000]), inGrid(null, [0, 51]), inGrid(3857, [1, 1])].join('\n'), 'a.geojsonl')
    assert.deepEqual(
      [other.accepted, other.refused.map(({ reason }) => reason)],
      [1, [2, 3].map(line => `Line ${line}: it is in another grid than the documents before it.`)],
    )
    assert.equal((await read([inGrid(null, [0, 51]), inGrid(4326, [0, 51])].join('\n'), 'a.geojsonl')).accepted, 2)
  })

  test('§9 a self-crossing polygon, an open ring, text with control characters and wrong numbers are refused by index and reason', async () => {
    const bow = { type: 'Polygon', coordinates: [[pointAt(0, 0), pointAt(10, 10), pointAt(10, 0), pointAt(0, 10), pointAt(0, 0)]] }
    const found = await read(
      JSON.stringify(
        collection(
          [boxAt(0, 0, 10), {}],
          [bow, {}],
          [{ type: 'Polygon', coordinates: [boxAt(0, 0, 10).coordinates[0]?.slice(0, -1)] }, {}],
          [{ type: 'Point', coordinates: ['x', 1] }, {}],
          [{ type: 'Point', coordinates: [1, 86] }, {}],
          [{ type: 'LineString', coordinates: [[1, 1]] }, {}],
          [{ type: 'Circle', coordinates: [1, 1] }, {}],
          [{ type: 'Point', coordinates: [1, 1] }, { a: 'x\u0000y' }],
          [{ type: 'Point', coordinates: [1, 1] }, { a: '\ud800' }],
          [null, {}],
          [{ type: 'Polygon', coordinates: [[pointAt(0, 0), pointAt(10, 7), pointAt(30, 21), pointAt(0, 0)]] }, {}],
        ),
      ),
      'a.geojson',
    )
    assert.equal(found.accepted, 1)
    assert.deepEqual(
      found.refused.map(({ index }) => index),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    assert.match(found.refused[0]?.reason ?? '', /^Its polygon crosses itself.* at lon -0\.08\d+, lat 51\.50\d+\.$/)
    const said = found.refused.map(({ reason }) => reason).join(' ')
    for (const part of [
      'open ring',
      'two finite numbers',
      '85.05',
      'only one position',
      '“Circle”',
      'control character',
      'half of a character',
      'no geometry',
      'without an area',
    ])
      assert.ok(said.includes(part), part)
  })

  test('§9 a feature of thousands of separate polygons is read, and one of them that is wrong is found', async () => {
    const many = (more: unknown[]) =>
      one({
        type: 'MultiPolygon',
        coordinates: [...Array.from({ length: 15_000 }, (_, i) => boxAt((i % 120) * 10, Math.floor(i / 120) * 10, 5).coordinates), ...more],
      })
    assert.equal((await read(many([]), 'a.geojson')).accepted, 1)
    for (const [x, y] of [
      [3, 3],
      [1193, 1243],
    ] as const) {
      const { refused: no } = await read(many([boxAt(x, y, 5).coordinates]), 'a.geojson')
      assert.match(no[0]?.reason ?? '', /^Its polygon crosses itself, or its parts overlap/, `${x}, ${y}`)
    }
    const inside = await read(many([boxAt(1, 1, 1).coordinates]), 'a.geojson')
    assert.match(inside.refused[0]?.reason ?? '', /^Its polygon has a part inside another part/)
  })

  test('§9 polygons as large as a country, and rings drawn clockwise, are accepted and stored by the right-hand rule', async () => {
    const clockwise = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [0, 30],
          [30, 30],
          [30, 0],
          [0, 0],
        ],
      ],
    }
    const found = await read(one(clockwise), 'a.geojson')
    assert.deepEqual(found.features[0]?.geometry.coordinates, [
      [
        [0, 0],
        [30, 0],
        [30, 30],
        [0, 30],
        [0, 0],
      ],
    ])
  })

  test('§9 files that aren’t what their name says, or no layer at all, are refused', async () => {
    const geojson = one({ type: 'Point', coordinates: [1, 1] })
    const cases: [string | Buffer, string, number, string][] = [
      [geojson, 'a.kml', 415, 'wrong_extension'],
      [kml(''), 'a.geojson', 415, 'wrong_extension'],
      [zipped({ 'a.shp': shpOf([[1, 1]]) }), 'a.kmz', 415, 'wrong_extension'],
      [Buffer.from('%PDF-1.4'), 'a.geojson', 415, 'unknown_type'],
      ['', 'a.geojson', 415, 'unknown_type'],
      ['<!doctype html><p>', 'a.kml', 415, 'unknown_type'],
      ['<svg xmlns="x"/>', 'a.kml', 415, 'unknown_type'],
      ['name,x,y', 'a.csv', 415, 'unknown_type'],
      [shpOf([[1, 1]]), 'a.shp', 415, 'loose_shapefile'],
      [zipped({ 'a.txt': 'x' }), 'a.zip', 415, 'unknown_type'],
      [zipped({ 'a.shp': shpOf([[1, 1]]), 'b.shp': shpOf([[1, 1]]), 'b.prj': BRITISH_PRJ }), 'a.zip', 422, 'several'],
      ['{"type":"FeatureCollection","features":[]}', 'a.geojson', 422, 'no_features'],
      ['{"type":"Topology"}', 'a.json', 415, 'unknown_type'],
      ['[1,2]', 'a.json', 422, 'damaged'],
      [geojson.slice(0, 40), 'a.geojson', 422, 'damaged'],
      [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'a.geojson', 422, 'damaged'],
      [kml('<Placemark>'), 'a.kml', 422, 'damaged'],
      [kml(''), 'a.kml', 422, 'no_features'],
      [readFileSync(`${data}kml-gpx/networklink.kml`), 'a.kml', 422, 'no_features'],
      [geojson, 'a.geojson', 0, ''],
    ]
    for (const [content, name, status, problem] of cases) {
      if (status === 0) assert.equal((await read(content, name)).accepted, 1)
      else {
        const no = await refused(content, name)
        assert.deepEqual([no.status, no.problem], [status, problem], `${name}: ${no.detail}`)
      }
    }
  })

  test('§9 JSON of ArcGIS and TopoJSON are refused as what they are, and not as damaged', async () => {
    const arcgis = { geometryType: 'esriGeometryPoint', spatialReference: { wkid: 4326 }, features: [{ geometry: { x: 0, y: 51 } }] }
    for (const [value, said] of [
      [arcgis, /its contents are JSON of ArcGIS\. Send GeoJSON,/],
      [{ type: 'Topology', objects: {}, arcs: [] }, /its contents are TopoJSON\. Send GeoJSON,/],
    ] as const) {
      const no = await refused(JSON.stringify(value), 'a.json')
      assert.deepEqual([no.status, no.problem], [415, 'unknown_type'])
      assert.match(no.detail, said)
    }
  })

  test('§9 drawings, databases, models and pictures that are sent as a layer are refused as what they are', async () => {
    const sent: [string | Buffer, string, string][] = [
      ['  0\r\nSECTION\r\n  2\r\nHEADER\r\n', 'gas.dxf', 'a DXF drawing'],
      ['999\nmade by hand\n0\nSECTION\n', 'gas.dxf', 'a DXF drawing'],
      ['AC1032\0\0\0', 'gas.dwg', 'a DWG drawing'],
      ['SQLite format 3\0', 'gas.gpkg', 'a GeoPackage, or another SQLite database'],
      ['ISO-10303-21;\nHEADER;', 'block.ifc', 'a building model (IFC)'],
      ['%PDF-1.7', 'gas.pdf', 'a PDF'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'gas.jpg', 'a picture'],
    ]
    for (const [content, filename, looks] of sent) {
      const { status, detail } = await refused(content, filename)
      assert.equal(status, 415)
      assert.ok(detail.startsWith(`“${filename}” isn’t a layer that can be read: its contents are ${looks}. Send GeoJSON,`), detail)
    }
  })

  test('§9 hostile files are refused with their reason: document types, bombs, paths out of the archive, lying sizes, endless nesting', async () => {
    const entities = `<?xml version="1.0"?><!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml><Placemark><name>&b;</name></Placemark></kml>`
    assert.equal((await refused(entities, 'a.kml')).problem, 'document_type')
    assert.equal((await refused(Buffer.from(`\ufeff${entities}`, 'utf16le'), 'a.kml')).problem, 'document_type')
    const bomb = await refused(zipped({ 'doc.kml': Buffer.alloc(60 * 1024 * 1024, 0x20) }), 'a.kmz')
    assert.deepEqual([bomb.status, bomb.problem], [413, 'bomb'])
    assert.equal((await refused(zipped({ '../doc.kml': kml('') }), 'a.kmz')).problem, 'damaged')
    const good = zipped({ 'a.shp': shpOf([[1, 1]]) })
    const lying = Buffer.from(good)
    const directory = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    lying.writeUInt32LE(20, directory + 24)
    assert.equal((await refused(lying, 'a.zip')).problem, 'damaged')
    assert.equal((await refused(good.subarray(0, good.length - 30), 'a.zip')).problem, 'damaged')
    const shp = shpOf([
      [1, 1],
      [2, 2],
    ])
    assert.equal((await refused(zipped({ 'a.shp': shp.subarray(0, shp.length - 8) }), 'a.zip')).problem, 'damaged')
    assert.equal((await refused(zipped({ 'a.shp': shp, 'a.dbf': dbfOf(['x']) }), 'a.zip')).problem, 'damaged')
    assert.equal((await refused(zipped({ 'a.shp': shp, 'a.dbf': dbfOf(['x', 'y']).subarray(0, 90) }), 'a.zip')).problem, 'damaged')
    assert.equal((await refused(zipped({ 'a.shp': shp, 'a.shx': Buffer.alloc(108) }), 'a.zip')).problem, 'damaged')
    assert.equal((await refused(kml('<Folder>'.repeat(500)), 'a.kml')).problem, 'damaged')
    assert.ok([422, 413].includes((await refused('['.repeat(5_000_000), 'a.geojson')).status))
    const deep = JSON.parse('{"type":"GeometryCollection","geometries":['.repeat(8) + ']}'.repeat(8))
    assert.match((await read(one(deep), 'a.geojson')).refused[0]?.reason ?? '', /nested too deeply/)
  })

  test('§9 text of an element, encodings and .prj files of any size are bounded, and named by their fault', async () => {
    const long = await refused(zipped({ 'doc.kml': `${kml('').slice(0, -17)}<Placemark><name>${longText()}</name>` }), 'a.kmz')
    assert.deepEqual([long.status, long.problem], [413, 'too_much_text'], long.detail)
    const odd = await refused('<?xml version="1.0" encoding="martian"?><kml/>', 'a.kml')
    assert.match(odd.detail, /encoding martian is unknown/)
    const latin = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><kml><Placemark><name>Straße</name><Point><coordinates>0,51</coordinates></Point></Placemark></kml>',
      'latin1',
    )
    assert.equal((await read(latin, 'a.kml')).features[0]?.properties.name, 'Straße')
    assert.equal((await refused(latin.subarray(43), 'a.kml')).problem, 'damaged', 'without its encoding it is no UTF-8')
    const prj = await refused(zipped({ 'a.shp': shpOf([[1, 1]]), 'a.prj': `PROJCS["Huge",${noise(2_000_000)}` }), 'a.zip')
    assert.deepEqual([prj.problem, prj.detail.includes('Huge')], ['unknown_grid', true])
  })
  /** Text that hardly compresses. */
  const noise = (length: number) => {
    let seed = 1
    let text = ''
    for (let i = 0; i < length; i++) {
      seed = (seed * 48_271) % 2_147_483_647
      text += String.fromCharCode(97 + (seed % 26))
    }
    return text
  }
  const longText = () => noise(1_000_000).repeat(34)

  test('§9 points and lines with heights in a Shapefile keep them as properties', async () => {
    const point = Buffer.alloc(36)
    point.writeInt32LE(11, 0)
    ;[-0.08, 51.5, 12.5, -1e39].forEach((value, i) => void point.writeDoubleLE(value, 4 + 8 * i))
    const line = Buffer.alloc(44 + 4 + 32 + 16 + 16)
    line.writeInt32LE(13, 0)
    line.writeInt32LE(1, 36)
    line.writeInt32LE(2, 40)
    ;[-0.08, 51.5, -0.081, 51.5].forEach((value, i) => void line.writeDoubleLE(value, 48 + 8 * i))
    ;[1, 2, 1, 2].forEach((value, i) => void line.writeDoubleLE(value, 80 + 8 * i))
    const records = [point, line].map((body, i) => {
      const head = Buffer.alloc(8)
      head.writeInt32BE(i + 1, 0)
      head.writeInt32BE(body.length / 2, 4)
      return Buffer.concat([head, body])
    })
    const shp = Buffer.concat([shpOf([]), ...records])
    shp.writeInt32BE(shp.length / 2, 24)
    const found = await read(zipped({ 'a.shp': shp, 'a.prj': WGS84_PRJ }), 'a.zip')
    assert.deepEqual(
      found.features.map(({ geometry, properties }) => [geometry.type, properties]),
      [
        ['Point', { height_m: 12.5 }],
        ['LineString', { height_min_m: 1, height_max_m: 2 }],
      ],
    )
  })

  test('§9 KML of other programs is read as it is meant: order of rings, corners of overlays, times of views, schemas, updates, markup', async () => {
    const box = (a: number, b: number) => `${a},${50 + a} ${b},${50 + a} ${b},${50 + b} ${a},${50 + b} ${a},${50 + a}`
    const boundary = (name: string, text: string) => `<${name}><LinearRing><coordinates>${text}</coordinates></LinearRing></${name}>`
    const polygon = (...parts: string[]) => `<Placemark><Polygon>${parts.join('')}</Polygon></Placemark>`
    const point = '<Point><coordinates>0,51</coordinates></Point>'
    const schema = (id: string, type: string) => `<Schema id="${id}"><SimpleField name="code" type="${type}"/></Schema>`
    const coded = (id: string) =>
      `<Placemark><ExtendedData><SchemaData schemaUrl="#${id}"><SimpleData name="code">007</SimpleData></SchemaData></ExtendedData>${point}</Placemark>`
    const found = await read(
      kml(
        [
          polygon(boundary('innerBoundaryIs', box(1.2, 1.4)), boundary('outerBoundaryIs', box(1, 2))),
          polygon(boundary('outerBoundaryIs', box(1, 2)), boundary('innerBoundaryIs', '')),
          '<GroundOverlay><gx:LatLonQuad><coordinates>0,51 0.01,51 0.011,51.01 0.001,51.01</coordinates></gx:LatLonQuad></GroundOverlay>',
          `<Placemark><LookAt><gx:TimeStamp><when>1999</when></gx:TimeStamp></LookAt><TimeStamp><when>2026</when></TimeStamp>${point}</Placemark>`,
          schema('a', 'string'),
          schema('b', 'int'),
          coded('a'),
          coded('b'),
          '<gx:Tour><Update><Change><Placemark targetId="x"><name>changed</name></Placemark></Change></Update></gx:Tour>',
          `<Placemark><description>one<br/>two <b>three</b></description><name>n</name>${point}</Placemark>`,
        ].join(''),
      ),
      'a.kml',
    )
    assert.deepEqual(found.refused, [])
    const [outline, hole] = (found.features[0]?.geometry.coordinates ?? []) as number[][][]
    assert.deepEqual([outline?.[0], hole?.length], [[1, 51], 5])
    assert.deepEqual(
      found.features.slice(1, 3).map(({ geometry }) => (geometry.coordinates as number[][][]).map(ring => ring.length)),
      [[5], [5]],
    )
    assert.deepEqual(
      found.features.slice(3).map(({ properties }) => properties),
      [{ when: '2026' }, { code: '007' }, { code: 7 }, { description: 'one two  three', name: 'n' }],
    )
    const spaced = `<?xml version = '1.0' encoding = 'ISO-8859-1'?><kml><Placemark><name>Straße</name>${point}</Placemark></kml>`
    assert.equal((await read(Buffer.from(spaced, 'latin1'), 'a.kml')).features[0]?.properties.name, 'Straße')
  })

  test('§9 names of folders in KML are a property of the features in them, which replaces no field', async () => {
    const place = (name: string, more = '') =>
      `<Placemark><name>${name}</name>${more}<Point><coordinates>0,51</coordinates></Point></Placemark>`
    const own = '<ExtendedData><Data name="folder"><value>mine</value></Data></ExtendedData>'
    const folder = (name: string, inside: string) => `<Folder>${name === '' ? '' : `<name>${name}</name>`}${inside}</Folder>`
    const document = folder(
      'Services',
      place('a') + folder('Gas &amp; water', place('b') + folder('', place('c'))) + place('d', own) + folder('<![CDATA[ Drains ]]>', ''),
    )
    const found = await read(kml(`<name>Document</name>${document}${place('e')}`), 'a.kml')
    assert.deepEqual(
      found.features.map(({ properties }) => properties),
      [
        { name: 'a', folder: 'Services' },
        { name: 'b', folder: 'Services / Gas & water' },
        { name: 'c', folder: 'Services / Gas & water' },
        { name: 'd', folder: 'mine', folder_2: 'Services' },
        { name: 'e' },
      ],
    )
    const link = '<NetworkLink><name>link</name><Link><href>b.kml</href></Link></NetworkLink>'
    const linked = await read(zipped({ 'doc.kml': kml(folder('Outer', link)), 'b.kml': kml(folder('Inner', place('x'))) }), 'a.kmz')
    assert.deepEqual(
      linked.features.map(({ properties }) => properties),
      [{ name: 'x', folder: 'Outer / Inner' }],
    )
  })

  test('§9 fields of KML with the same name are all kept, and one that repeats another isn’t', async () => {
    const data = (name: string, value: string) => `<Data name="${name}"><value>${value}</value></Data>`
    const point = '<Point><coordinates>0,51</coordinates></Point>'
    const fields = data('name', 'MH 12') + data('description', 'd') + data('name', 'MH 13') + data('__proto__', 'x')
    const found = await read(
      kml(`<Placemark><name>12</name><description>d</description><ExtendedData>${fields}</ExtendedData>${point}</Placemark>`),
      'a.kml',
    )
    assert.deepEqual(Object.entries(found.features[0]?.properties ?? {}), [
      ['name', '12'],
      ['description', 'd'],
      ['name_2', 'MH 12'],
      ['name_3', 'MH 13'],
      ['__proto__', 'x'],
    ])
    const many = Array.from({ length: 60_000 }, (_, i) => data('a', `${i}`)).join('')
    const no = await read(kml(`<Placemark><ExtendedData>${many}</ExtendedData>${point}</Placemark>`), 'a.kml')
    assert.match(no.refused[0]?.reason ?? '', /^It has 60000 properties; at most 500/)
  })

  test('§9 XML that says it is UTF-16 and isn’t is read, with blank lines before and zeros after it, a .prj in UTF-16 is, and a fault in XML is said with its place in words', async () => {
    const point = '<Placemark><name>Tür</name><Point><coordinates>0,51</coordinates></Point></Placemark>'
    const found = await read(`<?xml version="1.0" encoding="utf-16"?><kml>${point}</kml>`, 'a.kml')
    assert.equal(found.features[0]?.properties.name, 'Tür')
    // A web service writes blank lines first; a recorder fills its last block with zeros.
    const padded = await read(`\r\n <?xml version="1.0"?><kml>${point}</kml>\n\0\0\0\0`, 'a.kml')
    assert.equal(padded.accepted, 1)
    const wide = await read(Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-16"?><kml>${point}</kml>`, 'utf16le'), 'a.kml')
    assert.equal(wide.features[0]?.properties.name, 'Tür')
    const prj = Buffer.from(`\ufeff${WGS84_PRJ}`, 'utf16le')
    assert.equal((await read(zipped({ 'a.shp': shpOf([[0, 51]]), 'a.prj': prj }), 'a.zip')).crs, 'EPSG:4326')
    assert.match((await refused(`<kml>\n<Placemark></kml>`, 'a.kml')).detail, /at line 2, column 17, /)
  })

  test('§9 elements that a schema of KML 2.0 names are placemarks, and its fields are their properties', async () => {
    const fields = '<SimpleField name="depth" type="double"/><SimpleField name="code" type="wstring"/>'
    const values = '<name>n</name><depth>1.50</depth><code>007</code><other>x</other><Point><coordinates>0,51</coordinates></Point>'
    for (const schema of [
      `<Schema name="Manhole" parent="Placemark">${fields}</Schema>`,
      `<Schema name="Manhole"><parent>Placemark</parent>${fields}</Schema>`,
    ]) {
      const found = await read(kml(`${schema}<Folder><name>f</name><Manhole>${values}</Manhole></Folder>`), 'a.kml')
      assert.deepEqual(
        found.features.map(({ properties }) => properties),
        [{ name: 'n', depth: 1.5, code: '007', folder: 'f' }],
      )
    }
  })

  test('§9 a KMZ reads the documents in it that it links to, once each, and nothing outside', async () => {
    const place = (name: string) => `<Placemark><name>${name}</name><Point><coordinates>0, 51</coordinates></Point></Placemark>`
    const link = (href: string) => `<NetworkLink><Link><href>${href}</href></Link></NetworkLink>`
    const found = await read(
      zipped({
        'doc.kml': kml(link('layers/a%20plan.kml') + link('https://example.org/x.kml') + link('../../etc/passwd') + place('root')),
        'layers/A plan.kml': kml(place('a') + link('..\\doc.kml') + link('b.kml')),
        'layers\\b.kml': kml(place('b') + link('a plan.kml')),
        'layers/unused.kml': kml(place('unused')),
      }),
      'a.kmz',
    )
    assert.deepEqual(
      found.features.map(({ properties }) => properties.name),
      ['root', 'a', 'b'],
    )
    // Some programs on Windows write the names in an archive with backslashes.
    const windows = await read(
      zipped({ 'maps\\doc.kml': kml(link('more/b.kml') + place('x')), 'maps\\more\\b.kml': kml(place('y')) }),
      'a.kmz',
    )
    assert.deepEqual(
      windows.features.map(({ properties }) => properties.name),
      ['x', 'y'],
    )
    const twice = await refused(zipped({ 'a\\doc.kml': kml(place('x')), 'a/doc.kml': kml(place('y')) }), 'a.kmz')
    assert.deepEqual([twice.status, twice.problem], [422, 'damaged'])
    for (const name of ['..\\doc.kml', 'a\\..\\..\\doc.kml', '\\doc.kml', 'C:\\doc.kml'])
      assert.deepEqual((await refused(zipped({ [name]: kml(place('x')) }), 'a.kmz')).problem, 'damaged', name)
  })

  test('§9 too many features, positions or properties are refused as too large', async () => {
    const many = `{"type":"FeatureCollection","features":[${Array(100_001).fill('{"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1,1]}}').join(',')}]}`
    const no = await refused(many, 'a.geojson')
    assert.deepEqual([no.status, no.problem], [413, 'too_many_features'])
    const line = `{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[${Array(190_000).fill('[1,1],[2,2]').join(',').slice(0, -6)}]}}`
    const heavy = await read(`{"type":"FeatureCollection","features":[${line}]}`, 'a.geojson')
    assert.match(heavy.refused[0]?.reason ?? '', /more than 200,000 positions/)
    const wide = await read(
      one({ type: 'Point', coordinates: [1, 1] }, Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, i]))),
      'a.geojson',
    )
    assert.match(wide.refused[0]?.reason ?? '', /501 properties/)
  })

  test('§9 whatever bytes of a good file are changed, it is read or refused, and never ends the reader', async () => {
    const bytes = readFileSync(`${data}calgary-permit-points-epsg26911.shp.zip`)
    const raw = readFileSync(`${data}kml-gpx/polygon.kml`)
    for (let seed = 1; seed <= 40; seed++) {
      for (const [original, name] of [
        [bytes, 'a.zip'],
        [raw, 'a.kml'],
      ] as const) {
        const broken = Buffer.from(original)
        for (let i = 0; i < 4; i++) broken[(seed * 7919 + i * 104_729) % broken.length] = (seed * 31 + i * 97) % 256
        const found = await read(broken, name).catch((error: unknown) => error)
        if (found instanceof Error) assert.ok(found instanceof Refused && [413, 415, 422].includes(found.refusal.status), String(found))
      }
    }
  })
})
