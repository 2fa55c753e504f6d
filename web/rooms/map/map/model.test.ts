import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Standing } from '../../permits/permits/door.tsx'
import { type Feature, levelsOf, type Marked, markersOf, onFloor, partedAt, pickedAt, sayView, spotOf, standsAt, viewOf } from './model.ts'

const square = (west: number, south: number, size: number) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
})
const feature = (id: string, more: Partial<Feature>): Feature =>
  ({ id, kind: 'building', code: null, name: id, levels: [], building_id: null, level_from: null, level_to: null, ...more }) as Feature
const frame = new Map<string, Feature>([
  ['a', feature('a', { centre: { lon: 1, lat: 2 }, geometry: square(0, 1, 2) })],
  ['z', feature('z', { kind: 'zone', building_id: 'a', level_from: 2, level_to: 4, centre: { lon: 1.5, lat: 2.5 } })],
])
const permit = (id: string, more: Partial<Marked> = {}): Marked => ({
  id,
  place: { building_id: 'a' },
  start_at: '2026-03-16T08:00:00.000Z',
  end_at: '2026-03-16T12:00:00.000Z',
  status: 'issued',
  standing: 'issued',
  mine: false,
  ...more,
})
const at = (time: string) => Date.parse(`2026-03-16T${time}:00.000Z`)

describe('the map: where a permit is', () => {
  test('a permit’s own point takes precedence over its shape, the shape over the zone, the zone over the building', () => {
    assert.deepEqual(spotOf({ point: { lon: 5, lat: 6 }, zone_id: 'z', building_id: 'a' }, frame), [5, 6])
    assert.deepEqual(spotOf({ polygon: square(0, 0, 2), zone_id: 'z' }, frame), [1, 1])
    assert.deepEqual(spotOf({ zone_id: 'z', building_id: 'a' }, frame), [1.5, 2.5])
    assert.deepEqual(spotOf({ building_id: 'a' }, frame), [1, 2])
    assert.equal(spotOf({ building_id: 'gone' }, frame), null)
    assert.equal(spotOf(null, frame), null)
  })

  test('at one position there is a marker for each status, in a row around it, expired first', () => {
    const markers = markersOf(
      [permit('1'), permit('2', { standing: 'expired' }), permit('3', { mine: true }), permit('4', { place: null })],
      frame,
    )
    assert.deepEqual(
      markers.map(({ standing, ids, slot, mine }) => ({ standing, ids, slot, mine })),
      [
        { standing: 'expired', ids: ['2'], slot: -1, mine: false },
        { standing: 'issued', ids: ['1', '3'], slot: 1, mine: true },
      ],
    )
  })

  test('9.27 where markers would overlap, one marker represents all of them until there is room; no number is drawn over another', () => {
    const near = (id: string, lon: number, standing: Standing): Marked => permit(id, { place: { point: { lon, lat: 0 } }, standing })
    const alone = markersOf([near('1', 0, 'issued'), near('2', 0, 'expired')], frame)
    assert.deepEqual(
      alone.map(({ from, ids }) => ({ from, ids })),
      [
        { from: 0, ids: ['2'] },
        { from: 0, ids: ['1'] },
      ],
      'nothing is near: the row is shown at every zoom',
    )
    const both = markersOf([near('1', 0, 'issued'), near('2', 0, 'expired'), near('3', 0.0002, 'issued')], frame)
    // A row of two and a single marker need 42 px; 0.0002 degrees are 37 px at zoom 17 and 74 at 18.
    assert.deepEqual(
      both.map(({ ids, from, to, slot, says }) => ({ ids, from, to: to === 30 ? 'all' : to, slot, says })),
      [
        { ids: ['2'], from: 18, to: 'all', slot: -1, says: '' },
        { ids: ['1'], from: 18, to: 'all', slot: 1, says: '' },
        { ids: ['3'], from: 18, to: 'all', slot: 0, says: '' },
        { ids: ['2', '1', '3'], from: 0, to: 18, slot: 0, says: '3' },
      ],
    )
    assert.deepEqual(pickedAt(both, '1'), { spot: [0, 0], ids: ['1', '2'] })
    assert.equal(pickedAt(both, 'gone'), null)
  })

  test('9.27 a tapped marker of several positions is split where each has room, and a marker of one position opens', () => {
    const near = markersOf(
      [permit('1', { place: { point: { lon: 0, lat: 0 } } }), permit('2', { place: { point: { lon: 0.0002, lat: 0 } } })],
      frame,
    )
    const joined = near.find(marker => marker.together && marker.ids.length === 2)
    assert.ok(joined !== undefined)
    const view = partedAt(near, joined)
    assert.deepEqual(view?.spot, [0.0001, 0])
    // At that zoom, no marker combines the two.
    assert.deepEqual(
      near.filter(marker => marker.from <= (view?.zoom ?? 0) && (view?.zoom ?? 0) < marker.to).map(marker => marker.ids),
      [['1'], ['2']],
    )
    for (const marker of near.filter(one => !one.together)) assert.equal(partedAt(near, marker), null)
  })

  test('a level shows what is on it, what is on every level, and nothing from other buildings', () => {
    const floor = { building: 'a', level: 3 }
    assert.equal(onFloor('a', levelsOf({ zone_id: 'z', building_id: 'a' }, frame), floor), true)
    assert.equal(onFloor('a', [5, 5], floor), false)
    assert.equal(onFloor('a', null, floor), true)
    assert.equal(onFloor('b', [3, 3], floor), false)
    assert.equal(onFloor('a', [5, 5], { building: 'a', level: null }), true)
    assert.equal(onFloor('b', [5, 5], null), true)
  })
})

describe('the map: which permits are open at an instant', () => {
  test('the window of a permit includes its start and not its end', () => {
    assert.equal(standsAt(permit('1', { status: 'approved' }), at('08:00'), false), true)
    assert.equal(standsAt(permit('1', { status: 'approved' }), at('12:00'), false), false)
    assert.equal(standsAt(permit('1', { start_at: null, end_at: null, status: 'draft' }), at('09:00'), false), false)
  })

  test('live and expired permits stay until they are closed out; closed, rejected and withdrawn ones are not shown', () => {
    assert.equal(standsAt(permit('1', { status: 'expired' }), at('20:00'), false), true)
    for (const status of ['closed', 'withdrawn', 'rejected'] as const)
      assert.equal(standsAt(permit('1', { status }), at('09:00'), false), false)
  })

  test('what is still ahead is shown by its window', () => {
    assert.equal(standsAt(permit('1', { status: 'expired' }), at('20:00'), true), false)
    assert.equal(standsAt(permit('1', { status: 'issued' }), at('09:00'), true), true)
  })
})

describe('the map: the view in the URL', () => {
  test('a view is read back as it was written', () => {
    const said = sayView({ spot: [-0.12345, 51.5], zoom: 17.5 })
    assert.equal(said, '51.50000,-0.12345,17.5')
    assert.deepEqual(viewOf(said), { spot: [-0.12345, 51.5], zoom: 17.5 })
  })
  for (const bad of [undefined, '', '1,2', 'x,y,z', '95,0,3', '1,2,99']) test(`${bad} is not a view`, () => assert.equal(viewOf(bad), null))
})
