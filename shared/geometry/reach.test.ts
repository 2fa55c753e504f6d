import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { areaOf, holds, planeAt } from './plane.ts'
import { discAround, rectangleAround, sectorAround } from './reach.ts'

const PLACES = [
  { lon: -2.1, lat: 57.15 },
  { lon: -3.7, lat: 40.4 },
  { lon: 103.8, lat: 1.3 },
]

describe('shapes around a point', () => {
  test('map §4 a disc of 10 m is 314 ± 2 m² in Aberdeen, in Madrid and in Singapore; a sector from 0 to 90 is a quarter of it', () => {
    for (const centre of PLACES) {
      assert.ok(Math.abs(areaOf(discAround(centre, 10)) - 314.159) < 0.1, `${areaOf(discAround(centre, 10))}`)
      assert.ok(Math.abs(areaOf(sectorAround(centre, 10, 0, 90)) - 78.54) < 0.1)
      assert.ok(Math.abs(areaOf(sectorAround(centre, 10, 350, 20)) - 26.18) < 0.1)
      assert.ok(Math.abs(areaOf(sectorAround(centre, 10, 90, 90)) - 314.159) < 0.1)
    }
  })

  test('map §4 bearings are clockwise from north, for the sector and for the direction of a machine', () => {
    const [centre] = PLACES
    assert.ok(centre)
    const plane = planeAt(centre)
    const at = (east: number, north: number) => {
      const [lon, lat] = plane.degrees([east, north])
      return { lon, lat }
    }
    const east = sectorAround(centre, 20, 45, 135)
    assert.deepEqual([holds(east, at(15, 0)), holds(east, at(-15, 0)), holds(east, at(0, 15))], [true, false, false])
    const long = rectangleAround(centre, 10, 2, 90)
    assert.deepEqual([holds(long, at(4.9, 0)), holds(long, at(0, 4.9))], [true, false])
    assert.ok(Math.abs(areaOf(long) - 20) < 0.001)
  })
})
