import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expand } from './expand.ts'
import { completePattern, type WrittenPattern } from './pattern.ts'

const LONDON = 'Europe/London'
type Some = Partial<WrittenPattern> & { start_date: string }
/** Writes a pattern that starts and ends on one day, 07:30 to 17:30, unless it says otherwise. */
const pattern = (some: Some) => completePattern({ end_date: some.start_date, start_time: '07:30', end_time: '17:30', ...some })
const one = (start_date: string, start_time: string, end_time: string, zone = LONDON) =>
  expand(pattern({ start_date, start_time, end_time, weekdays: [1, 2, 3, 4, 5, 6, 7] }), zone)
const short = (instant: string) => instant.slice(0, 16)
const times = (expansion: ReturnType<typeof expand>) => expansion.occurrences.map(o => `${short(o.start_at)} ${short(o.end_at)}`)
const faults = (some: Some, zone = LONDON) => expand(pattern(some), zone).faults

describe('schedule groups: occurrences of a pattern', () => {
  test('map §0.5 a pattern over the March change starts at the same wall-clock time, and each shift is as long as ever', () => {
    const expansion = expand(pattern({ start_date: '2026-03-27', end_date: '2026-03-30' }), LONDON)
    assert.deepEqual(expansion, {
      occurrences: [
        { occurrence_date: '2026-03-27', start_at: '2026-03-27T07:30:00.000Z', end_at: '2026-03-27T17:30:00.000Z' },
        { occurrence_date: '2026-03-30', start_at: '2026-03-30T06:30:00.000Z', end_at: '2026-03-30T16:30:00.000Z' },
      ],
      warnings: [],
      faults: [],
    })
  })

  test('map §0.5.2 a night shift over the March change lasts 420 minutes, over the October change 540; both are in the warnings', () => {
    const march = one('2026-03-28', '22:00', '06:00')
    assert.deepEqual(times(march), ['2026-03-28T22:00 2026-03-29T05:00'])
    assert.deepEqual(march.warnings, [{ date: '2026-03-28', kind: 'clock_forward', elapsed_minutes: 420 }])
    const october = one('2026-10-24', '22:00', '06:00')
    assert.deepEqual(times(october), ['2026-10-24T21:00 2026-10-25T06:00'])
    assert.deepEqual(october.warnings, [{ date: '2026-10-24', kind: 'clock_back', elapsed_minutes: 540 }])
  })

  test('map §0.5.2 a start that is skipped in spring is one gap later, and one that occurs twice in autumn is the first', () => {
    const spring = one('2026-03-29', '01:30', '05:00')
    assert.deepEqual(times(spring), ['2026-03-29T01:30 2026-03-29T04:00'])
    assert.deepEqual(spring.warnings, [{ date: '2026-03-29', kind: 'clock_forward', elapsed_minutes: 150 }])
    const autumn = one('2026-10-25', '01:30', '05:00')
    assert.deepEqual(times(autumn), ['2026-10-25T00:30 2026-10-25T05:00'])
    assert.deepEqual(autumn.warnings, [{ date: '2026-10-25', kind: 'clock_back', elapsed_minutes: 270 }])
  })

  test('map §0.5.3 an occurrence that the change leaves no length is not made, and the warning says so', () => {
    const shift = pattern({ start_date: '2026-03-28', end_date: '2026-03-30', start_time: '01:30', end_time: '02:15', weekdays: [6, 7, 1] })
    const expansion = expand(shift, LONDON)
    assert.deepEqual(times(expansion), ['2026-03-28T01:30 2026-03-28T02:15', '2026-03-30T00:30 2026-03-30T01:15'])
    assert.deepEqual(expansion.warnings, [{ date: '2026-03-29', kind: 'no_length', elapsed_minutes: 0 }])
    // If it is the only one, the pattern has none at all.
    const [fault] = one('2026-03-29', '01:30', '02:15').faults
    assert.equal(fault?.path, 'pattern')
    assert.match(fault?.message ?? '', /no occurrence: on 2026-03-29 the clocks change/)
  })

  test('map §0.5.3 a change that only moves or repeats the time of an end is in the warnings as well', () => {
    assert.deepEqual(one('2026-03-29', '01:15', '01:45').warnings, [{ date: '2026-03-29', kind: 'clock_forward', elapsed_minutes: 30 }])
    assert.deepEqual(one('2026-10-25', '01:00', '01:45').warnings, [{ date: '2026-10-25', kind: 'clock_back', elapsed_minutes: 45 }])
    assert.deepEqual(one('2026-10-24', '22:00', '01:30').warnings, [{ date: '2026-10-24', kind: 'clock_back', elapsed_minutes: 210 }])
    // The day of a change is not itself a reason: these shifts are before it, after it, or end with it.
    for (const [date, start, end] of [
      ['2026-03-29', '00:00', '01:00'],
      ['2026-03-29', '02:00', '05:00'],
      ['2026-03-29', '07:30', '17:30'],
      ['2026-10-25', '02:00', '05:00'],
      ['2026-10-24', '22:00', '00:59'],
    ] as const)
      assert.deepEqual(one(date, start, end).warnings, [], `${date} ${start} ${end}`)
  })

  test('map §0.5 equal times are a whole site day of 23, 24 or 25 hours', () => {
    const lengths = ['2026-03-29', '2026-06-01', '2026-10-25'].map(date => {
      const [o] = one(date, '00:00', '00:00').occurrences
      return (Date.parse(o?.end_at ?? '') - Date.parse(o?.start_at ?? '')) / 3_600_000
    })
    assert.deepEqual(lengths, [23, 24, 25])
  })

  test('map §0.5 a change of half an hour, and a date that a calendar skipped, follow the same rules', () => {
    const lord = one('2026-04-04', '22:00', '06:00', 'Australia/Lord_Howe')
    assert.deepEqual(lord.warnings, [{ date: '2026-04-04', kind: 'clock_back', elapsed_minutes: 510 }])
    const days = { start_date: '2011-12-29', end_date: '2011-12-31', weekdays: [1, 2, 3, 4, 5, 6, 7] }
    const apia = expand(pattern(days), 'Pacific/Apia')
    assert.deepEqual(
      apia.occurrences.map(o => o.occurrence_date),
      ['2011-12-29', '2011-12-31'],
    )
    assert.deepEqual(apia.warnings, [{ date: '2011-12-30', kind: 'no_length', elapsed_minutes: 0 }])
  })

  test('map §0.5 the weekday is that of the day on which an occurrence starts; without weekdays it is Monday to Friday', () => {
    const week = expand(pattern({ start_date: '2026-06-01', end_date: '2026-06-07', start_time: '22:00', end_time: '06:00' }), LONDON)
    assert.deepEqual(
      week.occurrences.map(o => o.occurrence_date),
      ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04', '2026-06-05'],
    )
    assert.equal(week.occurrences.at(-1)?.end_at, '2026-06-06T05:00:00.000Z')
  })

  test('map §0.5 extra dates are added whatever their weekday, skipped dates are left out, and overrides change the times of one date', () => {
    const expansion = expand(
      pattern({
        start_date: '2026-06-01',
        end_date: '2026-06-05',
        extra_dates: ['2026-06-06', '2026-06-02'],
        skip_dates: ['2026-06-03'],
        overrides: [
          { date: '2026-06-05', end_time: '12:00' },
          { date: '2026-06-06', start_time: '09:00' },
        ],
      }),
      LONDON,
    )
    assert.deepEqual(times(expansion), [
      '2026-06-01T06:30 2026-06-01T16:30',
      '2026-06-02T06:30 2026-06-02T16:30',
      '2026-06-04T06:30 2026-06-04T16:30',
      '2026-06-05T06:30 2026-06-05T11:00',
      '2026-06-06T08:00 2026-06-06T16:30',
    ])
  })

  test('map §0.5.1 a pattern without an occurrence, or with two that overlap, is refused with the dates', () => {
    const none = faults({ start_date: '2026-06-06', end_date: '2026-06-07' })
    assert.deepEqual([none[0]?.path, none.length], ['pattern', 1])
    assert.match(none[0]?.message ?? '', /2026-06-06 to 2026-06-07/)
    const nights = { start_date: '2026-06-01', end_date: '2026-06-03', start_time: '22:00', end_time: '06:00' }
    assert.deepEqual(faults(nights), [])
    const overlap = faults({ ...nights, overrides: [{ date: '2026-06-02', start_time: '05:00' }] })
    assert.match(overlap[0]?.message ?? '', /2026-06-01 and 2026-06-02\b/)
    assert.doesNotMatch(overlap[0]?.message ?? '', /2026-06-03/)
    // Occurrences that meet don't overlap.
    assert.deepEqual(faults({ ...nights, overrides: [{ date: '2026-06-02', start_time: '06:00', end_time: '22:00' }] }), [])
  })

  test('map §0.5.1 a pattern has at most 366 occurrences and spans at most 730 days', () => {
    const all = [1, 2, 3, 4, 5, 6, 7]
    assert.equal(expand(pattern({ start_date: '2026-01-01', end_date: '2027-01-01', weekdays: all }), LONDON).occurrences.length, 366)
    assert.match(faults({ start_date: '2026-01-01', end_date: '2027-01-02', weekdays: all })[0]?.message ?? '', /367 occurrences/)
    assert.deepEqual(faults({ start_date: '2026-01-01', end_date: '2027-12-31', weekdays: [1] }), [])
    assert.equal(faults({ start_date: '2026-01-01', end_date: '2028-01-01', weekdays: [1] })[0]?.path, 'pattern.end_date')
    assert.equal(faults({ start_date: '2026-01-01', end_date: '2026-01-31', extra_dates: ['2028-01-01'] })[0]?.path, 'pattern.end_date')
    assert.equal(faults({ start_date: '2026-06-02', end_date: '2026-06-01' })[0]?.path, 'pattern.end_date')
  })

  test('map §0.5 every fault in the fields of a pattern is reported at once, with its path', () => {
    const found = faults({
      start_date: '2026-02-30',
      start_time: '24:00',
      weekdays: [0, 1, 8],
      extra_dates: ['2026-06-01'],
      skip_dates: ['2026-06-01', 'tomorrow'],
      overrides: [{ date: '2026-06-02' }, { date: '2026-06-02', end_time: '7:00' }],
    })
    assert.deepEqual(
      found.map(f => f.path.replace('pattern.', '')),
      [
        'start_date',
        'end_date',
        'start_time',
        'weekdays[0]',
        'weekdays[2]',
        'extra_dates[0]',
        'skip_dates[1]',
        'overrides[0]',
        'overrides[1].end_time',
        'overrides[1].date',
      ],
    )
    assert.deepEqual(expand(pattern({ start_date: '2026-06-01', start_time: 'noon' }), LONDON).occurrences, [])
  })

  test('map §0.5 two patterns with the same meaning are equal once complete', () => {
    const dates = { start_date: '2026-06-01', end_date: '2026-06-30', start_time: '07:30', end_time: '17:30' }
    const a = completePattern({ ...dates, extra_dates: ['2026-06-13', '2026-06-06', '2026-06-13'] })
    const b = completePattern({ ...dates, weekdays: [5, 4, 3, 2, 1, 1], extra_dates: ['2026-06-06', '2026-06-13'], skip_dates: [] })
    assert.equal(JSON.stringify(a), JSON.stringify(b))
  })
})
