import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { branchesOf, hasDuties, wordsOf } from './model.ts'

describe('people and contractors', () => {
  test('a person has responsibilities when they issue, receive, or are notified in a role', () => {
    const none = { issues: [], nominee: false, deputy: false, receives: [], resolves: 0 }
    assert.equal(hasDuties(none), false)
    for (const duty of [{ issues: [null] }, { nominee: true }, { deputy: true }, { receives: ['P-1'] }, { resolves: 1 }])
      assert.equal(hasDuties({ ...none, ...duty }), true)
  })

  test('words separated by commas are read without duplicates', () => {
    assert.deepEqual(wordsOf(' welding, , rigging,welding '), ['welding', 'rigging'])
  })

  test('§6 oversight is a tree from those that nobody oversees; what was listed further up is listed once', () => {
    const pair = (over: string, under: string) => ({
      overseer_id: over,
      overseer_name: over,
      subordinate_id: under,
      subordinate_name: under,
    })
    const said = (all: ReturnType<typeof branchesOf>): string[] =>
      all.flatMap(({ name, again, under }) => [again ? `${name}, see above` : name, ...said(under).map(line => `- ${line}`)])
    assert.deepEqual(said(branchesOf([])), [])
    const pairs = [pair('Acme', 'Birch'), pair('Acme', 'Cedar'), pair('Birch', 'Dogwood'), pair('Yonder', 'Birch')]
    assert.deepEqual(said(branchesOf(pairs)), ['Acme', '- Birch', '- - Dogwood', '- Cedar', 'Yonder', '- Birch, see above'])
  })
})
