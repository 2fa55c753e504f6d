import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Calendar } from '../../../../shared/calendar.ts'
import { runsFrom } from '../../../base/hours.ts'
import { type Hours, hoursOf, offeredWindows } from './hours.ts'

const at = (text: string) => Date.parse(text)
const shift = (start_time: string, end_time: string, weekdays: number[] | null = null) => ({
  id: start_time,
  name: start_time,
  contractor_id: null,
  start_time,
  end_time,
  weekdays,
  breaks: [],
  valid_from: '2026-01-01',
  valid_to: null,
})
const DAY = shift('07:30', '17:30')
const NIGHT = shift('19:00', '05:00', [1, 2, 3, 4, 5, 6, 7])
const calendar = (shifts: Calendar['shifts'], timezone: string): Calendar => ({
  timezone,
  work_weekdays: null,
  holidays: [{ date: '2026-04-03', name: 'Good Friday' }],
  extra_work_dates: [],
  shifts,
})
const said = (shifts: Calendar['shifts'], now: number, zone: string, last: Hours | null = null) =>
  offeredWindows(runsFrom(calendar(shifts, zone), null, now), last, now, zone).map(
    one => `${one.when} ${one.start_at.slice(5, 16)} ${one.end_at.slice(5, 16)}`,
  )

describe('windows with one tap', () => {
  test('before the shift, today and tomorrow are offered; during it, from now to its end; after it, tomorrow', () => {
    assert.deepEqual(said([DAY], at('2026-03-16T06:00:00Z'), 'UTC'), ['today 03-16T07:30 03-16T17:30', 'tomorrow 03-17T07:30 03-17T17:30'])
    assert.deepEqual(said([DAY], at('2026-03-16T09:02:10Z'), 'UTC'), ['now 03-16T09:05 03-16T17:30', 'tomorrow 03-17T07:30 03-17T17:30'])
    assert.deepEqual(said([DAY], at('2026-03-16T17:01:00Z'), 'UTC'), ['tomorrow 03-17T07:30 03-17T17:30'], 'half an hour is too short')
  })

  test('a night shift is offered until it ends, even on the morning after; equal windows are offered once, soonest first', () => {
    assert.deepEqual(said([NIGHT], at('2026-03-17T01:00:00Z'), 'UTC'), [
      'now 03-17T01:00 03-17T05:00',
      'today 03-17T19:00 03-18T05:00',
      'tomorrow 03-18T19:00 03-19T05:00',
    ])
    assert.deepEqual(said([NIGHT, DAY, DAY], at('2026-03-16T18:00:00Z'), 'UTC'), [
      'today 03-16T19:00 03-17T05:00',
      'tomorrow 03-17T07:30 03-17T17:30',
      'tomorrow 03-17T19:00 03-18T05:00',
    ])
  })

  test('on a Friday the shift of Monday is offered, not one of the weekend or of a holiday', () => {
    assert.deepEqual(said([DAY], at('2026-03-20T10:00:00Z'), 'UTC'), ['now 03-20T10:00 03-20T17:30', 'later 03-23T07:30 03-23T17:30'])
    assert.deepEqual(said([DAY], at('2026-03-20T18:00:00Z'), 'UTC'), ['later 03-23T07:30 03-23T17:30'], 'Friday evening')
    assert.deepEqual(said([DAY], at('2026-03-21T10:00:00Z'), 'UTC'), ['later 03-23T07:30 03-23T17:30'], 'Saturday')
    assert.deepEqual(said([DAY], at('2026-03-22T18:00:00Z'), 'UTC'), ['tomorrow 03-23T07:30 03-23T17:30'], 'Sunday evening')
    assert.deepEqual(said([DAY], at('2026-04-02T18:00:00Z'), 'UTC'), ['later 04-06T07:30 04-06T17:30'], 'before a holiday')
  })

  test('the last hours are offered today and tomorrow, whatever the shifts are', () => {
    const last = { start_time: '20:00', end_time: '23:00' }
    assert.deepEqual(said([DAY], at('2026-03-20T18:00:00Z'), 'UTC', last), [
      'today 03-20T20:00 03-20T23:00',
      'tomorrow 03-21T20:00 03-21T23:00',
      'later 03-23T07:30 03-23T17:30',
    ])
  })

  test('hours are site time, even across a clock change', () => {
    // London changes to summer time on 29 March 2026 at 01:00.
    assert.deepEqual(said([shift('07:30', '17:30', [7]), NIGHT], at('2026-03-28T18:30:00Z'), 'Europe/London'), [
      'today 03-28T19:00 03-29T04:00',
      'tomorrow 03-29T06:30 03-29T16:30',
      'tomorrow 03-29T18:00 03-30T04:00',
    ])
  })

  test('the hours of the last permit are offered, unless it lasted several days', () => {
    assert.deepEqual(hoursOf({ start_at: '2026-03-29T06:30:00.000Z', end_at: '2026-03-29T16:30:00.000Z' }, 'Europe/London'), {
      start_time: '07:30',
      end_time: '17:30',
    })
    assert.equal(hoursOf({ start_at: '2026-03-16T06:30:00.000Z', end_at: '2026-03-20T16:30:00.000Z' }, 'Europe/London'), null)
    assert.equal(hoursOf({ start_at: null, end_at: null }, 'UTC'), null)
    assert.equal(hoursOf(undefined, 'UTC'), null)
  })
})
