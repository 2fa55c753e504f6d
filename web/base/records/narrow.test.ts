import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grouped, narrowed } from './narrow.ts'

describe('762 rows of a listing', () => {
  test('every typed word must be somewhere in the texts of a row', () => {
    const rows = [
      { name: 'Rex Receiver', firm: 'Acme' },
      { name: 'Ivy Issuer', firm: null },
    ]
    const texts = (row: (typeof rows)[number]) => [row.name, row.firm]
    assert.deepEqual(
      ['acme REX', 'ACME', 'ivy acme', '  '].map(typed => narrowed(rows, typed, texts).length),
      [1, 1, 0, 2],
    )
  })

  test('groups keep the order of their first rows', () => {
    const groups = grouped(['b1', 'a1', 'b2'], row => ({ key: row.slice(0, 1), head: row.slice(0, 1).toUpperCase() }))
    assert.deepEqual(groups, [
      { key: 'b', head: 'B', rows: ['b1', 'b2'] },
      { key: 'a', head: 'A', rows: ['a1'] },
    ])
    assert.deepEqual(grouped(['x'], undefined), [{ key: '', head: null, rows: ['x'] }])
  })
})
