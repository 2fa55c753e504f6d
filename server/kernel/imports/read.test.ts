import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as XLSX from '@e965/xlsx'
import { bookOf, longestTurn, packed, partsOf, useFolder, xlsxOf } from '../../../tests/books.ts'
import { type Cell, cellAt, type Workbook } from './domain/cells.ts'
import { shown } from './domain/shown.ts'
import { piecesOf, problemOf, readWorkbook } from './door.ts'

const data = (file: string) => fileURLToPath(new URL(`../../../tests/data/spreadsheets/${file}`, import.meta.url))
const read = (file: string) => readWorkbook({ path: data(file), filename: basename(file) })

type Expected = {
  file: string
  sheets?: { name: string; state: string | number; nonempty: number; dates: number; merges: number }[]
}
const expected: Expected[] = JSON.parse(readFileSync(data('expected.json'), 'utf8'))
const STATES: Record<string, string> = { 0: 'visible', 1: 'hidden', 2: 'very_hidden', veryHidden: 'very_hidden' }

/** Files in which other programs count differently, and why. In everything else the numbers agree. */
const APART: Record<string, { dates?: string; nonempty?: string }> = {
  'LONumbers.xlsx': {
    dates: 'elapsed hours ([h], [mm]) are lengths; negative serials are numbers',
    nonempty: 'eight formulas give empty text',
  },
  'LONumbers.xls': { dates: 'the same; xlrd also takes other formats for dates' },
  'number_format_russian.xls': { dates: 'negative serials and elapsed hours are numbers' },
  'biff5/number_format_greek.xls': { dates: 'negative serials and elapsed hours are numbers' },
  'issue.xlsx': { nonempty: '66 cells refer to an empty shared string' },
}

