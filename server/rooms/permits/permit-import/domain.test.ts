import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Cell, DateCell, Row } from '../../../kernel/imports/domain/cells.ts'
import { wallOfSerial } from '../../../kernel/imports/domain/cells.ts'
import { contractorFinder } from './domain/contractors.ts'
import { type DateOrder, wallIn, windowOf } from './domain/dates.ts'
import { CUSTOMER_PTW, type Field, formatOf } from './domain/formats.ts'
import { headerNames, headerSearch, headersIn, noRegister, type SiteHeaders } from './domain/headers.ts'
import { landingOf } from './domain/landing.ts'
import { lastOfEach } from './domain/repeats.ts'
import { isBlank, type Judged, type RowFacts, rowJudge } from './domain/rows.ts'
import { asKey, regexExtract, splitValues, strip } from './domain/transforms.ts'

/** What a cell contains; `{ date }` is a date by its serial, `{ error }` an error. */
type Value = string | number | boolean | null | { date: number; shows?: DateCell['shows'] } | { error: string }

function cellFor(value: Exclude<Value, null>, column = 0, date1904 = false): Cell {
  if (typeof value === 'string') return { column, kind: 'text', text: value }
  if (typeof value === 'number') return { column, kind: 'number', value, text: null }
  if (typeof value === 'boolean') return { column, kind: 'boolean', value }
  if ('error' in value) return { column, kind: 'error', text: value.error, why: 'error_value' }
  const wall = wallOfSerial(value.date, date1904)
  assert.ok(wall !== null)
  const shows = value.shows ?? 'date'
  const format = { date: 'dd/mm/yyyy', time: 'hh:mm', both: 'dd/mm/yyyy hh:mm' }[shows]
  return { column, kind: 'date', ...wall, serial: value.date, shows, format }
}
const rowOf = (number: number, values: readonly Value[]): Row => ({
  number,
  cells: values.flatMap((value, column) => (value === null ? [] : [cellFor(value, column)])),
})

const HEADERS = ['Permit No', 'Type(s)', 'Contractor', 'Location', 'Start', 'Finish', 'Description']
const names = headerNames(CUSTOMER_PTW)
const types = [
  { code: 'GEN', name: 'General permit' },
  { code: 'HW', name: 'Hot work' },
  { code: 'WAH', name: 'Work at height' },
]
/** Checks a row under these headers. */
function judged(values: readonly Value[], facts: Partial<RowFacts> = {}, headers: readonly string[] = HEADERS): Judged {
  const header = headersIn(rowOf(1, headers), names)
  return rowJudge({ format: CUSTOMER_PTW, header, date1904: false, timezone: 'Europe/London', date_order: 'dmy', types, ...facts })(
    rowOf(7, values),
  )
}
const accepted = (outcome: Judged) => {
  assert.ok('row' in outcome, JSON.stringify(outcome))
  return outcome.row
}
const faults = (outcome: Judged) => {
  assert.ok('faults' in outcome && outcome.faults.length > 0, JSON.stringify(outcome))
  return outcome.faults
}
const GOOD = ['P-1', 'HW', 'Acme', 'Block A', '05/03/2026 08:00', '05/03/2026 17:00', 'Weld']
const withCell = (column: number, value: Value) => GOOD.map((old, i): Value => (i === column ? value : old))

