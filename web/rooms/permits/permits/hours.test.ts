import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hoursOf, offeredWindows, running } from './hours.ts'

const DAY = { start_time: '07:30', end_time: '17:30' }
const NIGHT = { start_time: '19:00', end_time: '05:00' }
const at = (text: string) => Date.parse(text)
const said = (...given: Parameters<typeof offeredWindows>) =>
  offeredWindows(...given).map(one => `${one.when} ${one.start_at.slice(5, 16)} ${one.end_at.slice(5, 16)}`)

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

  test('a weekday shift is not offered on a Sunday', () => {
    const week = { ...DAY, weekdays: [1, 2, 3, 4, 5] }
    assert.deepEqual(said([week], at('2026-03-20T18:00:00Z'), 'UTC'), [], 'Friday evening')
    assert.deepEqual(said([week], at('2026-03-22T18:00:00Z'), 'UTC'), ['tomorrow 03-23T07:30 03-23T17:30'], 'Sunday evening')
  })

  test('hours are site time, even across a clock change', () => {
    // London changes to summer time on 29 March 2026 at 01:00.
    assert.deepEqual(said([DAY, NIGHT], at('2026-03-28T18:30:00Z'), 'Europe/London'), [
      'today 03-28T19:00 03-29T04:00',
      'tomorrow 03-29T06:30 03-29T16:30',
      'tomorrow 03-29T18:00 03-30T04:00',
    ])
  })

  test('the hours of the last permit are offered, unless it lasted several days', () => {
    assert.deepEqual(hoursOf({ start_at: '2026-03-29T06:30:00.000Z', end_at: '2026-03-29T16:30:00.000Z' }, 'Europe/London'), DAY)
    assert.equal(hoursOf({ start_at: '2026-03-16T06:30:00.000Z', end_at: '2026-03-20T16:30:00.000Z' }, 'Europe/London'), null)
    assert.equal(hoursOf({ start_at: null, end_at: null }, 'UTC'), null)
    assert.equal(hoursOf(undefined, 'UTC'), null)
  })

  test('a shift that has ended, or starts next week, is not offered', () => {
    const shift = (valid_from: string, valid_to: string | null) => ({ valid_from, valid_to })
    const all = [
      shift('2026-01-01', null),
      shift('2026-01-01', '2026-03-16'),
      shift('2026-03-17', null),
      shift('2026-03-18', null),
      shift('2026-01-01', '2026-03-17'),
    ]
    assert.deepEqual(running(all, at('2026-03-16T09:00:00Z'), 'UTC'), [all[0], all[2], all[4]])
  })
})
