import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature } from './model.ts'
import { buildingAt } from './within.ts'

const box = (from: number, to: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [from, 51 + from],
      [to, 51 + from],
      [to, 51 + to],
      [from, 51 + to],
      [from, 51 + from],
    ],
  ],
})
const feature = (id: string, kind: Feature['kind'], from: number, to: number): Feature =>
  ({ id, kind, geometry: box(from, to), area_m2: (to - from) ** 2 * 1e10 }) as Feature // what is looked at

describe('the building of a point', () => {
  test('§1 the smallest building that contains it, with its edge; never a zone; none if the point is outside all', () => {
    const frame = [
      feature('large', 'building', 0, 0.004),
      feature('small', 'building', 0.001, 0.002),
      feature('zone', 'zone', 0.001, 0.0011),
    ]
    const at = (x: number) => buildingAt([x, 51 + x], frame)?.id
    assert.deepEqual([at(0.001), at(0.0015), at(0.003), at(0.0041)], ['small', 'small', 'large', undefined])
  })
})