describe('permit-import: formats and headers', () => {
  test('import rule 1: the format is the named one, or else that of the extension; an unknown one is refused by its name', () => {
    assert.deepEqual(formatOf(undefined, 'Register.XLS'), { format: CUSTOMER_PTW })
    assert.deepEqual(formatOf('customer_ptw_xlsx', 'whatever'), { format: CUSTOMER_PTW })
    const other = formatOf('other', 'a.xlsx')
    assert.ok('refusal' in other && other.refusal.status === 422 && /“other”.*customer_ptw_xlsx/.test(other.refusal.detail))
    for (const file of ['register.csv', 'register.xlsm', 'register']) {
      const none = formatOf(undefined, file)
      assert.ok('refusal' in none && none.refusal.status === 415, file)
    }
  })

  test('§6 headers match in any case, with any white space, and without punctuation at the end', () => {
    const header = headersIn(rowOf(3, [' PERMIT  no.', 'Type (s)*', null, 'START\ndate/TIME :', 'valid until', 'Nothing we know']), names)
    assert.deepEqual(
      header.mapped.map(m => [m.field, m.column, m.header]),
      [
        ['permit_number', 0, 'PERMIT  no.'],
        ['categories', 1, 'Type (s)*'],
        ['start_at', 3, 'START\ndate/TIME :'],
        ['end_at', 4, 'valid until'],
      ],
    )
    assert.equal(header.found.at(-1), 'Nothing we know')
    assert.deepEqual(header.unknown, ['Nothing we know'])
  })

  test('§6 if several columns fit a field, the first name in the list counts, then the leftmost column; the others are ignored', () => {
    const header = headersIn(rowOf(1, ['No', 'Permit No', 'Location', 'Location', 'Start Time', 'Start Date']), names)
    assert.deepEqual(
      header.mapped.map(m => [m.field, m.column]),
      [
        ['permit_number', 1],
        ['location', 2],
        ['start_at', 5],
      ],
    )
    assert.deepEqual(
      header.passed_over.map(m => m.column),
      [0, 3, 4],
    )
  })

  test('§1 a site’s own header names come first, and a name that it gives to one field belongs to no other', () => {
    const site: SiteHeaders = { location: ['Zone', 'Where'], permit_number: ['Laufende Nr'], nonsense: ['Start'] }
    const header = headersIn(rowOf(1, ['Permit No', 'laufende nr.', 'Location', 'where', 'Zone', 'Start']), headerNames(CUSTOMER_PTW, site))
    assert.deepEqual(
      header.mapped.map(m => [m.field, m.column]),
      [
        ['permit_number', 1],
        ['location', 4],
        ['start_at', 5],
      ],
    )
    // A name on the object prototype is not a header of the site.
    assert.ok(headerNames(CUSTOMER_PTW, JSON.parse('{"__proto__": {"zone": ["x"]}, "constructor": ["y"]}')).has('zone'))
  })

  test('§6 every header of the list is known, each for one field', () => {
    for (const column of CUSTOMER_PTW.columns)
      for (const header of column.headers)
        assert.deepEqual(
          headersIn(rowOf(1, [`${header.toUpperCase()}*`]), names).mapped.map(m => m.field),
          [column.field],
          header,
        )
  })

  test('§6 titles above the header are skipped, within 20 rows; a fuller row below wins over one with only a number', () => {
    const search = headerSearch(CUSTOMER_PTW, names)
    assert.equal(search.look(0, rowOf(1, ['Riverside Quarter: permits', null, 'Ref:', 12])), null)
    assert.equal(search.best()?.header.row, 1)
    assert.equal(search.look(0, rowOf(2, ['Permit No', 'Type', 'Start'])), null)
    assert.deepEqual([search.best()?.header.row, search.best()?.sheet], [2, 0])
    assert.equal(search.look(1, rowOf(21, HEADERS)), null)
    assert.equal(search.look(1, rowOf(20, HEADERS))?.row, 20)
  })

  test('§6 a file without a permit-number column is refused with the missing columns and the headers found', () => {
    const search = headerSearch(CUSTOMER_PTW, names)
    search.look(0, rowOf(1, ['Some title']))
    search.look(0, rowOf(2, ['Titel', 'Type', 'Start', 'Finish']))
    assert.equal(search.best(), null)
    const refusal = noRegister(CUSTOMER_PTW, search.nearest())
    assert.equal(refusal.status, 422)
    assert.equal(refusal.code, 'validation_failed')
    assert.deepEqual(refusal.context?.missing_columns, ['permit_number'])
    assert.deepEqual(refusal.context?.headers_found, ['Titel', 'Type', 'Start', 'Finish'])
    assert.deepEqual(noRegister(CUSTOMER_PTW, null).context?.missing_columns, ['permit_number', 'categories', 'start_at', 'end_at'])
  })
})

