import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type LonLat, planeAt } from '../geometry/plane.ts'
import { at } from '../narrow.ts'
import { apply, inverse, type Matrix, multiply, type Pair } from './algebra.ts'
import { type Calibration, type ControlPoint, calibrate, type Fault, lieOf, type Size } from './calibrate.ts'
import { LEAST_POINTS, MODELS } from './fit.ts'

const SITE: LonLat = { lon: -0.0877, lat: 51.5079 }
const SIZE: Size = { width: 2000, height: 1500 }

/** A matrix that turns a picture clockwise about the site and scales it to metres a pixel. */
const laid = (scale: number, bearing_deg: number, east = 0, north = 0): Matrix => {
  const turn = (bearing_deg * Math.PI) / 180
  const [c, s] = [scale * Math.cos(turn), scale * Math.sin(turn)]
  return [
    [c, -s, east],
    [-s, -c, north],
    [0, 0, 1],
  ]
}

/** Control points at these pixels, where a matrix puts them on the ground. */
const pointsOf = (matrix: Matrix, pixels: readonly Pair[], origin = SITE): ControlPoint[] =>
  pixels.map(([x, y]) => {
    const [lon, lat] = planeAt(origin).degrees(apply(matrix, [x, y]))
    return { x, y, lon, lat, used: true }
  })

const SIX: Pair[] = [
  [100, 100],
  [1900, 150],
  [1850, 1400],
  [120, 1350],
  [1000, 700],
  [600, 1100],
]
const EIGHT: Pair[] = [...SIX, [1500, 300], [400, 500]]

const done = (answer: ReturnType<typeof calibrate>): Calibration => {
  assert.ok('calibration' in answer, 'faults' in answer ? answer.faults.map(fault => fault.message).join() : '')
  return answer.calibration
}
const faults = (answer: ReturnType<typeof calibrate>): Fault[] => {
  assert.ok('faults' in answer, 'it was accepted')
  return answer.faults
}
const kinds = (answer: ReturnType<typeof calibrate>) => faults(answer).map(fault => fault.kind)

/** Moves a point on the ground. */
const moved = (points: readonly ControlPoint[], index: number, metres: Pair): ControlPoint[] =>
  points.map((point, i) => {
    if (i !== index) return point
    const [lon, lat] = planeAt(point).degrees([metres[0], metres[1]])
    return { ...point, lon, lat }
  })

/** A perspective: the far edge of a photographed plan is smaller than the near one. */
const PERSPECTIVE: Matrix = multiply(laid(0.05, 20), [
  [1, 0.05, 0],
  [0.02, 1, 0],
  [0.0001, 0.0002, 1],
])

const pixel = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true })
/** Six points that spread over the picture, somewhere else in every run. */
const spread = fc.tuple(...SIX.map(([x, y]) => fc.tuple(pixel(x - 90, x + 90), pixel(y - 90, y + 90))))

