import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cells } from '../../../../shared/conflicts/rules.ts'
import { bodyOf, cellsWith, cycled, isRemovable, type Matrix, movedTo, pairOf, strayPairs, withCell, withoutChange } from './matrix.ts'
import { labelOf } from './parts/matrix/labels.ts'

const NEAR = { outcome: 'red', distance_m: 10, levels: { mode: 'within', max_gap: 1 } } as const
const CELLS: Cells = { '*|*': 'off', 'HW|CSE': NEAR, 'CSE|HW': NEAR, 'GEN|HW': 'off', 'HW|GEN': 'off', 'RAD|*': 'red', '*|RAD': 'red' }
const matrix = (changes: Matrix['changes'] = {}): Matrix => ({
  cells: CELLS,
  changes,
  defaults: { default_distance_m: 15, levels: { mode: 'same' } },
})
const TYPES = [
  { code: 'HW', name: 'Hot work' },
  { code: 'CSE', name: 'Confined space entry' },
  { code: 'RAD', name: 'Radiography' },
]

describe('the matrix of permit types', () => {
  test('§1 a press takes a pair from off to amber to red and back to off, in both orders; distance and levels stay', () => {
    const first = cycled(matrix(), 'HW', 'CSE')
    assert.deepEqual(first, { 'CSE|HW': { ...NEAR, outcome: 'off' } })
    const pair = (changes: Matrix['changes']) => pairOf(matrix(changes), 'CSE', 'HW')
    assert.deepEqual([pair(first).outcome, pair(first).changed], ['off', true])
    const second = cycled(matrix(first), 'CSE', 'HW')
    assert.deepEqual([pair(second).outcome, pair(second).distance_m, pair(second).levels], ['amber', 10, NEAR.levels])
    assert.deepEqual(cycled(matrix(second), 'HW', 'CSE'), {}, 'as it was stored: nothing has changed')
  })

  test('CR-3 a pair without a cell of its own follows the wildcards, and an own off beats a wildcard red', () => {
    const follows = pairOf(matrix(), 'RAD', 'GEN')
    assert.deepEqual([follows.outcome, follows.key, follows.own], ['red', '*|RAD', false])
    const off = withCell(matrix(), 'RAD', 'GEN', 'off')
    const own = pairOf(matrix(off), 'GEN', 'RAD')
    assert.deepEqual([own.outcome, own.key, own.own, isRemovable(own)], ['off', 'GEN|RAD', true, true])
    assert.deepEqual([pairOf(matrix(), 'HW', '*').own, pairOf(matrix(), '*', '*').own], [false, true])
    assert.equal(isRemovable(pairOf(matrix(), '*', '*')), false, 'the floor stays')
  })

  test('§1 only changed pairs are sent, with both keys; null removes a cell', () => {
    const changes = withCell(matrix(withCell(matrix(), 'HW', 'CSE', null)), 'RAD', 'RAD', 'amber')
    assert.deepEqual(bodyOf(changes), { 'CSE|HW': null, 'HW|CSE': null, 'RAD|RAD': 'amber' })
    const all = cellsWith(matrix(changes))
    assert.deepEqual([all['HW|CSE'], all['CSE|HW'], all['RAD|RAD'], all['GEN|HW']], [undefined, undefined, 'amber', 'off'])
    assert.deepEqual(withoutChange(changes, 'CSE', 'HW'), { 'RAD|RAD': 'amber' })
  })

  test('CR-4 cells of types that the site doesn’t use are listed, each pair once', () => {
    const cells: Cells = { ...CELLS, 'hw|CSE': 'amber', 'CSE|hw': 'amber' }
    assert.deepEqual(strayPairs({ ...matrix(), cells }, ['HW', 'CSE', 'GEN', 'RAD']), [['CSE', 'hw']])
  })

  test('§1 arrow keys, Home and End move within the grid', () => {
    assert.deepEqual(movedTo([0, 0], 4, 'ArrowUp'), [0, 0])
    assert.deepEqual(movedTo([0, 0], 4, 'ArrowDown'), [1, 0])
    assert.deepEqual(movedTo([1, 3], 4, 'ArrowRight'), [1, 3])
    assert.deepEqual(movedTo([1, 3], 4, 'ArrowLeft'), [1, 2])
    assert.deepEqual(movedTo([1, 2], 4, 'Home'), [1, 0])
    assert.deepEqual(movedTo([1, 2], 4, 'End', true), [3, 3])
    assert.equal(movedTo([1, 2], 4, 'a'), null)
  })

  test('9.22 a cell has a label in words: what it gives, whether it follows another cell, and whether it is saved', () => {
    const label = (x: string, y: string, changes: Matrix['changes'] = {}) => labelOf(pairOf(matrix(changes), x, y), TYPES)
    assert.equal(label('HW', 'CSE'), 'Hot work with Confined space entry: red, within 10 m, 1 level')
    assert.equal(label('HW', 'HW'), 'Hot work with Hot work: off, follows *|*')
    assert.equal(label('RAD', '*'), 'Radiography with Any type: red, within 15 m, same level')
    assert.equal(label('HW', 'HW', { 'HW|HW': 'amber' }), 'Hot work with Hot work: amber, within 15 m, same level, not saved')
  })
})