describe('permit-import: transforms', () => {
  test('import rule 2: to_string writes a number without decimals and keeps what the sheet shows', () => {
    assert.equal(asKey(cellFor(192132)), '192132')
    assert.equal(asKey(cellFor(1234.5)), '1234.5')
    assert.equal(asKey({ column: 0, kind: 'number', value: 42, text: 'PTW-0042' }), 'PTW-0042')
    assert.equal(asKey(cellFor('  BP  12\n3 ')), 'BP 12 3')
    assert.equal(asKey(cellFor({ error: '#N/A' })), null)
  })

  test('import rule 2: strip removes spaces at both ends but not within, and leaves no text that the database refuses', () => {
    assert.equal(strip(cellFor('\u00a0 two  words\n here \t')), 'two  words\n here')
    assert.equal(strip(cellFor('a\0b\ud800')), 'ab\ufffd')
    assert.equal(strip(cellFor('   ')), null)
    assert.equal(strip(cellFor(true)), 'TRUE')
  })

  test('§6 split_values splits types at each separator and line break, and keeps each type once', () => {
    for (const text of ['GEN; HW', 'GEN,HW', 'GEN / HW', 'GEN|HW', 'GEN+HW', 'GEN\nHW', 'GEN\r\nHW', ' GEN ;; HW ;', 'GEN;HW;GEN'])
      assert.deepEqual(splitValues(cellFor(text), ';,/|+'), ['GEN', 'HW'], text)
    assert.deepEqual(splitValues(cellFor('; /'), ';,/|+'), [])
  })

  test('import rule 2: regex_extract returns the first group, or else the match; the format’s level drops only a repeated header', () => {
    assert.equal(regexExtract(cellFor('Area 12b'), 'area (\\d+)'), '12')
    assert.equal(regexExtract(cellFor('Area 12b'), '\\d+b'), '12b')
    assert.equal(regexExtract(cellFor('Area'), '\\d+'), null)
    const level = (value: Value) => accepted(judged([...GOOD, value], {}, [...HEADERS, 'Level'])).level
    assert.equal(level('Level: 3'), '3')
    for (const text of ['Level 3', 'L03', 'Mezzanine', '-1', 'Roof\nplant']) assert.equal(level(` ${text} `), text)
    assert.equal(level(3), '3')
    assert.equal(level(null), null)
  })
})

