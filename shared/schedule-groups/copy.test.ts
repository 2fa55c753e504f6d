import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plusDays } from '../time.ts'
import { type Copyable, copyFromRange, keepsPermit } from './copy.ts'

const LONDON = 'Europe/London'
const WEEK = { from_date: '2026-03-23', to_date: '2026-03-29', target_date: '2026-03-30' }
type Source = Copyable & { id: string }
const gang = (start_at: string, end_at: string | null, some: Partial<Source> = {}): Source => ({
  id: start_at,
  contractor_id: 'A',
  name: 'Steel fixers',
  place: 'Block B',
  start_at,
  end_at,
  ...some,
})
const copy = (entities: Source[], range = WEEK, existing: Copyable[] = [], skip_duplicates = true, zone = LONDON) =>
  copyFromRange(entities, range, zone, { skip_duplicates, existing })
const fault = (range: Partial<typeof WEEK>, entities = [MONDAY]) => copy(entities, { ...WEEK, ...range }).faults[0]
const MONDAY = gang('2026-03-23T07:30:00.000Z', '2026-03-23T17:30:00.000Z')

describe('copy from range', () => {
  test('map §0.7 a copy of the week before the clocks change starts at 07:30 on site in both weeks', () => {
    const plan = copy([MONDAY, gang('2026-03-27T07:30:00.000Z', '2026-03-27T17:30:00.000Z')])
    assert.deepEqual(plan, {
      faults: [],
      create: [
        { copied_from_id: '2026-03-23T07:30:00.000Z', start_at: '2026-03-30T06:30:00.000Z', end_at: '2026-03-30T16:30:00.000Z' },
        { copied_from_id: '2026-03-27T07:30:00.000Z', start_at: '2026-04-03T06:30:00.000Z', end_at: '2026-04-03T16:30:00.000Z' },
      ],
      duplicates: [],
      warnings: [],
    })
  })

  test('map §0.7 only what starts on the site days of the range is copied, and what is open-ended stays so', () => {
    const summer = { from_date: '2026-06-01', to_date: '2026-06-02', target_date: '2026-06-08' }
    const night = gang('2026-05-31T23:00:00.000Z', '2026-06-01T05:00:00.000Z')
    const plan = copy(
      [gang('2026-05-31T22:59:00.000Z', null), night, gang('2026-06-02T22:59:30.250Z', null), gang('2026-06-02T23:00:00.000Z', null)],
      summer,
    )
    assert.deepEqual(
      plan.create.map(c => [c.start_at, c.end_at]),
      [
        ['2026-06-07T23:00:00.000Z', '2026-06-08T05:00:00.000Z'],
        ['2026-06-09T22:59:30.250Z', null],
      ],
    )
  })

  test('map §0.7 a copy that a clock change touches is in the warnings, and one without length is not made', () => {
    const to = { from_date: '2026-03-21', to_date: '2026-03-22', target_date: '2026-03-28' }
    const night = gang('2026-03-21T22:00:00.000Z', '2026-03-22T06:00:00.000Z', { id: 'night' })
    const gone = gang('2026-03-22T01:30:00.000Z', '2026-03-22T02:15:00.000Z', { id: 'gone' })
    const open = gang('2026-03-22T01:30:00.000Z', null, { id: 'open' })
    const plan = copy([night, gone, open], to)
    assert.deepEqual(plan.create, [
      { copied_from_id: 'night', start_at: '2026-03-28T22:00:00.000Z', end_at: '2026-03-29T05:00:00.000Z' },
      { copied_from_id: 'open', start_at: '2026-03-29T01:30:00.000Z', end_at: null },
    ])
    assert.deepEqual(
      plan.warnings.map(w => [w.copied_from_id, w.date, w.kind]),
      [
        ['night', '2026-03-28', 'clock_forward'],
        ['gone', '2026-03-29', 'no_length'],
        ['open', '2026-03-29', 'clock_forward'],
      ],
    )
  })

  test('map §0.7 a duplicate (same contractor, name, place and times) is skipped, so a second run creates nothing', () => {
    const first = copy([MONDAY])
    const existing = first.create.map(c => ({ ...MONDAY, ...c }))
    const second = copy([MONDAY], WEEK, existing)
    assert.deepEqual([second.create, second.duplicates, second.faults], [[], first.create, []])
    for (const other of [{ contractor_id: 'B' }, { name: 'Scaffolders' }, { place: 'Block C' }, { end_at: '2026-03-30T16:00:00.000Z' }])
      assert.equal(
        copy(
          [MONDAY],
          WEEK,
          existing.map(e => ({ ...e, ...other })),
        ).create.length,
        1,
        JSON.stringify(other),
      )
    assert.equal(copy([MONDAY], WEEK, existing, false).create.length, 1)
    // Two equal ones in the range: the second copy would be a duplicate of the first.
    const twin = { ...MONDAY, id: 'twin' }
    assert.deepEqual([copy([MONDAY, twin]).create.length, copy([MONDAY, twin], WEEK, [], false).create.length], [1, 2])
  })

  test('map §0.7 a range is at most 31 days, its target is outside it, and there is something to copy', () => {
    assert.equal(fault({ to_date: '2026-04-22', target_date: '2026-05-01' }), undefined)
    assert.equal(fault({ to_date: '2026-04-23', target_date: '2026-05-01' })?.path, 'to_date')
    assert.equal(fault({ to_date: '2026-03-22' })?.path, 'to_date')
    for (const target_date of ['2026-03-23', '2026-03-26', '2026-03-29'])
      assert.equal(fault({ target_date })?.path, 'target_date', target_date)
    for (const target_date of ['2026-03-22', '2026-03-30']) assert.equal(fault({ target_date }), undefined, target_date)
    assert.match(fault({}, [])?.message ?? '', /nothing to copy/)
    assert.match(fault({ from_date: '2026-03-24' })?.message ?? '', /nothing to copy/)
  })

  test('map §0.7 at most 2,000 copies are made at a time; skipped duplicates don’t count', () => {
    const many = Array.from({ length: 2001 }, (_, i) => ({ ...MONDAY, id: `${i}`, name: `Gang ${i}` }))
    const refused = copy(many)
    assert.match(refused.faults[0]?.message ?? '', /2001 copies/)
    assert.deepEqual(refused.create, [])
    assert.equal(copy(many.slice(1)).create.length, 2000)
    const [first] = copy([MONDAY]).create
    assert.equal(copy(many, WEEK, [{ ...MONDAY, name: 'Gang 7', ...first }]).create.length, 2000)
  })

  test('map §0.7 the link to a permit comes along only if the permit is not over and its window contains the copy', () => {
    const permit = { status: 'issued', start_at: '2026-03-30T06:30:00.000Z', end_at: '2026-03-30T16:30:00.000Z' }
    const [made] = copy([MONDAY]).create
    assert.ok(made)
    assert.equal(keepsPermit(permit, made), true)
    assert.equal(keepsPermit({ ...permit, status: 'draft' }, made), true)
    for (const status of ['closed', 'rejected', 'withdrawn', 'expired'])
      assert.equal(keepsPermit({ ...permit, status }, made), false, status)
    assert.equal(keepsPermit({ ...permit, start_at: '2026-03-30T06:31:00.000Z' }, made), false)
    assert.equal(keepsPermit({ ...permit, end_at: '2026-03-30T16:29:00.000Z' }, made), false)
    assert.equal(keepsPermit(permit, { ...made, end_at: null }), false)
  })

  test('map §0.7 copying back returns to the same instants when no clock change touches the copy', () => {
    const there = copy([MONDAY]).create[0]
    assert.ok(there)
    const back = copyFromRange(
      [{ ...MONDAY, ...there, id: 'copy' }],
      { from_date: WEEK.target_date, to_date: plusDays(WEEK.target_date, 6), target_date: WEEK.from_date },
      LONDON,
      { skip_duplicates: true, existing: [] },
    )
    assert.deepEqual([back.create[0]?.start_at, back.create[0]?.end_at], [MONDAY.start_at, MONDAY.end_at])
  })
})
