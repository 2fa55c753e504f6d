import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refused } from './errors.ts'
import { numberIn, positionIn, slice, writeCursor } from './paging.ts'

const rows = (letters: string) => [...letters].map(id => ({ id }))
const ids = (page: { rows: { id: string }[] }) => page.rows.map(({ id }) => id).join('')

describe('pages of a list that is made as a whole (conventions §1, Lists)', () => {
  const first = slice(rows('abcdef'), positionIn(undefined), 2)

  test('conventions §1 Lists: the next page begins after the last row, although rows were added or removed meanwhile', () => {
    assert.equal(ids(first), 'ab')
    const next = (letters: string) => ids(slice(rows(letters), positionIn(first.next), 2))
    assert.equal(next('abcdef'), 'cd')
    assert.equal(next('xyabcdef'), 'cd', 'two were added before it')
    assert.equal(next('bcdef'), 'cd', 'one before it was removed')
    assert.equal(next('acdef'), 'cd', 'it was removed itself')
  })

  test('conventions §1 Lists: the last page has no next one, and a list that goes on has one', () => {
    assert.equal(slice(rows('ab'), positionIn(undefined), 2).next, null)
    assert.equal(slice(rows('ab'), positionIn(undefined), 2, true).next, first.next)
    assert.equal(slice(rows(''), positionIn(first.next), 2, true).next, null, 'an empty page is the last')
  })

  test('conventions §1 Lists: a cursor of a list with numbered rows is a whole number; one of another list is refused', () => {
    assert.equal(numberIn(undefined), undefined)
    assert.equal(numberIn(writeCursor([12])), 12)
    for (const cursor of ['nonsense', writeCursor([-1]), writeCursor([1.5]), writeCursor(['1']), writeCursor([null]), writeCursor([1, 2])])
      assert.throws(() => numberIn(cursor), Refused, cursor)
  })

  test('conventions §1 Lists: a cursor of another list is refused', () => {
    for (const cursor of [
      'nonsense',
      writeCursor([1]),
      writeCursor([-1, 'a']),
      writeCursor([1.5, 'a']),
      writeCursor(['1', 'a']),
      writeCursor([1, 2]),
    ])
      assert.throws(() => positionIn(cursor), Refused, cursor)
  })
})
