import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nearestOf, type Work } from './nearest.ts'
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
    assert.equal(nearestOf('first_aid', points, work('a', [3, 3]))?.name, 'Same level')
    assert.equal(nearestOf('first_aid', points, work('a', [2, 4]))?.name, 'Same level')
    assert.equal(nearestOf('first_aid', points, work('a', [5, 5]))?.name, 'Outdoors')
    assert.equal(nearestOf('first_aid', points, work('a', null))?.name, 'Other level')
    assert.equal(nearestOf('first_aid', points, work(null, null))?.name, 'Other level')
  })

  test('§5 it is the nearest of its kind by distance on the ground; null if there is none', () => {
    const fire = nearestOf('fire_point', points, work('a', [3, 3]))
    assert.ok(fire !== null && Math.abs(fire.metres - 0.694) < 0.01, `${fire?.metres}`)
    assert.equal(nearestOf('assembly_point', points, work(null, null)), null)
  })
})
