import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countsOf, faultsCsv, isRegister } from './model.ts'

const fault = (row: number, column: string, value: string | null) => ({
  row,
  column,
  value,
  code: 'unreadable_date',
  message: `${column}?`,
})

describe('the findings of an upload', () => {
  const found = {
    new: 3,
    updated: 5,
    unchanged: 4,
    errors: [fault(9, 'Start', 'TBC'), fault(4, 'Start', '=NOW()'), fault(9, 'End', null)],
    unresolved_locations: [{ row: 6, value: 'Block Z', message: 'No building is called that.' }],
  }

  test('a row that is refused for two reasons counts once; updated rows are changed or the same', () => {
    assert.deepEqual(countsOf(found), { new: 3, changed: 1, unchanged: 4, refused: 2 })
  })

  test('the file of errors follows the order of the register, and contains no formulas', () => {
    const lines = faultsCsv(found, ['Row', 'Column', 'Value', 'Error']).split('\r\n')
    assert.deepEqual(lines.slice(0, 5), [
      '\ufeffRow,Column,Value,Error',
      "4,Start,'=NOW(),Start?",
      '6,,Block Z,No building is called that.',
      '9,Start,TBC,Start?',
      '9,End,,End?',
    ])
  })

  test('a file is recognised by its name, in upper or lower case', () => {
    assert.equal(isRegister('Register.XLSX', ['xlsx', 'xls']), true)
    assert.equal(isRegister('register.pdf', ['xlsx', 'xls']), false)
  })
})
