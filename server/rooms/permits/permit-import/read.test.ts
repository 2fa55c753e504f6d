import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bookOf, type Sheet, useFolder, type Written, xlsxOf } from '../../../../tests/books.ts'
import { Refused } from '../../../base/errors.ts'
import { type RegisterFile, type RegisterPiece, readRegister } from './actions/read.ts'
import { lastOfEach } from './domain/repeats.ts'
import type { RegisterRow, RowFault } from './domain/rows.ts'

const data = (file: string) => fileURLToPath(new URL(`../../../../tests/data/${file}`, import.meta.url))
const SEEDED = ['GEN', 'HW', 'CSE', 'WAH', 'EXC', 'ELE', 'CRO', 'PRT', 'RAD', 'LIFT'].map(code => ({ code, name: code }))

type Whole = {
  of: Extract<RegisterPiece, { kind: 'register' }>
  rows: RegisterRow[]
  errors: RowFault[]
  end: Extract<RegisterPiece, { kind: 'end' }>
  progress: { rows_read: number; total: number }[]
}
async function read(path: string, options: Partial<RegisterFile> = {}): Promise<Whole> {
  let of: Whole['of'] | undefined
  let end: Whole['end'] | undefined
  const rows: RegisterRow[] = []
  const errors: RowFault[] = []
  const progress: Whole['progress'] = []
  for await (const piece of readRegister({ path, filename: basename(path), timezone: 'Europe/London', types: SEEDED, ...options })) {
    if (piece.kind === 'register') of = piece
    else if (piece.kind === 'end') end = piece
    else {
      rows.push(...piece.rows)
      errors.push(...piece.errors)
      progress.push(piece.progress)
    }
  }
  assert.ok(of !== undefined && end !== undefined)
  return { of, rows, errors, end, progress }
}
/** Returns the status of the refusal, or what was read. */
const fate = (path: string, options: Partial<RegisterFile> = {}) =>
  read(path, options).then(
    whole => whole,
    error => {
      if (error instanceof Refused) return error.refusal
      throw error
    },
  )

type Expected = {
  row: number
  permit_number: string | null
  outcome: 'accept' | 'refuse' | 'accept-or-refuse' | 'judgement'
  categories?: string[] | null
  contractor?: string | null
  start_local?: string
  end_local?: string
  start_utc?: string
  end_utc?: string
  column?: string
  value?: string | null
  why?: string
  duplicate_of_row?: number
}
type Book = { summary: Record<string, unknown>; rows: Expected[] }
const expectedOf = (name: string): Book => JSON.parse(readFileSync(data(`permits/${name}.expected.json`), 'utf8'))

/** Compares rows with what is expected; returns the rows that a person has to decide on, for the caller. */
function compare(whole: Whole, rows: readonly Expected[]): Expected[] {
  const accepted = new Map(whole.rows.map(row => [row.row, row]))
  const refused = Map.groupBy(whole.errors, error => error.row)
  assert.deepEqual(
    [...accepted.keys(), ...refused.keys()].sort((a, b) => a - b),
    rows.map(row => row.row),
  )
  for (const want of rows) {
    if (want.outcome === 'judgement') continue
    const got = accepted.get(want.row)
    const faults = refused.get(want.row) ?? []
    if (want.outcome === 'refuse') {
      assert.equal(got, undefined, `row ${want.row}`)
      for (const column of want.column?.split(' and ') ?? []) {
        const fault = faults.find(f => f.column.toLowerCase() === column.toLowerCase())
        assert.equal(fault?.value?.trim() ?? null, want.value, `row ${want.row}`)
        assert.equal(fault?.code, want.value === null ? 'missing_window' : 'unreadable_date', `row ${want.row}`)
      }
      continue
    }
    // Rows that could be refused are read, because their forms are unambiguous.
    assert.ok(got !== undefined, `row ${want.row}: ${JSON.stringify(faults)}`)
    assert.deepEqual(
      [got.permit_number, new Set(got.categories), got.contractor],
      [want.permit_number, new Set(want.categories), want.contractor ?? null],
      `row ${want.row}`,
    )
    if (want.start_utc !== undefined)
      assert.deepEqual(
        [got.start_at, got.end_at],
        [want.start_utc, want.end_utc].map(at => at?.replace('Z', ':00.000Z')),
      )
    else assert.deepEqual([got.start_at.slice(0, 16), got.end_at.slice(0, 16)], [want.start_local, want.end_local], `row ${want.row}`)
  }
  return rows.filter(row => row.outcome === 'judgement')
}

