import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schemas } from '../../../base/api.ts'
import { type Frame, placeName, placeText } from '../../../base/place-name.ts'
import { columnsOf } from './model.ts'

const frame: Frame = [
  { id: 'tower', code: 'T', name: 'Tower', building_id: null, levels: [{ index: 1, name: 'Level 1' }] },
  { id: 'shaft', code: null, name: 'Lift shaft', building_id: 'tower', levels: [] },
  { id: 'yard', code: 'Y', name: null, building_id: null, levels: [] },
] as unknown as Frame // only the fields that names are made of

describe('9.24 the name of a permit’s place', () => {
  test('9.24 building, level and zone name a place; without them, its location in words; null only without any place', () => {
    const at = (place: Schemas['Place'] | null, location: string | null = null) => placeName({ place, location }, frame)
    assert.equal(at({ building_id: 'tower' }), 'Tower')
    assert.equal(at({ building_id: 'tower', level_index: 1 }, 'Stair 3'), 'Tower, Level 1')
    assert.equal(at({ building_id: 'tower', level_index: 7 }), 'Tower, Level 7')
    assert.equal(at({ zone_id: 'shaft' }), 'Tower, Lift shaft', 'a zone names its building')
    assert.equal(at({ zone_id: 'yard' }), 'Y')
    assert.equal(at(null, 'Stair 3'), 'Stair 3')
    assert.equal(at({ building_id: 'gone' }, 'Stair 3'), 'Stair 3')
    assert.equal(at({ building_id: 'gone' }), 'Marked on the map')
    assert.equal(at({ point: { lon: 0, lat: 51 } }), 'Marked on the map')
    assert.equal(at({ building_id: null, level_index: null, zone_id: null }), null)
    assert.equal(at(null), null)
    assert.equal(placeName({ place: { building_id: 'tower' }, location: 'Stair 3' }, undefined), 'Stair 3', 'while the frame is loading')
  })

  test('9.24 screens show the location in words after the name', () => {
    assert.equal(placeText({ place: { building_id: 'tower' }, location: 'Stair 3' }, frame), 'Tower · Stair 3')
    assert.equal(placeText({ place: null, location: 'Stair 3' }, frame), 'Stair 3')
    assert.equal(placeText({ place: { building_id: 'tower' }, location: null }, frame), 'Tower')
    assert.equal(placeText({ place: null, location: null }, frame), null)
  })

  test('9.24 the columns by place have these names', () => {
    const card = (id: string, place: Schemas['Place'] | null, location: string | null) =>
      ({ id, place, location, status: 'requested', start_at: null, end_at: null }) as unknown as Schemas['PermitCard'] // only what grouping reads
    const rows = [card('a', { building_id: 'tower', level_index: 1 }, null), card('b', null, 'Roof'), card('c', null, null)]
    assert.deepEqual(
      columnsOf(
        rows,
        0,
        'place',
        () => null,
        one => placeName(one, frame),
      ).map(column => column.name),
      ['Roof', 'Tower, Level 1', null],
    )
  })
})