const cells = (sheet: Workbook['sheets'][number] | undefined): Cell[] => sheet?.rows.flatMap(row => row.cells) ?? []
describe('imports: real workbooks', () => {
  test('§6 each workbook is read as other programs read it, or refused with a reason', async () => {
    const readable = expected.filter(({ sheets }) => sheets !== undefined && sheets.length > 0)
    const books = await Promise.all(readable.map(({ file }) => (file === 'large_strings.xlsx' ? null : read(file))))
    for (const [i, { file, sheets = [] }] of readable.entries()) {
      const book = books[i] ?? (await read(file))
      const apart = APART[file] ?? {}
      const figures = (s: { name: string; state: unknown; nonempty: number; dates: number; merges: number }) => ({
        name: s.name,
        state: STATES[String(s.state)] ?? s.state,
        merges: s.merges,
        ...(apart.nonempty === undefined ? { nonempty: s.nonempty } : {}),
        ...(apart.dates === undefined ? { dates: s.dates } : {}),
      })
      assert.deepEqual(
        book.sheets.map(s =>
          figures({
            name: s.name,
            state: s.state,
            merges: s.merges.length,
            nonempty: cells(s).length,
            dates: cells(s).filter(cell => cell.kind === 'date').length,
          }),
        ),
        sheets.map(figures),
        file,
      )
    }
  })

  test('§6 workbooks that other programs can’t open are read, or refused with a named problem', async () => {
    await assert.rejects(read('password_2002_40_xor.xls'), error => problemOf(error) === 'encrypted')
    const damaged = await read('phpexcel_bad_cfb_dir.xls')
    assert.deepEqual(
      damaged.sheets.map(s => [s.name, s.rows.length]),
      [['Sayfa1', 3]],
    )
    const strict = await read('sheet_visibility_strict.xlsx')
    const usual = await read('sheet_visibility.xlsx')
    assert.deepEqual(
      strict.sheets.map(s => [s.name, s.state, s.rows.length, cells(s).length]),
      usual.sheets.map(s => [s.name, s.state, s.rows.length, cells(s).length]),
    )
    const odd = await read('wtf_path.xlsx')
    assert.deepEqual(
      odd.sheets.map(s => [s.name, s.state]),
      [
        ['SheetJS', 'visible'],
        ['Hidden', 'hidden'],
      ],
    )
    const [date] = cells(odd.sheets[0]).filter(cell => cell.kind === 'date')
    assert.deepEqual(
      date?.kind === 'date' && [date.year, date.month, date.day, date.hour, date.minute, date.second],
      [2014, 2, 19, 10, 30, 0],
    )
  })

  test('§6 the 1904 date system, serials below 60, and cells with ISO dates are read', async () => {
    const days = (book: Workbook) => {
      const dates = cells(book.sheets[0]).filter(cell => cell.kind === 'date' && cell.column === 1)
      return dates.map(cell => cell.kind === 'date' && [cell.year, cell.month, cell.day].join('-'))
    }
    const of1904 = ['1904-1-2', '1904-1-12', '1904-4-21', '1907-1-16', '1934-6-3']
    assert.deepEqual(days(await read('1904/1904.xlsx')), of1904)
    assert.deepEqual(days(await read('1904/1904.xls')), of1904)
    assert.deepEqual(days(await read('1904/1900.xls')), ['1900-1-1', '1900-1-11', '1900-4-20', '1903-1-15', '1930-6-2'])
    const iso = await read('xlsx-stream-d-date-cell.xlsx')
    const cell = cellAt(iso.sheets[0]?.rows.find(row => row.number === 5) ?? { number: 5, cells: [] }, 1)
    assert.deepEqual(cell.kind === 'date' && [cell.year, cell.month, cell.day, cell.hour, cell.minute], [2014, 2, 14, 8, 27])
  })

  test('§6 for errors and formulas the stored values are read, and a merged cell has its value at its top left', async () => {
    const errors = await read('ErrorTypes.xlsx')
    const found = new Set(cells(errors.sheets[0]).flatMap(cell => (cell.kind === 'error' ? [cell.text] : [])))
    for (const word of ['#N/A', '#REF!', '#DIV/0!', '#NAME?', '#NULL!', '#NUM!', '#VALUE!']) assert.ok(found.has(word), word)
    assert.deepEqual(
      new Set(cells((await read('ErrorTypes.xls')).sheets[0]).flatMap(cell => (cell.kind === 'error' ? [cell.text] : []))),
      found,
    )
    const merged = await read('merge_cells.xlsx')
    assert.equal(merged.notices.find(t => t.code === 'merged_cells')?.count, 5)
    assert.deepEqual(
      merged.sheets[0]?.rows.map(row => row.cells.map(shown)),
      (await read('merge_cells.xls')).sheets[0]?.rows.map(row => row.cells.map(shown)),
    )
  })
})

