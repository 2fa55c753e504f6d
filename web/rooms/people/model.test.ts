import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasDuties, narrowed, wordsOf } from './model.ts'

describe('people and firms', () => {
  test('every typed word must be somewhere in the row, in any order and case', () => {
    const rows = [
      { name: 'Rex Receiver', firm: 'Acme' },
      { name: 'Ivy Issuer', firm: null },
    ]
    const found = (typed: string) => narrowed(rows, typed, row => [row.name, row.firm]).map(row => row.name)
    assert.deepEqual(found('acme REX'), ['Rex Receiver'])
    assert.deepEqual(found('acme ivy'), [])
    assert.deepEqual(found('  '), ['Rex Receiver', 'Ivy Issuer'])
  })

  test('somebody is named for something when he issues, receives, or is told in a role', () => {
    const none = { issues: [], nominee: false, deputy: false, receives: [] }
    assert.equal(hasDuties(none), false)
    for (const duty of [{ issues: [null] }, { nominee: true }, { deputy: true }, { receives: ['P-1'] }])
      assert.equal(hasDuties({ ...none, ...duty }), true)
  })

  test('words between commas, each once', () => {
    assert.deepEqual(wordsOf(' welding, , rigging,welding '), ['welding', 'rigging'])
  })
})
