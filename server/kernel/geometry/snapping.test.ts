import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js'
import { type Metres, ringArea } from '../../../shared/geometry/plane.ts'
import { chance } from '../../../tests/chance.ts'
import { jtsOf } from './domain/overlay.ts'
import { isSimple, onGrid, rounded } from './domain/snapping.ts'

const closed = (ring: readonly Metres[]) => [...ring, ...ring.slice(0, 1)]
const areaOf = (polygons: readonly (readonly (readonly Metres[])[])[]) => polygons.flat().reduce((sum, ring) => sum + ringArea(ring), 0)

/** Checks what every polygon on the grid must be. */
function check(polygons: Metres[][][], what: string): void {
  for (const rings of polygons) {
    for (const [i, ring] of rings.entries()) {
      assert.ok(ring.length >= 3, `${what}: a ring has ${ring.length} points`)
      assert.ok(ringArea(ring) > 0 === (i === 0) && ringArea(ring) !== 0, `${what}: a ring turns the wrong way`)
      for (const [n, [x, y]] of ring.entries()) {
        assert.ok(Number.isInteger(x) && Number.isInteger(y), `${what}: ${x}, ${y}`)
        const [px, py] = ring.at(n - 1) ?? [0, 0]
        assert.ok(px !== x || py !== y, `${what}: a point is repeated`)
      }
    }
    assert.ok(new IsValidOp(jtsOf([rings.map(closed)])).isValid(), `${what}: invalid`)
  }
  if (polygons.length > 0) assert.ok(new IsValidOp(jtsOf(polygons.map(rings => rings.map(closed)))).isValid(), `${what}: parts overlap`)
}

describe('polygons on the grid of a tile', () => {
  test('rounding leaves out repeated points, straight corners and spikes', () => {
    assert.deepEqual(
      rounded([
        [0.2, 0.1],
        [0.3, 0.2],
        [5, 0],
        [10, 0],
        [10, 10],
        [12, 10],
        [10, 10],
        [0, 10],
      ]),
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
    )
    assert.deepEqual(
      rounded([
        [0, 0],
        [0.2, 0.3],
        [0.4, 0.1],
      ]),
      [],
    )
    assert.equal(
      isSimple([
        [0, 0],
        [10, 0],
        [0, 10],
        [10, 10],
      ]),
      false,
    )
    assert.equal(
      isSimple([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ]),
      true,
    )
  })

  test('an outer ring is positive and its hole negative, whichever way they were drawn', () => {
    const outer: Metres[] = [
      [0, 0],
      [0, 100],
      [100, 100],
      [100, 0],
    ]
    const hole: Metres[] = [
      [20, 20],
      [20, 50],
      [50, 50],
      [50, 20],
    ]
    for (const rings of [
      [outer, hole],
      [outer.toReversed(), hole],
      [outer, hole.toReversed()],
    ]) {
      const made = onGrid([rings])
      check(made, 'ring')
      assert.equal(areaOf(made), 10_000 - 900)
    }
  })

  test('two parts that clipping has joined along an edge are two polygons again, and a shape that crosses itself keeps both its sides', () => {
    const teeth: Metres[] = [
      [0, 0],
      [0, 10],
      [10, 10],
      [10, 0],
      [20, 0],
      [20, 10],
      [30, 10],
      [30, 0],
    ]
    const made = onGrid([[teeth]])
    check(made, 'teeth')
    assert.deepEqual([made.length, areaOf(made)], [2, 200])
    const touching: Metres[] = [
      [0, 0],
      [20, 0],
      [10, 10],
      [20, 20],
      [0, 20],
      [10, 10],
    ]
    const both = onGrid([[touching]])
    check(both, 'touching')
    assert.equal(areaOf(both), 200)
  })

  test('a shape that crosses itself at its highest corner keeps its area', () => {
    const ring: Metres[] = [
      [0, 0],
      [1534, -376],
      [4290, -455],
      [2824, 1504],
      [1923, 1774],
      [1924, 1774],
      [1458, 1680],
      [-1103, 1166],
    ]
    const found = onGrid([[ring]])
    check(found, 'a small crossing')
    assert.ok(Math.abs(areaOf(found) / Math.abs(ringArea(closed(ring))) - 1) < 0.001, JSON.stringify(found))
  })

  test('random shapes, with holes, thin parts and crossings, are valid on the grid and keep their area', () => {
    const c = chance(20260315)
    for (let n = 0; n < 400; n++) {
      const corners = 3 + c.below(60)
      const size = 3 + c.below(400)
      const star = (most: number): Metres[] =>
        Array.from({ length: corners }, (_, i) => {
          const angle = (i / corners) * 2 * Math.PI
          const radius = most * (0.2 + (0.8 * (0 + c.below(1000))) / 1000)
          return [500.3 + radius * Math.cos(angle), 500.7 + radius * Math.sin(angle)]
        })
      const shell = star(size)
      const holed = n % 3 === 0 ? [shell, star(size * 0.15)] : [shell]
      const made = onGrid([holed])
      check(made, `shape ${n}`)
      if (holed.length === 1) {
        const length = shell.reduce(
          (sum, [x, y], i) => sum + Math.hypot(x - (shell.at(i - 1)?.[0] ?? 0), y - (shell.at(i - 1)?.[1] ?? 0)),
          0,
        )
        assert.ok(Math.abs(areaOf(made) - Math.abs(ringArea(shell))) <= length + 4, `shape ${n} has another area`)
      }
      // A scribble, which crosses itself.
      check(onGrid([[Array.from({ length: corners }, (): Metres => [0 + c.below(60), 0 + c.below(60)])]]), `scribble ${n}`)
    }
  })
})
