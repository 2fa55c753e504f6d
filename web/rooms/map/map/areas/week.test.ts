import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mondayOf } from '../../../../../shared/time.ts'
import type { Feature } from '../model.ts'
import { edgesOf, isThere, type Planned, rowsIn, shareOf } from './week.ts'

const ZONE = 'Europe/London'
const planned = (more: Partial<Planned>): Planned => ({
  ...{ id: 'a', kind: 'worker', name: 'Fixers', contractor_id: null, schedule_group_id: null },
  ...{ start_at: '2026-03-17T08:00:00.000Z', end_at: '2026-03-17T16:00:00.000Z' },
  ...more,
})

describe('§2 the week of a place', () => {
  test('a week begins on Monday, and each of its days has the same share, also the one on which the clocks change', () => {
    assert.deepEqual(['2026-03-23', '2026-03-25', '2026-03-29'].map(mondayOf), ['2026-03-23', '2026-03-23', '2026-03-23'])
    const edges = edgesOf(ZONE, '2026-03-23')
    assert.deepEqual([edges.length, edges[6], edges[7]], [8, '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'])
    const share = (at: string) => Math.round(shareOf(at, edges) * 7 * 1000) / 1000
    assert.deepEqual(
      ['2026-03-01T00:00:00.000Z', '2026-03-23T12:00:00.000Z', '2026-03-29T11:30:00.000Z', '2026-03-29T23:00:00.000Z'].map(share),
      [0, 0.5, 6.5, 7],
    )
  })

  test('days of a schedule share a row, and so does what has the same name; rows come by their first time, and what isn’t in the week has none', () => {
    const edges = edgesOf(ZONE, '2026-03-16')
    const rows = rowsIn(
      [
        planned({ id: 'b', start_at: '2026-03-18T08:00:00.000Z', end_at: '2026-03-18T16:00:00.000Z' }),
        planned({ id: 'a' }),
        planned({ id: 'c', name: 'Pour', schedule_group_id: 's', kind: 'active_area', start_at: '2026-03-16T08:00:00.000Z' }),
        planned({ id: 'd', name: 'Pour, late', schedule_group_id: 's', kind: 'active_area', end_at: '2026-03-18T08:00:00.000Z' }),
        planned({ id: 'e', name: 'Crane', kind: 'plant', start_at: '2026-01-01T08:00:00.000Z', end_at: null }),
        planned({ id: 'f', name: 'Other', contractor_id: 'k' }),
        planned({ id: 'g', name: 'Over', start_at: '2026-03-15T08:00:00.000Z', end_at: '2026-03-16T00:00:00.000Z' }),
      ],
      edges,
    )
    assert.deepEqual(
      rows.map(({ name, bars }) => [name, bars.map(({ id }) => id)]),
      [
        ['Crane', ['e']],
        ['Pour', ['c', 'd']],
        ['Fixers', ['a', 'b']],
        ['Other', ['f']],
      ],
    )
    assert.deepEqual(
      rows[0]?.bars.map(({ left, width }) => [left, width]),
      [[0, 1]],
      'a machine that stays fills the week',
    )
  })

  test('what is on the ground of a place is there, whether or not its record says so; what is in another building or on another level isn’t', () => {
    const box = (x: number, y: number, size: number) => {
      const ring = [
        [x, y],
        [x + size, y],
        [x + size, y + size],
        [x, y + size],
        [x, y],
      ]
      return { type: 'Polygon', coordinates: [ring] }
    }
    const place = { id: 'z', kind: 'zone', building_id: null, level_from: null, level_to: null, geometry: box(0, 0, 0.002) }
    const zone = place as unknown as Feature // only what decides
    const indoors = { ...place, building_id: 'b', level_from: 1, level_to: 2 } as unknown as Feature
    const [inside, outside] = [{ point: { lon: 0.001, lat: 0.001 } }, { point: { lon: 0.003, lat: 0.001 } }]
    assert.deepEqual(
      [
        isThere(zone, inside),
        isThere(zone, outside),
        isThere(zone, { ...outside, zone_id: 'z' }),
        isThere(zone, { ...inside, building_id: 'b', level_index: 1 }),
        isThere(zone, { polygon: box(0.0015, 0.0015, 0.002) }),
        isThere(zone, { polygon: box(-0.001, -0.001, 0.01) }),
        isThere(zone, { polygon: box(0.003, 0.003, 0.002) }),
        isThere(indoors, { ...inside, building_id: 'b', level_index: 2 }),
        isThere(indoors, { ...inside, building_id: 'b', level_index: 3 }),
        isThere(indoors, inside),
      ],
      [true, false, true, false, true, true, false, true, false, false],
    )
  })
})
