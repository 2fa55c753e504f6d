import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MOST_PINS, pinsIn, withPin } from './pins.ts'

describe('what a person has pinned', () => {
  test('§18 star to pin: what is pinned comes last, once, and can be unpinned', () => {
    assert.deepEqual(withPin(['a'], 'b', true), ['a', 'b'])
    assert.deepEqual(withPin(['a', 'b'], 'a', true), ['b', 'a'])
    assert.deepEqual(withPin(['a', 'b'], 'a', false), ['b'])
    assert.deepEqual(withPin(['a'], 'b', false), ['a'])
  })

  test('§18 star to pin: beyond the most that can be pinned, the first is unpinned', () => {
    const full = Array.from({ length: MOST_PINS }, (_, n) => String(n))
    assert.deepEqual(withPin(full, 'new', true), [...full.slice(1), 'new'])
  })

  test('§18 star to pin: what can’t be read is ignored', () => {
    assert.deepEqual(pinsIn(null), [])
    assert.deepEqual(pinsIn('{'), [])
    assert.deepEqual(pinsIn('{"a": 1}'), [])
    assert.deepEqual(pinsIn('["a", 1, "b", "a"]'), ['a', 'b'])
  })
})
