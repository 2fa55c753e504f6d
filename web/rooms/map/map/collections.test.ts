import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anew, collection, diffOf, type Keep, keeper, shape, shapesAgain } from './collections.ts'

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

  test('§0.9 of thousands, only those that were selected, moved or removed are sent to the map again', () => {
    const things = Array.from({ length: 5000 }, (_, n) => ({ id: `t${n}`, x: n }))
    const again = shapesAgain<{ id: string; x: number }>()
    const all = (list: readonly { id: string; x: number }[], chosen: string | null) =>
      collection(
        list.flatMap(one =>
          again(one, [one.id === chosen], () => [
            shape({ type: 'Point', coordinates: [one.x, 0] }, { id: one.id, chosen: one.id === chosen }),
          ]),
        ),
      )
    const first = all(things, 't1')
    const selected = all(things, 't2')
    const said = diffOf('tokens', first, selected)
    assert.deepEqual([said?.remove, said?.add.map(one => one.properties.id)], [[], ['t1', 't2']])
    const moved = all(
      things.map(one => (one.id === 't2' ? { ...one, x: 9 } : one)),
      't2',
    )
    assert.deepEqual(
      diffOf('tokens', selected, moved)?.add.map(one => one.geometry.coordinates),
      [[9, 0]],
    )
    assert.deepEqual(diffOf('tokens', selected, all(things.slice(1), 't2')), { remove: ['t0'], add: [] })
    assert.equal(diffOf('tokens', all(things.slice(0, 10), null), all(things, null)), null, 'many are read as a whole')
    assert.equal(diffOf('zones', first, selected), null, 'the features of other sources aren’t compared')
    assert.equal(diffOf('tokens', undefined, selected), null)
  })
})
