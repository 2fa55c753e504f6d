import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  betweenShapes,
  clashesInOrder,
  clashesShown,
  clashOf,
  clashShapes,
  countsOf,
  isSettled,
  lineOf,
  type MapClash,
  settlingOf,
  signSide,
} from './clashes.ts'

const side = (id: string | null): MapClash['a'] => ({
  kind: 'permit',
  id,
  label: id,
  title: null,
  contractor_id: null,
  lineage_id: id,
  basis: id === null ? null : 'own',
  types: ['HW'],
  hidden: id === null,
  planned_later: false,
})
const clash = (id: string, more: Partial<MapClash> = {}): MapClash => ({
  id,
  episode_id: `episode of ${id}`,
  rule_id: 'rule',
  rule_name: 'Permits too close together',
  rule_version: 1,
  severity: 'amber',
  from_at: '2026-03-16T10:00:00.000Z',
  to_at: '2026-03-16T12:00:00.000Z',
  status: 'upcoming',
  a: side(`${id} a`),
  b: side(`${id} b`),
  distance_m: 6,
  level_gap: 0,
  nearest: [
    { lon: 0, lat: 51 },
    { lon: 0.0001, lat: 51 },
  ],
  reasons: [],
  place: { building_id: 'tower', level_index: 1, zone_id: null },
  stance: null,
  due_at: null,
  detected_at: '2026-03-16T09:00:00.000Z',
  ...more,
})
const ids = (clashes: readonly MapClash[]) => clashes.map(one => one.id)

