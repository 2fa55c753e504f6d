import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changedIn, nextOf, patternOf, startOf, weekdaysOf, withStart, workerBody } from './token-typed.ts'

const NOW = Date.parse('2026-03-27T09:07:00.000Z')

describe('what is typed about a gang', () => {
  test('a new gang starts at the last quarter of an hour and stays for a shift', () => {
    const { start_at, end_at, repeats } = startOf(null, NOW)
    assert.deepEqual([start_at, end_at, repeats], ['2026-03-27T09:00:00.000Z', '2026-03-27T17:00:00.000Z', false])
  })

  test('§6 a new gang stays until its shift ends, and comes with the shift when that starts later', () => {
    const day = { start_at: '2026-03-27T07:30:00.000Z', end_at: '2026-03-27T17:30:00.000Z' }
    const { start_at, end_at } = startOf(null, NOW, day)
    assert.deepEqual([start_at, end_at], ['2026-03-27T09:00:00.000Z', '2026-03-27T17:30:00.000Z'])
    const next = { start_at: '2026-03-30T06:30:00.000Z', end_at: '2026-03-30T16:30:00.000Z' }
    const later = startOf(null, NOW, next)
    assert.deepEqual([later.start_at, later.end_at], [next.start_at, next.end_at])
  })

  test('a schedule has the times of the site, also when its clocks are not on UTC; without the tick there is none', () => {
    const typed = {
      ...startOf(null, NOW),
      start_at: '2026-06-01T06:30:00.000Z',
      end_at: '2026-06-01T16:30:00.000Z',
      weekdays: [5, 1],
      last_day: '2026-06-12',
    }
    assert.equal(patternOf(typed, 'Europe/London'), null)
    assert.deepEqual(patternOf({ ...typed, repeats: true }, 'Europe/London'), {
      start_date: '2026-06-01',
      end_date: '2026-06-12',
      weekdays: [1, 5],
      start_time: '07:30',
      end_time: '17:30',
    })
    assert.equal(patternOf({ ...typed, repeats: true, last_day: '' }, 'Europe/London')?.end_date, '2026-06-05')
  })

  test('the next gang has the contractor, the times and the days of the one before, and nothing of its own', () => {
    const typed = { ...startOf(null, NOW), contractor_id: 'a', repeats: true, weekdays: [1, 2], last_day: '2026-04-03' }
    const next = nextOf({ ...typed, name: 'Fixers', trade: 'fixer', headcount: '6', notes: 'n', permit_id: 'p', place: { level_index: 2 } })
    assert.deepEqual(next, typed)
  })

  test('§0.5 a change of all days ahead sends only what was changed, never the times', () => {
    const before = { ...startOf(null, NOW), name: 'Fixers', trade: 'Fixer', headcount: '6', place: { point: { lon: 0, lat: 51 } } }
    const after = { ...before, headcount: '8', notes: 'Two more', start_at: null }
    assert.deepEqual(changedIn(workerBody(before, true), workerBody(after, true)), { headcount: 8, notes: 'Two more' })
    assert.deepEqual(changedIn(workerBody(before, true), workerBody({ ...before }, true)), {})
  })

  test('the weekdays begin on Monday', () => {
    assert.deepEqual(
      weekdaysOf().map(({ day, name }) => `${day} ${name}`),
      ['1 Mon', '2 Tue', '3 Wed', '4 Thu', '5 Fri', '6 Sat', '7 Sun'],
    )
  })

  test('§6 an end that would no longer be later follows the start, as long after it as before; any other end stays', () => {
    const typed = { start_at: '2026-03-27T09:00:00.000Z', end_at: '2026-03-27T17:00:00.000Z' }
    assert.deepEqual(withStart(typed, '2026-03-30T07:30:00.000Z'), {
      start_at: '2026-03-30T07:30:00.000Z',
      end_at: '2026-03-30T15:30:00.000Z',
    })
    assert.deepEqual(withStart(typed, '2026-03-27T10:00:00.000Z'), { start_at: '2026-03-27T10:00:00.000Z' })
    assert.deepEqual(withStart({ ...typed, end_at: null }, '2026-03-30T07:30:00.000Z'), { start_at: '2026-03-30T07:30:00.000Z' })
    assert.deepEqual(withStart(typed, null), { start_at: null })
  })
})
