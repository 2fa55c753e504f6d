import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { expand } from './expand.ts'
import { finishEarly, type StoredOccurrence } from './occurrences.ts'
import { completePattern, type Pattern, type WrittenPattern } from './pattern.ts'
import { reconcile, rederive } from './reconcile.ts'

const LONDON = 'Europe/London'
const pattern = (some: Partial<WrittenPattern> = {}) =>
  completePattern({ start_date: '2026-06-01', end_date: '2026-06-05', start_time: '07:30', end_time: '17:30', ...some })
const WEEK = pattern()
/** Wednesday of that week at 11:00 on site: two occurrences are past, one is running, two are ahead. */
const NOW = '2026-06-03T10:00:00.000Z'

/** Stores the occurrences of a pattern; their ids are their dates. */
const stored = (of: Pattern = WEEK, edited: string[] = [], zone = LONDON): StoredOccurrence[] =>
  expand(of, zone).occurrences.map(o => ({ id: o.occurrence_date, ...o, edited: edited.includes(o.occurrence_date) }))

/** Does what a reconciliation says. */
function apply(occurrences: StoredOccurrence[], result: ReturnType<typeof reconcile>): StoredOccurrence[] {
  const changed = new Map(result.change.map(c => [c.id, c]))
  const removed = new Set(result.remove.map(r => r.id))
  const kept = occurrences.filter(o => !removed.has(o.id)).map(o => ({ ...o, ...changed.get(o.id) }))
  return [...kept, ...result.create.map(o => ({ id: o.occurrence_date, ...o, edited: false }))]
}
const dates = (of: { occurrence_date: string }[]) => of.map(o => o.occurrence_date.slice(5))
const group = (of: Pattern = WEEK, removed_dates: string[] = []) => ({ pattern: of, removed_dates })

