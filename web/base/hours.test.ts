import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runningAt, runsFrom, shiftFor } from './hours.ts'

const shift = (name: string, start_time: string, end_time: string, more: object = {}) => ({
  id: name,
  name,
  contractor_id: null,
  start_time,
  end_time,
  weekdays: null,
  breaks: [],
  valid_from: '2026-01-01',
  valid_to: null,
  ...more,
})
const calendar = {
  timezone: 'Europe/London',
  work_weekdays: null,
  holidays: [{ date: '2026-03-23', name: 'Founders’ day' }],
  extra_work_dates: [],
  shifts: [
    shift('Day shift', '07:30', '17:30'),
    shift('Night shift', '17:00', '06:00'),
    shift('Early', '05:00', '13:00', { contractor_id: 'acme' }),
  ],
}
const at = (text: string) => Date.parse(text)
const now = (text: string, contractor_id: string | null = null) => runningAt(runsFrom(calendar, contractor_id, at(text)), at(text))

describe('the hours of the site (site-and-people.md §14)', () => {
  test('§14 the shift that is running, and when it ends: the later one of two that overlap, and the night shift until the morning', () => {
    assert.deepEqual(now('2026-03-16T12:00:00Z'), { name: 'Day shift', end_at: '2026-03-16T17:30:00.000Z' })
    assert.deepEqual(now('2026-03-16T17:15:00Z'), { name: 'Night shift', end_at: '2026-03-17T06:00:00.000Z' })
    assert.deepEqual(now('2026-03-17T05:59:00Z'), { name: 'Night shift', end_at: '2026-03-17T06:00:00.000Z' })
    assert.equal(now('2026-03-17T06:00:00Z'), null)
    assert.equal(now('2026-03-21T12:00:00Z'), null, 'Saturday')
  })

  test('§14 a contractor’s own shifts replace the site’s for its people', () => {
    assert.deepEqual(now('2026-03-16T12:00:00Z', 'acme'), { name: 'Early', end_at: '2026-03-16T13:00:00.000Z' })
    assert.equal(now('2026-03-16T18:00:00Z', 'acme'), null)
  })

  test('§6 new work belongs to the shift that is running, or to the next one when nearly nothing is left of it', () => {
    const day = { ...calendar, shifts: calendar.shifts.slice(0, 1) }
    const given = (text: string, by = day) => shiftFor(runsFrom(by, null, at(text)), at(text))?.start_at
    assert.equal(given('2026-03-16T12:00:00Z'), '2026-03-16T07:30:00.000Z')
    assert.equal(given('2026-03-16T17:00:00Z'), '2026-03-16T07:30:00.000Z', 'half an hour is left')
    assert.equal(given('2026-03-16T17:05:00Z'), '2026-03-17T07:30:00.000Z')
    assert.equal(given('2026-03-16T05:00:00Z'), '2026-03-16T07:30:00.000Z', 'before work')
    assert.equal(given('2026-03-20T18:00:00Z'), '2026-03-24T07:30:00.000Z', 'after a weekend and a holiday')
    assert.equal(given('2026-03-16T17:05:00Z', calendar), '2026-03-16T17:00:00.000Z', 'the night shift of that evening')
    assert.equal(shiftFor([], at('2026-03-16T12:00:00Z')), null)
  })

  test('§0.2 after the weekend and the holiday the next shift is on Tuesday', () => {
    const [next] = runsFrom(calendar, null, at('2026-03-21T12:00:00Z'))
    assert.equal(next?.start_at, '2026-03-24T07:30:00.000Z')
  })
})