describe('permit-import: registers', () => {
  test('import rules 3, 5 and 6: the register of 40, as .xlsx and as .xls, is read as specified', async () => {
    const { rows, summary } = expectedOf('register-40')
    for (const file of ['register-40.xlsx', 'register-40.xls']) {
      // Wall-clock times are compared in a zone without an offset.
      const whole = await read(data(`permits/${file}`), { timezone: 'UTC' })
      assert.deepEqual(compare(whole, rows), [])
      assert.deepEqual([whole.end.rows, whole.end.accepted, whole.end.refused], [40, 35, 5])
      assert.deepEqual([whole.of.sheet, whole.of.header_row], [summary.sheet, 1])
      const last = lastOfEach<RegisterRow>()
      for (const row of whole.rows) last.add(row)
      assert.equal(last.rows().length, summary.must_be_accepted_distinct_permit_numbers)
      assert.deepEqual(
        last.repeats().map(r => [r.row, r.replaced_row]),
        rows.filter(r => r.duplicate_of_row !== undefined).map(r => [r.row, r.duplicate_of_row]),
      )
    }
  })

  test('import rule 6: the register of 2,000 loses no row; rows that no rule settles are refused with a code of their own, and day serials are read', async () => {
    const { rows, summary } = expectedOf('register-2000')
    const whole = await read(data('permits/register-2000.xlsx'), { timezone: 'UTC' })
    const judged = compare(whole, rows).map(({ row }) => {
      const accepted = whole.rows.find(r => r.row === row)
      const codes = whole.errors.filter(e => e.row === row).map(e => e.code)
      return [row, accepted === undefined ? codes.join() : `${accepted.start_at.slice(0, 10)} ${accepted.end_at.slice(0, 10)}`]
    })
    assert.deepEqual(judged, [
      [124, 'missing_permit_number'],
      [319, 'missing_type'],
      [1024, 'unknown_type'],
      [1041, '2024-04-24 2024-10-28'],
      [1060, 'window_reversed'],
      [1619, '2023-09-12 2024-04-23'],
      [1845, 'unknown_type'],
      [1966, 'window_reversed'],
    ])
    assert.equal(whole.end.rows, summary.data_rows_with_content)
    const last = lastOfEach<RegisterRow>()
    for (const row of whole.rows) last.add(row)
    // This includes the two rows of day serials.
    assert.equal(last.rows().length, Number(summary.distinct_permit_numbers_if_all_optional_rows_accepted) + 2)
    assert.equal(last.repeats().length, summary.duplicate_rows)
    assert.deepEqual(
      whole.end.warnings.map(w => w.code),
      ['column_unknown', 'sheet_not_read'],
    )
  })

  test('import rule 3: windows with times are read in the site’s zone, across clock changes', async () => {
    const whole = await read(data('permits/windows-with-times-300.xlsx'), { timezone: 'America/New_York' })
    assert.deepEqual(compare(whole, expectedOf('windows-with-times-300').rows), [])
    assert.equal(new Set(whole.rows.map(r => r.permit_number)).size, 300)
  })

  test('§6 strings of every kind are read unchanged, apart from spaces at their ends', async () => {
    const { strings }: { strings: string[] } = JSON.parse(readFileSync(data('hostile/naughty-strings-register.expected.json'), 'utf8'))
    const whole = await read(data('hostile/naughty-strings-register.xlsx'))
    assert.deepEqual(whole.errors, [])
    const wanted = strings.map(text => text.trim() || null)
    for (const field of ['contractor', 'location', 'description'] as const)
      assert.deepEqual(
        whole.rows.map(row => row[field]),
        wanted,
        field,
      )
  })

  test('every workbook that we have is read as a register or refused with its reason; none crashes the reader', async () => {
    const files = globSync('{spreadsheets,hostile}/**/*.{xls,xlsx,xlsm}', { cwd: data('') }).sort()
    assert.ok(files.length > 40)
    const fates = new Map(await Promise.all(files.map(async file => [file, await fate(data(file))] as const)))
    for (const [file, outcome] of fates) {
      if ('status' in outcome) {
        assert.ok([413, 415, 422].includes(outcome.status), file)
        assert.ok(
          outcome.detail.length > 20 && (outcome.context?.problem !== undefined || outcome.context?.missing_columns !== undefined),
          file,
        )
      } else assert.equal(outcome.end.rows, new Set([...outcome.rows, ...outcome.errors].map(r => r.row)).size, file)
    }
    const problem = (file: string) => {
      const outcome = fates.get(file)
      return outcome !== undefined && 'status' in outcome ? [outcome.status, outcome.context?.problem] : 'read'
    }
    assert.deepEqual(problem('hostile/empty.xlsx'), [415, 'not_a_workbook'])
    assert.deepEqual(problem('hostile/csv-named.xlsx'), [415, 'not_a_workbook'])
    assert.deepEqual(problem('hostile/html-named.xls'), [415, 'not_a_workbook'])
    assert.deepEqual(problem('hostile/truncated.xlsx'), [422, 'damaged'])
    assert.deepEqual(problem('hostile/inflates-to-256mb.xlsx'), [413, 'bomb'])
    assert.deepEqual(problem('spreadsheets/password_2002_40_xor.xls'), [422, 'encrypted'])
    assert.deepEqual(problem('spreadsheets/BlankSheetTypes.xlsm'), [415, 'unknown_extension'])
    const whole = expectedOf('register-40').rows
    for (const file of ['dimension-lies.xlsx', 'formatted-empty-tail.xlsx']) {
      const outcome = fates.get(`hostile/${file}`)
      assert.ok(outcome !== undefined && 'end' in outcome, file)
      assert.equal(outcome.end.rows, whole.length, file)
      assert.equal(outcome.end.refused, 5, file)
    }
  })
})

