import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { plusDays } from '../../../shared/time.ts'
import {
  addWorkingDays,
  attentionOf,
  type Calendar,
  isWorkingDay,
  joined,
  type Shift,
  shiftsOn,
  without,
  workDateOf,
  workingDaysBetween,
  workingIntervals,
  workingMinutes,
} from './domain.ts'

const shift = (more: Partial<Shift>): Shift => ({
  id: 's',
  name: 'S',
  contractor_id: null,
  start_time: '07:30',
  end_time: '17:30',
  weekdays: null,
  breaks: [],
  valid_from: '2026-01-01',
  valid_to: null,
  ...more,
})
const calendar = (more: Partial<Calendar> = {}): Calendar => ({
  timezone: 'Europe/London',
  work_weekdays: null,
  holidays: [],
  extra_work_dates: [],
  shifts: [],
  ...more,
})

describe('the site calendar', () => {
  test('§0.2 a Saturday with overtime has working hours and isn’t a working day', () => {
    const c = calendar({ shifts: [shift({ weekdays: [6] }), shift({ id: 'd' })] })
    assert.equal(workingMinutes(c, '2026-03-21T00:00:00.000Z', '2026-03-22T00:00:00.000Z'), 600)
    assert.equal(addWorkingDays(c, '2026-03-20', 1), '2026-03-23')
  })

  test('§0.2 a holiday has no working hours, whether the shift has weekdays or not; an extra working day does', () => {
    const monday = { date: '2026-03-23', name: 'Founders' }
    const shifts = [shift({ weekdays: [1] }), shift({ id: 'd', start_time: '18:00', end_time: '20:00' })]
    assert.deepEqual(shiftsOn(calendar({ shifts, holidays: [monday] }), '2026-03-23'), [])
    assert.equal(shiftsOn(calendar({ shifts, extra_work_dates: [monday], holidays: [] }), '2026-03-23').length, 2)
  })

  test('§0.2 the night of the October clock change has nine working hours, and that of March has seven', () => {
    const c = calendar({ shifts: [shift({ start_time: '22:00', end_time: '06:00', weekdays: [1, 2, 3, 4, 5, 6, 7] })] })
    assert.equal(workingMinutes(c, '2026-10-24T20:00:00.000Z', '2026-10-25T12:00:00.000Z'), 540)
    assert.equal(workingMinutes(c, '2026-03-28T20:00:00.000Z', '2026-03-29T12:00:00.000Z'), 420)
    assert.equal(workDateOf(c, '2026-10-25T02:00:00.000Z'), '2026-10-24')
    assert.equal(workDateOf(calendar(), '2026-10-25T02:00:00.000Z'), '2026-10-25')
  })

  test('§0.2 a contractor’s own shifts apply to that contractor only', () => {
    const c = calendar({ shifts: [shift({}), shift({ id: 'n', contractor_id: 'f', start_time: '20:00', end_time: '04:00' })] })
    assert.equal(workDateOf(c, '2026-03-17T02:00:00.000Z', 'f'), '2026-03-16')
    assert.equal(workDateOf(c, '2026-03-17T02:00:00.000Z', 'g'), '2026-03-17')
    assert.equal(workingIntervals(c, '2026-03-16T00:00:00.000Z', '2026-03-17T00:00:00.000Z', 'f')[0]?.start_at, '2026-03-16T20:00:00.000Z')
  })

  test('§0.2 add_working_days and working_days_between are the inverse of each other', () => {
    const c = calendar({
      holidays: [{ date: '2026-04-03', name: 'Good Friday' }],
      extra_work_dates: [{ date: '2026-04-04', name: 'Make-up' }],
    })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: -40, max: 40 }), (offset, n) => {
        const from = plusDays('2026-01-01', offset)
        const to = addWorkingDays(c, from, n)
        // Backwards, the day itself is counted; forwards, it isn't.
        return n >= 0 ? workingDaysBetween(c, from, to) === n : workingDaysBetween(c, to, from) >= -n - 1 && isWorkingDay(c, to)
      }),
    )
  })

  test('intervals are sorted and disjoint after joining, and subtracting removes exactly the subtracted time', () => {
    const stamp = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
    const interval = fc
      .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 50 }))
      .map(([a, b]) => ({ start_at: stamp(a), end_at: stamp(a + b) }))
    const covers = (list: { start_at: string; end_at: string }[], n: number) =>
      list.some(i => i.start_at <= stamp(n) && stamp(n) < i.end_at)
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 8 }), fc.array(interval, { maxLength: 8 }), (from, away) => {
        const whole = joined(from)
        const left = without(from, away)
        const apart = (list: { start_at: string; end_at: string }[]) =>
          list.every((one, i) => i === 0 || (list[i - 1]?.end_at ?? '') < one.start_at || (list[i - 1]?.end_at ?? '') <= one.start_at)
        return (
          apart(whole) &&
          apart(left) &&
          Array.from({ length: 260 }, (_, n) => n).every(
            n => covers(whole, n) === covers(from, n) && covers(left, n) === (covers(from, n) && !covers(away, n)),
          )
        )
      }),
    )
  })
})

describe('the copy of a site', () => {
  test('§1 what a copied rule refers to is named as the app shows it, and not by the path of a field', () => {
    const said = (path: string) => attentionOf('Hot work', [{ path, message: 'isn’t on this site.' }])
    assert.deepEqual(said('audience[2].user_id'), ['Hot work: recipient 3 isn’t on this site.'])
    assert.deepEqual(said('when.all[1].value'), ['Hot work: a value of the condition isn’t on this site.'])
    assert.deepEqual(said('a.permit_types[0]'), ['Hot work: a line of side A isn’t on this site.'])
    assert.deepEqual(said('event_kind'), ['Hot work: event_kind isn’t on this site.'])
  })
})
