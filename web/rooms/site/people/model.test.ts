import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasDuties, narrowed, wordsOf } from './model.ts'

describe('people and contractors', () => {
  test('every typed word must be somewhere in the row, in any order and in upper or lower case', () => {
    const rows = [
      { name: 'Rex Receiver', contractor: 'Acme' },
      { name: 'Ivy Issuer', contractor: null },
    ]
    const found = (typed: string) => narrowed(rows, typed, row => [row.name, row.contractor]).map(row => row.name)
    assert.deepEqual(found('acme REX'), ['Rex Receiver'])
    assert.deepEqual(found('acme ivy'), [])
    assert.deepEqual(found('  '), ['Rex Receiver', 'Ivy Issuer'])
  })

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