describe('imports: reading', () => {
  const folder = useFolder()
  const reading = async (name: string, bytes: Uint8Array) => readWorkbook({ path: await folder.put(name, bytes), filename: name })

  test('rows keep their numbers, and empty cells with a format are left out', async () => {
    const book = await reading(
      'gaps.xlsx',
      bookOf([[], ['a', null, 'c'], [], [{ number: 1, format: '0' }, true, { formula: '1+1', value: 2 }, { formula: '""', value: '' }]]),
    )
    assert.deepEqual(
      book.sheets[0]?.rows.map(row => [row.number, row.cells.map(cell => [cell.column, shown(cell)])]),
      [
        [
          2,
          [
            [0, 'a'],
            [2, 'c'],
          ],
        ],
        [
          4,
          [
            [0, '1'],
            [1, 'TRUE'],
            [2, '2'],
          ],
        ],
      ],
    )
  })

  test('§7 a formula without a stored value becomes an error cell with a notice; one with an empty text as its result is left out', async () => {
    const book = await reading('formulas.xlsx', bookOf([[{ formula: 'B1+30' }, { formula: 'IF(1,"","")', value: '' }, 'x']]))
    assert.deepEqual(book.sheets[0]?.rows[0]?.cells, [
      { column: 0, kind: 'error', text: '=B1+30', why: 'no_stored_value' },
      { column: 2, kind: 'text', text: 'x' },
    ])
    assert.deepEqual(book.notices, [
      {
        code: 'formulas_without_value',
        sheet: 'Register',
        count: 1,
        first: 'A1',
        detail: 'The sheet “Register” has formulas without a stored result.',
      },
    ])
  })

  test('§7 elapsed hours stay a number, dates don’t depend on the time zone of the machine, and long numbers get a notice', async () => {
    const book = await reading(
      'kinds.xlsx',
      bookOf([
        [
          { number: 1.5, format: '[h]:mm' },
          { iso: '2024-03-31T02:30:00' },
          { iso: '2024-03-31T02:30:00Z' },
          { number: 45382.5, format: 'dd/mm/yyyy hh:mm' },
          12345678901234567000,
          { number: 42, format: '00000' },
          { number: 7, format: '"PTW-"000' },
          { number: -3, format: 'dd/mm/yyyy' },
          { error: '#N/A' },
        ],
      ]),
    )
    const row = book.sheets[0]?.rows[0]?.cells ?? []
    assert.deepEqual(row.map(shown), [
      '1.5',
      '2024-03-31',
      '2024-03-31',
      '31/03/2024 12:00',
      '12345678901234567168',
      '00042',
      'PTW-007',
      '-3',
      '#N/A',
    ])
    for (const cell of row.slice(1, 3)) assert.deepEqual(cell.kind === 'date' && [cell.hour, cell.minute], [2, 30])
    assert.deepEqual(
      book.notices.map(t => [t.code, t.first]),
      [
        ['digits_lost', 'E1'],
        ['error_values', 'I1'],
      ],
    )
  })

  test('§6 an .xls workbook is read with dates, numbers and words in any script', async () => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ['Permit №', 'Start'],
      [192132, 45356.75],
      ['日本', true],
    ])
    ;(sheet.B2 as XLSX.CellObject).z = 'dd/mm/yyyy hh:mm'
    const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, sheet, 'Лист')
    const read = await reading('old.xls', XLSX.write(book, { type: 'buffer', bookType: 'biff8' }))
    assert.equal(read.sheets[0]?.name, 'Лист')
    assert.deepEqual(
      read.sheets[0]?.rows.map(row => row.cells.map(shown)),
      [
        ['Permit №', 'Start'],
        ['192132', '05/03/2024 18:00'],
        ['日本', 'TRUE'],
      ],
    )
  })

  test('hidden sheets are read and get a notice; other parts of the package are not read', async () => {
    const parts = partsOf([
      { name: 'Cover & more', rows: [['hello']] },
      { name: 'Secret', rows: [['x']], state: 'veryHidden' },
    ])
    const book = await reading('parts.xlsx', packed({ ...parts, 'xl/media/image1.png': new Uint8Array(9), 'docProps/app.xml': '<x' }))
    assert.deepEqual(
      book.sheets.map(s => [s.name, s.state, s.row_count]),
      [
        ['Cover & more', 'visible', 1],
        ['Secret', 'very_hidden', 1],
      ],
    )
    assert.deepEqual(
      book.notices.map(t => t.code),
      ['hidden_sheet'],
    )
  })

  test('P3 20,000 rows of 20 cells arrive in pieces that never block the event loop', async () => {
    const rows = Array.from({ length: 20_000 }, (_, r) =>
      Array.from({ length: 20 }, (_, c) =>
        c % 4 === 0 ? `PTW-${r}-${c}` : c % 4 === 1 ? { number: 45000 + r / 7, format: 'dd/mm/yyyy hh:mm' } : r * c,
      ),
    )
    const path = await folder.put('big.xlsx', xlsxOf([{ name: 'Register', rows }]))
    const began = performance.now()
    let largest = 0
    const { result, milliseconds } = await longestTurn(async () => {
      let count = 0
      for await (const piece of piecesOf({ path, filename: 'big.xlsx' })) {
        if (piece.kind !== 'rows') continue
        largest = Math.max(largest, piece.rows.length)
        for (const row of piece.rows) count += row.cells.length
      }
      return count
    })
    assert.equal(result, 400_000)
    assert.ok(largest <= 20_000 / 10, `a piece has ${largest} rows`)
    // Measured against the whole work, so that the speed of the machine doesn't matter; the benchmark measures it in milliseconds.
    const whole = performance.now() - began
    assert.ok(milliseconds < whole / 4, `a turn took ${milliseconds} of ${whole} ms`)
  })
})