describe('permit-import: reading', () => {
  const folder = useFolder()
  const HEADERS = ['Permit No', 'Type', 'Start', 'Finish']
  const row = (number: string, day = '05/03/2026'): Written[] => [number, 'HW', `${day} 08:00`, `${day} 17:00`]
  const made = async (sheets: readonly Sheet[], options: { date1904?: boolean } & Partial<RegisterFile> = {}) =>
    fate(await folder.put('register.xlsx', xlsxOf(sheets, options)), options)
  const readMade = async (...of: Parameters<typeof made>) => {
    const outcome = await made(...of)
    assert.ok('end' in outcome, JSON.stringify(outcome))
    return outcome
  }
  const refused = async (...of: Parameters<typeof made>) => {
    const outcome = await made(...of)
    assert.ok('status' in outcome)
    return outcome
  }

  test('§6 the first sheet with all required headers counts, even if an earlier one has some; the others are reported', async () => {
    const whole = await readMade([
      {
        name: 'Cover',
        rows: [
          ['Ref', 'Site'],
          ['R-1', 'Riverside'],
        ],
      },
      { name: 'March', rows: [['Permits of March'], [], HEADERS, row('P-1'), [null, ' '], row('P-2')] },
      { name: 'April', rows: [HEADERS, row('P-3')] },
    ])
    assert.deepEqual([whole.of.sheet, whole.of.header_row], ['March', 3])
    assert.deepEqual(
      whole.rows.map(r => [r.row, r.permit_number]),
      [
        [4, 'P-1'],
        [6, 'P-2'],
      ],
    )
    assert.deepEqual(whole.end.warnings, [
      { code: 'sheet_not_read', detail: 'Only the sheet “March” was read. The file also has “Cover” and “April”.', count: 2, first: null },
    ])
  })

  test('§6 nothing is left out silently: columns that no field has are named, however long their names are', async () => {
    const long = 'x'.repeat(5000)
    const whole = await readMade([
      {
        name: 'Register',
        rows: [
          [...HEADERS, 'Status', long],
          [...row('P-1'), 'Closed', 'y'],
        ],
      },
    ])
    assert.deepEqual(whole.end.warnings, [
      {
        code: 'column_unknown',
        detail: `A permit has no field for these columns, so they weren’t read: “Status” and “${long.slice(0, 200)}”.`,
        count: 2,
        first: null,
      },
    ])
  })

  test('§6 without another required column every row is refused with the name of the column, and the fullest sheet is used', async () => {
    const whole = await readMade([
      { name: 'Cover', rows: [['Ref', 'R-1']] },
      { name: 'Register', rows: [['Permit No', 'Type', 'Start'], row('P-1').slice(0, 3), row('P-2').slice(0, 3)] },
    ])
    assert.deepEqual(
      whole.of.missing.filter(field => field === 'end_at'),
      ['end_at'],
    )
    assert.deepEqual(
      whole.errors.map(e => [e.row, e.column, e.value, e.code]),
      [
        [2, 'Finish', null, 'missing_window'],
        [3, 'Finish', null, 'missing_window'],
      ],
    )
    assert.equal(
      whole.end.warnings.find(w => w.code === 'column_missing')?.detail,
      'The file has no column Finish, so every row is refused.',
    )
  })

  test('§6 a file without a permit-number column, or with nothing in it, is refused with what was looked for and found', async () => {
    const none = await refused([
      {
        name: 'Plan',
        rows: [
          ['Task name', 'Start', 'Finish'],
          ['Dig', '05/03/2026', '06/03/2026'],
        ],
      },
    ])
    assert.deepEqual([none.status, none.code], [422, 'validation_failed'])
    assert.deepEqual(none.context?.missing_columns, ['permit_number', 'categories'])
    assert.deepEqual(none.context?.headers_found, ['Task name', 'Start', 'Finish'])
    const empty = await refused([{ name: 'Sheet1', rows: [] }])
    assert.deepEqual([empty.status, empty.context?.headers_found], [422, []])
    const low = await refused([{ name: 'Low', rows: [...Array.from({ length: 20 }, (_, i) => [`Title ${i}`]), HEADERS, row('P-1')] }])
    assert.equal(low.status, 422)
  })

  test('§6 a header alone is a register without rows', async () => {
    const whole = await readMade([{ name: 'Register', rows: [HEADERS] }])
    assert.deepEqual([whole.end.rows, whole.of.total, whole.rows, whole.errors], [0, 0, [], []])
  })

  test('§6 the stored values of formulas are read; dates in 1904 workbooks, serials and ISO cells give the same days', async () => {
    const first = (sheets: readonly Sheet[], options = {}) => readMade(sheets, options).then(w => [w.rows[0]?.start_at, w.rows[0]?.end_at])
    const start: Written = { formula: 'TODAY()', value: 46_000 }
    const wanted = ['2025-12-09T00:00:00.000Z', '2025-12-11T12:00:00.000Z']
    const of = (from: Written, to: Written) => [{ name: 'R', rows: [HEADERS, [1, 'HW', from, to]] }]
    assert.deepEqual(await first(of(start, { number: 46_002.5, format: 'dd/mm/yyyy' })), wanted)
    const mac = 1462
    const shifted = of({ number: 46_000 - mac, format: 'd mmm yy' }, { number: 46_002.5 - mac, format: 'dd/mm/yyyy hh:mm' })
    assert.deepEqual(await first(shifted, { date1904: true }), wanted)
    assert.deepEqual(await first(of(46_000 - mac, '11-Dec-2025 12:00'), { date1904: true }), wanted)
    assert.deepEqual(await first(of({ iso: '2025-12-09' }, '2025-12-11 12:00')), wanted)
  })

  test('§1 the site’s header names, date_order and time zone apply', async () => {
    const rows: Written[][] = [
      ['Laufende Nr', 'Type', 'Start', 'Finish'],
      ['P-1', 'HW', '03/04/2026', '03/05/2026'],
    ]
    const whole = await readMade([{ name: 'R', rows }], {
      date_order: 'mdy',
      timezone: 'America/New_York',
      import_headers: { customer_ptw_xlsx: { permit_number: ['laufende nr'] }, other: { permit_number: ['Type'] } },
    })
    assert.deepEqual(
      whole.rows.map(r => [r.start_at, r.end_at]),
      [['2026-03-04T05:00:00.000Z', '2026-03-05T05:00:00.000Z']],
    )
    assert.equal((await refused([{ name: 'R', rows }])).status, 422)
    assert.equal((await refused([{ name: 'R', rows }], { format_id: 'nonsense' })).context?.fields !== undefined, true)
  })

  test('hidden sheets, merged cells, errors and ignored columns are reported', async () => {
    const whole = await readMade([
      {
        name: 'Register',
        state: 'hidden',
        merges: ['F1:G1'],
        rows: [
          ['No', ...HEADERS],
          [1, ...row('P-1'), { error: '#N/A' }],
        ],
      },
      { name: 'Empty', rows: [] },
    ])
    assert.deepEqual(
      whole.end.warnings.map(w => [w.code, w.first]),
      [
        ['hidden_sheet', null],
        ['merged_cells', 'F1'],
        ['error_values', 'F2'],
        ['column_not_read', null],
      ],
    )
    assert.equal(whole.rows[0]?.permit_number, 'P-1')
  })

  test('P3 20,000 rows are read in pieces that block nothing, with progress that ends at the last row', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [
      `PTW-${i}`,
      'GEN; HW',
      // Most rows have a different day and different times, so that offsets are looked up and not remembered.
      { number: 20_000 + i, format: 'dd/mm/yyyy' },
      i % 7 === 0 ? 'TBC' : { number: 20_001.4 + i, format: 'dd/mm/yyyy hh:mm' },
    ])
    const path = await folder.put('large.xlsx', bookOf([HEADERS, ...rows]))
    const result = await read(path)
    assert.equal(result.end.rows, 20_000)
    assert.equal(result.end.refused, Math.ceil(20_000 / 7))
    // Each piece has at most 100 rows, and a turn of the event loop of its own.
    assert.ok(result.progress.length >= 200)
    assert.deepEqual(result.progress.at(-1), { rows_read: 20_000, total: 20_000 })
    assert.ok(result.progress.every((p, i) => p.rows_read > (result.progress[i - 1]?.rows_read ?? 0)))
  })

  test('a consumer that stops early ends the reading, and one that cancels gets its own reason', async () => {
    const path = await folder.put('again.xlsx', bookOf([HEADERS, ...Array.from({ length: 3000 }, (_, i) => row(`P-${i}`))]))
    const file = { path, filename: 'again.xlsx', timezone: 'UTC', types: SEEDED }
    for await (const piece of readRegister(file)) if (piece.kind === 'rows') break
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await assert.rejects(async () => {
      for await (const _ of readRegister({ ...file, signal: stop.signal })) assert.fail('cancelled')
    }, /enough/)
    assert.equal((await read(path)).end.accepted, 3000)
  })
})
