import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { differences } from './form-changes.ts'

describe('what a form keeps', () => {
  test('694 a form keeps only fields that differ from what it started with, with the values that they had', () => {
    const start = { name: 'Late', from: '14:00', days: [1, 2], note: undefined }
    assert.deepEqual(differences(start, { ...start, note: '' }), { changed: {}, was: {} }, 'an empty field was not filled in')
    assert.deepEqual(differences(start, { ...start, days: [1], name: 'Night' }), {
      changed: { name: 'Night', days: [1] },
      was: { name: 'Late', days: [1, 2] },
    })
    assert.deepEqual(differences(start, { ...start, name: '' }).changed, { name: '' }, 'a deleted text is a change')
  })
})