describe('permit-import: dates', () => {
  const read = (value: Exclude<Value, null>, order: DateOrder = 'dmy', date1904 = false) => {
    const wall = wallIn(cellFor(value, 0, date1904), order, date1904)
    return 'date' in wall ? `${wall.date}${wall.timed ? ` ${wall.time}:${String(wall.seconds).padStart(2, '0')}` : ''}` : 'no'
  }

  test('§6 a text date can have slashes (padded or not), be ISO or name the month, each with or without a time; extra spaces are dropped', () => {
    const cases: [string, string][] = [
      ['05/03/2026', '2026-03-05'],
      ['5/3/2026', '2026-03-05'],
      ['  05 / 03 /2026\u00a0', '2026-03-05'],
      ['\u200e05/03/2026', '2026-03-05'],
      ['05/03/2026 8:30', '2026-03-05 08:30:00'],
      ['05/03/2026   08:30:15', '2026-03-05 08:30:15'],
      ['05/03/2026 8:30 PM', '2026-03-05 20:30:00'],
      ['05/03/2026 12:05am', '2026-03-05 00:05:00'],
      ['05/03/2026 00:00', '2026-03-05 00:00:00'],
      ['2026-03-05', '2026-03-05'],
      ['2026-03-05T14:30', '2026-03-05 14:30:00'],
      ['2026-03-05 14:30:00.000', '2026-03-05 14:30:00'],
      ['05-Mar-2026', '2026-03-05'],
      ['5-MAR-2026 07:00', '2026-03-05 07:00:00'],
      ['29/02/2024', '2024-02-29'],
      ['31/12/2200', '2200-12-31'],
      ['29/02/2000', '2000-02-29'],
    ]
    for (const [text, wanted] of cases) assert.equal(read(text), wanted, text)
  })

  test('§6 any other text is not a date, and neither is a day that does not exist', () => {
    const texts = [
      'TBC',
      'ongoing',
      '31/02/2024',
      '29/02/2023',
      '33/01/2024',
      '00/00/0000',
      '2024-13-05',
      '12/2024',
      '05/03/26',
      '05.03.2026',
    ]
    texts.push(
      '29/02/1900',
      '31/04/2026',
      '0/1/2026',
      '01/01/2201',
      'N/A',
      '2024/03/05',
      '05-03-2026',
      '2026-3-5',
      '05-Mrz-2026',
      '05/03/2026 25:00',
      '05/03/2026 13:00 pm',
      '05/03/2026 10:60',
    )
    texts.push('2026-03-05T14:30Z', '2026-03-05T14:30+01:00', '45406', '05/03/2026 (est)', '1/1/1899', '1'.repeat(40_000), '5/3/2026/4')
    for (const text of texts) assert.equal(read(text), 'no', text.slice(0, 40))
  })

  test('§6 the day comes first unless the date_order of the site says otherwise', () => {
    assert.equal(read('03/04/2026'), '2026-04-03')
    assert.equal(read('03/04/2026', 'mdy'), '2026-03-04')
    assert.equal(read('13/04/2026', 'mdy'), 'no')
    assert.equal(read('2026/3/4 09:00', 'ymd'), '2026-03-04 09:00:00')
    assert.equal(read('03/04/2026', 'ymd'), 'no')
    for (const order of ['dmy', 'mdy', 'ymd'] as const) assert.equal(read('2026-04-03', order), '2026-04-03')
  })

  test('§6 date cells and bare serials are days in the 1900 and 1904 systems; years, counts and times on their own aren’t', () => {
    assert.equal(read({ date: 45406 }), '2024-04-24')
    assert.equal(read({ date: 45406.75 }), '2024-04-24 18:00:00')
    assert.equal(read({ date: 45406, shows: 'both' }), '2024-04-24 00:00:00')
    assert.equal(read({ date: 45406.5, shows: 'time' }), '2024-04-24 12:00:00')
    assert.equal(read(45406), '2024-04-24')
    assert.equal(read(43944, 'dmy', true), '2024-04-24')
    assert.equal(read({ date: 1 }, 'dmy', true), '1904-01-02')
    for (const value of [2026, 0, 1, -3, 20260305, 3e9, true, { error: '#N/A' }, { date: 0.5, shows: 'time' }, { date: 60 }] as const)
      assert.equal(read(value), 'no', JSON.stringify(value))
    assert.equal(read({ date: 0.25, shows: 'both' }, 'dmy', true), 'no')
  })

  test('import rule 3: wall-clock times become instants of the site, across gaps and repeated hours, as in the cases of 21 zones', () => {
    const file = new URL('../../../../tests/data/timezones/wall-clock-cases.csv', import.meta.url)
    const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
    let asked = 0
    for (const line of lines) {
      const [zone = '', wall = '', , first = ''] = line.split(',')
      // The cases come from release 2025b of the database; governments have changed their rules since.
      if (wall >= '2026-07') continue
      const start = wallIn(cellFor(wall), 'dmy', false)
      assert.ok('date' in start, wall)
      const window = windowOf(start, { date: '2190-01-01', time: '00:00', seconds: 0, timed: false }, zone)
      assert.equal(window?.start_at.replace('.000Z', 'Z'), first, `${zone} ${wall}`)
      asked++
    }
    assert.ok(asked > 500)
  })

  test('§6 a date without a time is its midnight at both ends; the same date twice is the whole day, of 23, 24 or 25 hours', () => {
    const window = (start: string, end: string, zone = 'Europe/London') => {
      const { start_at, end_at } = accepted(judged(['P', 'HW', null, null, start, end], { timezone: zone }))
      return [start_at, end_at, (Date.parse(end_at) - Date.parse(start_at)) / 3_600_000]
    }
    assert.deepEqual(window('05/03/2026', '07/03/2026'), ['2026-03-05T00:00:00.000Z', '2026-03-07T00:00:00.000Z', 48])
    assert.deepEqual(window('05/03/2026', '05/03/2026'), ['2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z', 24])
    assert.deepEqual(window('29/03/2026', '29/03/2026'), ['2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z', 23])
    assert.deepEqual(window('25/10/2026', '25/10/2026'), ['2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z', 25])
    // Midnight is skipped on this day in Santiago.
    assert.deepEqual(window('06/09/2026', '06/09/2026', 'America/Santiago'), ['2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z', 23])
    for (const finish of ['05/03/2026 00:00', '04/03/2026', '05/03/2026'] as const)
      assert.equal(faults(judged(['P', 'HW', null, null, '05/03/2026 00:00', finish]))[0]?.code, 'window_reversed', finish)
  })
})

