import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hour, permit, point, stretch } from '../../tests/sides.ts'
import { effectiveTime, type PermitTimes } from './effective.ts'
import { gapsOf, type PermitPlaces, type Place, permitFootprint } from './footprints.ts'
import { canClash, isAbove, isUnplaced, levelGap, levelsOf } from './sides.ts'

const times = (status: string, more: Partial<PermitTimes> = {}): PermitTimes => ({
  status,
  source: 'requested',
  start_at: hour(8),
  end_at: hour(12),
  fire_watch_until: null,
  handed_back_complete_at: null,
  ...more,
})
const shown = (permit: PermitTimes) => {
  const time = effectiveTime(permit)
  return time === null ? null : [(time.from - hour(0)) / 3_600_000, (time.to - hour(0)) / 3_600_000, time.standing]
}

describe('when a permit counts in conflicts', () => {
  test('§4.2 a draft and a permit in review count in their window; closed, rejected and withdrawn ones don’t', () => {
    assert.deepEqual(shown(times('draft')), [8, 12, 'draft'])
    for (const status of ['requested', 'corrections_requested', 'endorsed', 'approved'])
      assert.deepEqual(shown(times(status)), [8, 12, 'in_review'], status)
    for (const status of ['closed', 'rejected', 'withdrawn']) assert.equal(shown(times(status)), null, status)
    assert.equal(shown(times('requested', { end_at: null })), null)
  })

  test('§4.2 an issued permit counts until its window and its fire watch are over; handed back complete, until then or the end of the fire watch', () => {
    assert.deepEqual(shown(times('issued')), [8, 12, 'live'])
    assert.deepEqual(shown(times('issued', { fire_watch_until: hour(13) })), [8, 13, 'live'])
    assert.deepEqual(shown(times('issued', { fire_watch_until: hour(11) })), [8, 12, 'live'])
    assert.deepEqual(shown(times('issued', { handed_back_complete_at: hour(10) })), [8, 10, 'live'])
    assert.deepEqual(shown(times('issued', { handed_back_complete_at: hour(10), fire_watch_until: hour(11) })), [8, 11, 'live'])
    assert.equal(shown(times('issued', { handed_back_complete_at: hour(7) })), null)
  })

  test('CL-5 an expired permit counts without an end until it is handed back complete or closed; an imported one ends with its window', () => {
    assert.deepEqual(shown(times('expired')), [8, Infinity, 'live'])
    assert.deepEqual(shown(times('expired', { handed_back_complete_at: hour(15) })), [8, 15, 'live'])
    assert.deepEqual(shown(times('expired', { source: 'imported' })), [8, 12, 'live'])
    assert.equal(shown(times('closed')), null)
  })
})

const place = (east: number): Place => ({
  ground: point(east),
  levels: { from: 0, to: 0 },
  heights: null,
  building_id: null,
  zone_ids: [],
})
const none: PermitPlaces = { own: null, linked: [], coarse: [], end_at: hour(12), is_expired: false }
const footprint = (places: Partial<PermitPlaces>, to = 12) =>
  permitFootprint({ from: hour(8), to: to === Infinity ? Infinity : hour(to), standing: 'live' }, { ...none, ...places })
    .map(one => `${one.basis} ${(one.from - hour(0)) / 3_600_000}–${(one.to - hour(0)) / 3_600_000}`)
    .sort()

describe('where a permit is', () => {
  const gang = (from: number, to: number) => ({ ...place(1), from: hour(from), to: hour(to) })
  const zone = { ...place(2), basis: 'zone' as const }
  const building = { ...place(3), basis: 'building' as const }

  test('§4.2 its own place counts for its whole time, and each linked thing while it exists, within that time', () => {
    assert.deepEqual(footprint({ own: place(0), linked: [gang(7, 9), gang(11, 14)], coarse: [zone] }), [
      'entity 11–12',
      'entity 8–9',
      'own 8–12',
    ])
  })

  test('§4.2 rough places count only while nothing precise is known, the first of them', () => {
    assert.deepEqual(footprint({ linked: [gang(9, 10)], coarse: [zone, building] }), ['entity 9–10', 'zone 10–12', 'zone 8–9'])
    assert.deepEqual(footprint({ coarse: [building] }), ['building 8–12'])
    assert.deepEqual(footprint({}), [])
    assert.equal(isUnplaced(permit('p', ['HW'], [])), true)
    assert.equal(isUnplaced(permit('p', ['HW'], [stretch(point(0), 8, 12)])), false)
  })

  test('§4.2 an expired permit keeps the last places of its links', () => {
    assert.deepEqual(footprint({ linked: [gang(8, 9), gang(9, 12)], is_expired: true }, Infinity), [
      'entity 12–Infinity',
      'entity 8–9',
      'entity 9–12',
    ])
    assert.deepEqual(footprint({ linked: [gang(8, 9), gang(9, 12)] }, 12), ['entity 8–9', 'entity 9–12'])
  })

  test('gaps between stretches are found in any order, also within overlapping ones', () => {
    const gaps = gapsOf([stretch(point(0), 5, 7), stretch(point(0), 1, 4), stretch(point(0), 2, 3)], hour(0), hour(9))
    assert.deepEqual(
      gaps.map(({ from, to }) => [(from - hour(0)) / 3_600_000, (to - hour(0)) / 3_600_000]),
      [
        [0, 1],
        [4, 5],
        [7, 9],
      ],
    )
  })

  test('§0.4 levels: unknown is 0 from everything, open ground is level 0, and several levels reach from the lowest to the highest', () => {
    const [two, four, unknown] = [levelsOf({ level_from: 2 }), levelsOf({ level_from: 4 }), levelsOf({ level_from: null })]
    assert.deepEqual([levelGap(two, four), levelGap(four, two), levelGap(two, unknown), levelGap(two, two)], [2, 2, 0, 0])
    assert.deepEqual(levelsOf({ level_from: null, on_open_ground: true }), { from: 0, to: 0 })
    assert.equal(levelGap(levelsOf({ level_from: 1, level_to: 3 }), four), 1)
    assert.deepEqual([isAbove(four, two), isAbove(two, four), isAbove(four, unknown), isAbove(two, two)], [true, false, false, false])
  })

  test('§1 a lineage, a family of permits, a reissued permit and a linked thing never clash with themselves', () => {
    const at = [stretch(point(0), 8, 12)]
    const parent = permit('parent', ['GEN'], at)
    const child = permit('child', ['HW'], at, { ancestor_ids: ['parent', 'grandparent'] })
    const other = permit('other', ['HW'], at, { ancestor_ids: ['parent'] })
    assert.deepEqual([canClash(parent, child), canClash(child, parent), canClash(child, other)], [false, false, true])
    assert.equal(canClash(permit('grandparent', ['GEN'], at), child), false)
    assert.equal(canClash(permit('p', ['HW'], at, { lineage_id: 's' }), permit('q', ['HW'], at, { lineage_id: 's' })), false)
    assert.equal(canClash(permit('new', ['HW'], at, { reissued_from_id: 'old' }), permit('old', ['HW'], at)), false)
    assert.equal(canClash(permit('p', ['HW'], at, { linked_ids: ['gang'] }), { ...parent, id: 'gang', lineage_id: 'gang' }), false)
    assert.equal(canClash({ ...parent, id: 'gang', lineage_id: 'gang', permit_ids: ['p'] }, permit('p', ['HW'], at)), false)
  })
})
