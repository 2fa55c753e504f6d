import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { handleAt, RING_PX, turnedBy, turnTo, wholeTurn } from './turning.ts'

const PLACE = { x: 200, y: 100 }

describe('the map: turning words', () => {
  test('§6 a label turns to where its handle is: above it is level, to its right a quarter clockwise', () => {
    assert.equal(turnTo(PLACE, { x: 200, y: 20 }), 0)
    assert.equal(turnTo(PLACE, { x: 280, y: 100 }), 90)
    assert.equal(turnTo(PLACE, { x: 120, y: 100 }), -90)
    assert.equal(turnTo(PLACE, { x: 200, y: 300 }), 180)
    for (const degrees of [-170, -90, -31, 0, 20, 100, 180]) assert.equal(turnTo(PLACE, handleAt(PLACE, degrees)), degrees)
    assert.equal(handleAt(PLACE, 0).y, PLACE.y - RING_PX)
  })

  test('§6 level, upright and the angles between them are taken within 3°', () => {
    assert.equal(turnTo(PLACE, handleAt(PLACE, 2.6)), 0)
    assert.equal(turnTo(PLACE, handleAt(PLACE, -2.6)), 0)
    assert.equal(turnTo(PLACE, handleAt(PLACE, 47)), 45)
    assert.equal(turnTo(PLACE, handleAt(PLACE, -178)), -180)
    assert.equal(turnTo(PLACE, handleAt(PLACE, 50)), 50)
  })

  test('§6 every angle is saved between −180 and 180, in whole degrees', () => {
    assert.deepEqual([181, -181, 360, 540, -0.2, 12.6].map(wholeTurn), [-179, 179, 0, 180, 0, 13])
  })

  test('§6 an arrow key turns by 1°, with Shift by 15°; other keys don’t turn', () => {
    assert.equal(turnedBy(0, 'ArrowRight', false), 1)
    assert.equal(turnedBy(0, 'ArrowDown', false), -1)
    assert.equal(turnedBy(170, 'ArrowUp', true), -175)
    assert.equal(turnedBy(5, 'ArrowLeft', true), -10)
    assert.equal(turnedBy(5, 'Enter', true), null)
  })
})
