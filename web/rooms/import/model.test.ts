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

describe('what an upload found', () => {
  const found = {
    new: 3,
    updated: 5,
    unchanged: 4,
    errors: [fault(9, 'Start', 'TBC'), fault(4, 'Start', '=NOW()'), fault(9, 'End', null)],
    unresolved_locations: [{ row: 6, value: 'Block Z', message: 'No building is called that.' }],
  }

  test('a row that is refused for two reasons is one row; updated ones are changed or the same', () => {
    assert.deepEqual(countsOf(found), { new: 3, changed: 1, unchanged: 4, refused: 2 })
  })

  test('the file of faults is in the order of the register, and runs nothing in a spreadsheet', () => {
    const lines = faultsCsv(found, ['Row', 'Column', 'Value', 'Error']).split('\r\n')
    assert.deepEqual(lines.slice(0, 5), [
      '\ufeffRow,Column,Value,Error',
      "4,Start,'=NOW(),Start?",
      '6,,Block Z,No building is called that.',
      '9,Start,TBC,Start?',
      '9,End,,End?',
    ])
  })

  test('a file is known by its name, in any case', () => {
    assert.equal(isRegister('Register.XLSX', ['xlsx', 'xls']), true)
    assert.equal(isRegister('register.pdf', ['xlsx', 'xls']), false)
  })
})