describe('clashes on the map', () => {
  test('§4 on a floor, a clash is shown if one of its sides is there, or if it was found there', () => {
    const here = clash('here')
    const below = clash('below', { place: { building_id: 'tower', level_index: 0, zone_id: null } })
    const shaft = clash('shaft', { place: { building_id: 'tower', level_index: 0, zone_id: null } })
    const outdoors = clash('outdoors', { place: { building_id: null, level_index: null, zone_id: null } })
    const hidden = clash('hidden', { b: side(null), place: { building_id: null, level_index: null, zone_id: null } })
    const all = [here, below, shaft, outdoors, hidden]
    const floor = { building: 'tower', level: 1 }
    assert.deepEqual(ids(clashesShown(all, null, [])), ['here', 'below', 'shaft', 'outdoors', 'hidden'])
    assert.deepEqual(ids(clashesShown(all, floor, [[], [{ id: 'shaft b' }], []])), ['here', 'shaft', 'outdoors'])
    assert.deepEqual(ids(clashesShown([hidden], floor, [[{ id: 'hidden a' }]])), ['hidden'])
  })

  test('CL-8 a clash with a hidden side has neither line nor sign, and only its visible side is counted', () => {
    const hidden = clash('hidden', { b: side(null), nearest: null })
    assert.equal(lineOf(hidden), null)
    assert.deepEqual(clashShapes([hidden], 'hidden'), [])
    assert.deepEqual([...countsOf([hidden])], [['hidden a', { red: 0, amber: 1 }]])
  })

  test('§4 red clashes are drawn above amber ones, and the selected one above all, with a line and a sign', () => {
    const all = [clash('red', { severity: 'red' }), clash('amber'), clash('other', { distance_m: 2 })]
    const drawn = (chosen: string | null) =>
      clashShapes(all, chosen).flatMap(({ geometry, properties }) => (geometry.type === 'Point' ? properties.id : []))
    assert.deepEqual(drawn(null), ['amber', 'other', 'red'])
    assert.deepEqual(drawn('amber'), ['other', 'red', 'amber'])
    const [line, sign] = clashShapes([clash('one')], null)
    assert.deepEqual(line?.geometry, {
      type: 'LineString',
      coordinates: [
        [0, 51],
        [0.0001, 51],
      ],
    })
    assert.deepEqual(sign?.geometry, { type: 'Point', coordinates: [0.00005, 51] })
    assert.deepEqual(line?.properties, { id: 'one', severity: 'amber', chosen: false, settled: false, side: 'above' })
  })

  test('§4.5 a settled clash is drawn and listed below those that nobody has settled, in another way; one that someone resolves isn’t settled', () => {
    const all = [
      clash('accepted', { severity: 'red', stance: 'accepted' }),
      clash('none', { severity: 'red', stance: 'not_a_clash' }),
      clash('resolving', { stance: 'resolving' }),
      clash('open'),
    ]
    assert.deepEqual(all.map(isSettled), [true, true, false, false])
    assert.deepEqual(ids(clashesInOrder(all)), ['open', 'resolving', 'accepted', 'none'])
    const drawn = clashShapes(all, null).map(({ properties }) => [properties.id, properties.settled])
    assert.deepEqual(drawn.at(0), ['none', true])
    assert.deepEqual(drawn.at(-1), ['open', false])
    // A settled clash stays a clash: it is counted like any other.
    assert.equal(countsOf(all).get('accepted a')?.red, 1)
  })

  test('the sign is above a level line, and to the right of an upright one: it covers neither end', () => {
    const from = [0, 51] as const
    assert.equal(signSide([from, [0.001, 51.0001]]), 'above')
    assert.equal(signSide([from, [0.0001, 51.001]]), 'right')
    assert.equal(signSide([from, from]), 'above')
  })

  test('the list has red first, then the nearest, then the soonest', () => {
    const all = [
      clash('late', { from_at: '2026-03-16T11:00:00.000Z' }),
      clash('soon'),
      clash('near', { distance_m: 1 }),
      clash('red', { severity: 'red', distance_m: 9 }),
    ]
    assert.deepEqual(ids(clashesInOrder(all)), ['red', 'near', 'soon', 'late'])
  })

  test('a link to an episode selects its clash of that day', () => {
    const all = [clash('one'), clash('two')]
    assert.equal(clashOf(all, 'episode of two')?.id, 'two')
    assert.equal(clashOf(all, 'one')?.id, 'one')
    assert.equal(clashOf(all, null), undefined)
  })

  test('§4.7 a clash is to be settled while it is open, near, and nobody has settled it', () => {
    const now = Date.parse('2026-03-16T09:00:00.000Z')
    const open = { status: 'open', stance: null, next_at: '2026-03-17T09:00:00.000Z' } as const
    const stance = (kind: 'accepted' | 'resolving') => ({
      id: 'stance',
      episode_id: 'episode',
      kind,
      reason: '',
      controls: '',
      owner_user_id: null,
      owner_contractor_id: null,
      due_at: null,
      covers_until: null,
      accepted_severity: 'red' as const,
      accepted_distance_m: 6,
      set_at: '2026-03-16T08:00:00.000Z',
      set_by: null,
      lapsed_at: null,
      lapse_reason: null,
    })
    assert.equal(settlingOf(open, now, 14), 'open')
    assert.equal(settlingOf({ ...open, stance: stance('resolving') }, now, 14), 'open')
    assert.equal(settlingOf({ ...open, stance: stance('accepted') }, now, 14), 'settled')
    assert.equal(settlingOf({ ...open, next_at: '2026-04-16T09:00:00.000Z' }, now, 14), 'ahead')
    assert.equal(settlingOf({ ...open, status: 'ended', next_at: null }, now, 14), 'over')
  })

  test('§1 a small picture draws red lines above amber ones, and a line that repeats once, as the worse', () => {
    const spots: [number, number][] = [
      [0, 51],
      [0.001, 51],
      [0, 51.001],
    ]
    const line = (from: number, to: number, severity: 'red' | 'amber') => ({
      ...{ from: spots[from] ?? [0, 0], to: spots[to] ?? [0, 0], severity },
    })
    const drawn = betweenShapes([line(0, 1, 'red'), line(0, 2, 'amber'), line(0, 1, 'amber')])
    assert.deepEqual(
      drawn.filter(one => one.geometry.type === 'LineString').map(one => [one.properties.severity, one.geometry.coordinates[1]]),
      [
        ['amber', spots[2]],
        ['red', spots[1]],
      ],
    )
    const [last] = betweenShapes([line(0, 1, 'red'), { ...line(0, 2, 'amber'), key: 'mine' }], 'mine').toReversed()
    assert.deepEqual([last?.properties.severity, last?.properties.chosen], ['amber', true], 'the selected one is above all')
  })
})
