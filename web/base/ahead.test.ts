import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFree } from './ahead.ts'

describe('fetching ahead', () => {
  test('parts of the app are fetched in advance only on a connection that is known to be free', () => {
    assert.equal(isFree({ type: 'wifi', saveData: false }), true)
    assert.equal(isFree({ type: 'ethernet' }), true)
    for (const connection of [undefined, {}, { type: 'cellular' }, { type: 'unknown' }, { type: 'wifi', saveData: true }])
      assert.equal(isFree(connection), false, JSON.stringify(connection))
  })
})
