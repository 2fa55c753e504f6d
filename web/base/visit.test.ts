import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { visitAt } from './visit.ts'

const MINUTE = 60_000

describe('the last visit', () => {
  test('the last visit is the end of the previous one, and stays the same while a visit continues', () => {
    const first = visitAt(null, 0)
    assert.deepEqual(first, { seen: 0, last: null })
    assert.deepEqual(visitAt(first, 20 * MINUTE), { seen: 20 * MINUTE, last: null }, 'a reload is the same visit')
    const next = visitAt({ seen: 20 * MINUTE, last: null }, 60 * MINUTE)
    assert.deepEqual(next, { seen: 60 * MINUTE, last: 20 * MINUTE })
    assert.equal(visitAt(next, 70 * MINUTE).last, 20 * MINUTE)
  })
})
