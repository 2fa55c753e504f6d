import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anew, type Keep, keeper, shape } from './collections.ts'

describe('what the map reads again', () => {
  test('§0.9 only a source whose content has changed is made again', () => {
    let made = 0
    const all = (keep: Keep, zones: readonly number[], chosen: string | null) => ({
      zones: keep('zones', [zones, chosen], () => {
        made++
        return zones.map(n => shape({ type: 'Point', coordinates: [n, n] }, { chosen }))
      }),
      here: keep('here', [], () => []),
    })
    const keep = keeper()
    const zones = [1, 2]
    const first = all(keep, zones, null)
    assert.deepEqual([all(keep, zones, null).zones === first.zones, made], [true, 1])
    const chosen = all(keep, zones, 'a')
    assert.deepEqual([chosen.zones === first.zones, chosen.here === first.here, made], [false, true, 2])
    assert.deepEqual(
      chosen.zones.features.map(({ properties }) => properties.chosen),
      ['a', 'a'],
    )
    assert.equal(all(keep, [1, 2], 'a').zones === chosen.zones, false, 'another list is other content')
    const once = all(anew, zones, 'a')
    assert.notEqual(all(anew, zones, 'a').here, once.here, 'a map that is made once keeps nothing')
  })
})
