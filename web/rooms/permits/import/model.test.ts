import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countsOf, findingsCsv, isRegister, unknownPlaces, unusedIn } from './model.ts'

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
    duplicates: [{ permit_number: 'P-2', row: 8, replaced_row: 2 }],
    kept: [{ permit_number: 'P-7', row: 7, status: 'closed' }],
  }

  test('a row that is refused for two reasons counts once; updated rows are changed or the same', () => {
    assert.deepEqual(countsOf(found), { new: 3, changed: 1, unchanged: 4, refused: 2 })
  })

  test('the file of findings has every row of which the page says something, in the order of the register, and contains no formulas', () => {
    const lines = findingsCsv(found, ['Row', 'Column', 'Value', 'Finding'], {
      duplicate: one => `Row ${one.row} replaces it`,
      kept: one => `It is ${one.status}`,
    }).split('\r\n')
    assert.deepEqual(lines.slice(0, 7), [
      '\ufeffRow,Column,Value,Finding',
      '2,,P-2,Row 8 replaces it',
      "4,Start,'=NOW(),Start?",
      '6,,Block Z,No building is called that.',
      '7,,P-7,It is closed',
      '9,Start,TBC,Start?',
      '9,End,,End?',
    ])
  })

  test('the rows that a later row replaced, or whose permit stays as it is, are counted too, so that the counts of a register are all of its rows', () => {
    assert.equal(unusedIn({ rows_read: 40, rows_new: 30, rows_updated: 3, rows_refused: 5 }), 2)
  })

  test('a file is recognised by its name, in upper or lower case', () => {
    assert.equal(isRegister('Register.XLSX', ['xlsx', 'xls']), true)
    assert.equal(isRegister('register.pdf', ['xlsx', 'xls']), false)
  })

  test('§8 an unknown place is reported once with its rows, and its text isn’t repeated next to a message that quotes it', () => {
    const unresolved_locations = [
      { row: 4, value: 'Block Z', message: '“Block Z” isn’t a building or zone on this site.' },
      { row: 5, value: 'Level 3', message: 'The text can be read in too many ways.' },
      { row: 9, value: 'Block Z', message: '“Block Z” isn’t a building or zone on this site.' },
    ]
    assert.deepEqual(unknownPlaces({ unresolved_locations }), [
      { value: null, message: '“Block Z” isn’t a building or zone on this site.', rows: [4, 9] },
      { value: 'Level 3', message: 'The text can be read in too many ways.', rows: [5] },
    ])
  })
})
