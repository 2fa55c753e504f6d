import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Marker } from './markers.ts'
import { MARKER_PX, type Marked, markersOf } from './model.ts'

const LAT = 51.5
/** Degrees of longitude in a metre, at this latitude. */
const METRE = 1 / (111_320 * Math.cos((LAT * Math.PI) / 180))
const HIGH_PX = 46

/** Permits at positions on a square, this many metres apart; with `deep` they have as many rows as columns, else one row. */
function permitsAt(count: number, metres: number, deep: boolean): Marked[] {
  const across = deep ? Math.ceil(Math.sqrt(count)) : count
  return Array.from({ length: count }, (_, i): Marked => {
    const point = { lon: (i % across) * metres * METRE, lat: LAT + (Math.floor(i / across) * metres) / 111_320 }
    return { id: String(i), place: { point }, start_at: null, end_at: null, status: 'issued', standing: 'issued', mine: false }
  })
}

/** Counts the pairs of markers that overlap at a zoom, each compared with all others. */
function overlapsAt(markers: readonly Marker[], zoom: number): number {
  const size = 512 * 2 ** zoom
  const here = markers
    .filter(marker => marker.from <= zoom && zoom < marker.to)
    .map(({ spot: [lon, lat], slot }) => ({
      x: (lon / 360) * size + (slot * MARKER_PX) / 2,
      y: (Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * size,
    }))
  let found = 0
  for (const [i, a] of here.entries())
    for (const b of here.slice(i + 1)) if (Math.abs(a.x - b.x) < MARKER_PX - 0.01 && Math.abs(a.y - b.y) < HIGH_PX - 0.01) found++
  return found
}

describe('the map: markers that would overlap', () => {
  for (const count of [300, 500, 1500])
    for (const deep of [false, true])
      test(`9.27 of ${count} positions 3.5 m apart, ${deep ? 'in many rows' : 'in one row'}, no marker overlaps another, and each permit is in one marker at every zoom`, () => {
        const markers = markersOf(permitsAt(count, 3.5, deep), new Map())
        for (let zoom = 10; zoom <= 20; zoom++) {
          assert.equal(overlapsAt(markers, zoom), 0, `zoom ${zoom}`)
          const ids = markers.filter(marker => marker.from <= zoom && zoom < marker.to).flatMap(marker => marker.ids)
          assert.deepEqual([ids.length, new Set(ids).size], [count, count], `zoom ${zoom}`)
        }
      })

  test('9.27 a position with several statuses, among hundreds of others, is as wide as its markers', () => {
    const many = permitsAt(500, 12, true)
    const both = many.map((permit): Marked => ({ ...permit, id: `${permit.id} expired`, standing: 'expired' }))
    const markers = markersOf([...many, ...both], new Map())
    for (let zoom = 10; zoom <= 20; zoom++) assert.equal(overlapsAt(markers, zoom), 0, `zoom ${zoom}`)
  })
})
