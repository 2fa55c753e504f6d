import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { areaOf } from '../../../../../shared/geometry/plane.ts'
import { boxAt } from '../../../../../tests/geo.ts'
import { covered, grown } from '../../../../kernel/geometry/domain/carving.ts'
import { type Asked, fill, regenerate, type Taken } from './fill.ts'

const hour = (n: number) => `2026-03-16T${String(n).padStart(2, '0')}:00:00.000Z`
const asked = (more: Partial<Asked> = {}): Asked => ({
  ...{ container: boxAt(0, 0, 40, 25), from: hour(8), to: hour(16), clearance_m: 0, bay: null, least: { area_m2: 5, width_m: 1 } },
  ...more,
})
const taken = (id: string, shape: ReturnType<typeof boxAt>, from: number, to: number | null): Taken => ({
  id,
  shape,
  from: hour(from),
  to: to === null ? null : hour(to),
})
const sizeAt = (parts: ReturnType<typeof fill>['parts'], at: string) =>
  parts.filter(part => part.from <= at && at < part.to).reduce((sum, part) => sum + areaOf(part.geometry), 0)

describe('filling a container', () => {
  test('§2 a zone of 1,000 m² with an area of 200 m² from 10:00 to 12:00: three slices, with 1,000, 800 and 1,000 m²', () => {
    const { parts, slices } = fill(asked(), [taken('a', boxAt(0, 0, 20, 10), 10, 12)])
    assert.equal(slices, 3)
    for (const [at, size] of [
      [9, 1000],
      [11, 800],
      [13, 1000],
    ] as const)
      assert.ok(Math.abs(sizeAt(parts, hour(at)) - size) < 0.1, `${at}: ${sizeAt(parts, hour(at))}`)
    assert.equal(parts.length, 3)
  })

  test('§2 with bays of 10 × 10 m on 30 × 20 m there are six members of 100 m² that don’t overlap, on a straight and on a turned grid', () => {
    const bay = { width_m: 10, length_m: 10, bearing_deg: 0 }
    const { parts } = fill(asked({ container: boxAt(0, 0, 30, 20), bay }), [])
    assert.equal(parts.length, 6)
    for (const part of parts) assert.ok(Math.abs(areaOf(part.geometry) - 100) < 0.1, `${areaOf(part.geometry)}`)
    const turned = fill(asked({ container: boxAt(0, 0, 30, 20), bay: { ...bay, bearing_deg: 30 } }), [])
    const total =
      turned.parts.reduce((sum, part) => sum + areaOf(part.geometry), 0) + turned.left_out.reduce((sum, one) => sum + one.area_m2, 0)
    assert.ok(Math.abs(total - 600) < 0.1, `${total}`)
    for (const all of [parts, turned.parts])
      all.forEach((a, i) => {
        for (const b of all.slice(i + 1)) assert.ok(covered(a.geometry, b.geometry) < 0.01)
      })
  })

  test('§2 a sliver of 0.3 m isn’t a member, and is listed; neighbours in time with the same shape are one member', () => {
    const { parts, left_out } = fill(asked(), [taken('a', boxAt(0, 0, 39.7, 25), 8, null), taken('b', boxAt(100, 0, 5), 10, 12)])
    assert.deepEqual([parts.length, left_out.length], [0, 3])
    assert.ok(Math.abs((left_out[0]?.area_m2 ?? 0) - 7.5) < 0.05)
    assert.equal(fill(asked(), [taken('b', boxAt(100, 0, 5), 10, 12)]).parts.length, 1)
  })

  test('§2 at each instant, members and what is taken with its clearance and slivers make up the container, and no two overlap (60 layouts)', () => {
    const box = fc.record({
      x: fc.integer({ min: -5, max: 38 }),
      y: fc.integer({ min: -5, max: 22 }),
      w: fc.integer({ min: 2, max: 20 }),
      h: fc.integer({ min: 2, max: 15 }),
      from: fc.integer({ min: 7, max: 14 }),
      hours: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(box, { maxLength: 5 }), fc.constantFrom(0, 1), (boxes, clearance_m) => {
        const all = boxes.map((one, i) => taken(String(i), boxAt(one.x, one.y, one.w, one.h), one.from, one.from + one.hours))
        const { parts, left_out } = fill(asked({ clearance_m }), all)
        for (const at of [8, 9, 10, 11, 12, 13, 14, 15].map(n => `2026-03-16T${String(n).padStart(2, '0')}:30:00.000Z`)) {
          const here = parts.filter(part => part.from <= at && at < part.to)
          const slivers = left_out.filter(one => one.from <= at && at < one.to).reduce((sum, one) => sum + one.area_m2, 0)
          const gone = all
            .filter(one => one.from <= at && (one.to === null || at < one.to))
            .map(one => grown(one.shape, clearance_m) ?? one.shape)
          for (const part of here) for (const shape of gone) assert.ok(covered(part.geometry, shape) < 0.02)
          here.forEach((a, i) => {
            for (const b of here.slice(i + 1)) assert.ok(covered(a.geometry, b.geometry) < 0.02)
          })
          // What is taken, without counting a place twice: the container without it.
          const free = fill(asked({ clearance_m, least: { area_m2: 0, width_m: 0 } }), all).parts
          assert.ok(Math.abs(sizeAt(free, at) - sizeAt(parts, at) - slivers) < 0.1)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('§2 regenerating at once leaves every member unchanged; a member that overlaps its old self by half keeps its id', () => {
    const inner = [taken('a', boxAt(0, 0, 20, 10), 10, 12)]
    const before = fill(asked(), inner).parts.map((part, i) => ({
      id: `m${i}`,
      geometry: part.geometry,
      start_at: part.from,
      end_at: part.to,
    }))
    const now = hour(9)
    const again = regenerate(before, fill(asked({ from: now }), inner).parts, now)
    assert.deepEqual([again.unchanged.length, again.change, again.create, again.end, again.remove], [3, [], [], [], []])
    const moved = [taken('a', boxAt(20, 15, 20, 10), 11, 12)]
    const next = regenerate(before, fill(asked({ from: now }), moved).parts, now)
    assert.deepEqual(
      [next.create.length, next.remove.length, next.end.length, next.change.map(({ id, start_at, end_at }) => [id, start_at, end_at])],
      [
        0,
        0,
        0,
        [
          ['m0', hour(8), hour(11)],
          ['m1', hour(11), hour(12)],
        ],
      ],
    )
  })
})
