import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply, type Matrix } from '../../../../../shared/calibration/algebra.ts'
import { planeAt } from '../../../../../shared/geometry/plane.ts'
import {
  arrowsOf,
  changed,
  cornerAt,
  cornersOn,
  NO_PAIRS,
  nextOf,
  type Pairs,
  pairsOf,
  pointsOf,
  put,
  withCorners,
  without,
  worstOf,
  worthOf,
} from './pairs.ts'
import { seenIn, withSeen } from './prefs.ts'
import { onScreen, pixelAt, whole, zoomed } from './viewing.ts'

const HERE = { lon: -0.0877, lat: 51.5079 }
const SIZE = { width: 600, height: 400 }
const { degrees, metres } = planeAt(HERE)
/** Ten centimetres a pixel, north up. */
const at = (x: number, y: number, east = 0) => degrees([x / 10 + east, -y / 10])

/** Puts a point on both sides. */
const both = (pairs: Pairs, x: number, y: number, east = 0) => put(put(pairs, { pixel: [x, y] }), { spot: at(x, y, east) })
const three = [
  [50, 50],
  [550, 60],
  [300, 350],
] as const
const placed = (more: readonly (readonly [number, number, number])[] = []) =>
  [...three.map(([x, y]) => [x, y, 0] as const), ...more].reduce((so, [x, y, east]) => both(so, x, y, east), NO_PAIRS)

describe('§7 pairs of points', () => {
  test('§7 a tap fills the side that is missing, and only then begins another point', () => {
    const one = put(NO_PAIRS, { pixel: [10, 10] })
    assert.deepEqual(nextOf(one), { next: 'then_map', n: 0 })
    const two = put(one, { spot: [0, 51] })
    assert.deepEqual([two.list.length, nextOf(two)], [1, { next: 'next', n: 1 }])
    const other = put(two, { spot: [0, 51.001] })
    assert.deepEqual([other.list.length, nextOf(other)], [2, { next: 'then_plan', n: 0 }])
    assert.deepEqual(put(other, { pixel: [1, 2] }).list[1]?.pixel, [1, 2])
  })

  test('§7 a point that is being moved takes the next tap; it does not become another point', () => {
    const moving = { ...placed(), moving: 2 }
    assert.deepEqual(nextOf(moving), { next: 'moving', n: 2 })
    const after = put(moving, { pixel: [540, 70] })
    assert.deepEqual([after.list.length, after.list[1]?.pixel, after.moving], [3, [540, 70], null])
    assert.deepEqual(without(moving, 2).moving, null)
  })

  test('§7 two points place a plan without stretching it, and say that nothing checks them; three fit exactly, and the person is asked for a fourth', () => {
    const two = without(placed(), 3)
    assert.equal(worthOf(SIZE, without(two, 2), 'auto'), null)
    for (const [pairs, model, next] of [
      [two, 'similarity', 'third'],
      [placed(), 'affine', 'fourth'],
    ] as const) {
      const worth = worthOf(SIZE, pairs, 'auto')
      assert.ok(worth !== null && 'calibration' in worth)
      assert.deepEqual([worth.calibration.model, worth.calibration.quality], [model, 'unchecked'])
      assert.equal(worstOf(worth.calibration), null, 'no point stands out where nothing is proven')
      assert.equal(nextOf(pairs).next, next)
    }
    assert.equal(worthOf(SIZE, changed(two, 1, { used: false }), 'auto'), null, 'a point that is not used does not count')
  })

  test('§7 a point that is 3 m off among five is named, and its arrow is ten times as long', () => {
    const pairs = placed([
      [60, 340, 0],
      [500, 300, 0],
      [300, 200, 3],
    ])
    const worth = worthOf(SIZE, pairs, 'affine')
    assert.ok(worth !== null && 'calibration' in worth)
    assert.deepEqual([worstOf(worth.calibration)?.index, worstOf(worth.calibration)?.wrong], [5, true])
    const [from, to] = arrowsOf(worth.calibration)[5] ?? []
    assert.ok(from !== undefined && to !== undefined)
    const [[ax, ay], [bx, by]] = [metres([...from]), metres([...to])]
    const residual = worth.calibration.points[5]?.residual_m ?? 0
    assert.ok(Math.abs(Math.hypot(ax - bx, ay - by) - 10 * residual) < 0.05)
  })

  test('§7 swapped points are refused before anything is sent', () => {
    const pairs = placed()
    const [a, b] = [pairs.list[0]?.spot ?? null, pairs.list[1]?.spot ?? null]
    const worth = worthOf(SIZE, changed(changed(pairs, 1, { spot: b }), 2, { spot: a }), 'auto')
    assert.ok(worth !== null && 'faults' in worth)
    assert.deepEqual(
      worth.faults.map(one => one.kind),
      ['mirrored'],
    )
  })

  test('§8 points of a DXF drawing are sent in its own units, and come back where they were', () => {
    const sheet: Matrix = [
      [0.1, 0, 100],
      [0, -0.1, 300],
      [0, 0, 1],
    ]
    const points = pointsOf(placed(), sheet)
    for (const [i, [x, y]] of three.entries()) {
      const [px, py] = apply(sheet, [points[i]?.x ?? 0, points[i]?.y ?? 0])
      assert.ok(Math.hypot(px - x, py - y) < 1e-9)
    }
    const again = pairsOf(points, sheet)
    assert.deepEqual(
      again.list.map(one => one.pixel?.map(Math.round)),
      three.map(([x, y]) => [x, y]),
    )
  })

  test('§7 the corners of the picture lie where the fit puts them', () => {
    const worth = worthOf(SIZE, placed(), 'auto')
    assert.ok(worth !== null && 'calibration' in worth)
    const [, , corner] = cornersOn(SIZE, worth.calibration)
    const [x, y] = metres([...corner])
    assert.ok(Math.hypot(x - 60, y + 40) < 0.01, `${x} ${y}`)
  })
})

