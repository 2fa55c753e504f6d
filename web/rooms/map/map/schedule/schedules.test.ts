import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endingOf, isWhole, outcomeOf, patternOf, repeatOf, typedOf, withDay, withTimes } from './schedules.ts'

const PATTERN = { start_date: '2026-03-16', end_date: '2026-03-27', start_time: '07:30', end_time: '17:30' }

describe('§0.5 the schedule of something on the map, as it is typed', () => {
  test('what is left out of a pattern has its default, and a pattern that was only opened is sent as it was', () => {
    const full = {
      ...PATTERN,
      weekdays: [1, 3],
      ...{ skip_dates: ['2026-03-18'], extra_dates: [], overrides: [{ date: '2026-03-20', end_time: '12:00' }] },
    }
    assert.deepEqual(patternOf(typedOf(full)), full)
    assert.deepEqual(typedOf(PATTERN).weekdays, [1, 2, 3, 4, 5])
  })

  test('days are in order and once, and a day has one pair of other times', () => {
    assert.deepEqual(withDay(['2026-03-20'], '2026-03-18'), ['2026-03-18', '2026-03-20'])
    assert.deepEqual(withDay(['2026-03-20'], '2026-03-20'), ['2026-03-20'])
    assert.deepEqual(withTimes([{ date: '2026-03-20', end_time: '12:00' }], { date: '2026-03-20', start_time: '09:00' }), [
      { date: '2026-03-20', start_time: '09:00' },
    ])
  })

  test('what repeats begins on its own day in site time, at its own times, for a week', () => {
    const night = { start_at: '2026-06-15T22:30:00.000Z', end_at: '2026-06-16T05:00:00.000Z' }
    const { start_date, end_date, start_time, end_time } = repeatOf(night, 'Europe/London')
    assert.deepEqual([start_date, end_date, start_time, end_time], ['2026-06-15', '2026-06-21', '23:30', '06:00'])
  })

  test('the service is asked only about a pattern with all its days and times', () => {
    assert.equal(isWhole(typedOf(PATTERN)), true)
    assert.equal(isWhole({ ...typedOf(PATTERN), end_date: '' }), false)
  })

  test('what a change does is listed by what happens; days that have begun aren’t mentioned, because no change touches them', () => {
    const found = outcomeOf({
      created: [{ occurrence_date: '2026-03-30' }],
      ...{ changed: [], removed: [{ occurrence_date: '2026-03-21' }] },
      kept: [
        { occurrence_date: '2026-03-16', why: 'started' },
        { occurrence_date: '2026-03-19', why: 'edited' },
      ],
      warnings: [
        { date: '2026-03-29', kind: 'clock_forward' },
        { date: '2026-03-28', kind: 'no_length' },
      ],
    })
    assert.deepEqual(
      found.map(({ what, days }) => [what, ...days]),
      [
        ['created', '2026-03-30'],
        ['removed', '2026-03-21'],
        ['kept', '2026-03-19'],
        ['clocks', '2026-03-29'],
        ['no_length', '2026-03-28'],
      ],
    )
  })

  test('a schedule that hasn’t begun is deleted, one that has is finished, and one with nothing left is neither', () => {
    const counts = (past: number, running: number, future: number) => endingOf({ counts: { past, running, future, edited: 0 } })
    assert.deepEqual([counts(0, 0, 5), counts(0, 1, 4), counts(2, 0, 3), counts(5, 0, 0)], ['delete', 'finish', 'finish', null])
  })
})
