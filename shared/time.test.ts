import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { daysBetween, instantOf, isLonger, isWallTime, isWorkDate, offsetAt, plusDays, readInstant, wallOf, weekdayOf } from './time.ts'

const rows = (file: string) =>
  readFileSync(new URL(`../tests/data/timezones/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))

/** The cases are from release 2025b of the time zone database. Governments have changed their rules since (Alberta, Morocco) and will again. */
const superseded = (at: string) => at >= '2026-07'

describe('time', () => {
  test('§1 wall time agrees with cases from the time zone database, including skipped and doubled times', () => {
    for (const [zone = '', wall = '', kind = '', before = ''] of rows('wall-clock-cases.csv')) {
      if (superseded(wall)) continue
      const [date = '', time = ''] = wall.split('T')
      const found = instantOf(zone, date, time.slice(0, 5), Number(time.slice(6, 8)))
      // A skipped time is read with the offset before the gap. A doubled one is the first of the two, which has the offset before the change.
      assert.equal(found, before.replace('Z', '.000Z'), `${zone} ${wall} ${kind}`)
    }
  })

  test('§1 offsets agree with every change in 21 zones since 2010', () => {
    const minutes = (offset: string) => (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)))
    for (const [zone = '', at = '', before = '', after = ''] of rows('transitions.csv')) {
      if (superseded(at)) continue
      assert.equal(offsetAt(zone, Date.parse(at) - 1000) / 60_000, minutes(before), `${zone} before ${at}`)
      assert.equal(offsetAt(zone, Date.parse(at)) / 60_000, minutes(after), `${zone} at ${at}`)
    }
  })

  test('§1 wall time follows Temporal’s rule "compatible" everywhere', () => {
    const zones = fc.constantFrom(
      'Europe/London',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
      'Antarctica/Troll',
    )
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 366 * 24 * 60 * 25 }), (zone, minute) => {
        const wall = new Date(Date.UTC(2008, 0, 1) + minute * 60_000).toISOString()
        const expected = Temporal.PlainDateTime.from(wall.slice(0, 16)).toZonedDateTime(zone, {
          disambiguation: 'compatible',
        }).epochMilliseconds
        return Date.parse(instantOf(zone, wall.slice(0, 10), wall.slice(11, 16))) === expected
      }),
      { numRuns: 3000 },
    )
  })

  test('an instant and its wall-clock time convert both ways, except in the repeated hour when the clocks go back', () => {
    const zones = fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata')
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 366 * 24 * 60 * 25 }), (zone, minute) => {
        const at = new Date(Date.UTC(2008, 0, 1) + minute * 60_000).toISOString()
        const { date, time } = wallOf(zone, at)
        const back = Date.parse(at) - Date.parse(instantOf(zone, date, time))
        return back === 0 || back === 3_600_000
      }),
      { numRuns: 2000 },
    )
  })

  test('§1 instants are read with any offset and written in UTC with milliseconds', () => {
    assert.equal(readInstant('2026-03-29T01:30:00+01:00'), '2026-03-29T00:30:00.000Z')
    assert.equal(readInstant('2026-03-29t00:30:00.1234567z'), '2026-03-29T00:30:00.123Z')
    assert.equal(readInstant('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z')
    for (const wrong of [
      '2026-02-29T00:00:00Z',
      '2026-03-29',
      '2026-03-29T25:00:00Z',
      '2026-03-29 00:30:00Z',
      '2026-03-29T00:30:00',
      '1899-12-31T23:59:59Z',
      '2026-03-29T00:30:00+24:00',
      '+002026-03-29T00:00:00Z',
    ]) {
      assert.equal(readInstant(wrong), null, wrong)
    }
  })

  test('days and times of day', () => {
    assert.ok(isWorkDate('2024-02-29') && !isWorkDate('2023-02-29') && !isWorkDate('2024-13-01') && !isWorkDate('24-01-01'))
    assert.ok(isWallTime('00:00') && isWallTime('23:59') && !isWallTime('24:00') && !isWallTime('7:30'))
    assert.equal(plusDays('2026-03-28', 2), '2026-03-30')
    assert.equal(daysBetween('2026-03-28', '2026-03-01'), -27)
    assert.deepEqual([weekdayOf('2026-03-16'), weekdayOf('2026-03-15')], [1, 7])
  })

  test('§1 a period is as long as its site days, of which those on which the clocks go back are longer than 24 hours', () => {
    const over = (zone: string, from: string, to: string) => isLonger(zone, `${from}.000Z`, `${to}Z`, 31)
    // October in London has 745 hours, and March 743: there, 744 are still 31 days.
    assert.equal(over('Europe/London', '2026-09-30T23:00:00', '2026-11-01T00:00:00.000'), false)
    assert.equal(over('Europe/London', '2026-09-30T23:00:00', '2026-11-01T00:00:00.001'), true)
    assert.equal(over('Europe/London', '2026-03-01T00:00:00', '2026-04-01T00:00:00.000'), false)
    assert.equal(over('Europe/London', '2026-03-01T00:00:00', '2026-04-01T00:00:00.001'), true)
    assert.equal(over('Asia/Kathmandu', '2026-03-01T18:15:00', '2026-04-01T18:15:00.000'), false)
    assert.equal(over('Asia/Kathmandu', '2026-03-01T18:15:00', '2026-04-01T18:15:00.001'), true)
  })
})