describe('§7 the window of a plan', () => {
  const box = { width: 300, height: 300 }
  test('zooming keeps the pixel under the finger, and a pixel is found again on the screen', () => {
    const view = whole(SIZE, box)
    const before = pixelAt(view, [120, 140])
    const near = zoomed(view, 3, [120, 140], SIZE, box)
    assert.ok(near.scale > view.scale * 2.9)
    const [x, y] = onScreen(near, before)
    assert.ok(Math.hypot(x - 120, y - 140) < 1e-6)
  })
})

describe('how plans are seen on a device', () => {
  test('what is chosen is remembered, what can’t be read is ignored, and the oldest goes', () => {
    const one = withSeen({}, 'a', { opacity: 0.4 })
    assert.deepEqual(withSeen(one, 'a', { shown: false }), { a: { opacity: 0.4, shown: false } })
    assert.deepEqual(seenIn(JSON.stringify({ a: { opacity: 2, shown: 'no' } })), { a: {} })
    assert.deepEqual(seenIn('{'), {})
    let all = {}
    for (let i = 0; i < 310; i++) all = withSeen(all, `p${i}`, { opacity: 0.5 })
    assert.deepEqual([Object.keys(all).length, 'p0' in all, 'p309' in all], [300, false, true])
  })

  test('§8 the corners of a picture are added once, keep points that are there, and are known as corners', () => {
    const size = { width: 400, height: 300 }
    const begun = put(NO_PAIRS, { pixel: [400, 0] })
    const all = withCorners(withCorners(begun, size), size)
    assert.deepEqual(
      all.list.map(({ pixel }) => cornerAt(size, pixel)),
      ['top_right', 'top_left', 'bottom_right', 'bottom_left'],
    )
    assert.equal(cornerAt(size, [200, 0]), null)
    assert.deepEqual(nextOf(all), { next: 'then_map_of', n: 1 })
  })
})