describe('calibration', () => {
  test('§7 six exact pairs of a turned plan of 0.1 m a pixel: rmse under 1 mm, redundancy 6, resolution 0.1', () => {
    const said = done(calibrate(SIZE, pointsOf(laid(0.1, 33), SIX), 'auto'))
    assert.equal(said.model, 'affine')
    assert.ok(said.rmse_m < 0.001, String(said.rmse_m))
    assert.equal(said.redundancy, 6)
    assert.ok(Math.abs(said.ground_resolution_m - 0.1) < 0.0005)
    assert.ok(Math.abs(said.rotation_deg - 33) < 0.01, String(said.rotation_deg))
    assert.ok(Math.abs(said.scale_ratio - 1) < 1e-4)
    assert.deepEqual([said.quality, said.suspect], ['good', null])
  })

  test('§7 a point that is 3 m off has the largest leave-one-out distance and is named; the quality is no longer good', () => {
    for (const [index] of SIX.entries()) {
      const points = moved(pointsOf(laid(0.1, 33), SIX), index, [3, 0])
      const said = done(calibrate(SIZE, points, 'auto'))
      assert.equal(said.suspect, index)
      const left = said.points.map(point => point.leave_one_out_m ?? 0)
      assert.ok(Math.abs(at(left, index) - 3) < 0.01, `${left}`)
      assert.notEqual(said.quality, 'good')
    }
    const said = done(calibrate(SIZE, moved(pointsOf(laid(0.1, 33), SIX), 1, [3, 0]), 'auto'))
    const left = said.points.map(point => point.leave_one_out_m ?? 0)
    assert.equal(left.indexOf(Math.max(...left)), 1)
    assert.ok(said.max_residual_m > 0.25 && said.max_residual_m < 3)
  })

  test('§7 with as many points as a model needs, the fit is exact and unchecked', () => {
    for (const model of MODELS) {
      const said = done(calibrate(SIZE, pointsOf(laid(0.1, 12), SIX.slice(0, LEAST_POINTS[model])), model))
      assert.deepEqual([said.redundancy, said.quality, said.suspect], [0, 'unchecked', null])
      assert.ok(said.max_residual_m < 1e-3, `${model} ${said.max_residual_m}`)
      assert.ok(said.points.every(point => point.leave_one_out_m === null))
    }
    assert.equal(done(calibrate(SIZE, pointsOf(laid(0.1, 12), SIX.slice(0, 2)), 'auto')).model, 'similarity')
    assert.equal(done(calibrate(SIZE, pointsOf(laid(0.1, 12), SIX.slice(0, 3)), 'auto')).model, 'affine')
  })

  test('§7 with four points, no point is named: any of them could be wrong', () => {
    const said = done(calibrate(SIZE, moved(pointsOf(laid(0.1, 33), SIX.slice(0, 4)), 2, [3, 0]), 'auto'))
    assert.deepEqual([said.redundancy, said.suspect], [2, null])
    assert.ok(said.points.every(point => (point.leave_one_out_m ?? 0) > 1))
  })

  test('§7 a photographed plan: perspective with eight points has under a tenth of the affine error, and auto chooses it', () => {
    const points = pointsOf(PERSPECTIVE, EIGHT)
    const affine = done(calibrate(SIZE, points, 'affine'))
    const projective = done(calibrate(SIZE, points, 'projective'))
    assert.ok(projective.rmse_m < affine.rmse_m / 10, `${projective.rmse_m} beside ${affine.rmse_m}`)
    assert.ok(affine.rmse_m > 0.5)
    assert.equal(done(calibrate(SIZE, points, 'auto')).model, 'projective')
    assert.equal(done(calibrate(SIZE, points.slice(0, 5), 'auto')).model, 'affine', 'five points are too few to choose it')
    assert.equal(projective.redundancy, 8)
  })

  test('§7 auto keeps to the affine fit when the perspective isn’t twice as good', () => {
    const noisy = pointsOf(laid(0.1, 5), EIGHT).map((point, i) => at(moved([point], 0, [Math.sin(i * 7) * 0.2, Math.cos(i * 5) * 0.2]), 0))
    assert.equal(done(calibrate(SIZE, noisy, 'auto')).model, 'affine')
  })

  test('§7 the perspective is refined on the ground: no small change of it lowers the error', () => {
    const points = pointsOf(PERSPECTIVE, EIGHT).map((point, i) => at(moved([point], 0, [Math.sin(i * 3) * 0.3, Math.cos(i * 4) * 0.3]), 0))
    const said = done(calibrate(SIZE, points, 'projective'))
    const plane = planeAt(said.origin)
    const error = (matrix: Matrix) =>
      points.reduce((sum, { x, y, lon, lat }) => {
        const [east, north] = apply(matrix, [x, y])
        const [e, n] = plane.metres([lon, lat])
        return sum + (east - e) ** 2 + (north - n) ** 2
      }, 0)
    const least = error(said.matrix)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        for (const change of [1 + 1e-5, 1 - 1e-5]) {
          const other = said.matrix.map((row, k) => row.map((value, m) => (k === i && m === j ? value * change : value)))
          assert.ok(error(other as unknown as Matrix) >= least - 1e-9) // the same shape as the matrix that it was made from
        }
  })

  test('§7 points in a line are refused, also when all but one are and the model is a perspective', () => {
    const line: Pair[] = [
      [100, 100],
      [1000, 705],
      [1900, 1300],
    ]
    const [fault] = faults(calibrate(SIZE, pointsOf(laid(0.1, 0), line), 'auto'))
    assert.equal(fault?.kind, 'in_line')
    assert.match(fault?.message ?? '', /in a line/)
    assert.deepEqual(kinds(calibrate(SIZE, pointsOf(laid(0.1, 0), [...line, [200, 1300]]), 'projective')), ['in_line'])
    assert.deepEqual(kinds(calibrate(SIZE, pointsOf(laid(0.1, 0), [[400, 305], ...line, [200, 1300]]), 'projective')), ['in_line'])
    assert.equal(done(calibrate(SIZE, pointsOf(laid(0.1, 0), line), 'similarity')).quality, 'good')
  })

  test('§7 points swapped east for west would show the picture mirrored, whatever the model', () => {
    const three = pointsOf(laid(0.1, 0), SIX.slice(0, 3))
    const swapped = three.map((point, i) => ({ ...point, lon: at(three, [1, 0, 2][i] ?? 0).lon, lat: at(three, [1, 0, 2][i] ?? 0).lat }))
    assert.deepEqual(kinds(calibrate(SIZE, swapped, 'auto')), ['mirrored'])
    const mirror: Matrix = multiply(laid(0.1, 20), [
      [-1, 0, 2000],
      [0, 1, 0],
      [0, 0, 1],
    ])
    for (const model of MODELS) assert.deepEqual(kinds(calibrate(SIZE, pointsOf(mirror, SIX), model)), ['mirrored'], model)
  })

  test('§7 too few points, points outside the picture and points too near each other are all named', () => {
    assert.deepEqual(kinds(calibrate(SIZE, [], 'auto')), ['too_few'])
    for (const model of MODELS)
      assert.deepEqual(kinds(calibrate(SIZE, pointsOf(laid(0.1, 0), SIX.slice(0, LEAST_POINTS[model] - 1)), model)), ['too_few'])
    const unused = pointsOf(laid(0.1, 0), SIX.slice(0, 3)).map(point => ({ ...point, used: false }))
    assert.deepEqual(kinds(calibrate(SIZE, unused, 'auto')), ['too_few'])
    const outside: Pair[] = [
      [-1, 5],
      [2001, 5],
      [5, 1501],
      [500, 500],
    ]
    const said = faults(calibrate(SIZE, pointsOf(laid(0.1, 0), outside), 'auto'))
    assert.deepEqual(
      said.map(({ kind, index }) => [kind, index]),
      [
        ['outside', 0],
        ['outside', 1],
        ['outside', 2],
      ],
    )
    const near = pointsOf(laid(0.1, 0), [...SIX, [1001, 701]])
    assert.deepEqual(
      faults(calibrate(SIZE, near, 'auto')).map(({ kind, index }) => [kind, index]),
      [['too_near', 6]],
    )
    const one = pointsOf(laid(0.1, 0), SIX)
    const twice = one.map((point, i) => (i === 3 ? { ...point, lon: at(one, 0).lon, lat: at(one, 0).lat } : point))
    assert.match(faults(calibrate(SIZE, twice, 'auto'))[0]?.message ?? '', /0\.1 m from point 1 on the ground/)
  })

  test('§7 a horizon inside the picture and a resolution that no picture has are refused', () => {
    const seen: Matrix = multiply(laid(0.05, 20), [
      [1, 0, 0],
      [0, 1, 0],
      [0, -0.0008, 1],
    ])
    // All points are below the horizon, which crosses the picture at y = 1250.
    const below = EIGHT.map(([x, y]): Pair => [x, y * 0.6])
    assert.deepEqual(kinds(calibrate(SIZE, pointsOf(seen, below), 'projective')), ['horizon'])
    assert.deepEqual(kinds(calibrate(SIZE, pointsOf(laid(0.0004, 0), SIX), 'auto')), ['resolution'])
    assert.deepEqual(kinds(calibrate(SIZE, pointsOf(laid(10.1, 0), SIX), 'auto')), ['resolution'])
    assert.match(faults(calibrate(SIZE, pointsOf(laid(12, 0), SIX), 'auto'))[0]?.message ?? '', /12 m wide/)
  })

  test('§7 any turned and scaled plan is found again, anywhere on Earth, by every model', () => {
    fc.assert(
      fc.property(
        spread,
        fc.double({ min: 0.001, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 359.9, noNaN: true }),
        fc.double({ min: -179.99, max: 179.99, noNaN: true }),
        fc.double({ min: -80, max: 80, noNaN: true }),
        (pixels, scale, bearing, lon, lat) => {
          const points = pointsOf(laid(scale, bearing), pixels, { lon, lat })
          for (const model of MODELS) {
            const said = done(calibrate(SIZE, points, model))
            assert.ok(said.rmse_m < 1e-3 * Math.max(1, scale), `${model}: ${said.rmse_m}`)
            assert.ok(Math.abs(said.ground_resolution_m / scale - 1) < 1e-3)
            const turned = Math.abs(said.rotation_deg - bearing)
            assert.ok(Math.min(turned, 360 - turned) < 3, `${bearing} was read as ${said.rotation_deg}`)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('§7 the fit has the least squares: it never has more error than the matrix that made the points', () => {
    fc.assert(
      fc.property(spread, fc.array(fc.tuple(pixel(-1, 1), pixel(-1, 1)), { minLength: 6, maxLength: 6 }), (pixels, noise) => {
        const points = pointsOf(laid(0.1, 40), pixels).map((point, i) => at(moved([point], 0, at(noise, i)), 0))
        const real = Math.sqrt(noise.reduce((sum, [e, n]) => sum + e * e + n * n, 0) / 6)
        for (const model of MODELS) assert.ok(done(calibrate(SIZE, points, model)).rmse_m <= real + 1e-3, model)
      }),
      { numRuns: 60 },
    )
  })

  test('§7 the order of the points and a point that isn’t used change nothing', () => {
    fc.assert(
      fc.property(spread, fc.integer({ min: 1, max: 5 }), (pixels, shift) => {
        const points = moved(pointsOf(laid(0.1, 40), pixels), 2, [0.4, 0.2])
        const one = done(calibrate(SIZE, points, 'affine'))
        const other = done(calibrate(SIZE, [...points.slice(shift), ...points.slice(0, shift)], 'affine'))
        assert.ok(Math.abs(one.rmse_m - other.rmse_m) < 1e-6)
        const away = { x: 700, y: 900, lon: SITE.lon + 0.01, lat: SITE.lat, used: false }
        const checked = done(calibrate(SIZE, [...points, away], 'affine'))
        assert.equal(checked.rmse_m, one.rmse_m)
        assert.ok((checked.points[6]?.residual_m ?? 0) > 500, 'it is measured all the same')
        assert.equal(checked.points[6]?.leave_one_out_m, null)
      }),
      { numRuns: 60 },
    )
  })

  test('a matrix and its inverse take a point back, and the picture’s lie has the scales of its two directions', () => {
    const [x, y] = apply(inverse(PERSPECTIVE), apply(PERSPECTIVE, [321, 987]))
    assert.ok(Math.hypot(x - 321, y - 987) < 1e-6)
    const stretched = multiply(laid(0.1, 30), [
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    const lie = lieOf(SIZE, stretched)
    assert.ok(Math.abs(lie.scale_ratio - 2) < 1e-9)
    assert.ok(Math.abs(lie.ground_resolution_m - 0.1 * Math.SQRT2) < 1e-9)
  })
})
