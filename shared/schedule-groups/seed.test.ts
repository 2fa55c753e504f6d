import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instantOf } from '../time.ts'
import { type Seeded, seedFromPermit } from './seed.ts'

const LONDON = 'Europe/London'
/** Returns the schedule of a permit between two wall-clock times of a zone. */
function seed(start: string, end: string, zone = LONDON, from_date: string | null = null): Seeded | null {
  const at = (wall: string) => instantOf(zone, wall.slice(0, 10), wall.slice(11))
  return seedFromPermit({ start_at: at(start), end_at: at(end) }, zone, from_date)
}
function many(...of: Parameters<typeof seed>): Extract<Seeded, { kind: 'schedule' }> {
  const seeded = seed(...of)
  assert.ok(seeded?.kind === 'schedule', JSON.stringify(seeded))
  return seeded
}
const days = (seeded: { occurrences: { date: string }[] }) => seeded.occurrences.map(o => o.date.slice(5))

describe('seed from a permit', () => {
  test('rule 8: a permit is multi-day if it lasts more than 24 elapsed hours; otherwise it is one entity with its own instants', () => {
    assert.deepEqual(seed('2026-06-04 22:00', '2026-06-05 06:00'), {
      kind: 'single',
      start_at: '2026-06-04T21:00:00.000Z',
      end_at: '2026-06-05T05:00:00.000Z',
    })
    assert.equal(seed('2026-06-04 08:00', '2026-06-05 08:00')?.kind, 'single')
    assert.equal(seed('2026-06-04 08:00', '2026-06-05 08:01')?.kind, 'schedule')
    // Noon to noon: 23 hours in March, 25 in October.
    assert.equal(seed('2026-03-28 12:00', '2026-03-29 12:00')?.kind, 'single')
    assert.equal(seed('2026-10-24 12:00', '2026-10-25 12:00')?.kind, 'schedule')
    assert.equal(seed('2026-06-04 08:00', '2026-06-04 08:00'), null)
    assert.equal(seed('2026-06-04 08:00', '2026-06-03 08:00'), null)
  })

  test('rule 8: a multi-day permit has one occurrence for each calendar date, at its own time of day', () => {
    const week = many('2026-06-01 07:30', '2026-06-05 17:30')
    assert.deepEqual(week.pattern, {
      start_date: '2026-06-01',
      end_date: '2026-06-05',
      weekdays: [1, 2, 3, 4, 5],
      start_time: '07:30',
      end_time: '17:30',
      extra_dates: [],
      skip_dates: [],
      overrides: [],
    })
    assert.deepEqual(days(week), ['06-01', '06-02', '06-03', '06-04', '06-05'])
    assert.deepEqual(week.occurrences[2], {
      date: '2026-06-03',
      start_at: '2026-06-03T06:30:00.000Z',
      end_at: '2026-06-03T16:30:00.000Z',
      elapsed_minutes: 600,
    })
  })

  test('rule 8: the last date is dropped when the end time is earlier than the start time, because its shift belongs to the evening before', () => {
    const nights = many('2026-06-04 20:00', '2026-06-09 06:00')
    assert.equal(nights.pattern.end_date, '2026-06-08')
    assert.deepEqual(days(nights), ['06-04', '06-05', '06-08'])
    assert.deepEqual(
      nights.occurrences.map(o => o.elapsed_minutes),
      [600, 600, 600],
    )
    assert.deepEqual(nights.without_length, [])
  })

  test('rule 8: if the times are equal, the last date stays listed but has no occurrence, because the window is over', () => {
    const equal = many('2026-06-01 08:00', '2026-06-04 08:00')
    assert.equal(equal.pattern.end_date, '2026-06-04')
    assert.deepEqual(equal.dates, ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04'])
    assert.deepEqual(days(equal), ['06-01', '06-02', '06-03'])
    assert.deepEqual(equal.without_length, ['2026-06-04'])
    assert.equal(equal.occurrences[2]?.end_at, '2026-06-04T07:00:00.000Z')
  })

  test('rule 8: weekends count if either end falls on one, even when that last date is dropped', () => {
    assert.deepEqual(days(many('2026-06-05 08:00', '2026-06-07 17:00')), ['06-05', '06-06', '06-07'])
    assert.deepEqual(days(many('2026-06-04 08:00', '2026-06-08 17:00')), ['06-04', '06-05', '06-08'])
    assert.deepEqual(days(many('2026-05-31 08:00', '2026-06-02 17:00')), ['05-31', '06-01', '06-02'])
    // The end is a Saturday morning that is dropped; it still counts as a weekend.
    const dropped = many('2026-06-04 20:00', '2026-06-06 06:00')
    assert.deepEqual([days(dropped), dropped.pattern.weekdays.length], [['06-04', '06-05'], 7])
  })

  test('rule 8: wall-clock times stay the same when the clocks change, and lengths are elapsed time', () => {
    const spring = many('2026-03-27 22:00', '2026-03-30 06:00')
    assert.deepEqual(
      spring.occurrences.map(o => [o.start_at, o.elapsed_minutes]),
      [['2026-03-27T22:00:00.000Z', 480]],
    )
    const weekend = many('2026-03-28 22:00', '2026-03-31 06:00')
    assert.deepEqual(
      weekend.occurrences.map(o => [o.start_at, o.elapsed_minutes]),
      [
        ['2026-03-28T22:00:00.000Z', 420],
        ['2026-03-29T21:00:00.000Z', 480],
        ['2026-03-30T21:00:00.000Z', 480],
      ],
    )
    const noon = many('2026-10-24 12:00', '2026-10-25 12:00')
    assert.deepEqual(
      noon.occurrences.map(o => [o.date, o.elapsed_minutes]),
      [['2026-10-24', 1500]],
    )
    // 01:30 to 02:15 on the night of the change has no length.
    const gone = many('2026-03-28 01:30', '2026-03-30 02:15')
    assert.deepEqual(gone.without_length, ['2026-03-29'])
    assert.deepEqual(days(gone), ['03-28', '03-30'])
  })

  test('rule 8: days are those of the site, whatever its time zone', () => {
    const permit = { start_at: '2026-06-04T20:00:00.000Z', end_at: '2026-06-06T04:00:00.000Z' }
    const of = (zone: string) => {
      const seeded = seedFromPermit(permit, zone)
      assert.ok(seeded?.kind === 'schedule')
      return [
        seeded.pattern.start_date,
        seeded.pattern.end_date,
        seeded.pattern.start_time,
        seeded.pattern.end_time,
        seeded.occurrences.length,
      ]
    }
    assert.deepEqual(of('Pacific/Auckland'), ['2026-06-05', '2026-06-06', '08:00', '16:00', 2])
    assert.deepEqual(of('America/New_York'), ['2026-06-04', '2026-06-05', '16:00', '00:00', 2])
  })

  test('rule 8: a day that is missing from the site’s calendar has no occurrence', () => {
    const apia = many('2011-12-26 08:00', '2011-12-31 17:00', 'Pacific/Apia')
    assert.deepEqual(apia.without_length, ['2011-12-30'])
    assert.deepEqual(apia.pattern.skip_dates, ['2011-12-30'])
  })

  test('rule 8: dates before the first one that the caller can write are left out of the pattern and listed', () => {
    const late = many('2026-06-01 08:00', '2026-06-05 17:00', LONDON, '2026-06-03')
    assert.deepEqual(late.left_out, ['2026-06-01', '2026-06-02'])
    assert.deepEqual(days(late), ['06-03', '06-04', '06-05'])
    assert.deepEqual(late.dates, ['2026-06-03', '2026-06-04', '2026-06-05'])
    assert.equal(late.pattern.start_date, '2026-06-01')
  })
})
