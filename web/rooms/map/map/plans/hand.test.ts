import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apply, type Matrix, multiply } from '../../../../../shared/calibration/algebra.ts'
import { lonLat, metresBetween, planeAt } from '../../../../../shared/geometry/plane.ts'
import type { Spot } from '../model.ts'
import {
  groundOfPixels,
  handlesOf,
  isOn,
  type Lying,
  lyingOf,
  movedAs,
  pinched,
  placementOf,
  scaledBy,
  scaledTo,
  turnedBy,
  turnedTo,
  turnSaid,
} from './hand.ts'
import { cornersOn } from './pairs.ts'

const HERE: Spot = [-0.0877, 51.5079]
const SIZE = { width: 600, height: 400 }
const START: Lying = { middle: HERE, turn: 0, pixel_m: 0.1 }
const { degrees } = planeAt(lonLat(HERE))
const at = (east: number, north: number): Spot => degrees([east, north])
const near = (a: Spot, b: Spot, metres = 0.001) => {
  const off = metresBetween(lonLat(a), lonLat(b))
  assert.ok(off < metres, `${off} m`)
}
const PICTURE: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]
const SHEET: Matrix = [
  [2, 0, -100],
  [0, -2, 900],
  [0, 0, 1],
]

describe('§8 a plan that is placed by hand', () => {
  test('§8 its middle, turn and size say where its corners are, with the upper edge to the north at first', () => {
    const [a, b, c] = cornersOn(SIZE, groundOfPixels(SIZE, START))
    near(a, at(-30, 20))
    near(b, at(30, 20))
    near(c, at(30, -20))
    const [east] = cornersOn(SIZE, groundOfPixels(SIZE, turnedBy(START, 90)))
    near(east, at(20, 30))
  })

  test('§8 a placement that was read and saved again is the same, for a picture and for a drawing in its own units', () => {
    for (const sheet of [PICTURE, SHEET]) {
      const lying = { middle: at(5, 7), turn: 33, pixel_m: 0.04 }
      const { matrix, origin } = groundOfPixels(SIZE, lying)
      const read = lyingOf(SIZE, { matrix: multiply(matrix, sheet), origin, rotation_deg: 33, ground_resolution_m: 0.04 }, sheet)
      near(read.middle, lying.middle)
      assert.deepEqual([read.turn, read.pixel_m], [33, 0.04])
      const given = placementOf(SIZE, read, { sheet, pixel_m: 0.0004 })
      assert.deepEqual([given.mode, given.rotation_deg], ['affine', 33])
      assert.ok(Math.abs(given.scale - 100) < 1e-9, `1:${given.scale}`)
      assert.deepEqual(apply(sheet, [given.anchor_sheet.x, given.anchor_sheet.y]), [300, 200])
    }
  })

  test('§8 it moves as the pointer does, turns and scales about its middle, and stays within what the service accepts', () => {
    near(movedAs(START, at(10, 10), at(13, 6)).middle, at(3, -4))
    assert.equal(turnedBy(START, -10).turn, 350)
    assert.deepEqual([turnSaid({ ...START, turn: 359.9999 }), turnSaid({ ...START, turn: 12.346 })], [0, 12.35])
    assert.equal(turnedTo(START, at(10, 10)).turn.toFixed(3), '45.000')
    const { corner, above } = handlesOf(SIZE, START)
    near(corner, at(30, -20))
    near(above, at(0, 27.2))
    assert.equal(scaledTo(SIZE, START, at(60, -40)).pixel_m.toFixed(6), '0.200000')
    assert.deepEqual([scaledBy(START, 1e6).pixel_m, scaledBy(START, 1e-6).pixel_m], [10, 0.0005])
  })

  test('§8 what is below two fingers stays below them', () => {
    const [p, q] = [at(10, 5), at(-20, 8)]
    const [to_p, to_q] = [at(3, -6), at(9, 50)]
    const after = pinched(START, [p, q], [to_p, to_q])
    /** Where the pixel that was at a place is afterwards. */
    const follows = (spot: Spot) => {
      const [east, north] = planeAt(lonLat(HERE)).metres([...spot])
      const pixel = [300 + east / 0.1, 200 - north / 0.1] as const
      const { matrix, origin } = groundOfPixels(SIZE, after)
      return planeAt(origin).degrees(apply(matrix, pixel))
    }
    near(follows(p), to_p, 0.01)
    near(follows(q), to_q, 0.01)
    assert.deepEqual(pinched(START, [p, p], [p, q]), START)
  })

  test('§8 only a press on the picture moves it; one next to it moves the map', () => {
    assert.equal(isOn(SIZE, START, at(29, 19)), true)
    assert.equal(isOn(SIZE, START, at(29, 21)), false)
    assert.equal(isOn(SIZE, turnedBy(START, 90), at(19, 29)), true)
  })
})
