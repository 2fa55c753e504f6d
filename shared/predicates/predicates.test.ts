import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folded } from '../text.ts'
import { checked } from './check.ts'
import { judgeOf } from './evaluate.ts'
import { sentenceOf } from './explain.ts'
import { type AnySubject, expandPredicate, type Predicate, type Refs } from './language.ts'
import { durationOf } from './literals.ts'

const ACME = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'
const GONE = '01929f3e-7c1a-7b60-9d5e-000000000000'

const get = (path: string) => (row: Record<string, unknown>) => row[path]
const thing: AnySubject = {
  name: 'thing',
  label: 'things',
  fields: [
    { path: 'status', type: 'enum', values: ['open', 'closed'], label: 'the status', get: get('status') },
    { path: 'code', type: 'code', refers: 'permit_type', label: 'the type', get: get('code') },
    { path: 'contractor_id', type: 'id', refers: 'contractor', label: 'the contractor', get: get('contractor_id') },
    { path: 'title', type: 'text', label: 'the title', get: get('title') },
    { path: 'other_title', type: 'text', label: 'the other title', get: get('other_title') },
    { path: 'level', type: 'integer', label: 'the level', get: get('level') },
    { path: 'distance_m', type: 'metres', label: 'the distance', get: get('distance_m') },
    { path: 'minutes', type: 'minutes', label: 'the length', get: get('minutes') },
    { path: 'late', type: 'boolean', label: 'it is late', otherwise: 'it is on time', get: get('late') },
    { path: 'start_at', type: 'instant', label: 'the start', get: get('start_at') },
    { path: 'end_at', type: 'instant', label: 'the end', get: get('end_at') },
    { path: 'due_on', type: 'work_date', label: 'the due day', get: get('due_on') },
    { path: 'starts_local', type: 'local_time', label: 'the time of day', get: get('starts_local') },
    { path: 'weekday', type: 'weekday', label: 'the weekday', get: get('weekday') },
    { path: 'types', type: 'set of code', refers: 'permit_type', label: 'the set of types', get: get('types') },
    { path: 'group_ids', type: 'set of id', operators: ['overlaps', 'contains'], label: 'the groups', expanded: true },
  ],
  named: [
    {
      name: 'within_m',
      takes: 'a number of metres',
      expand: n => (typeof n === 'number' ? { field: 'distance_m', op: 'lte', value: n } : null),
    },
  ],
}

const REFS: Refs = { ids: new Map([['contractor', new Map([[ACME, 'Acme Ltd']])]]), codes: new Map([['permit_type', ['HW', 'WAH']]]) }

const found = (value: unknown, refs = REFS) => {
  const { faults, warnings, predicate } = checked(thing, value, refs, 'when')
  assert.equal(predicate === null, faults.length > 0)
  return {
    faults: faults.map(f => `${f.path} ${f.code}`),
    warnings: warnings.map(w => `${w.path} ${w.code}`),
    messages: warnings.map(w => w.message),
  }
}
const nested = (depth: number, inner: unknown): unknown => (depth <= 1 ? inner : { not: nested(depth - 1, inner) })
const leaf = { field: 'level', op: 'eq', value: 3 }
const at = { now: '2026-03-28T23:30:00.000Z', timezone: 'Europe/London' }
const holds = (predicate: Predicate, row: Record<string, unknown>) => judgeOf(thing, predicate)(row, at)

