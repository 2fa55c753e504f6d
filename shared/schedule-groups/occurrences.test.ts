import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expand } from './expand.ts'
import {
  type Band,
  convertToSchedule,
  countStates,
  deleteGroup,
  deleteOccurrence,
  earliestDate,
  finishEarly,
  followers,
  type Group,
  isInWindow,
  planSchedule,
  revertOccurrence,
  type StoredOccurrence,
  stateOf,
} from './occurrences.ts'
import { completePattern, type WrittenPattern } from './pattern.ts'

const LONDON = 'Europe/London'
const pattern = (some: Partial<WrittenPattern> = {}) =>
  completePattern({ start_date: '2026-06-01', end_date: '2026-06-05', start_time: '07:30', end_time: '17:30', ...some })
const WEEK = pattern()
const GROUP: Group = { pattern: WEEK, removed_dates: [] }
/** Wednesday of that week at 11:00 on site. */
const NOW = '2026-06-03T10:00:00.000Z'
const stored = (edited: string[] = []): StoredOccurrence[] =>
  expand(WEEK, LONDON).occurrences.map(o => ({ id: o.occurrence_date, ...o, edited: edited.includes(o.occurrence_date) }))
const onDay = (date: string): StoredOccurrence => {
  const found = stored().find(o => o.id === date)
  assert.ok(found)
  return found
}
const finish = (at: string | null, { now = NOW, band = 'contribute' as Band, of = stored(), group = GROUP } = {}) =>
  finishEarly(group, of, at, now, band, LONDON)
const finished = (...of: Parameters<typeof finish>) => {
  const result = finish(...of)
  assert.ok(result.fault === null, JSON.stringify(result))
  return result
}

