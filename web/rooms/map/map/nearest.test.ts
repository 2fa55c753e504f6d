import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Feature } from './model.ts'
import { nearestOf, nearestOfEach, type Work, workAt } from './nearest.ts'
import type { Poi } from './signs.ts'

const LAT = 51.5079
/** A point this many hundred-thousandths of a degree east of the work. */
const point = (name: string, east: number, more: Partial<Poi['place']> = {}, poi_kind: Poi['poi_kind'] = 'first_aid') =>
  ({ name, poi_kind, place: { point: { lon: east * 1e-5, lat: LAT }, ...more } }) as Poi // only what is read

const work = (building: string | null, levels: Work['levels']): Work => ({ spot: [0, LAT], building, levels })

describe('the nearest help', () => {
  const points = [
    point('Outdoors', 50),
    point('Same level', 20, { building_id: 'a', level_index: 3 }),
    point('Other level', 1, { building_id: 'a', level_index: 0 }),
    point('Other building', 5, { building_id: 'b', level_index: 3 }),
    point('Fire', 1, {}, 'fire_point'),
  ]

  test('§5 it is on the same level of the building, or outdoors; from outdoors, it is on any level', () => {
    assert.equal(nearestOf('first_aid', points, work('a', [3, 3]))?.point.name, 'Same level')
    assert.equal(nearestOf('first_aid', points, work('a', [2, 4]))?.point.name, 'Same level')
    assert.equal(nearestOf('first_aid', points, work('a', [5, 5]))?.point.name, 'Outdoors')
    assert.equal(nearestOf('first_aid', points, work('a', null))?.point.name, 'Other level')
    assert.equal(nearestOf('first_aid', points, work(null, null))?.point.name, 'Other level')
  })

  test('§5 it is the nearest of its kind by distance on the ground; null if there is none', () => {
    const fire = nearestOf('fire_point', points, work('a', [3, 3]))
    assert.ok(fire !== null && Math.abs(fire.metres - 0.694) < 0.01, `${fire?.metres}`)
    assert.equal(nearestOf('assembly_point', points, work(null, null)), null)
  })

  test('§5 of every kind the nearest is listed: first aid, fire point and assembly point first, even if there are none; then what else helps; facilities apart', () => {
    const all = [
      ...points.map(one => ({ ...one, emergency: true })),
      { ...point('AED 2', 30, {}, 'aed'), emergency: true },
      { ...point('AED 1', 4, {}, 'aed'), emergency: true },
      { ...point('Hydrant', 3, {}, 'hydrant'), emergency: true },
      { ...point('Deep eyewash', 3, { building_id: 'a', level_index: -1 }, 'eyewash'), emergency: true },
      { ...point('Toilets', 9, {}, 'toilets'), emergency: false },
      { ...point('Water', 8, {}, 'drinking_water'), emergency: false },
    ]
    const { emergency, facilities } = nearestOfEach(all, work('a', [3, 3]))
    const said = (rows: typeof emergency) => rows.map(({ kind, found }) => [kind, found?.point.name ?? null])
    assert.deepEqual(said(emergency), [
      ['first_aid', 'Same level'],
      ['fire_point', 'Fire'],
      ['assembly_point', null],
      ['hydrant', 'Hydrant'],
      ['aed', 'AED 1'],
    ])
    assert.deepEqual(said(facilities), [
      ['drinking_water', 'Water'],
      ['toilets', 'Toilets'],
    ])
  })

  test('§5 a person is in the building around them, and on the level of it that the map shows; otherwise on any', () => {
    const ring = (east: number) => [
      [east - 1e-4, LAT - 1e-4],
      [east + 1e-4, LAT - 1e-4],
      [east + 1e-4, LAT + 1e-4],
      [east - 1e-4, LAT + 1e-4],
      [east - 1e-4, LAT - 1e-4],
    ]
    const building = (id: string, east: number) =>
      [id, { id, kind: 'building', geometry: { type: 'Polygon', coordinates: [ring(east)] } } as unknown as Feature] as const // only what is read
    const frame = new Map([building('a', 0), building('b', 0.01)])
    assert.deepEqual(workAt([0, LAT], frame, null), { spot: [0, LAT], building: 'a', levels: null })
    assert.deepEqual(workAt([0, LAT], frame, { building: 'a', level: 3 }).levels, [3, 3])
    assert.deepEqual(workAt([0, LAT], frame, { building: 'b', level: 3 }), { spot: [0, LAT], building: 'a', levels: null })
    assert.deepEqual(workAt([0.005, LAT], frame, { building: 'a', level: 3 }), { spot: [0.005, LAT], building: null, levels: null })
  })
})
