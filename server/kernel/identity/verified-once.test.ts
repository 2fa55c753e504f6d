import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR, later, MINUTE } from '../../../shared/time.ts'
import { MONDAY, useHouse } from '../../../tests/world.ts'
import { mintToken } from './door.ts'

describe('tokens of the built-in provider', () => {
  const house = useHouse()

  test('11.4 the signature of a token is verified once, however long the token is used, and the token still ends in time', async t => {
    house.clock(MONDAY)
    const ends = { seconds: (2 * HOUR) / 1000 }
    const says = { subject: 'vera', name: 'Vera Verified', email: 'vera@people.test', email_verified: true }
    const vera = house.withToken(await mintToken(house.house, says, ends))
    const { mock } = t.mock.method(crypto.subtle, 'verify')
    for (const passed of [0, 6 * MINUTE, HOUR, 2 * HOUR]) {
      house.clock(later(MONDAY, passed))
      assert.equal((await vera.get('/auth/me')).status, 200)
    }
    assert.equal(mock.callCount(), 1)
    house.clock(later(MONDAY, 2 * HOUR + 2 * MINUTE))
    const ended = await vera.get('/auth/me')
    assert.deepEqual([ended.status, ended.body.error.reason], [401, 'expired'])
  })
})