describe('permit-import: rows', () => {
  test('§6 a good row is read with its fields trimmed, its window in UTC and its cells as written', () => {
    assert.deepEqual(judged([192132, 'HW; WAH', ' Acme Ltd ', 'Block A', '30/03/2026 08:00', '31/03/2026', '  ']), {
      row: {
        row: 7,
        permit_number: '192132',
        categories: ['HW', 'WAH'],
        contractor: 'Acme Ltd',
        location: 'Block A',
        zone: null,
        level: null,
        start_at: '2026-03-30T07:00:00.000Z',
        end_at: '2026-03-30T23:00:00.000Z',
        description: null,
        controls: null,
        written: { permit_number: { column: 'Permit No', value: '192132' }, contractor: { column: 'Contractor', value: ' Acme Ltd ' } },
      },
    })
  })

  test('§6 each fault is an entry with row, column, value and code, and one row can have many', () => {
    const short = (values: readonly Value[]) => faults(judged(values)).map(({ message: _, ...rest }) => rest)
    const fault = (column: string, value: string | null, code: string) => ({ row: 7, column, value, code })
    assert.deepEqual(short(withCell(4, ' TBC ')), [fault('Start', ' TBC ', 'unreadable_date')])
    assert.deepEqual(short(withCell(5, { error: '#REF!' })), [fault('Finish', '#REF!', 'unreadable_date')])
    assert.deepEqual(short(withCell(5, '04/03/2026')), [fault('Finish', '04/03/2026', 'window_reversed')])
    assert.deepEqual(short(withCell(5, GOOD[4] ?? null)), [fault('Finish', '05/03/2026 08:00', 'window_reversed')])
    assert.deepEqual(short(withCell(1, 'HW; XX, YY')), [
      fault('Type(s)', 'HW; XX, YY', 'unknown_type'),
      fault('Type(s)', 'HW; XX, YY', 'unknown_type'),
    ])
    assert.deepEqual(short(['  ', ';', null, null, null, '\u00a0', 'Weld']), [
      fault('Permit No', null, 'missing_permit_number'),
      fault('Type(s)', ';', 'missing_type'),
      fault('Start', null, 'missing_window'),
      fault('Finish', null, 'missing_window'),
    ])
    assert.deepEqual(short(withCell(0, 'x'.repeat(101))), [fault('Permit No', 'x'.repeat(101), 'too_long')])
    assert.equal(short(withCell(6, 'x'.repeat(10_001)))[0]?.value?.length, 1001)
  })

  test('§6 codes are case-sensitive: a likely code or name is suggested, but not used', () => {
    const said = (text: string) => faults(judged(withCell(1, text)))[0]?.message
    assert.match(said('hw') ?? '', /“hw”\. Did you mean HW\?$/)
    assert.match(said('Hot Work') ?? '', /Did you mean HW\?$/)
    assert.match(said('XYZ') ?? '', /“XYZ”\. Its types are GEN, HW and WAH\.$/)
    assert.equal(faults(judged(withCell(1, Array.from({ length: 90 }, (_, i) => `x${i}`).join(';')))).length, 20)
  })

  test('§6 messages show the cell and say what to do', () => {
    assert.equal(
      faults(judged(withCell(4, 'TBC')))[0]?.message,
      '“TBC” in Start isn’t a date. Write it as dd/mm/yyyy, yyyy-mm-dd or dd-Mmm-yyyy, followed by a time as hh:mm.',
    )
    assert.match(faults(judged(withCell(4, '31/02/2024')))[0]?.message ?? '', /^“31\/02\/2024” in Start isn’t an existing date\./)
    assert.equal(faults(judged(withCell(5, null)))[0]?.message, 'Finish is empty.')
    assert.equal(
      faults(judged(withCell(5, '01/03/2026')))[0]?.message,
      'Finish (2026-03-01) isn’t after Start (2026-03-05 08:00). Correct the window.',
    )
  })

  test('§6 if a required column is missing, every row says so, by the usual name of the column', () => {
    const headers = ['Permit No', 'Type', 'Start']
    assert.deepEqual(faults(judged(['P-1', 'HW', '05/03/2026'], {}, headers)), [
      { row: 7, column: 'Finish', value: null, code: 'missing_window', message: 'The file has no column Finish.' },
    ])
  })

  test('§6 blank rows and rows with only spaces are ignored; anything else is a row, even in unknown columns', () => {
    assert.ok(isBlank(rowOf(3, [])) && isBlank(rowOf(3, [' ', '\u00a0\t'])))
    assert.ok(!isBlank(rowOf(3, [null, 0])) && !isBlank(rowOf(3, [{ error: '#N/A' }])))
    assert.equal(faults(judged([null, null, null, null, null, null, null, 'signed: J. S.'])).length, 4)
  })

  test('§6 an error in an optional column leaves the field empty, so that no contractor is called #N/A', () => {
    assert.equal(accepted(judged(withCell(2, { error: '#N/A' }))).contractor, null)
    assert.deepEqual(faults(judged(withCell(0, { error: '#N/A' })))[0], {
      row: 7,
      column: 'Permit No',
      value: '#N/A',
      code: 'missing_permit_number',
      message: 'Permit No contains an error.',
    })
  })
})

