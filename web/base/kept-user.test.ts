import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keptOf, userKey } from './kept-user.ts'

describe('the signed-in person stored on the device', () => {
  test('the person is read as the library stores them', () => {
    const kept = { access_token: 'a', expires_at: 5, id_token: 'i', profile: { sub: 's' }, refresh_token: 'r' }
    assert.deepEqual(keptOf(JSON.stringify(kept)), kept)
    assert.equal(userKey({ issuer: 'https://id.example', client_id: 'walkdown-web' }), 'walkdown.user.user:https://id.example:walkdown-web')
  })

  test('if nothing is stored, or nothing that can be read, nobody is signed in', () => {
    for (const text of [
      null,
      '',
      '{',
      'null',
      '7',
      '{}',
      '{"access_token":"a","expires_at":5}',
      '{"access_token":"a","profile":{"sub":"s"}}',
    ])
      assert.equal(keptOf(text), null, String(text))
  })
})