describe('schedule groups: occurrences by the clock', () => {
  test('map §0.5.5 an occurrence is past from its end, running from its start, and future before it', () => {
    const shift = { start_at: '2026-06-03T06:30:00.000Z', end_at: '2026-06-03T16:30:00.000Z' }
    assert.equal(stateOf(shift, '2026-06-03T06:29:59.999Z'), 'future')
    assert.equal(stateOf(shift, '2026-06-03T06:30:00.000Z'), 'running')
    assert.equal(stateOf(shift, '2026-06-03T16:29:59.999Z'), 'running')
    assert.equal(stateOf(shift, '2026-06-03T16:30:00.000Z'), 'past')
    assert.equal(stateOf({ ...shift, end_at: null }, '2030-01-01T00:00:00.000Z'), 'running')
  })

  test('map §0.5 a group counts its past, running, future and edited occurrences, and shows when the next one starts', () => {
    assert.deepEqual(countStates(stored(['2026-06-01', '2026-06-05']), NOW), {
      counts: { past: 2, running: 1, future: 2, edited: 2 },
      next_start_at: '2026-06-04T06:30:00.000Z',
    })
    assert.equal(countStates(stored(), '2027-01-01T00:00:00.000Z').next_start_at, null)
  })

  test('map §0.5 the contribute band plans from today’s site day, a start earlier today included; the coordinate band up to 31 days back', () => {
    assert.equal(earliestDate('contribute', NOW, LONDON), '2026-06-03')
    assert.equal(earliestDate('coordinate', NOW, LONDON), '2026-05-03')
    // It is already tomorrow on a site in Auckland.
    assert.equal(earliestDate('contribute', '2026-06-03T13:00:00.000Z', 'Pacific/Auckland'), '2026-06-04')
    const from = (start_date: string, band: Band) => planSchedule(pattern({ start_date }), LONDON, band, NOW)
    assert.equal(from('2026-06-03', 'contribute').occurrences.length, 3)
    const [fault] = from('2026-06-01', 'contribute').faults
    assert.equal(fault?.path, 'pattern')
    assert.match(fault?.message ?? '', /before 2026-06-03.*2026-06-01, 2026-06-02/)
    assert.deepEqual(from('2026-06-01', 'coordinate').faults, [])
    assert.match(from('2026-05-01', 'coordinate').faults[0]?.message ?? '', /2026-05-01/)
    // The occurrences count, not the first day of the pattern: days that are left out are not planned.
    const skip = pattern({ skip_dates: ['2026-06-01', '2026-06-02'] })
    assert.equal(planSchedule(skip, LONDON, 'contribute', NOW).occurrences.length, 3)
  })

  test('map §0.5 an entity that is converted becomes the occurrence of its site day, edited if the pattern gives that day other times', () => {
    const entity = { start_at: '2026-06-03T06:30:00.000Z', end_at: '2026-06-03T16:30:00.000Z' }
    const ahead = pattern({ start_date: '2026-06-03' })
    const same = convertToSchedule(entity, ahead, LONDON, 'contribute', NOW)
    assert.deepEqual(same.kept, { occurrence_date: '2026-06-03', edited: false })
    assert.deepEqual(
      same.occurrences.map(o => o.occurrence_date),
      ['2026-06-04', '2026-06-05'],
    )
    const other = convertToSchedule({ ...entity, end_at: '2026-06-03T12:00:00.000Z' }, ahead, LONDON, 'contribute', NOW)
    assert.deepEqual([other.kept?.edited, other.occurrences.length], [true, 2])
    assert.equal(convertToSchedule({ ...entity, end_at: null }, ahead, LONDON, 'contribute', NOW).kept?.edited, true)
  })

  test('map §0.5 a pattern that misses the day of the entity is refused; the entity itself can be older than what its band plans', () => {
    const entity = { start_at: '2026-06-02T06:30:00.000Z', end_at: '2026-06-02T16:30:00.000Z' }
    const missed = convertToSchedule(entity, pattern({ start_date: '2026-06-03' }), LONDON, 'contribute', NOW)
    assert.match(missed.faults[0]?.message ?? '', /no occurrence on 2026-06-02/)
    assert.deepEqual([missed.kept, missed.occurrences], [null, []])
    const yesterday = convertToSchedule(entity, pattern({ start_date: '2026-06-02' }), LONDON, 'contribute', NOW)
    assert.deepEqual([yesterday.faults, yesterday.kept?.edited], [[], false])
    const monday = convertToSchedule(entity, WEEK, LONDON, 'contribute', NOW)
    assert.match(monday.faults[0]?.message ?? '', /2026-06-01\b/)
    // The site day, not the day in UTC: 00:30 on site is the evening before in UTC.
    const night = { start_at: '2026-06-03T23:30:00.000Z', end_at: '2026-06-04T05:00:00.000Z' }
    const nights = pattern({ start_date: '2026-06-04', start_time: '00:30', end_time: '06:00' })
    assert.deepEqual(convertToSchedule(night, nights, LONDON, 'contribute', NOW).kept, { occurrence_date: '2026-06-04', edited: false })
  })

  test('map §0.5 template fields go to future unedited occurrences, and with include_running to the running one', () => {
    const ids = (include_running: boolean, edited: string[] = []) => followers(stored(edited), include_running, NOW).map(o => o.id.slice(5))
    assert.deepEqual(ids(false), ['06-04', '06-05'])
    assert.deepEqual(ids(true), ['06-03', '06-04', '06-05'])
    assert.deepEqual(ids(true, ['2026-06-03', '2026-06-05']), ['06-04'])
  })

  test('map §0.5 an occurrence that is no longer edited has the times of its group again, unless the pattern has no such date', () => {
    const group = { pattern: pattern({ overrides: [{ date: '2026-06-05', end_time: '12:00' }] }), removed_dates: [] }
    assert.deepEqual(revertOccurrence(group, '2026-06-05', LONDON).occurrence, {
      occurrence_date: '2026-06-05',
      start_at: '2026-06-05T06:30:00.000Z',
      end_at: '2026-06-05T11:00:00.000Z',
    })
    const none = revertOccurrence(group, '2026-06-06', LONDON)
    assert.deepEqual([none.occurrence, none.fault?.path], [null, 'edited'])
  })

  test('map §0.5 deleting a group removes future occurrences; the running one ends by itself, or now with finish_running', () => {
    const deletion = (scope: 'future' | 'all', finish_running: boolean, now = NOW) => deleteGroup(stored(), { scope, finish_running }, now)
    assert.deepEqual(deletion('future', false), { remove: ['2026-06-04', '2026-06-05'], end: [] })
    assert.deepEqual(deletion('future', true), { remove: ['2026-06-04', '2026-06-05'], end: [{ id: '2026-06-03', end_at: NOW }] })
    assert.deepEqual(deletion('all', false), { remove: ['2026-06-01', '2026-06-02', '2026-06-04', '2026-06-05'], end: [] })
    assert.deepEqual(deletion('all', true).remove.length, 5)
    // One that has just started would have no length.
    assert.deepEqual(deletion('future', true, '2026-06-03T06:30:00.000Z').end, [])
    assert.equal(deletion('future', true, '2026-06-03T06:30:00.000Z').remove.length, 3)
  })

  test('map §0.5 deleting one occurrence records its date as removed; a running one ends now and stays', () => {
    const group = { pattern: WEEK, removed_dates: ['2026-06-05'] }
    const ahead = deleteOccurrence(group, onDay('2026-06-04'), NOW)
    assert.deepEqual(ahead, { remove: ['2026-06-04'], end: [], removed_dates: ['2026-06-04', '2026-06-05'], state: 'future' })
    const running = deleteOccurrence(group, onDay('2026-06-03'), NOW)
    assert.deepEqual(running, { remove: [], end: [{ id: '2026-06-03', end_at: NOW }], removed_dates: ['2026-06-05'], state: 'running' })
    assert.equal(deleteOccurrence(group, onDay('2026-06-01'), NOW).state, 'past')
    assert.deepEqual(deleteOccurrence(group, onDay('2026-06-03'), '2026-06-03T06:30:00.000Z').remove, ['2026-06-03'])
  })

  test('map §0.8.1 a link to a permit reaches the occurrences that are inside its window', () => {
    const window = { start_at: '2026-06-02T06:30:00.000Z', end_at: '2026-06-04T16:30:00.000Z' }
    assert.deepEqual(
      stored().map(o => isInWindow(o, window)),
      [false, true, true, true, false],
    )
    assert.equal(isInWindow({ ...onDay('2026-06-03'), end_at: null }, window), false)
  })
})