describe('permit-import: any row', () => {
  test('import rule 6: whatever its cells contain, a row is a permit with a window, or has faults with their row and column', () => {
    const texts = [
      'TBC',
      '05/03/2026',
      ' 31/12/2200 ',
      '29/03/2026 01:30',
      '2026-02-30',
      '',
      ' ',
      '\0',
      '\ud83d',
      '__proto__',
      'HW',
      'hw',
      'HW;GEN',
      '#N/A',
      ';;',
    ]
    const values: Value[] = [...texts, 'x'.repeat(40_000), 0, -1, 45_000, 46_000.5, 1e300, 0.1, Number.MAX_SAFE_INTEGER, true, false, null]
    values.push(
      { error: '#REF!' },
      { date: 0 },
      { date: 60 },
      { date: 45_000.25, shows: 'both' },
      { date: 45_001, shows: 'time' },
      { date: 2_958_465 },
    )
    let state = 7
    const pick = (): Value => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return values[(state >> 8) % values.length] ?? null
    }
    const fates = { rows: 0, refused: 0 }
    for (let i = 0; i < 20_000; i++) {
      const cells = GOOD.map(good => (typeof pick() === 'string' ? good : pick()))
      const outcome = judged(cells, { date1904: i % 5 === 0, timezone: i % 2 === 0 ? 'Europe/London' : 'Australia/Lord_Howe' })
      if ('row' in outcome) {
        const { row } = outcome
        fates.rows++
        assert.ok(row.start_at < row.end_at && row.permit_number.trim() === row.permit_number && row.permit_number !== '')
        assert.ok(row.categories.length > 0 && row.categories.every(code => types.some(type => type.code === code)))
      } else {
        fates.refused++
        assert.ok(outcome.faults.length > 0)
        for (const { row, column, value, message } of outcome.faults) {
          assert.ok(row === 7 && HEADERS.includes(column) && message.length > 10 && (value === null || value.length <= 1001))
          assert.ok(message.isWellFormed() && !message.includes('\0'))
        }
      }
    }
    assert.ok(fates.rows > 100 && fates.refused > 1000, JSON.stringify(fates))
  })
})

