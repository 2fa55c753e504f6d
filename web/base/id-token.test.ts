import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isForUs } from './id-token.ts'

describe('the audience of an ID token', () => {
  test('the audience must be this app; if there are several, this app must be the authorised party', () => {
    assert.equal(isForUs({ aud: 'walkdown' }, 'walkdown'), true)
    assert.equal(isForUs({ aud: ['walkdown'] }, 'walkdown'), true)
    assert.equal(isForUs({ aud: ['walkdown', 'https://api'], azp: 'walkdown' }, 'walkdown'), true)
    for (const claims of [
      {},
      { aud: 'other' },
      { aud: [] },
      { aud: 'walkdown-2' },
      { aud: ['walkdown', 'other'] },
      { aud: ['walkdown', 'other'], azp: 'other' },
      { aud: 'walkdown', azp: 'other' },
    ])
      assert.equal(isForUs(claims, 'walkdown'), false, JSON.stringify(claims))
  })
})