describe('schedule groups: reconcile', () => {
  test('map §0.5 reconcile to an hour later changes only unedited future occurrences; past, running and edited ones stay as they are', () => {
    const before = stored(WEEK, ['2026-06-04'])
    const later = pattern({ start_time: '08:30', end_time: '18:30' })
    const result = reconcile(group(), before, later, [], NOW, LONDON)
    assert.deepEqual(result.change, [
      { id: '2026-06-05', occurrence_date: '2026-06-05', start_at: '2026-06-05T07:30:00.000Z', end_at: '2026-06-05T17:30:00.000Z' },
    ])
    assert.deepEqual([result.create, result.remove, result.warnings, result.faults, result.same], [[], [], [], [], false])
    assert.deepEqual(result.kept, [
      { id: '2026-06-01', occurrence_date: '2026-06-01', why: 'started' },
      { id: '2026-06-02', occurrence_date: '2026-06-02', why: 'started' },
      { id: '2026-06-03', occurrence_date: '2026-06-03', why: 'started' },
      { id: '2026-06-04', occurrence_date: '2026-06-04', why: 'edited' },
    ])
    const after = apply(before, result)
    assert.deepEqual(after.slice(0, 4), before.slice(0, 4))
    const again = reconcile(group(later), after, later, [], NOW, LONDON)
    assert.deepEqual([again.create, again.change, again.remove, again.same], [[], [], [], true])
  })

  test('map §0.5 reconcile creates new dates whose start is still ahead, and removes unedited dates that the pattern no longer has', () => {
    const before = stored(WEEK, ['2026-06-05']).filter(o => o.id !== '2026-06-01')
    // Monday and Saturday are new, Thursday and Friday no longer included; Wednesday is running, Friday edited.
    const result = reconcile(group(), before, pattern({ end_date: '2026-06-06', weekdays: [1, 6] }), [], NOW, LONDON)
    assert.deepEqual([dates(result.create), dates(result.remove), result.change], [['06-06'], ['06-04'], []])
    assert.deepEqual(
      result.kept.map(k => [k.id, k.why]),
      [
        ['2026-06-02', 'started'],
        ['2026-06-03', 'started'],
        ['2026-06-05', 'edited'],
      ],
    )
  })

  test('map §0.5 a new date that starts at this instant has started and is not created', () => {
    const rest = stored().filter(o => o.id !== '2026-06-04')
    const created = (now: string) => dates(reconcile(group(), rest, WEEK, [], now, LONDON).create)
    assert.deepEqual(created('2026-06-04T06:30:00.000Z'), [])
    assert.deepEqual(created('2026-06-04T06:29:59.999Z'), ['06-04'])
  })

  test('map §0.5 an occurrence deleted by a person does not come back on reconcile, and does with restore_dates', () => {
    const rest = stored().filter(o => o.id !== '2026-06-04')
    const deleted = group(WEEK, ['2026-06-04'])
    assert.equal(reconcile(deleted, rest, WEEK, [], NOW, LONDON).same, true)
    const other = reconcile(deleted, rest, pattern({ end_time: '16:00' }), [], NOW, LONDON)
    assert.deepEqual([dates(other.create), other.removed_dates], [[], ['2026-06-04']])
    const restored = reconcile(deleted, rest, WEEK, ['2026-06-04'], NOW, LONDON)
    assert.deepEqual([dates(restored.create), restored.removed_dates, restored.same], [['06-04'], [], false])
    // Also a date that has started, and so isn't created, is no longer recorded as deleted.
    const past = stored().filter(o => o.id !== '2026-06-01')
    assert.equal(reconcile(group(WEEK, ['2026-06-01']), past, WEEK, ['2026-06-01'], NOW, LONDON).same, false)
    const again = reconcile(group(), apply(rest, restored), WEEK, ['2026-06-04'], NOW, LONDON)
    assert.deepEqual([again.create, again.same], [[], true])
  })

  test('map §0.5 new times that have started but are not over move an occurrence; new times that are over remove it', () => {
    const only = stored().filter(o => o.id === '2026-06-04')
    const at = '2026-06-04T05:00:00.000Z'
    const started = reconcile(group(), only, pattern({ start_time: '05:30' }), [], at, LONDON)
    assert.deepEqual([dates(started.change), started.remove], [['06-04'], []])
    const over = reconcile(group(), only, pattern({ start_time: '03:00', end_time: '06:00' }), [], at, LONDON)
    assert.deepEqual([dates(over.change), dates(over.remove)], [[], ['06-04']])
  })

  test('map §0.5.1 reconcile with a pattern that is refused, or with more than 366 occurrences in all, does nothing', () => {
    const bad = reconcile(group(), stored(), pattern({ end_date: '2026-05-31' }), [], NOW, LONDON)
    assert.deepEqual([bad.faults[0]?.path, bad.create, bad.change, bad.remove], ['pattern.end_date', [], [], []])
    const year = { start_date: '2026-06-06', end_date: '2027-06-06', weekdays: [1, 2, 3, 4, 5, 6, 7] }
    const long = reconcile(group(), stored(), pattern(year), [], NOW, LONDON)
    // 366 new ones, and three that have started.
    assert.match(long.faults[0]?.message ?? '', /369 occurrences/)
    assert.deepEqual([long.create, long.remove], [[], []])
  })

  test('map §0.5 a clock change in a new pattern is in the warnings of reconcile', () => {
    const nights = pattern({ start_date: '2026-10-24', end_date: '2026-10-24', weekdays: [6], start_time: '22:00', end_time: '06:00' })
    const result = reconcile(group(), [], nights, [], NOW, LONDON)
    assert.deepEqual(result.warnings, [{ date: '2026-10-24', kind: 'clock_back', elapsed_minutes: 540 }])
  })

  test('map §0.5 after an early finish, the same pattern changes nothing, and restore_dates brings single dates back', () => {
    const before = stored()
    const finish = finishEarly(group(), before, null, NOW, 'contribute', LONDON)
    assert.ok(finish.fault === null)
    const ends = new Map(finish.end.map(e => [e.id, e.end_at]))
    const left = before
      .filter(o => !finish.remove.includes(o.id))
      .map(o => ({ ...o, end_at: ends.get(o.id) ?? o.end_at, edited: ends.has(o.id) }))
    const done = group(WEEK, finish.removed_dates)
    assert.equal(reconcile(done, left, WEEK, [], NOW, LONDON).same, true)
    assert.deepEqual(dates(reconcile(done, left, WEEK, ['2026-06-05'], NOW, LONDON).create), ['06-05'])
  })

  test('map §0.5.4 a corrected timezone derives future unedited occurrences again; past, running and edited ones keep their instants', () => {
    const before = stored(WEEK, ['2026-06-04'])
    const result = rederive(group(), before, NOW, 'Europe/Madrid')
    assert.deepEqual(result, {
      change: [
        { id: '2026-06-05', occurrence_date: '2026-06-05', start_at: '2026-06-05T05:30:00.000Z', end_at: '2026-06-05T15:30:00.000Z' },
      ],
      remove: [],
      warnings: [],
    })
    assert.deepEqual(rederive(group(), before, NOW, LONDON).change, [])
  })

  test('map §0.5.4 a corrected timezone creates nothing, and removes an occurrence that a clock change leaves without length', () => {
    const night = pattern({ start_date: '2026-03-28', end_date: '2026-03-29', weekdays: [6, 7], start_time: '01:30', end_time: '02:15' })
    const before = stored(night, [], 'Asia/Kolkata').filter(o => o.id === '2026-03-29')
    const result = rederive(group(night), before, '2026-03-01T00:00:00.000Z', LONDON)
    assert.deepEqual([result.change, dates(result.remove), result.warnings[0]?.kind], [[], ['03-29'], 'no_length'])
  })
})
