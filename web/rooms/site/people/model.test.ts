import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasDuties, wordsOf } from './model.ts'

describe('people and contractors', () => {
  test('a person has responsibilities when they issue, receive, or are notified in a role', () => {
    const none = { issues: [], nominee: false, deputy: false, receives: [] }
    assert.equal(hasDuties(none), false)
    for (const duty of [{ issues: [null] }, { nominee: true }, { deputy: true }, { receives: ['P-1'] }])
      assert.equal(hasDuties({ ...none, ...duty }), true)
  })

  test('words separated by commas are read without duplicates', () => {
    assert.deepEqual(wordsOf(' welding, , rigging,welding '), ['welding', 'rigging'])
  })
})
