import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Metres, Position } from '../../../shared/geometry/plane.ts'
import { flaw } from './domain/overlay.ts'
import { meetingIn } from './domain/sweep.ts'

const closed = <T>(ring: readonly T[]): T[] => [...ring, ...ring.slice(0, 1)]
const flawOf = (...rings: Position[][]) => flaw({ type: 'Polygon', coordinates: rings.map(closed) })
/** A ring of many corners around the origin; `radius` gives the distance of each. */
const around = (corners: number, radius: (i: number) => number): Position[] =>
  Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners
    return [radius(i) * Math.cos(angle), 51 + radius(i) * Math.sin(angle)]
  })
/** Teeth that lie above each other, so that a program that only compares boxes compares each edge with all others. */
const teeth = (corners: number): Position[] => [
  ...Array.from({ length: corners }, (_, i): Position => [i % 2 === 0 ? 0 : 0.01, 51 + i * 1e-7]),
  [-0.001, 51 + corners * 1e-7],
  [-0.001, 51],
]

describe('rings of many corners', () => {
  const point = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))

  test('0.2.6 a sweep says of a random ring what the exact check says of it', () => {
    let [none, crossing] = [0, 0]
    fc.assert(
      fc.property(fc.uniqueArray(point, { minLength: 3, maxLength: 9, selector: String }), corners => {
        const met = meetingIn([closed<Metres>(corners)])
        const said = flawOf(corners.map(([x, y]): Position => [x / 1000, 51 + y / 1000]))
        if (met.kind === 'none') {
          none++
          assert.equal(said, null)
        }
        if (met.kind !== 'crossing') return
        crossing++
        assert.match(said ?? '', /crosses itself|touches itself|split where its rings touch|overlap/)
      }),
      { numRuns: 3000 },
    )
    assert.ok(none > 300 && crossing > 300, `${none} ${crossing}`)
  })

  test('0.2.6 corners and edges that touch are left to the exact check', () => {
    const square: Metres[] = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ]
    const kind = (...rings: Metres[][]) => meetingIn(rings.map(closed)).kind
    assert.equal(kind(square), 'none')
    assert.equal(
      kind(
        square,
        square.map(([x, y]): Metres => [x / 4 + 1, y / 4 + 1]),
      ),
      'none',
    )
    assert.equal(
      kind(
        square,
        square.map(([x, y]): Metres => [x + 4, y + 4]),
      ),
      'touching',
    )
    assert.equal(
      kind(
        square,
        square.map(([x, y]): Metres => [x / 2, y / 2 + 1]),
      ),
      'touching',
    )
    assert.equal(
      kind(
        square,
        square.map(([x, y]): Metres => [x + 2, y + 1]),
      ),
      'crossing',
    )
    assert.equal(
      kind([
        [0, 0],
        [4, 0],
        [2, 0],
        [2, 4],
      ]),
      'touching',
    )
  })

  test('0.2.6 a ring of 49,000 corners is accepted, or refused with the place, however it is drawn, without comparing all its edges', () => {
    assert.equal(flawOf(around(49_000, i => (i % 2 === 0 ? 0.01 : 0.002))), null)
    assert.equal(flawOf(teeth(49_000)), null)
    const crossed = teeth(49_000)
    crossed[24_001] = [0.01, 51.004]
    assert.match(flawOf(crossed) ?? '', /^crosses itself, or its parts overlap, at lon /)
    const touched = teeth(49_000)
    touched[24_000] = [0.005, 51 + 24_002 * 1e-7]
    touched[24_002] = [0.005, 51 + 24_002 * 1e-7]
    assert.match(flawOf(touched) ?? '', /^touches itself, and is too intricate to check\. Simplify or split it\.$/)
  })

  test('0.2.6 rings of many corners are refused if a hole is outside, in another hole, or a part is within another one', () => {
    const ring = (radius: number, x = 0) => around(600, () => radius).map(([lon, lat]): Position => [lon + x, lat])
    const parts = (...polygons: Position[][][]) => flaw({ type: 'MultiPolygon', coordinates: polygons.map(rings => rings.map(closed)) })
    assert.equal(flawOf(ring(0.01), ring(0.001), ring(0.001, 0.005)), null)
    assert.match(flawOf(ring(0.01), ring(0.001, 0.02)) ?? '', /^has a hole outside its outline at /)
    assert.match(flawOf(ring(0.01), ring(0.005), ring(0.001)) ?? '', /^has a hole inside another hole at /)
    assert.match(parts([ring(0.01)], [ring(0.005)]) ?? '', /^has a part inside another part at /)
    assert.equal(parts([ring(0.01), ring(0.005)], [ring(0.002)]), null)
  })

  test('0.2.6 thousands of parts on top of each other are refused, and those that lie apart are accepted', () => {
    const part = (x: number, y: number, side: number): Position[][] => [
      closed<Position>([
        [x, 51 + y],
        [x + side, 51 + y],
        [x + side, 51 + y + side],
        [x, 51 + y + side],
      ]),
    ]
    const many = (make: (i: number) => Position[][]) =>
      flaw({ type: 'MultiPolygon', coordinates: Array.from({ length: 15_000 }, (_, i) => make(i)) })
    assert.match(many(i => part(i * 1e-6, i * 1e-6, 0.5)) ?? '', /^crosses itself, or its parts overlap, at /)
    assert.equal(
      many(i => part((i % 100) * 0.002, Math.floor(i / 100) * 0.002, 0.001)),
      null,
    )
  })
})
