import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byPerson, lineOf, moved, regimeChanges, said, uncovered } from './model.ts'

describe('settings, before they are saved', () => {
  const types = [
    { id: 'g', code: 'GEN', requires_parent: false, active: true },
    { id: 'h', code: 'HW', requires_parent: false, active: true },
    { id: 'x', code: 'EXC', requires_parent: true, active: false },
  ]

  test('a regime shows which types start or stop needing a parent, but never GEN, and whether work without a permit will be marked', () => {
    assert.deepEqual(regimeChanges('major_hazard', types, false), { gain: ['HW'], lose: [], marks: true })
    assert.deepEqual(regimeChanges('generic_cdm', types, true), { gain: [], lose: ['EXC'], marks: false })
  })

  test('a regime that is already active changes nothing', () => {
    assert.deepEqual(regimeChanges('generic_cdm', types.slice(0, 2), false), { gain: [], lose: [], marks: null })
  })

  test('a line moves by one place, and no further at the ends; empty lines are not sent, and keys are kept', () => {
    const lines = [lineOf({ key: 'a', label: ' A ', required: true }), lineOf({ key: null, label: '  ', required: false })]
    assert.deepEqual(
      moved(lines, 0, 1).map(line => line.key),
      [null, 'a'],
    )
    assert.deepEqual(moved(lines, 0, -1), lines)
    assert.deepEqual(said(lines), [{ key: 'a', label: 'A', required: true }])
  })

  const row = (user: string, code: string | null, more = {}) => ({
    user_id: user,
    user_name: user,
    permit_type_id: code === null ? null : code === 'HW' ? 'h' : 'g',
    permit_type_code: code,
    revoked: false,
    absent: false,
    ...more,
  })

  test('appointments are grouped by person, all-types first; revoked ones are left out', () => {
    const shown = byPerson([row('b', 'HW'), row('a', 'HW', { revoked: true }), row('b', null)])
    assert.deepEqual(
      shown.map(one => [one.name, one.rows.map(appointment => appointment.permit_type_code)]),
      [['b', [null, 'HW']]],
    )
  })

  test('a type that nobody can issue is listed; retired types and absent people don’t count', () => {
    assert.deepEqual(uncovered(types, [row('a', 'HW'), row('b', 'GEN', { absent: true })]), ['GEN'])
    assert.deepEqual(uncovered(types, [row('a', null)]), [])
  })
})
