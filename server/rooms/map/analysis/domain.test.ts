import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { instant, ms } from '../../../../shared/time.ts'
import { NO_CHANGES } from '../../../kernel/changes/domain.ts'
import { bucketsOf, pointsOf, seriesOf, thinned } from './domain.ts'

const FROM = '2026-03-16T00:00:00.000Z'
const after = (minutes: number) => instant(ms(FROM) + minutes * 60_000)
const begins = (minutes: number, people = 1) => ({ at: after(minutes), started: 1, ended: 0, changed: 0, people, uncovered: 0 })

describe('points and series', () => {
  test('§17.3 max_points: 10 over 500 changes: 10 points, and the merged counts sum to total_points', () => {
    const changes = Array.from({ length: 500 }, (_, i) => begins(1 + i * 2))
    const all = pointsOf(new Map([['worker' as const, { ...NO_CHANGES, changes }]]), FROM)
    assert.equal(all.length, 501)
    const few = thinned(all, 10, 'Europe/London')
    assert.equal(few.length, 10)
    assert.equal(
      few.reduce((sum, one) => sum + one.merged, 0),
      501,
    )
    assert.deepEqual([few[0]?.at, few.at(-1)?.alive], [FROM, { worker: 500, headcount: 500 }])
    assert.equal(
      few.reduce((sum, one) => sum + (one.started.worker ?? 0), 0),
      500,
    )
    assert.deepEqual(thinned(all, 501, 'Europe/London'), all)
  })

  test('§17.3 the ends of days and the greatest jumps stay, and what is nearest in time is joined', () => {
    const changes = [...Array.from({ length: 40 }, (_, i) => begins(600 + i)), begins(620.5, 90), begins(1500), begins(1501), begins(2950)]
    const all = pointsOf(new Map([['worker' as const, { ...NO_CHANGES, changes: changes.sort((a, b) => (a.at < b.at ? -1 : 1)) }]]), FROM)
    const few = thinned(all, 10, 'Europe/London').map(({ at }) => at)
    for (const kept of [FROM, after(620.5), after(1500), after(2950)]) assert.ok(few.includes(kept), kept)
    assert.ok(few.includes(after(600)), 'the first after ten hours')
  })

  test('§17.4 buckets of an hour in London over 2026-10-25 are 25, a day’s bucket has 25 hours, and the ends are cut to the period', () => {
    const day = ['2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'] as const
    assert.equal(bucketsOf(day[0], day[1], 60, 'Europe/London').length, 25)
    assert.deepEqual(bucketsOf(day[0], day[1], 1440, 'Europe/London'), [[...day]])
    assert.deepEqual(bucketsOf(after(20), after(50), 30, 'Europe/London'), [
      [after(20), after(30)],
      [after(30), after(50)],
    ])
  })

  test('§17.4 the mean is weighted by time, and labour hours follow from instants', () => {
    const found = new Map([
      [
        'worker' as const,
        {
          alive: 1,
          people: 4,
          uncovered: 1,
          changes: [begins(15, 8), { ...begins(45), started: 0, ended: 2, people: -12, uncovered: -1 }],
        },
      ],
    ])
    const [bucket, empty] = seriesOf(pointsOf(found, FROM), bucketsOf(FROM, after(120), 60, 'Europe/London'))
    assert.deepEqual([bucket?.headcount_peak, bucket?.headcount_mean, bucket?.labour_hours, bucket?.no_permit_peak], [12, 7, 7, 1])
    assert.deepEqual([empty?.headcount_peak, empty?.labour_hours], [0, 0])
  })
})
