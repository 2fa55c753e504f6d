import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { POI_KINDS, signOf } from '../../../../server/rooms/map/points-of-interest/domain.ts'
import { SIGNS } from './signs.ts'

describe('the signs of points', () => {
  test('§5 each kind has a sign of its own, green to help people and red to fight fire, as ISO 7010 has it', () => {
    assert.deepEqual(Object.keys(SIGNS).toSorted(), [...POI_KINDS].toSorted())
    for (const [kind, { hue }] of Object.entries(SIGNS)) {
      const sign = signOf(kind)
      if (sign !== null) assert.equal(hue, sign.startsWith('E') ? 'safe' : 'stop', kind)
    }
    const looks = Object.values(SIGNS).map(({ hue, paths, says }) => JSON.stringify([hue, paths, says]))
    assert.equal(new Set(looks).size, looks.length)
  })
})
