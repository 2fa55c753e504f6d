import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { merged } from './merged.ts'

describe('what was typed while the device had no key', () => {
  test('844 a draft has the newest text of each field, and loses none', () => {
    const older = { name: 'p', id: 'p', made: null, at: 1, refused: 'no', fields: { a: 1, b: 1 }, unsent: { a: 1 } }
    const newer = { name: 'p', id: null, made: null, at: 2, refused: null, fields: { b: 2 }, unsent: { b: 2 } }
    assert.deepEqual(merged(older, newer), {
      name: 'p',
      id: 'p',
      made: null,
      at: 2,
      refused: null,
      fields: { a: 1, b: 2 },
      unsent: { a: 1, b: 2 },
    })
  })

  test('844 the first body of a draft that may have arrived keeps its key', () => {
    const made = { key: 'k', body: {} }
    assert.deepEqual(merged({ made, id: null, unsent: {} }, { made: null, id: null, unsent: {} }), { made, id: null, unsent: {} })
  })

  test('844 of anything else the newer one counts', () => {
    assert.deepEqual(merged({ who: 'a', data: [1, 2] }, { who: 'a', data: [3] }), { who: 'a', data: [3] })
    assert.equal(merged(undefined, 5), 5)
    assert.deepEqual(merged('text', { a: 1 }), { a: 1 })
  })
})
