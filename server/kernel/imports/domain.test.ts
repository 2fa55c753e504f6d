import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SSF } from '@e965/xlsx'
import fc from 'fast-check'
import { bareFormat, cellAt, EMPTY, formatShows, placeOf, wallOfSerial } from './domain/cells.ts'
import { extensionOf, type Problem, refusalOf, sniffed } from './domain/refusals.ts'
import { plainNumber, shown, shownDate } from './domain/shown.ts'
import { decoding } from './domain/wire.ts'

const written = (serial: number, date1904 = false) => {
  const wall = wallOfSerial(serial, date1904)
  const two = (n: number) => String(n).padStart(2, '0')
  return wall && `${wall.year}-${two(wall.month)}-${two(wall.day)} ${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}`
}

const ALL = ['xlsx', 'xlsm', 'xls'] as const

describe('imports: cells', () => {
  test('§7 serial dates in both date systems are read without any time zone', () => {
    assert.equal(written(1), '1900-01-01 00:00:00')
    assert.equal(written(59), '1900-02-28 00:00:00')
    assert.equal(written(61), '1900-03-01 00:00:00')
    assert.equal(written(45356.75), '2024-03-05 18:00:00')
    assert.equal(written(0, true), '1904-01-01 00:00:00')
    assert.equal(written(43894, true), '2024-03-05 00:00:00')
    assert.equal(written(-1), null)
    assert.equal(written(Number.NaN), null)
    assert.equal(written(2_958_465.5), '9999-12-31 12:00:00')
    assert.equal(written(2_958_466), null)
  })

  test('§7 serial 60, a day that never existed, is returned as 1900-02-29 and not moved to another date', () => {
    assert.equal(written(60), '1900-02-29 00:00:00')
    assert.equal(written(60, true), '1904-03-01 00:00:00')
  })

  test('§7 a fraction is read to the second that the sheet shows, even if it was truncated', () => {
    assert.equal(written(45356.333333), '2024-03-05 08:00:00')
    assert.equal(written(45356 + 1 / 3), '2024-03-05 08:00:00')
    assert.equal(written(45356.999999), '2024-03-06 00:00:00')
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_464 }), fc.integer({ min: 0, max: 86_399 }), (day, second) => {
        const wall = wallOfSerial(day + second / 86_400, false)
        return wall !== null && wall.hour * 3600 + wall.minute * 60 + wall.second === second
      }),
    )
  })

  test('§7 a format makes a date, a time, both, or neither; elapsed hours are a duration', () => {
    const shows = (format: string) => formatShows(format)
    for (const format of [
      'dd/mm/yyyy',
      'd-mmm-yy',
      '[$-409]d\\-mmm\\-yyyy;@',
      'mmm-yy',
      'm',
      '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
      'yyyy',
    ])
      assert.equal(shows(format), 'date', format)
    for (const format of ['hh:mm', 'h:mm AM/PM', 'mm:ss', 'mm:ss.0', 'h', 'hh:mm:ss;@']) assert.equal(shows(format), 'time', format)
    for (const format of ['dd/mm/yyyy hh:mm', 'm/d/yy h:mm', 'yyyy-mm-dd"T"hh:mm:ss', '[$-409]m/d/yy h:mm AM/PM;@', 'h:mm d'])
      assert.equal(shows(format), 'both', format)
    for (const format of [
      'General',
      '0.00',
      '#,##0',
      '@',
      '0.00E+00',
      '[h]:mm',
      '[mm]:ss',
      '[ss]',
      '[Red]0.00',
      '0 "days"',
      '"day "0',
      '0\\d',
      '',
      '# ?/?',
      '0%',
      '_-* #,##0.00_-',
    ])
      assert.equal(shows(format), null, format)
    assert.equal(bareFormat('[Red]dd"th";@'), 'dd')
  })

  test('§7 a date is written as its sheet shows it', () => {
    const formats = [
      'dd/mm/yyyy',
      'd/m/yy',
      'yyyy-mm-dd',
      'dd-mmm-yyyy',
      'd mmmm yyyy',
      'mmm-yy',
      'ddd dd mmm',
      'dddd',
      'dd/mm/yyyy hh:mm',
      'd/m/yyyy h:mm',
      'm/d/yy h:mm AM/PM',
      'hh:mm:ss',
      'h:mm',
      'mm:ss',
      'yyyy-mm-dd"T"hh:mm:ss',
      'dd\\-mm\\-yyyy',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...formats),
        fc.integer({ min: 62, max: 80_000 }),
        fc.integer({ min: 0, max: 86_399 }),
        (format, day, second) => {
          const serial = day + second / 86_400
          const wall = wallOfSerial(serial, false)
          const shows = formatShows(format)
          if (wall === null || shows === null) return false
          const text = shownDate({ column: 0, kind: 'date', ...wall, serial, shows, format })
          assert.equal(text, SSF.format(format, serial), format)
          return true
        },
      ),
      { numRuns: 2000 },
    )
    const cell = { column: 0, kind: 'date', ...{ year: 2024, month: 3, day: 5, hour: 8, minute: 0, second: 0 }, serial: 45356.33 } as const
    assert.equal(
      shownDate({ ...cell, shows: 'both', format: '[$-411]ge.m.d h:mm' }),
      '2024-03-05 08:00',
      'other calendars: year, month and day',
    )
    assert.equal(shownDate({ ...cell, shows: 'date', format: 'dd/mm/yyyy;@' }), '05/03/2024')
  })

  test('§6 a number is written without superfluous decimals', () => {
    assert.equal(plainNumber(192132), '192132')
    assert.equal(plainNumber(12.5), '12.5')
    assert.equal(plainNumber(1e21), '1000000000000000000000')
    assert.equal(shown({ column: 0, kind: 'number', value: 42, text: '00042' }), '00042')
    assert.equal(shown({ column: 0, kind: 'boolean', value: true }), 'TRUE')
    assert.equal(shown(EMPTY), null)
  })

  test('a cell address has letters and a number', () => {
    assert.equal(placeOf(12, 2), 'C12')
    assert.equal(placeOf(1, 25), 'Z1')
    assert.equal(placeOf(1, 26), 'AA1')
    assert.equal(placeOf(1, 16383), 'XFD1')
    assert.equal(cellAt({ number: 1, cells: [{ column: 3, kind: 'text', text: 'x' }] }, 2), EMPTY)
  })

  test('lines that were sent become cells again', () => {
    const read = decoding()
    assert.equal(read({ formats: ['dd/mm/yyyy'] }), null)
    read({ book: [], date1904: false })
    read({ sheet: 2 })
    const piece = read({
      rows: [[7, 0, 'a', 2, 1.5, 3, true, 4, [45356, 0], 5, { e: '#N/A' }, 6, { e: '=A1', w: 1 }, 7, { n: 7, t: '007' }]],
    })
    assert.deepEqual(piece?.kind === 'rows' && piece.rows[0]?.cells.map(cell => [cell.column, cell.kind, shown(cell)]), [
      [0, 'text', 'a'],
      [2, 'number', '1.5'],
      [3, 'boolean', 'TRUE'],
      [4, 'date', '05/03/2024'],
      [5, 'error', '#N/A'],
      [6, 'error', '=A1'],
      [7, 'number', '007'],
    ])
  })
})

