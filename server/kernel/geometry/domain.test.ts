import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Areal, areaOf, holds, type Position, planeAt, polygonsOf } from '../../../shared/geometry/plane.ts'
import type { FieldFault } from '../../base/errors.ts'
import { type Ground, outsideFault } from './domain/outside.ts'
import { laid, overlapArea, pointOn, sampledArea } from './domain/overlay.ts'
import { readAreal, readLineString, readPoint } from './domain/reading.ts'

const LONDON = { lon: -0.0877, lat: 51.5079 }
const plane = planeAt(LONDON)
const ringOf = (...metres: [number, number][]): Position[] => [...metres, metres[0] as [number, number]].map(plane.degrees)
const box = (x: number, y: number, width: number, height = width): Position[] =>
  ringOf([x, y], [x + width, y], [x + width, y + height], [x, y + height])
const polygon = (...rings: Position[][]): Areal => ({ type: 'Polygon', coordinates: rings })

const faultsOf = (value: unknown): FieldFault[] => {
  const faults: FieldFault[] = []
  const read = readAreal(value, 'geometry', faults)
  assert.equal(read === null, faults.length > 0)
  return faults
}
const read = (value: unknown): Areal => {
  const faults: FieldFault[] = []
  const found = readAreal(value, 'geometry', faults)
  assert.deepEqual(faults, [])
  assert.ok(found !== null)
  return found
}
const said = (value: unknown) => faultsOf(value).map(f => `${f.path} ${f.message}`)