describe('schedule groups: finish early', () => {
  test('map §0.5 finish-early ends the occurrence that is running at that time, and removes all that start at or after it, edited ones too', () => {
    const result = finished(null, { of: stored(['2026-06-05']) })
    assert.deepEqual(result, {
      fault: null,
      at: NOW,
      end: [{ id: '2026-06-03', end_at: NOW }],
      remove: ['2026-06-04', '2026-06-05'],
      removed_dates: ['2026-06-04', '2026-06-05'],
    })
    // At the start of an occurrence, that one is removed; at its end, it stays.
    assert.deepEqual(finished('2026-06-04T06:30:00.000Z').remove, ['2026-06-04', '2026-06-05'])
    assert.deepEqual(finished('2026-06-04T16:30:00.000Z').end, [])
    assert.deepEqual(finished('2026-06-04T16:30:00.000Z').remove, ['2026-06-05'])
  })

  test('map §0.5 finish-early again changes nothing, whether the time is given or not', () => {
    for (const at of [null, NOW, '2026-06-03T18:00:00.000Z', '2026-06-04T12:00:00.000Z']) {
      const first = finished(at)
      const ends = new Map(first.end.map(e => [e.id, e.end_at]))
      const left = stored()
        .filter(o => !first.remove.includes(o.id))
        .map(o => ({ ...o, end_at: ends.get(o.id) ?? o.end_at, edited: ends.has(o.id) }))
      const group = { pattern: WEEK, removed_dates: first.removed_dates }
      const again = finished(at, { of: left, group })
      assert.deepEqual([again.end, again.remove, again.removed_dates], [[], [], first.removed_dates], String(at))
    }
    assert.deepEqual(finished(null, { of: [] }).remove, [])
    // Also long after the last end, where now is later than any time that can be given.
    assert.deepEqual(finished(null, { now: '2026-07-01T00:00:00.000Z' }).end, [])
  })

  test('map §0.5 finish-early is refused before the first start, after the last end, and for the contribute band over 24 hours back', () => {
    const refused = (...of: Parameters<typeof finish>) => finish(...of).fault
    assert.equal(refused('2026-06-01T06:29:00.000Z', { band: 'coordinate' })?.path, 'at')
    assert.match(refused(null, { now: '2026-05-30T00:00:00.000Z' })?.message ?? '', /before the first/)
    assert.match(refused('2026-06-05T16:31:00.000Z')?.message ?? '', /after the last/)
    assert.equal(refused('2026-06-05T16:30:00.000Z'), null)
    assert.match(refused('2026-06-02T09:59:59.999Z')?.message ?? '', /24 hours/)
    assert.equal(refused('2026-06-02T10:00:00.000Z'), null)
    assert.equal(refused('2026-06-02T09:59:59.999Z', { band: 'coordinate' }), null)
    // What is open-ended has no last end.
    const open = stored().map(o => (o.id === '2026-06-05' ? { ...o, end_at: null } : o))
    assert.deepEqual(finished('2026-06-09T12:00:00.000Z', { of: open }).end, [{ id: '2026-06-05', end_at: '2026-06-09T12:00:00.000Z' }])
  })
})