describe('imports: types of files', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const ZIP = new Uint8Array([0x50, 0x4b, 3, 4, 0])
  const OLE = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])

  test('§6 the bytes must agree with the name', () => {
    assert.deepEqual(sniffed('a.XLSX', ZIP, ALL), { container: 'zip', promised: 'xlsx' })
    assert.deepEqual(sniffed('a b.v2.xls', OLE, ALL), { container: 'ole', promised: 'xls' })
    assert.deepEqual(sniffed('a.xlsx', OLE, ALL), { container: 'ole', promised: 'xlsx' }, 'perhaps encrypted, so the reader has a look')
    assert.deepEqual(sniffed('a.xls', ZIP, ALL), { problem: 'wrong_extension', said: '.xlsx' })
    assert.deepEqual(sniffed('a.csv', ZIP, ALL), { problem: 'unknown_extension' })
    assert.deepEqual(sniffed('register', ZIP, ALL), { problem: 'unknown_extension' })
    assert.deepEqual(sniffed('a.csv', ZIP, ALL, true), { container: 'zip', promised: 'xlsx' }, 'by its bytes')
    assert.deepEqual(sniffed('a.xlsx', OLE, ALL, true), { container: 'ole', promised: 'xls' }, 'by its bytes')
    assert.deepEqual(sniffed('a.xlsm', ZIP, ['xlsx', 'xls']), { problem: 'unknown_extension' })
  })

  test('a file that isn’t a workbook is described by what it is', () => {
    const said = (text: string) => {
      const found = sniffed('a.xlsx', bytes(text), ALL)
      return 'problem' in found ? found.said : null
    }
    assert.equal(said(''), 'empty')
    assert.equal(said('Permit No,Start\r\n1,2'), 'plain text, such as CSV')
    assert.equal(said(' <HTML><table>'), 'a web page')
    assert.equal(said('<?xml version="1.0"?><Workbook/>'), 'XML')
    assert.equal(said('%PDF-1.7'), 'a PDF')
    assert.equal(said('\u0000\u0001'), 'of an unknown kind')
    assert.equal(extensionOf('x.tar.gz'), 'gz')
  })

  test('each problem has a sentence, and its status is 413, 415 or 422 as it should be', () => {
    const status = (problem: Problem['problem']) => {
      const refusal = refusalOf({ problem }, 'reg.xlsx', ['xlsx', 'xls'])
      assert.match(refusal.detail, /reg\.xlsx.*\.$/s)
      assert.equal(refusal.context?.problem, problem)
      return `${refusal.status} ${refusal.code}`
    }
    for (const problem of ['too_large', 'bomb', 'too_many_rows', 'too_many_cells', 'too_much_memory'] as const)
      assert.equal(status(problem), '413 too_large')
    for (const problem of ['unknown_extension', 'not_a_workbook', 'other_document', 'wrong_extension'] as const)
      assert.equal(status(problem), '415 unsupported_media_type')
    for (const problem of ['encrypted', 'damaged', 'document_type', 'too_slow', 'reader_died'] as const)
      assert.equal(status(problem), '422 validation_failed')
  })
})
