// Lines of pictures: what is dark becomes lines, and lines lose the corners that they don't need.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { boxOf as box, pairsOf as pairs } from '../../../../tests/plans.ts'
import { simplified } from '../kit/domain/lines.ts'
import { otsu, trace } from '../kit/domain/trace.ts'

describe('tracing', () => {
  /** A picture with dark bars. */
  const picture = (bars: readonly [number, number, number, number][]) => {
    const grey = new Uint8Array(300 * 200).fill(250)
    for (const [left, top, right, bottom] of bars)
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) grey[y * 300 + x] = 30
    return grey
  }
  const how = { threshold: 'auto' as const, least: 10, simplify: 1, straighten: true }

  test('§8 a thick bar becomes one straight line along its middle', () => {
    const [line, ...others] = trace(picture([[40, 98, 260, 104]]), 300, 200, how)
    assert.deepEqual(others, [])
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = pairs(line ?? [])
    assert.ok(Math.abs(Math.abs(bx - ax) - 218) < 8, `${line}`)
    assert.ok(Math.abs(ay - 101) < 1.5 && Math.abs(ay - by) < 1e-6)
  })

  test('§8 two walls that cross are two lines, and specks are left out', () => {
    const found = trace(
      picture([
        [20, 98, 280, 102],
        [148, 10, 152, 190],
        [60, 40, 62, 42],
      ]),
      300,
      200,
      how,
    )
    assert.ok(found.length >= 2 && found.length <= 4, String(found.length))
    const spans = found.map(line => box([{ points: line }]))
    assert.ok(Math.max(...spans.map(([l = 0, , r = 0]) => r - l)) > 100 && Math.max(...spans.map(([, t = 0, , b = 0]) => b - t)) > 70)
  })

  test('§8 the threshold divides dark from light, and simplifying keeps the shape', () => {
    const limit = otsu(picture([[0, 0, 150, 200]]))
    assert.ok(limit >= 30 && limit < 250)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })), { minLength: 2, maxLength: 40 }),
        points => {
          const kept = simplified(points.flat(), 2)
          assert.deepEqual([kept.slice(0, 2), kept.slice(-2)], [points[0], points.at(-1)])
          assert.ok(kept.length <= points.length * 2)
        },
      ),
    )
  })
})
