import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boxOf } from './box.ts'

describe('boxes in a query', () => {
  test('map.md §0.3 a box is four decimal numbers, the south-western corner first', () => {
    assert.deepEqual(boxOf('-0.09,51.50,-0.08,51.51'), [-0.09, 51.5, -0.08, 51.51])
    assert.deepEqual(boxOf(' -1e-7, .5 ,+1.,1E1'), [-1e-7, 0.5, 1, 10])
    for (const text of ['', '1,2,3', '1,2,3,4,5', '3,2,1,4', '1,4,3,2', '1,,3,4', 'a,2,3,4', '0x1,2,3,4', '1e999,2,3,4', 'Infinity,2,3,4'])
      assert.equal(boxOf(text), null, text)
  })
})