describe('geometry', () => {
  test('a polygon is stored with 8 decimals and by the right-hand rule, whichever way it was drawn', () => {
    const one = read(polygon(box(0, 0, 100), box(40, 40, 20)))
    const other = read(polygon(box(0, 0, 100).toReversed(), box(40, 40, 20).toReversed()))
    for (const shape of [one, other]) {
      assert.ok(Math.abs(areaOf(shape) - 9600) < 0.5)
      for (const [lon, lat] of polygonsOf(shape).flat(2)) assert.ok(Math.abs(lon * 1e8 - Math.round(lon * 1e8)) < 1e-4 && lat < 51.51)
    }
    const turn = (ring: Position[] | undefined) =>
      (ring ?? []).reduce(
        (sum, [x, y], i, all) => sum + x * ((all[(i + 1) % all.length]?.[1] ?? 0) - y) - y * ((all[(i + 1) % all.length]?.[0] ?? 0) - x),
        0,
      )
    assert.deepEqual(
      polygonsOf(other)[0]?.map(ring => turn(ring) > 0),
      [true, false],
    )
  })

  test('a list of {lon, lat} is read as an outline, closed or not', () => {
    const corners = box(0, 0, 50).map(([lon, lat]) => ({ lon, lat }))
    assert.deepEqual(read(corners), read(corners.slice(0, -1)))
    assert.deepEqual(read(corners), read(polygon(box(0, 0, 50))))
    assert.deepEqual(said([...corners.slice(0, 2), { lon: 'x', lat: 1 }, { lat: 1, lng: 2 }]), [
      'geometry[2] must have two finite numbers: longitude, then latitude.',
      'geometry[3] must be {lon, lat}.',
    ])
  })

  test('an open ring, too few corners, more than one height, and a value that isn’t a geometry are refused, with the place of the fault', () => {
    const ring = box(0, 0, 10)
    assert.deepEqual(said(polygon(ring.slice(0, -1))), ['geometry.coordinates[0] is open: its last position must repeat its first.'])
    assert.match(
      said(polygon([ring[0] as Position, ring[1] as Position, ring[0] as Position]))[0] ?? '',
      /coordinates\[0\] must have at least three different corners/,
    )
    assert.match(
      said(polygon([ring[0] as Position, ring[0] as Position, ring[0] as Position, ring[0] as Position]))[0] ?? '',
      /must have at least three different corners/,
    )
    assert.equal(said({ type: 'Polygon', coordinates: [ring.map(p => [...p, 12.5])] }).length, 0, 'one height is ignored')
    assert.match(said({ type: 'Polygon', coordinates: [ring.map(p => [...p, 1, 2])] })[0] ?? '', /coordinates\[0\]\[0\] must be a position/)
    assert.match(said({ type: 'Point', coordinates: [0, 0] })[0] ?? '', /geometry.type must be Polygon or MultiPolygon/)
    assert.match(said({ type: 'Feature', geometry: polygon(ring) })[0] ?? '', /is a Feature; send only a geometry/)
    assert.deepEqual(said({ ...polygon(ring), crs: {} }), ['geometry.crs isn’t a field of this geometry.'])
    for (const value of [
      'x',
      3,
      true,
      {},
      { type: 7 },
      { type: 'Polygon' },
      { type: 'Polygon', coordinates: [] },
      { type: 'MultiPolygon', coordinates: {} },
      [],
    ])
      assert.ok(said(value).length > 0, JSON.stringify(value))
  })

  test('§0.2 latitude outside ±85.05, longitude outside ±180 and non-finite numbers are refused, each with its place', () => {
    const ring = box(0, 0, 10)
    const put = (at: unknown) => said({ type: 'Polygon', coordinates: [[ring[0], at, ...ring.slice(2)]] })
    assert.match(put([0, 86])[0] ?? '', /coordinates\[0\]\[1\] must be within/)
    assert.match(put([181, 0])[0] ?? '', /must be within/)
    assert.match(put([35.6, 139.7])[0] ?? '', /Are lon and lat swapped\?/)
    assert.match(put([null, 0])[0] ?? '', /two finite numbers/)
    assert.match(put([Number.NaN, 0])[0] ?? '', /two finite numbers/)
    assert.equal(said({ type: 'Polygon', coordinates: [Array(60).fill(['a', 'b'])] }).length, 20, 'at most twenty faults are listed')
  })

  test('§0.2 a shape can have at most 5,000 corners a ring, 20,000 in all and 200 holes, and an area of 1 m² to 25 km²', () => {
    const circle = (n: number, radius: number, x = 0, y = 0) =>
      ringOf(
        ...Array.from({ length: n }, (_, i): [number, number] => [
          x + radius * Math.cos((2 * Math.PI * i) / n),
          y + radius * Math.sin((2 * Math.PI * i) / n),
        ]),
      )
    assert.deepEqual(said(polygon(circle(5000, 900))), [])
    assert.match(said(polygon(circle(5001, 900)))[0] ?? '', /5001 corners; a ring can have at most 5000/)
    const grid = (n: number, corners: number) =>
      Array.from({ length: n }, (_, i) => circle(corners, 5, (i % 20) * 12 - 120, Math.floor(i / 20) * 12 - 60))
    assert.deepEqual(said(polygon(box(-200, -200, 500), ...grid(200, 8))), [])
    assert.match(said(polygon(box(-200, -200, 500), ...grid(201, 8)))[0] ?? '', /201 holes; at most 200/)
    assert.match(
      said({ type: 'MultiPolygon', coordinates: [0, 1, 2, 3, 4].map(i => [circle(4100, 20, i * 100)]) })[0] ?? '',
      /20500 corners; at most 20000/,
    )
    assert.match(said(polygon(box(0, 0, 0.9)))[0] ?? '', /at least 1 m²/)
    assert.match(said(polygon(box(0, 0, 5100, 5000)))[0] ?? '', /25.5 km²; at most 25/)
    assert.deepEqual(said(polygon(box(0, 0, 4999, 4999))), [])
    assert.match(
      said({
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [40, 0],
            [40, 40],
            [0, 0],
          ],
        ],
      })[0] ?? '',
      /which is too large for a site/,
    )
  })

  test('§0.2 a shape that crosses itself is refused, and the fault shows where', () => {
    const bowtie = polygon(ringOf([0, 0], [100, 100], [100, 0], [0, 100]))
    const [lon, lat] = plane.degrees([50, 50])
    const [fault] = faultsOf(bowtie)
    const named = /crosses itself.* at lon (-?[\d.]+), lat (-?[\d.]+)\.$/.exec(fault?.message ?? '')
    assert.equal(fault?.path, 'geometry')
    assert.ok(named !== null && Math.abs(Number(named[1]) - lon) < 1e-6 && Math.abs(Number(named[2]) - lat) < 1e-6, fault?.message)
    assert.match(said(polygon(box(0, 0, 10), box(50, 50, 5)))[0] ?? '', /hole outside its outline at lon/)
    assert.match(said(polygon(box(0, 0, 100), box(10, 10, 50), box(20, 20, 10)))[0] ?? '', /hole inside another hole/)
    assert.match(said({ type: 'MultiPolygon', coordinates: [[box(0, 0, 10)], [box(5, 5, 10)]] })[0] ?? '', /its parts overlap/)
    assert.match(said({ type: 'MultiPolygon', coordinates: [[box(0, 0, 10)], [box(2, 2, 3)]] })[0] ?? '', /part inside another part/)
    assert.ok(said(polygon(box(0, 0, 10), box(0, 0, 10)))[0], 'a hole that leaves nothing')
    assert.ok(said({ type: 'MultiPolygon', coordinates: [[box(0, 0, 10)], [box(0, 0, 10)]] })[0], 'the same part twice')
    assert.match(
      said(polygon(ringOf([0, 0], [50, 50], [100, 0], [100, 100], [50, 50], [0, 100])))[0] ?? '',
      /touches itself at|crosses itself/,
    )
    assert.ok(said(polygon(ringOf([0, 0], [100, 0], [200, 0])))[0], 'a line has no area')
  })

  test('a star of 5,000 corners, every edge of which crosses every other, is refused quickly', () => {
    const n = 4999
    const star = ringOf(
      ...Array.from({ length: n }, (_, i): [number, number] => [
        900 * Math.cos((2 * Math.PI * i * 2500) / n),
        900 * Math.sin((2 * Math.PI * i * 2500) / n),
      ]),
    )
    assert.match(said(polygon(star))[0] ?? '', /crosses itself/)
  })

  test('points and lines are read as GeoJSON and as {lon, lat}', () => {
    const faults: FieldFault[] = []
    assert.deepEqual(readPoint({ lon: 1.123456789, lat: 2 }, 'point', faults), { type: 'Point', coordinates: [1.12345679, 2] })
    assert.deepEqual(readPoint({ type: 'Point', coordinates: [1, 2, 3] }, 'point', faults), { type: 'Point', coordinates: [1, 2] })
    assert.deepEqual(
      readLineString(
        [
          { lon: 1, lat: 2 },
          { lon: 1, lat: 3 },
        ],
        'line',
        faults,
      )?.coordinates,
      [
        [1, 2],
        [1, 3],
      ],
    )
    assert.deepEqual(
      readLineString(
        {
          type: 'LineString',
          coordinates: [
            [1, 2],
            [1, 3],
            [1, 2],
          ],
        },
        'line',
        faults,
      )?.coordinates.length,
      3,
    )
    assert.equal(faults.length, 0)
    assert.equal(readPoint({ lon: 35.6, lat: 139.7 }, 'point', faults), null)
    assert.equal(readPoint({ lon: 1, lat: 2, alt: 3 }, 'point', faults), null)
    assert.equal(readPoint([1, 2], 'point', faults), null)
    assert.equal(
      readLineString(
        [
          { lon: 1, lat: 2 },
          { lon: 1, lat: 2 },
        ],
        'line',
        faults,
      ),
      null,
    )
    assert.equal(readLineString('x', 'line', faults), null)
    assert.deepEqual(
      faults.map(f => f.path),
      ['point', 'point', 'point', 'line', 'line'],
    )
    assert.match(faults[0]?.message ?? '', /swapped/)
  })

  test('the overlap of boxes is exact, also if they share a wall', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 4, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 4, maxLength: 4 }),
        (at, size) => {
          const [x1, y1, x2, y2] = at as [number, number, number, number]
          const [w1, h1, w2, h2] = size as [number, number, number, number]
          const common =
            Math.max(0, Math.min(x1 + w1, x2 + w2) - Math.max(x1, x2)) * Math.max(0, Math.min(y1 + h1, y2 + h2) - Math.max(y1, y2))
          const found = overlapArea(polygon(box(x1, y1, w1, h1)), polygon(box(x2, y2, w2, h2)))
          assert.ok(Math.abs(found - common) < 0.5, `${found} is not ${common}`)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('for stars with holes, the exact overlap agrees with the sampled one, in either order', () => {
    const star = fc
      .record({
        x: fc.double({ min: -40, max: 40, noNaN: true }),
        y: fc.double({ min: -40, max: 40, noNaN: true }),
        radii: fc.array(fc.double({ min: 20, max: 50, noNaN: true }), { minLength: 3, maxLength: 24 }),
        hole: fc.boolean(),
      })
      .map(({ x, y, radii, hole }) => {
        const around = (scale: number) =>
          ringOf(
            ...radii.map((r, i): [number, number] => [
              x + scale * r * Math.cos((2 * Math.PI * i) / radii.length),
              y + scale * r * Math.sin((2 * Math.PI * i) / radii.length),
            ]),
          )
        return polygon(around(1), ...(hole ? [around(0.4)] : []))
      })
    fc.assert(
      fc.property(star, star, (a, b) => {
        const exact = overlapArea(a, b)
        assert.ok(Math.abs(exact - sampledArea(laid(a, plane), laid(b, plane))) < 2, `${exact}`)
        assert.ok(Math.abs(exact - overlapArea(b, a)) < 0.2, 'corners are rounded to a millimetre')
        assert.ok(exact <= Math.min(areaOf(a), areaOf(b)) + 0.1)
        assert.ok(Math.abs(overlapArea(a, a) - areaOf(a)) < 0.1)
      }),
      { numRuns: 200 },
    )
  })

  test('two combs of a thousand teeth across each other are compared quickly', () => {
    const comb = (n: number) =>
      Array.from({ length: n / 2 }, (_, i): [number, number][] => [
        [i * 0.3, 0],
        [i * 0.3 + 0.1, 150],
      ]).flat()
    const across = ringOf(...comb(990), [150, -1], [-1, -1])
    const along = ringOf(...comb(990).map(([x, y]): [number, number] => [y, x]), [-1, 150], [-1, -1])
    const area = overlapArea(polygon(across), polygon(along))
    assert.ok(area > 100 && area < 22_500)
  })

  test('the point on a surface is inside it, also if the centre is not', () => {
    const u = polygon(ringOf([0, 0], [100, 0], [100, 100], [90, 100], [90, 10], [10, 10], [10, 100], [0, 100]))
    assert.ok(holds(u, pointOn(u)))
  })
})

