import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant } from '../../shared/time.ts'
import { awayOf, dayOf, durationOf } from './time.ts'

const NOON = Date.parse('2026-03-16T12:00:00.000Z')
const after = (minutes: number) => awayOf(instant(NOON + minutes * 60_000), NOON)

describe('times in words', () => {
  test('U5 the minutes that a permit has left are never rounded up, so that its card and the wallet say the same', () => {
    assert.deepEqual([24.9, 1.99, 59.9, 30].map(after), ['in 24 minutes', 'in 1 minute', 'in 59 minutes', 'in 30 minutes'])
    assert.deepEqual([0.5, -0.5, -24.9, 119, -119].map(after), ['in 1 minute', 'just now', '25 minutes ago', 'in 2 hours', '2 hours ago'])
  })

  test('words.md §2 a length of time is said in one way everywhere: in days when it is a whole number of them', () => {
    assert.deepEqual([1, 8, 24, 36, 168, 60].map(durationOf), ['1 hour', '8 hours', '1 day', '36 hours', '7 days', '60 hours'])
  })

  test('conventions §1 a day has its year when that isn’t the current one on site, wherever the year of UTC is', () => {
    // Apia is 13 hours ahead: there, the first hours of 2027 are in 2026 by UTC. In São Paulo, the last hours of 2026 are in 2027.
    const [apia, sao_paulo] = ['Pacific/Apia', 'America/Sao_Paulo']
    const new_year = Date.parse('2026-12-31T20:00:00.000Z')
    assert.deepEqual(
      ['2026-12-30T20:00:00.000Z', '2026-12-31T20:00:00.000Z'].map(at => dayOf(at, apia, new_year)),
      ['Thu 31 Dec 2026', 'Fri 1 Jan'],
    )
    const last_evening = Date.parse('2027-01-01T01:00:00.000Z')
    assert.deepEqual(
      ['2026-12-31T15:00:00.000Z', '2027-01-01T15:00:00.000Z'].map(at => dayOf(at, sao_paulo, last_evening)),
      ['Thu 31 Dec', 'Fri 1 Jan 2027'],
    )
  })
})