describe('permit-import: with the data of the site', () => {
  test('§6 if a number appears twice in one file, the last accepted row wins, and each replaced row is listed', () => {
    const last = lastOfEach<{ row: number; permit_number: string }>()
    for (const [row, permit_number] of [
      [2, 'A'],
      [3, 'B'],
      [5, 'A'],
      [9, 'A'],
      [10, 'a'],
    ] as const)
      last.add({ row, permit_number })
    assert.deepEqual(
      last.rows().map(r => r.row),
      [3, 9, 10],
    )
    assert.deepEqual(last.repeats(), [
      { row: 5, permit_number: 'A', replaced_row: 2 },
      { row: 9, permit_number: 'A', replaced_row: 5 },
    ])
  })

  test('import rule 4: contractors are found by name, alias and key; new names are created once; two with one key are a fault that shows both', () => {
    const find = contractorFinder([
      { id: 'f1', name: 'Acme Ltd', names: ['Acme Scaffolding'] },
      { id: 'f2', name: 'Nord AB', names: [] },
      { id: 'f3', name: 'Nord AG', names: [] },
    ])
    const of = (contractor: string | null, row = 4) =>
      find({ row, contractor, written: { permit_number: { column: 'No', value: 'P' }, contractor: { column: 'Firm', value: contractor } } })
    assert.deepEqual(of(null), { is: 'none' })
    assert.deepEqual(of('ACME LIMITED'), { is: 'known', id: 'f1' })
    assert.deepEqual(of('acme  scaffolding'), { is: 'known', id: 'f1' })
    assert.deepEqual(of('Sterling Homes'), { is: 'made', name: 'Sterling Homes' })
    assert.deepEqual(of('STERLING HOMES LTD.'), { is: 'made', name: 'Sterling Homes' })
    assert.deepEqual(of('nord ag'), { is: 'known', id: 'f3' })
    assert.deepEqual(of('Nord'), {
      is: 'fault',
      fault: {
        row: 4,
        column: 'Firm',
        value: 'Nord',
        code: 'ambiguous_contractor',
        message: 'More than one contractor on this site matches the name “Nord”: Nord AB and Nord AG. Enter one of these names in full.',
      },
    })
    for (const name of ['...', '!!!']) {
      const found = of(name)
      assert.equal(found.is === 'fault' && found.fault.code, 'invalid_contractor', name)
    }
  })

  test('import rule 5 and §6: a row creates, updates, revives or keeps a permit; one that people applied for is never overwritten', () => {
    const row = {
      row: 4,
      permit_number: 'PTW-000001',
      end_at: '2026-03-20T00:00:00.000Z',
      written: { permit_number: { column: 'Permit No', value: ' PTW-000001' }, contractor: { column: 'Firm', value: null } },
    }
    const now = '2026-03-16T09:00:00.000Z'
    const land = (status: string, source: 'imported' | 'requested' = 'imported', at = now) =>
      landingOf(row, { id: 'p', source, status }, at)
    assert.deepEqual(landingOf(row, null, now), { landing: 'new' })
    assert.deepEqual(land('issued'), { landing: 'update', id: 'p', revive: false })
    assert.deepEqual(land('expired'), { landing: 'update', id: 'p', revive: true })
    assert.deepEqual(land('expired', 'imported', row.end_at), { landing: 'update', id: 'p', revive: false })
    assert.deepEqual(land('closed'), { landing: 'kept', id: 'p', status: 'closed' })
    const taken = land('corrections_requested', 'requested')
    assert.ok(taken.landing === 'fault')
    assert.deepEqual(
      { ...taken.fault, message: '' },
      { row: 4, column: 'Permit No', value: ' PTW-000001', code: 'number_taken', message: '' },
    )
    assert.match(taken.fault.message, /^PTW-000001 is a permit that was requested on this site \(corrections requested\)/)
  })

  test('§1 every field of the format has its headers, its transform and a place in a row', () => {
    const fields: Field[] = CUSTOMER_PTW.columns.map(c => c.field)
    const row: Record<string, unknown> = accepted(judged(GOOD))
    assert.deepEqual(
      fields.filter(field => !(field in row) || new Set(fields).size !== fields.length),
      [],
    )
    assert.deepEqual(
      CUSTOMER_PTW.columns.filter(c => c.required).map(c => c.field),
      ['permit_number', 'categories', 'start_at', 'end_at'],
    )
  })
})