describe('the 2 km rule', () => {
  const boundary = read(polygon(box(-500, -500, 1000)))
  const ground: Ground = { boundary, location: null }
  const at = (east: number, north: number) => ({ type: 'Point' as const, coordinates: plane.degrees([east, north]) })

  test('§0.2 a place up to 2 km outside the boundary is accepted, and one further out is refused', () => {
    assert.equal(outsideFault(ground, at(0, 0)), null)
    assert.equal(outsideFault(ground, at(2499, 0)), null)
    assert.match(outsideFault(ground, at(2502, 0)) ?? '', /lies 2.0 km outside the site boundary; at most 2 km/)
    assert.equal(outsideFault(ground, at(1900, 1900)), null, 'the corner of the boundary counts, not its middle')
    assert.match(outsideFault(ground, polygon(box(2400, 0, 200))) ?? '', /has lon .* which lies/)
    assert.equal(outsideFault(ground, polygon(box(2300, 0, 190))), null)
  })

  test('§0.2 without a boundary the site’s location counts, and without both nothing is refused', () => {
    assert.equal(outsideFault({ boundary: null, location: LONDON }, at(1990, 0)), null)
    assert.match(outsideFault({ boundary: null, location: LONDON }, at(2010, 0)) ?? '', /from the site/)
    assert.equal(outsideFault({ boundary: null, location: null }, { type: 'Point', coordinates: [100, 10] }), null)
  })

  test('§0.2 a point with lon and lat swapped is refused, and the message says so', () => {
    const swapped = outsideFault(ground, { type: 'Point', coordinates: [51.5079, -0.0877] }) ?? ''
    assert.match(swapped, /With lon and lat swapped \(lon -0.0877, lat 51.5079\), the place would be close enough/)
    assert.doesNotMatch(outsideFault(ground, at(9000, 0)) ?? '', /swapped/)
    const ring = box(0, 0, 100).map(([lon, lat]): Position => [lat, lon])
    assert.match(outsideFault(ground, polygon(ring)) ?? '', /swapped/)
    assert.doesNotMatch(outsideFault(ground, { type: 'Point', coordinates: [140, 35] }) ?? '', /swapped/)
  })

  test('a place between two parts of a boundary is measured from the nearer part', () => {
    const parts = read({ type: 'MultiPolygon', coordinates: [[box(0, 0, 100)], [box(6000, 0, 100)]] })
    assert.equal(outsideFault({ boundary: parts, location: null }, at(2000, 50)), null)
    assert.match(outsideFault({ boundary: parts, location: null }, at(3000, 50)) ?? '', /2.9 km/)
    assert.equal(outsideFault({ boundary: parts, location: null }, at(4200, 50)), null)
  })
})
