import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pauseBefore } from './redial.ts'

describe('opening the socket again', () => {
  test('the pause doubles up to twenty seconds, spread from a half to one and a half times', () => {
    assert.deepEqual([pauseBefore(0, 0.5, null), pauseBefore(3, 0.5, null), pauseBefore(60, 0.5, null)], [500, 4000, 20_000])
    assert.deepEqual([pauseBefore(0, 0, null), pauseBefore(0, 1, null)], [250, 750])
  })

  test('a service that ends says how long to wait, and the app waits exactly that long', () => {
    assert.deepEqual([pauseBefore(0, 0.9, 3_200), pauseBefore(5, 0.1, 0)], [3_200, 0])
  })
})
