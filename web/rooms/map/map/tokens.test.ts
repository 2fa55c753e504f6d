import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ground } from './model.ts'
import { alarmOf, headcountOf, isRunning, reachOf, saysOf, type Token, tokenSpot, tokensInOrder } from './tokens.ts'

const POINT = { point: { lon: -0.0877, lat: 51.5079 } }
const base = { id: '1', name: 'Fixers', place: POINT, no_permit: false, off_place: false, permits: [] }
// The parts of a record that the map uses.
const gang = (more: object = {}) => ({ token: 'worker', ...base, headcount: 6, radius_m: 3, ...more }) as unknown as Token
const crane = (more: object = {}) =>
  ({
    token: 'plant',
    ...base,
    name: 'TC1',
    ...{ exclusion_radius_m: 41, working_radius_m: 40, slew_from_deg: null, slew_to_deg: null, length_m: 6, width_m: 3, bearing_deg: 0 },
    examination_state: 'in_date',
    ...more,
  }) as unknown as Token
const width = ({ coordinates }: Ground) => {
  const all = coordinates.flat(3).filter((_, i) => i % 2 === 0)
  return (Math.max(...all) - Math.min(...all)) * 69_300
}

describe('tokens on the map', () => {
  test('map §4 a machine takes up its exclusion zone, its working radius and its footprint; a gang its radius or its polygon', () => {
    assert.deepEqual(
      reachOf(crane()).map(({ part, ground }) => [part, Math.round(width(ground))]),
      [
        ['exclusion', 82],
        ['working', 80],
        ['footprint', 3],
      ],
    )
    assert.deepEqual(
      reachOf(crane({ slew_from_deg: 0, slew_to_deg: 90 })).map(({ ground }) => Math.round(width(ground))),
      [41, 40, 3],
    )
    assert.deepEqual(
      reachOf(crane({ exclusion_radius_m: 0, working_radius_m: null, length_m: null })).map(({ part }) => part),
      [],
    )
    assert.deepEqual(
      reachOf(gang()).map(({ part, ground }) => [part, Math.round(width(ground))]),
      [['area', 6]],
    )
    const polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 2],
          [0, 0],
        ],
      ],
    }
    assert.deepEqual(tokenSpot(gang({ place: { polygon } })), [1, 1])
    assert.deepEqual(reachOf(gang({ place: { polygon } }))[0]?.ground, polygon)
  })

  test('§2 what has started before this moment and isn’t over can be finished', () => {
    const [start_at, end_at] = ['2026-03-16T07:00:00.000Z', '2026-03-16T16:00:00.000Z']
    const at = (time: string, end: string | null = end_at) => isRunning({ start_at, end_at: end }, Date.parse(`2026-03-16T${time}:00.000Z`))
    assert.deepEqual(
      ['06:59', '07:00', '07:01', '15:59', '16:00'].map(time => at(time)),
      [false, false, true, true, false],
    )
    assert.equal(at('23:00', null), true)
  })

  test('an expired examination is worse than a missing permit, and what is wrong comes first in the list', () => {
    assert.deepEqual(
      [alarmOf(gang()), alarmOf(gang({ no_permit: true })), alarmOf(gang({ off_place: true }))],
      [null, 'no_permit', 'off_place'],
    )
    assert.equal(alarmOf(crane({ examination_state: 'expired', no_permit: true })), 'examination_expired')
    assert.deepEqual(
      tokensInOrder([crane(), gang({ name: 'B' }), gang({ name: 'A' }), crane({ name: 'X', no_permit: true })]).map(({ name }) => name),
      ['X', 'A', 'B', 'TC1'],
    )
    assert.deepEqual(
      [headcountOf([gang(), crane(), gang({ headcount: 1 })]), saysOf(gang()), saysOf(gang({ headcount: 1 }))],
      [7, 'Fixers · 6', 'Fixers'],
    )
  })
})
