import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MIDDLE } from '../../tests/geo.ts'
import { box, disc, point, spot } from '../../tests/sides.ts'
import { planeAt } from '../geometry/plane.ts'
import { type EntityFacts, entityFields } from '../predicates/entity.ts'
import { containmentOf } from './containment.ts'
import { measureGap, newContact, toMillimetres } from './gap.ts'
import { onSide, pairSubject } from './pair.ts'
import { shapeOf } from './shapes.ts'
import type { Ground } from './sides.ts'

const plane = planeAt(MIDDLE)
const shape = (ground: Ground) => shapeOf(ground, plane)
const gap = (a: Ground, b: Ground, limit = Infinity) => {
  const contact = newContact()
  measureGap(shape(a), shape(b), limit, contact)
  return toMillimetres(contact.d)
}
const lies = (a: Ground, b: Ground) => containmentOf(shape(a), shape(b))

describe('the ground of two sides', () => {
  test('§0.4 distance_m is the least gap, 0 when they meet, whatever the order', () => {
    const pairs: [Ground, Ground, number][] = [
      [point(0), point(6), 6],
      [point(0), disc(10, 0, 4), 6],
      [disc(0, 0, 3), disc(10, 0, 4), 3],
      [disc(0, 0, 6), disc(10, 0, 5), 0],
      [point(5, 5), box(0, 0, 10, 10), 0],
      [point(12, 5), box(0, 0, 10, 10), 2],
      [disc(13, 5, 2), box(0, 0, 10, 10), 1],
      [box(0, 0, 10, 10), box(13, 14, 5, 5), 5],
      [box(0, 0, 10, 10), box(2, 2, 3, 3), 0],
      [box(0, 0, 10, 10), box(5, 5, 10, 10), 0],
      [box(0, 0, 20, 20, [5, 5, 10, 10]), point(10, 10), 5],
      [box(0, 0, 20, 20, [5, 5, 10, 10]), box(9, 9, 2, 2), 4],
    ]
    for (const [a, b, expected] of pairs) assert.deepEqual([gap(a, b), gap(b, a)], [expected, expected], JSON.stringify([a, b]))
    assert.ok(gap(box(0, 0, 10, 10), box(13, 14, 5, 5), 4.9) > 4.9)
    assert.equal(gap(box(0, 0, 10, 10), box(13, 14, 5, 5), 5.1), 5)
  })

  test('§0.4 containment: inside, around, overlapping, and none for what only touches or fills a hole', () => {
    const square = box(0, 0, 10, 10)
    const frame = box(0, 0, 20, 20, [5, 5, 10, 10])
    const cases: [Ground, Ground, string, string][] = [
      [point(5, 5), square, 'a_in_b', 'b_in_a'],
      [point(10, 5), square, 'a_in_b', 'b_in_a'],
      [point(11, 5), square, 'none', 'none'],
      [disc(5, 5, 2), square, 'a_in_b', 'b_in_a'],
      [disc(5, 5, 9), square, 'b_in_a', 'a_in_b'],
      [disc(9, 5, 2), square, 'overlap', 'overlap'],
      [disc(12, 5, 2), square, 'none', 'none'],
      [disc(0, 0, 5), disc(1, 0, 2), 'b_in_a', 'a_in_b'],
      [disc(0, 0, 5), disc(6, 0, 2), 'overlap', 'overlap'],
      [disc(0, 0, 5), disc(7, 0, 2), 'none', 'none'],
      [box(2, 2, 3, 3), square, 'a_in_b', 'b_in_a'],
      [box(0, 2, 3, 3), square, 'a_in_b', 'b_in_a'],
      [box(5, 5, 10, 10), square, 'overlap', 'overlap'],
      [box(10, 0, 10, 10), square, 'none', 'none'],
      [box(-5, 2, 20, 3), square, 'overlap', 'overlap'],
      [square, square, 'a_in_b', 'a_in_b'],
      [box(5, 5, 10, 10), frame, 'none', 'none'],
      [box(6, 6, 5, 5), frame, 'none', 'none'],
      [box(-1, -1, 22, 22), frame, 'b_in_a', 'a_in_b'],
      [box(1, 1, 2, 18), frame, 'a_in_b', 'b_in_a'],
    ]
    for (const [a, b, straight, turned] of cases) assert.deepEqual([lies(a, b), lies(b, a)], [straight, turned], JSON.stringify([a, b]))
    const parts: Ground = {
      type: 'MultiPolygon',
      coordinates: [0, 30].map(x => [[spot(x, 0), spot(x + 5, 0), spot(x + 5, 5), spot(x, 5), spot(x, 0)]]),
    }
    assert.deepEqual(
      [lies(box(31, 1, 2, 2), parts), lies(box(10, 1, 2, 2), parts), lies(parts, box(-1, -1, 50, 50))],
      ['a_in_b', 'none', 'a_in_b'],
    )
  })

  test('§0.4 a condition on things becomes one on a side of a pair, as smart groups need it', () => {
    const entity = { name: 'entity', label: 'things', fields: entityFields<EntityFacts>(row => row) }
    const given = {
      all: [{ field: 'trade', op: 'eq' as const, value: 'steel' }, { not: { field: 'start_at', op: 'before' as const, ref: 'end_at' } }],
    }
    assert.deepEqual(onSide(entity, given, 'b'), {
      all: [{ field: 'b.trade', op: 'eq', value: 'steel' }, { not: { field: 'b.start_at', op: 'before', ref: 'b.end_at' } }],
    })
    assert.ok(pairSubject.fields.some(field => field.path === 'b.trade'))
  })
})
