import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Collection } from '../collections.ts'
import type { Spot } from '../model.ts'
import { cutsIn, targetOf } from './cuts.ts'
import { measured } from './measuring.ts'
import { BOUNDARY, ringsIn, snapAt } from './snap.ts'

/** One degree is a million pixels. */
const project = ([lon, lat]: Spot) => ({ x: lon * 1e6, y: -lat * 1e6 })
const px = (n: number) => n / 1e6
const ring: Spot[] = [
  [0, 0],
  [px(100), 0],
  [px(100), px(100)],
  [0, 0],
]

describe('corners and edges attract what is drawn', () => {
  test('a corner within 12 pixels attracts a point, before an edge that is nearer; else the nearest place on an edge does; else nothing', () => {
    assert.deepEqual(snapAt([ring], [px(93), px(1)], project), { spot: [px(100), 0], on: 'corner' })
    const edge = snapAt([ring], [px(50), px(-9)], project)
    assert.deepEqual([edge?.on, edge?.spot.map(one => Math.round(one * 1e6))], ['edge', [50, 0]])
    assert.equal(snapAt([ring], [px(50), px(-13)], project), null)
    assert.equal(snapAt([], [0, 0], project), null)
  })

  test('the nearest of several corners attracts', () => {
    const near: Spot[] = [
      [px(96), px(2)],
      [px(96), px(40)],
    ]
    assert.deepEqual(snapAt([ring, near], [px(95), px(2)], project)?.spot, [px(96), px(2)])
  })

  test('what is being changed doesn’t attract itself: a shape by its id, the boundary by its name', () => {
    const boundary = { type: 'Polygon' as const, coordinates: [ring.map(spot => [...spot])] }
    const shapes = (...features: Collection['features']): Collection => ({ type: 'FeatureCollection', features })
    const drawn = { type: 'Feature' as const, geometry: boundary, properties: {} }
    const [none, scene] = [
      shapes(),
      { boundary: shapes(drawn), areas: shapes(), buildings: shapes(), zones: shapes(), active: shapes(), places: shapes() },
    ]
    assert.equal(ringsIn({ ...scene, boundary: none }, null).length, 0)
    assert.equal(ringsIn(scene, null).length, 1)
    assert.equal(ringsIn(scene, BOUNDARY).length, 0)
    const shaped = { ...scene, zones: shapes({ ...drawn, properties: { id: 'z' } }) }
    assert.deepEqual([ringsIn(shaped, null).length, ringsIn(shaped, 'z').length], [2, 1])
  })

  test('a distance is measured along all points, and an area from three points on', () => {
    assert.deepEqual(measured([]), { length_m: '0.00', last_m: '0.00', area_m2: '0' })
    const degree: Spot[] = [
      [0, 51],
      [0, 51.0001],
    ]
    assert.equal(measured(degree).length_m, '11.1')
    const square = measured([
      [0, 51],
      [0.001, 51],
      [0.001, 51.001],
      [0, 51.001],
    ])
    assert.deepEqual([square.last_m, Math.round(Number(square.area_m2) / 100)], ['70.2', 78])
  })
})

describe('the cuts of a feature as a list', () => {
  test('§10 each cut is there once, as its last step left it, with what it took out and why a person should look at it', () => {
    const step = (history_id: string | null, kind: 'cut' | 'undo' | 'reapply' | 'outline', before: number, after: number) => ({
      ...{ history_id, step: kind, at: `2026-03-16T0${before % 9}:00:00.000Z`, by_name: 'Ana' },
      ...{ area_before_m2: before, area_after_m2: after },
    })
    const steps = [step('1', 'undo', 800, 900), step(null, 'outline', 700, 800), step('2', 'cut', 900, 800), step('1', 'cut', 1000, 900)]
    const rows = cutsIn(steps, [{ history_id: '1', reason: 'undone' }])
    assert.deepEqual(
      rows.map(({ id, applied, taken_m2, reason }) => [id, applied, taken_m2, reason]),
      [
        ['1', false, 100, 'undone'],
        ['2', true, 100, null],
      ],
    )
    assert.equal(targetOf({ id: 'a', name: 'A', version: 2, schedule_group_id: 'g' } as never).repeats, true)
  })
})
