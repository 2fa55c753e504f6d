import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Areal,
  areaOf,
  boundsOf,
  boxesMeet,
  centreOf,
  holds,
  lonLat,
  metresBetween,
  metresTo,
  type Position,
  planeAt,
  widened,
} from './plane.ts'

const lat = fc.double({ min: -80, max: 80, noNaN: true })
const lon = fc.double({ min: -180, max: 180, noNaN: true })

/** A square with sides of this many metres whose south-west corner is at `at`. */
function square(at: Position, metres: number, hole = 0): Areal {
  const plane = planeAt(lonLat(at))
  const ring = (from: number, to: number) =>
    (
      [
        [from, from],
        [to, from],
        [to, to],
        [from, to],
        [from, from],
      ] as Position[]
    ).map(plane.degrees)
  return {
    type: 'Polygon',
    coordinates: [ring(0, metres), ...(hole > 0 ? [ring((metres - hole) / 2, (metres + hole) / 2).toReversed()] : [])],
  }
}

/** Area by the authalic sphere: an independent way to calculate the same number. */
function authalicArea(geometry: Areal): number {
  const e = 0.0818191908426215
  const q = (phi: number) => {
    const s = Math.sin(phi)
    return (1 - e * e) * (s / (1 - e * e * s * s) - (1 / (2 * e)) * Math.log((1 - e * s) / (1 + e * s)))
  }
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const ring = (line: Position[]) => {
    const first = q(((line[0]?.[1] ?? 0) * Math.PI) / 180)
    let sum = 0
    for (let i = 1; i < line.length; i++) {
      const [a, b] = [line[i - 1] as Position, line[i] as Position]
      const height = (q((a[1] * Math.PI) / 180) + q((b[1] * Math.PI) / 180)) / 2 - first
      sum += (((b[0] - a[0]) * Math.PI) / 180) * height
    }
    return Math.abs((sum * 6378137 ** 2) / 2)
  }
  return polygons.reduce((all, rings) => all + rings.reduce((part, r, i) => (i === 0 ? ring(r) : part - ring(r)), 0), 0)
}

describe('the tangent plane', () => {
  test('a point converted to the plane and back is within a tenth of a millimetre of where it was', () => {
    fc.assert(
      fc.property(
        lon,
        lat,
        fc.double({ min: -5000, max: 5000, noNaN: true }),
        fc.double({ min: -5000, max: 5000, noNaN: true }),
        (x, y, e, n) => {
          const plane = planeAt({ lon: x, lat: y })
          const [east, north] = plane.metres(plane.degrees([e, n]))
          assert.ok(Math.hypot(east - e, north - n) < 1e-4, `${east - e}, ${north - n}`)
        },
      ),
    )
  })

  test('the length of a degree agrees with geodesy: on the equator, and of latitude at 45°', () => {
    assert.ok(Math.abs(metresBetween({ lon: 0, lat: 0 }, { lon: 1, lat: 0 }) - 111_319.49) < 1)
    assert.ok(Math.abs(metresBetween({ lon: 7, lat: 44.5 }, { lon: 7, lat: 45.5 }) - 111_131.78) < 40)
    // London to Paris, 343.9 km by GeographicLib.
    assert.ok(Math.abs(metresBetween({ lon: -0.1275, lat: 51.507222 }, { lon: 2.351667, lat: 48.856667 }) - 343_900) < 1000)
    assert.ok(Math.abs(metresBetween({ lon: 0, lat: 0 }, { lon: 180, lat: 0 }) - 20_037_508) < 1000, 'the other side of the Earth')
  })

  test('up to 5 km, lengths in the plane and on the ground differ by less than a millimetre per kilometre', () => {
    fc.assert(
      fc.property(
        lon,
        lat,
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        fc.double({ min: 1, max: 5000, noNaN: true }),
        (x, y, turn, far) => {
          const plane = planeAt({ lon: x, lat: y })
          const there = plane.degrees([far * Math.sin(turn), far * Math.cos(turn)])
          assert.ok(Math.abs(metresBetween({ lon: x, lat: y }, lonLat(there)) - far) < far * 1e-6)
        },
      ),
    )
  })

  test('§0.2 areas are geodesic: within a ten-thousandth of the authalic sphere, up to 25 km²', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -179, max: 179, noNaN: true }),
        fc.double({ min: -75, max: 75, noNaN: true }),
        fc.double({ min: 2, max: 5000, noNaN: true }),
        (x, y, metres) => {
          const shape = square([x, y], metres, metres / 3)
          const area = areaOf(shape)
          assert.ok(Math.abs(area / authalicArea(shape) - 1) < 1e-4 * Math.max(1, 100 / metres), `${area} beside ${authalicArea(shape)}`)
          assert.ok(Math.abs(area / (metres * metres * (8 / 9)) - 1) < 1e-5)
        },
      ),
    )
  })

  test('a point is inside a square or outside; the edge counts as inside, and a hole as outside', () => {
    fc.assert(
      fc.property(
        lon,
        lat,
        fc.double({ min: -50, max: 150, noNaN: true }),
        fc.double({ min: -50, max: 150, noNaN: true }),
        (x, y, e, n) => {
          const shape = square([x, y], 100, 20)
          const at = lonLat(planeAt({ lon: x, lat: y }).degrees([e, n]))
          const out = Math.hypot(Math.max(0, -e, e - 100), Math.max(0, -n, n - 100))
          const inHole = e > 40 && e < 60 && n > 40 && n < 60
          const far = inHole ? Math.min(e - 40, 60 - e, n - 40, 60 - n) : out
          assert.ok(Math.abs(metresTo(shape, at) - far) < 1e-3, `${metresTo(shape, at)} is not ${far}`)
          if (far > 0.01) assert.equal(holds(shape, at), false)
          if (far === 0) assert.equal(holds(shape, at), true)
        },
      ),
    )
    const shape = square([-0.1, 51.5], 100)
    for (const corner of shape.coordinates[0] as Position[]) assert.equal(holds(shape, lonLat(corner)), true)
  })

  test('the centroid of a square is its middle; that of an L is nearer to its heavier part', () => {
    const plane = planeAt({ lon: 10, lat: 50 })
    const [east, north] = plane.metres(Object.values(centreOf(square([10, 50], 100, 20))) as Position)
    assert.ok(Math.hypot(east - 50, north - 50) < 1e-3)
    const two: Areal = {
      type: 'MultiPolygon',
      coordinates: [square([10, 50], 100), square([10.01, 50], 10)].map(s => s.coordinates as Position[][]),
    }
    const [x] = plane.metres(Object.values(centreOf(two)) as Position)
    assert.ok(x > 50 && x < 60)
  })

  test('a widened box contains every point within that distance', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -170, max: 170, noNaN: true }),
        lat,
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (x, y, turn) => {
          const there = planeAt({ lon: x, lat: y }).degrees([49.9 * Math.sin(turn), 49.9 * Math.cos(turn)])
          const around = widened(boundsOf({ type: 'Point', coordinates: [x, y] }), 50)
          assert.ok(boxesMeet(around, boundsOf({ type: 'Point', coordinates: there })))
        },
      ),
    )
  })

  test('beyond the range of the plane, the distance is still right', () => {
    assert.ok(metresTo(square([-0.1, 51.5], 100), { lon: 179.9, lat: -51.5 }) > 19_900_000)
    assert.ok(Math.abs(metresTo(square([0, 0], 100), { lon: 20, lat: 0 }) / 1000 - 2226.3) < 1)
    assert.equal(metresTo({ type: 'LineString', coordinates: [[0, 0]] }, { lon: 0, lat: 0 }), 0)
  })
})