describe('shared/predicates', () => {
  test('conflict-and-planning.md §0.4: every fault is reported at once, with its path', () => {
    assert.deepEqual(
      found({
        all: [
          { field: 'nothing', op: 'eq', value: 1 },
          { field: 'level', op: 'contains', value: 1 },
          { field: 'level', op: 'eq', value: '3' },
          { field: 'level', op: 'eq', value: 3.5 },
          { field: 'status', op: 'in', value: ['open', 'shut'] },
          { field: 'level', op: 'eq' },
          { field: 'contractor_id', op: 'eq', value: GONE },
          { field: 'contractor_id', op: 'eq', value: 'Acme' },
          { any: [{ not: { field: 'weekday', op: 'in', value: [1, 8] } }] },
          { field: 'starts_local', op: 'between', value: ['7:00', '16:00'] },
          { field: 'due_on', op: 'eq', value: '2026-02-30' },
          { field: 'start_at', op: 'before', value: { now: 'P1M' } },
          { field: 'level', op: 'between', value: [1] },
          { field: 'level', op: 'is_set', value: true },
          { field: 'level', op: 'eq', value: 1, ref: 'level' },
          { field: 'level', op: 'eq', ref: 'minutes' },
          { field: 'title', op: 'contains', ref: 'other_title' },
          { field: 'types', op: 'eq', value: ['HW'] },
          { field: 'title', op: 'eq', value: 'a\u0000b' },
          { field: 'level', op: 'eq', value: 1, note: 'x' },
          { within_m: 'five' },
          { nearby: 5 },
          [],
          { all: true },
          {},
        ],
      }).faults,
      [
        'when.all[0].field unknown_field',
        'when.all[1].op unknown_operator',
        'when.all[2].value wrong_type',
        'when.all[3].value wrong_type',
        'when.all[4].value[1] unknown_value',
        'when.all[5].value missing_value',
        'when.all[6].value dead_reference',
        'when.all[7].value wrong_type',
        'when.all[8].any[0].not.value[1] unknown_value',
        'when.all[9].value[0] wrong_type',
        'when.all[10].value wrong_type',
        'when.all[11].value wrong_type',
        'when.all[12].value wrong_type',
        'when.all[13].value wrong_type',
        'when.all[14].ref wrong_type',
        'when.all[15].ref wrong_type',
        'when.all[16].op unknown_operator',
        'when.all[17].op unknown_operator',
        'when.all[18].value wrong_type',
        'when.all[19].note wrong_type',
        'when.all[20].within_m wrong_type',
        'when.all[21].nearby unknown_operator',
        'when.all[22] wrong_type',
        'when.all[23].all wrong_type',
        'when.all[24] wrong_type',
      ],
    )
  })

  test('§0.4 the limits are depth 8, 200 nodes, 500 literals a list, 32 KiB and 200 characters', () => {
    assert.deepEqual(found(nested(8, leaf)).faults, [])
    assert.deepEqual(found(nested(9, leaf)).faults, ['when.not.not.not.not.not.not.not.not too_deep'])
    assert.deepEqual(found(nested(5000, leaf)).faults, ['when too_deep'])
    assert.deepEqual(found({ all: Array(199).fill(leaf) }).faults, [])
    assert.deepEqual(found({ all: Array(200).fill(leaf) }).faults, ['when too_large'])
    const codes = (n: number) => ({ field: 'code', op: 'in', value: Array.from({ length: n }, () => 'HW') })
    assert.deepEqual(found(codes(500)).faults, [])
    assert.deepEqual(found(codes(501)).faults, ['when.value too_large'])
    const long = { field: 'title', op: 'in', value: 'x' }
    assert.deepEqual(found({ ...long, op: 'eq', value: 'x'.repeat(201) }).faults, ['when.value too_large'])
    const wide = { all: Array(150).fill({ field: 'title', op: 'contains', value: 'é'.repeat(180) }) }
    assert.ok(JSON.stringify(wide).length < 40_000)
    assert.deepEqual(found(wide).faults, ['when too_large'], 'counted in bytes')
  })

  test('§0.4 an unknown code, with the nearest known one, and a part that is always true or false give warnings, and nothing is refused', () => {
    const codes = found({
      all: [
        { field: 'code', op: 'in', value: ['hw', 'WAG', 'XYZ', 'HW'] },
        { field: 'types', op: 'contains', value: 'hw' },
      ],
    })
    assert.deepEqual(codes.warnings, [
      'when.all[0].value[0] code_not_on_site',
      'when.all[0].value[1] code_not_on_site',
      'when.all[0].value[2] code_not_on_site',
      'when.all[1].value code_not_on_site',
    ])
    assert.deepEqual(codes.messages, [
      'hw: did you mean HW?',
      'WAG: did you mean WAH?',
      'XYZ: this site has no such permit type.',
      'hw: did you mean HW?',
    ])
    const only = (value: unknown) => found(value).warnings
    assert.deepEqual(only({ all: [] }), ['when always_true'])
    assert.deepEqual(only({ any: [] }), ['when always_false'])
    assert.deepEqual(only(true), ['when always_true'])
    assert.deepEqual(only({ all: [leaf, { ...leaf, value: 4 }] }), ['when always_false'])
    assert.deepEqual(only({ all: [leaf, { field: 'level', op: 'is_not_set' }] }), ['when always_false'])
    assert.deepEqual(
      only({
        any: [
          { field: 'level', op: 'is_set' },
          { field: 'level', op: 'is_not_set' },
        ],
      }),
      ['when always_true'],
    )
    assert.deepEqual(only({ any: [leaf, { field: 'minutes', op: 'between', value: [9, 3] }] }), ['when.any[1] always_false'])
    assert.deepEqual(only({ field: 'starts_local', op: 'between', value: ['22:00', '06:00'] }), [])
    assert.deepEqual(only({ field: 'starts_local', op: 'between', value: ['06:00', '06:00'] }), ['when always_false'])
    assert.deepEqual(only({ not: { field: 'code', op: 'in', value: [] } }), ['when always_true', 'when.not always_false'])
    assert.deepEqual(only({ any: [leaf, { ...leaf, value: 4 }] }), [])
    assert.deepEqual(
      only({
        all: [
          { field: 'title', op: 'eq', value: 'Straße' },
          { field: 'title', op: 'eq', value: ' STRAßE ' },
        ],
      }),
      [],
      'equal once folded',
    )
  })

  test('§0.4 a comparison with an absent value is false, and its negation is true', () => {
    for (const predicate of [
      leaf,
      { ...leaf, op: 'ne' },
      { field: 'types', op: 'disjoint', value: ['HW'] },
      { field: 'types', op: 'is_empty', value: true },
      { field: 'level', op: 'eq', ref: 'level' },
    ]) {
      assert.equal(holds(predicate, {}), false, JSON.stringify(predicate))
      assert.equal(holds({ not: predicate }, {}), true)
    }
    assert.equal(holds({ field: 'level', op: 'is_not_set' }, {}), true)
    assert.equal(holds({ field: 'types', op: 'is_not_set' }, { types: [] }), false)
  })

  test('§0.4 text is compared after NFC, trimming and case folding; codes are compared with their case', () => {
    const title = (op: string, value: string) => holds({ field: 'title', op, value }, { title: '  Cafe\u0301 ΟΔΟΣ Straße ' })
    assert.ok(title('eq', 'CAFÉ οδος STRAßE'))
    assert.ok(title('eq', 'café οδοσ straße'), 'the final s of a Greek word too')
    assert.ok(title('contains', 'É Ο'))
    assert.ok(title('starts_with', 'CAF'))
    assert.ok(!title('starts_with', 'Stra'))
    assert.equal(folded('\u212a\u017f'), 'ks')
    assert.equal(holds({ field: 'code', op: 'eq', value: 'hw' }, { code: 'HW' }), false)
  })

  test('§0.4 instants are [from, to), times of day can pass midnight, offsets count from now, and days are those of the site', () => {
    const start = (value: unknown, op = 'between') => holds({ field: 'start_at', op, value }, { start_at: '2026-03-28T22:00:00.000Z' })
    assert.deepEqual(
      [
        start(['2026-03-28T22:00:00Z', '2026-03-28T23:00:00Z']),
        start(['2026-03-28T21:00:00Z', '2026-03-28T22:00:00Z']),
        start(['2026-03-28T23:00:00+01:00', { now: 'PT0S' }]),
      ],
      [true, false, true],
    )
    assert.deepEqual(
      [start({ now: '-PT1H30M' }, 'after'), start({ now: '-PT1H30M1S' }, 'after'), start({ now: '-PT1H' }, 'before')],
      [false, true, true],
    )
    const local = (starts_local: string) => holds({ field: 'starts_local', op: 'between', value: ['22:00', '06:00'] }, { starts_local })
    assert.deepEqual([local('22:00'), local('05:59'), local('06:00'), local('21:59'), local('00:00')], [true, true, false, false, true])
    // In winter, 23:30 UTC is still the 28th in London.
    const due = (n: number) => holds({ field: 'due_on', op: 'eq', value: { today: n } }, { due_on: '2026-03-29' })
    assert.deepEqual([due(0), due(1)], [false, true])
    assert.deepEqual(
      [durationOf('-PT2H'), durationOf('P1DT1M'), durationOf('P'), durationOf('PT'), durationOf('P1Y'), durationOf('P9999999D')],
      [-7_200_000, 86_460_000, null, null, null, null],
    )
  })

  test('§0.4 a condition is explained in one sentence', () => {
    const says = (predicate: Predicate) => sentenceOf(thing, predicate, { refs: REFS, timezone: 'Europe/London' })
    assert.equal(
      says({
        all: [
          { field: 'contractor_id', op: 'eq', value: ACME },
          {
            any: [
              { field: 'types', op: 'overlaps', value: ['HW', 'WAH'] },
              { field: 'late', op: 'eq', value: false },
            ],
          },
          { not: { field: 'status', op: 'in', value: ['closed'] } },
          { within_m: 5 },
        ],
      }),
      'Things where the contractor is Acme Ltd and (the set of types includes any of HW or WAH or it is on time) and the status is not other than closed and the distance is at most 5 m'.replace(
        'not other than',
        'not',
      ),
    )
    assert.equal(
      says({ field: 'start_at', op: 'after', value: { now: '-PT2H30M' } }),
      'Things where the start is after 2 hours 30 minutes ago',
    )
    assert.equal(
      says({ field: 'start_at', op: 'before', value: '2026-06-01T06:00:00Z' }),
      'Things where the start is before 1 Jun 2026, 07:00',
    )
    assert.equal(says({ field: 'due_on', op: 'before', value: { today: 1 } }), 'Things where the due day is before tomorrow')
    assert.equal(says({ field: 'weekday', op: 'in', value: [6, 7] }), 'Things where the weekday is one of Saturday or Sunday')
    assert.equal(says({ field: 'minutes', op: 'gte', value: 1440 }), 'Things where the length is at least 1,440 minutes')
    assert.equal(
      sentenceOf(thing, { field: 'minutes', op: 'gte', value: 1440 }, { locale: 'de-DE' }),
      'Things where the length is at least 1.440 minutes',
    )
    assert.equal(says({ all: [] }), 'All things')
    assert.equal(says(false), 'No things')
    assert.equal(
      says({
        not: {
          all: [
            { field: 'late', op: 'eq', value: true },
            { field: 'title', op: 'contains', value: 'x' },
          ],
        },
      }),
      'Things where these don’t all apply: (it is late and the title contains “x”)',
    )
  })

  test('§0.4 each kind of comparison is put into words, even when it is negated', () => {
    const says = (predicate: Predicate) =>
      sentenceOf(thing, predicate, { refs: REFS, timezone: 'Europe/London' }).replace('Things where ', '')
    const both = (predicate: Predicate) => [says(predicate), says({ not: predicate })]
    assert.deepEqual(both({ field: 'contractor_id', op: 'is_set' }), ['the contractor has a value', 'the contractor has no value'])
    assert.deepEqual(both({ field: 'contractor_id', op: 'is_not_set' }), ['the contractor has no value', 'the contractor has a value'])
    assert.equal(
      says({ field: 'contractor_id', op: 'eq', value: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5dff' }),
      'the contractor is a deleted one',
    )
    // Where no names of contractors are known, none is called deleted.
    const unnamed = { field: 'contractor_id', op: 'eq', value: ACME } as const
    for (const refs of [undefined, { ...REFS, ids: new Map() }])
      assert.equal(sentenceOf(thing, unnamed, refs === undefined ? {} : { refs }), `Things where the contractor is ${ACME}`)
    assert.deepEqual(both({ field: 'types', op: 'disjoint', value: ['HW'] }), [
      'the set of types includes none of HW',
      'the set of types includes any of HW',
    ])
    assert.deepEqual(both({ field: 'types', op: 'contains_all', value: ['HW', 'WAH'] }), [
      'the set of types includes all of HW and WAH',
      'the set of types does not include all of HW and WAH',
    ])
    assert.deepEqual(both({ field: 'minutes', op: 'between', value: [1, 60] }), [
      'the length is from 1 minute to 60 minutes',
      'the length is not from 1 minute to 60 minutes',
    ])
    assert.deepEqual(both({ field: 'minutes', op: 'lt', value: 5 }), ['the length is below 5 minutes', 'the length is at least 5 minutes'])
    assert.equal(says({ field: 'due_on', op: 'before', value: { today: 0 } }), 'the due day is before today')
    assert.equal(says({ field: 'due_on', op: 'before', value: { today: -1 } }), 'the due day is before yesterday')
    assert.equal(says({ field: 'due_on', op: 'before', value: { today: 3 } }), 'the due day is before in 3 days')
    assert.equal(says({ field: 'start_at', op: 'after', value: { now: 'PT1H' } }), 'the start is after 1 hour from now')
    assert.equal(
      says({ field: 'weekday', op: 'in', value: [1, 2, 3, 4, 5, 6] }),
      'the weekday is one of Monday, Tuesday, Wednesday, Thursday, Friday or 1 more',
    )
  })

  test('named predicates and expanded fields are replaced by other conditions', () => {
    assert.equal(holds({ within_m: 5 }, { distance_m: 5 }), true)
    assert.equal(holds({ within_m: 5 }, { distance_m: 5.01 }), false)
    const group: Predicate = { all: [{ field: 'group_ids', op: 'overlaps', value: [ACME] }, { within_m: 3 }] }
    assert.throws(() => holds(group, {}), /has to be expanded/)
    const expanded = expandPredicate(thing, group, one => (one.field === 'group_ids' ? leaf : null))
    assert.deepEqual(expanded, { all: [leaf, { field: 'distance_m', op: 'lte', value: 3 }] })
    assert.deepEqual(found({ field: 'group_ids', op: 'disjoint', value: [ACME] }).faults, ['when.op unknown_operator'])
  })
})
