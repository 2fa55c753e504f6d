import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { dateOn, type Instant, instant, instantOf, isWorkDate, MINUTE, ms, plusDays, type WorkDate } from '../time.ts'
import { copyFromRange } from './copy.ts'
import { expand } from './expand.ts'
import { deleteGroup, finishEarly, type StoredOccurrence, stateOf } from './occurrences.ts'
import { completePattern, type Pattern, timesOn } from './pattern.ts'
import { reconcile } from './reconcile.ts'
import { seedFromPermit } from './seed.ts'

const zone = fc.constantFrom(
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Antarctica/Troll',
  'America/Nuuk',
)
/** Days around the clock changes of two years, and those around the day that Apia skipped. */
const date = fc.oneof(
  fc.integer({ min: 0, max: 730 }).map(n => plusDays('2025-01-01', n)),
  fc
    .integer({ min: -6, max: 6 })
    .chain(n => fc.constantFrom('2025-03-30', '2025-10-26', '2025-04-06', '2025-10-05', '2011-12-30').map(d => plusDays(d, n))),
)
const time = fc
  .oneof(
    fc.integer({ min: 0, max: 95 }).map(n => n * 15),
    fc.integer({ min: 0, max: 16 }).map(n => n * 15),
    fc.integer({ min: 0, max: 1439 }),
  )
  .map(n => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`)

/** A pattern of some days or weeks, with dates near its own in its lists. */
const patternFrom = (from: fc.Arbitrary<WorkDate>): fc.Arbitrary<Pattern> =>
  from.chain(start_date => {
    const near = fc.integer({ min: -3, max: 25 }).map(n => plusDays(start_date, n))
    return fc
      .record({
        days: fc.integer({ min: 0, max: 21 }),
        weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
        start_time: time,
        end_time: time,
        extra_dates: fc.array(near, { maxLength: 3 }),
        skip: fc.array(near, { maxLength: 3 }),
        overrides: fc.uniqueArray(fc.record({ date: near, start_time: fc.option(time, { nil: undefined }), end_time: time }), {
          maxLength: 2,
          selector: o => o.date,
        }),
      })
      .map(({ days, skip, extra_dates, ...rest }) =>
        completePattern({
          ...rest,
          start_date,
          end_date: plusDays(start_date, days),
          extra_dates,
          skip_dates: skip.filter(d => !extra_dates.includes(d)),
        }),
      )
  })
const pattern = patternFrom(date)

/** Stores the occurrences of a pattern, some of them edited, some deleted by hand; ids are dates. */
function store(of: Pattern, timezone: string, edited: number, deleted: number) {
  const all = expand(of, timezone).occurrences
  const occurrences: StoredOccurrence[] = all.map((o, i) => ({ id: o.occurrence_date, ...o, edited: i % 7 === edited }))
  return {
    occurrences: occurrences.filter((_, i) => i % 5 !== deleted),
    removed_dates: occurrences.filter((_, i) => i % 5 === deleted).map(o => o.occurrence_date),
  }
}

/** Does what a reconciliation says. */
function apply(occurrences: StoredOccurrence[], done: ReturnType<typeof reconcile>): StoredOccurrence[] {
  const changed = new Map(done.change.map(c => [c.id, c]))
  const gone = new Set(done.remove.map(r => r.id))
  return [
    ...occurrences.filter(o => !gone.has(o.id)).map(o => ({ ...o, ...changed.get(o.id) })),
    ...done.create.map(o => ({ id: o.occurrence_date, ...o, edited: false })),
  ]
}

/** A pattern with a moment somewhere in or near it, and what a person did to the group. */
const situation = fc
  .record({ of: pattern, timezone: zone, share: fc.double({ min: -0.2, max: 1.2, noNaN: true }), edited: fc.nat(7), deleted: fc.nat(5) })
  .filter(({ of, timezone }) => expand(of, timezone).faults.length === 0)
  .map(({ of, timezone, share, edited, deleted }) => {
    const all = expand(of, timezone).occurrences
    const [first, last] = [ms(all[0]?.start_at ?? ''), ms(all.at(-1)?.end_at ?? '')]
    const now: Instant = instant(Math.round((first + (last - first) * share) / MINUTE) * MINUTE)
    return { of, timezone, now, ...store(of, timezone, edited, deleted) }
  })
const runs = { numRuns: 400 }

describe('schedule groups: rules for any pattern and timezone', () => {
  test('map §0.5 occurrences are in order and disjoint, and have a length', () => {
    fc.assert(
      fc.property(pattern, zone, (of, timezone) => {
        const { occurrences, faults } = expand(of, timezone)
        assert.equal(occurrences.length === 0, faults.length > 0)
        occurrences.forEach((o, i) => {
          const next = occurrences[i + 1]
          assert.ok(o.start_at < o.end_at)
          assert.ok(next === undefined || (o.end_at <= next.start_at && o.occurrence_date < next.occurrence_date))
        })
      }),
      runs,
    )
  })

  test('map §0.5.1 each occurrence starts on its site day, at the instant that Temporal gives; only a gap at midnight moves it to the next day', () => {
    fc.assert(
      fc.property(pattern, zone, (of, timezone) => {
        for (const { occurrence_date, start_at, end_at } of expand(of, timezone).occurrences) {
          const { start_time, end_time, end_date } = timesOn(of, occurrence_date)
          const at = (day: string, wall: string) =>
            Temporal.PlainDateTime.from(`${day}T${wall}`).toZonedDateTime(timezone, { disambiguation: 'compatible' })
          assert.equal(ms(start_at), at(occurrence_date, start_time).epochMilliseconds)
          assert.equal(ms(end_at), at(end_date, end_time).epochMilliseconds)
          const gapAtMidnight = at(occurrence_date, start_time).toPlainDate().toString() !== occurrence_date
          if (!gapAtMidnight) assert.equal(dateOn(timezone, start_at), occurrence_date)
          // In Nuuk the clocks go forward from 23:00 to midnight in some years.
          else assert.equal(timezone, 'America/Nuuk')
        }
      }),
      runs,
    )
  })

  test('map §0.5.3 an occurrence without a warning lasts as long as its wall-clock times say; one with a warning lasts as long as the warning says', () => {
    fc.assert(
      fc.property(pattern, zone, (of, timezone) => {
        const { occurrences, warnings } = expand(of, timezone)
        const warned = new Map(warnings.map(w => [w.date, w]))
        for (const { occurrence_date, start_at, end_at } of occurrences) {
          const { start_time, end_time, end_date } = timesOn(of, occurrence_date)
          const wall = (Date.parse(`${end_date}T${end_time}Z`) - Date.parse(`${occurrence_date}T${start_time}Z`)) / MINUTE
          const minutes = (ms(end_at) - ms(start_at)) / MINUTE
          const warning = warned.get(occurrence_date)
          assert.equal(minutes, warning?.elapsed_minutes ?? wall)
          if (warning?.kind === 'clock_forward') assert.ok(minutes <= wall)
          if (warning?.kind === 'clock_back') assert.ok(minutes >= wall)
        }
      }),
      runs,
    )
  })

  test('map §0.5 reconcile to the pattern of the group changes nothing, whenever it happens', () => {
    fc.assert(
      fc.property(situation, ({ of, timezone, now, occurrences, removed_dates }) => {
        const done = reconcile({ pattern: of, removed_dates }, occurrences, of, [], now, timezone)
        assert.deepEqual([done.create, done.change, done.remove, done.same], [[], [], [], true])
      }),
      runs,
    )
  })

  test('map §0.5 reconcile is idempotent, changes nothing that has started or is edited, and leaves the future as the pattern says', () => {
    fc.assert(
      fc.property(situation, pattern, fc.boolean(), (s, other, restore) => {
        const { of, timezone, now, occurrences, removed_dates } = s
        // The new pattern has the days of the old one, so that they meet.
        const next: Pattern = { ...of, start_time: other.start_time, end_time: other.end_time, weekdays: other.weekdays, overrides: [] }
        const restored = restore ? removed_dates : []
        const done = reconcile({ pattern: of, removed_dates }, occurrences, next, restored, now, timezone)
        if (done.faults.length > 0) return
        const after = apply(occurrences, done)
        const again = reconcile({ pattern: next, removed_dates: done.removed_dates }, after, next, restored, now, timezone)
        assert.deepEqual([again.create, again.change, again.remove, again.same], [[], [], [], true])
        const byId = new Map(after.map(o => [o.id, o]))
        for (const o of occurrences) if (o.edited || stateOf(o, now) !== 'future') assert.deepEqual(byId.get(o.id), o)
        const planned = new Map(expand(next, timezone).occurrences.map(o => [o.occurrence_date, o]))
        for (const o of after)
          if (!o.edited && stateOf(o, now) === 'future') assert.equal(o.start_at, planned.get(o.occurrence_date)?.start_at)
        for (const [day, o] of planned) if (o.start_at > now && !done.removed_dates.includes(day)) assert.ok(byId.has(day), day)
        assert.equal(new Set(after.map(o => o.occurrence_date)).size, after.length)
      }),
      runs,
    )
  })

  test('map §0.5 finish-early again changes nothing, at the same time or later, and nothing is left after its time', () => {
    fc.assert(
      fc.property(situation, fc.boolean(), fc.nat(2000), ({ of, timezone, now, occurrences, removed_dates }, given, minutes) => {
        const at = given ? now : null
        const group = { pattern: of, removed_dates }
        const first = finishEarly(group, occurrences, at, now, 'contribute', timezone)
        if (first.fault !== null) return
        const ends = new Map(first.end.map(e => [e.id, e.end_at]))
        const left = occurrences.filter(o => !first.remove.includes(o.id)).map(o => ({ ...o, end_at: ends.get(o.id) ?? o.end_at }))
        for (const o of left) assert.ok(o.end_at !== null && o.start_at < o.end_at && o.end_at <= first.at)
        const then = instant(ms(now) + Math.min(minutes, 24 * 60) * MINUTE)
        const again = finishEarly({ ...group, removed_dates: first.removed_dates }, left, at, then, 'contribute', timezone)
        assert.ok(again.fault === null, JSON.stringify(again.fault))
        assert.deepEqual([again.end, again.remove, again.removed_dates], [[], [], first.removed_dates])
      }),
      runs,
    )
  })

  test('map §0.5 deleting a group with finish_running leaves nothing that is running or ahead, and never an occurrence without length', () => {
    fc.assert(
      fc.property(situation, fc.constantFrom('future' as const, 'all' as const), ({ occurrences, now }, scope) => {
        const { remove, end } = deleteGroup(occurrences, { scope, finish_running: true }, now)
        const ends = new Map(end.map(e => [e.id, e.end_at]))
        const left = occurrences.filter(o => !remove.includes(o.id)).map(o => ({ ...o, end_at: ends.get(o.id) ?? o.end_at }))
        for (const o of left) assert.ok(stateOf(o, now) === 'past' && o.end_at !== null && o.start_at < o.end_at)
        if (scope === 'all') assert.equal(left.length, 0)
      }),
      runs,
    )
  })

  test('map §0.6 the pattern of a seed has the dates of its occurrences, and clipped to the permit’s window they are the same', () => {
    fc.assert(
      fc.property(
        zone,
        date,
        time,
        fc.integer({ min: 25 * 60, max: 30 * 1440 }),
        fc.nat(59),
        fc.option(fc.nat(9)),
        (timezone, day, wall, minutes, seconds, late) => {
          const start_at = instantOf(timezone, day, wall, seconds)
          const end_at = instant(ms(start_at) + minutes * MINUTE)
          const seeded = seedFromPermit({ start_at, end_at }, timezone, late === null ? null : plusDays(day, late))
          assert.ok(seeded?.kind === 'schedule')
          for (const o of seeded.occurrences) assert.ok(start_at <= o.start_at && o.start_at < o.end_at && o.end_at <= end_at)
          const expansion = expand(seeded.pattern, timezone)
          const [fault] = expansion.faults
          // A shift of nearly a whole day can overlap the next one on the night when the clocks go forward; the form shows the refusal.
          if (fault !== undefined) return assert.match(fault.message, seeded.occurrences.length === 0 ? /no occurrence/ : /overlap/)
          const later = (a: Instant, b: Instant) => (a > b ? a : b)
          const clipped = expansion.occurrences.map(o => ({
            date: o.occurrence_date,
            start_at: later(o.start_at, start_at),
            end_at: o.end_at < end_at ? o.end_at : end_at,
          }))
          assert.deepEqual(
            clipped.map(o => o.date),
            seeded.occurrences.map(o => o.date),
          )
          // A pattern has no seconds; without them, the occurrences are equal.
          const minute = (at: Instant) => Math.floor(ms(at) / MINUTE)
          seeded.occurrences.forEach((o, i) => {
            const same = clipped[i]
            assert.ok(same !== undefined && start_at <= same.start_at && same.end_at <= end_at)
            assert.deepEqual([minute(same.start_at), minute(same.end_at)], [minute(o.start_at), minute(o.end_at)])
          })
        },
      ),
      runs,
    )
  })

  test('map §0.7 a copy starts as many calendar days later, at the same wall-clock time unless the warnings list it, and a second run creates nothing', () => {
    fc.assert(
      fc.property(zone, date, date, time, fc.integer({ min: 1, max: 3000 }), (timezone, day, target_date, wall, minutes) => {
        const start_at = instantOf(timezone, day, wall)
        const from_date = dateOn(timezone, start_at)
        if (from_date === target_date || !isWorkDate(target_date)) return
        const entity = {
          id: 'a',
          contractor_id: null,
          name: 'Crane',
          place: '',
          start_at,
          end_at: instant(ms(start_at) + minutes * MINUTE),
        }
        const range = { from_date, to_date: from_date, target_date }
        const plan = copyFromRange([entity], range, timezone, { skip_duplicates: true, existing: [] })
        const [made] = plan.create
        if (made === undefined) return assert.equal(plan.warnings[0]?.kind, 'no_length')
        const shown = Temporal.Instant.from(made.start_at).toZonedDateTimeISO(timezone)
        const before = Temporal.Instant.from(start_at).toZonedDateTimeISO(timezone)
        if (plan.warnings.length === 0) {
          assert.equal(shown.toPlainDate().toString(), target_date)
          assert.equal(shown.toPlainTime().toString(), before.toPlainTime().toString())
        }
        const again = copyFromRange([entity], range, timezone, { skip_duplicates: true, existing: [{ ...entity, ...made }] })
        assert.deepEqual([again.create, again.duplicates], [[], [made]])
      }),
      runs,
    )
  })
})
