import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { patchedList } from './patching.ts'

type One = { id: string; start_at: string; version: number }
const one = (id: string, start_at = '2026-03-16T08:00:00.000Z', version = 1): One => ({ id, start_at, version })
const ids = (all: readonly One[]) => all.map(({ id }) => id)

describe('§0.9 what is on the map after a few things changed', () => {
  test('what was changed is replaced in its place, what came is put in order, and what has left is left out', () => {
    const [a, b, c] = [one('a'), one('b'), one('c')]
    const moved = one('b', b.start_at, 2)
    const patched = patchedList([a, b, c], ['b'], [moved])
    assert.deepEqual(patched, [a, moved, c])
    assert.ok(patched[0] === a && patched[2] === c, 'the others are the same objects')
    assert.deepEqual(ids(patchedList([a, c], ['b'], [b])), ['a', 'b', 'c'])
    assert.deepEqual(ids(patchedList([a, b, c], ['b'], [one('b', '2026-03-16T09:00:00.000Z', 2)])), ['a', 'c', 'b'])
    assert.deepEqual(ids(patchedList([a, b, c], ['a', 'c'], [])), ['b'])
  })

  test('a newer version that is already here stays', () => {
    const newer = one('a', undefined, 3)
    assert.deepEqual(patchedList([newer], ['a'], [one('a', undefined, 2)]), [newer])
  })

  test('it is what the whole list would be, whatever changed', () => {
    const list = fc.uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-f]{1,2}$/),
        start_at: fc.constantFrom('2026-03-16T08:00Z', '2026-03-16T09:00Z'),
        version: fc.nat(3),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    const inOrder = (all: readonly One[]) =>
      all.toSorted((a, b) => (a.start_at === b.start_at ? (a.id < b.id ? -1 : 1) : a.start_at < b.start_at ? -1 : 1))
    fc.assert(
      fc.property(list, list, fc.subarray(['a', 'b', 'c', 'd', 'e', 'f', 'aa', 'bb', 'cd']), (before, after, changed) => {
        // Only these differ, and none becomes older.
        const now = inOrder([
          ...before.filter(({ id }) => !changed.includes(id)),
          ...after.filter(({ id }) => changed.includes(id)).map(row => ({ ...row, version: 9 })),
        ])
        const fresh = now.filter(({ id }) => changed.includes(id))
        assert.deepEqual(patchedList(inOrder(before), changed, fresh), now)
      }),
    )
  })
})
