import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Moment, memberOf, operatorsOf } from '../../../shared/predicates/language.ts'
import { formOf } from '../../../shared/predicates/literals.ts'
import { folded } from '../../../shared/text.ts'
import { wallOf, weekdayOf } from '../../../shared/time.ts'
import { times } from '../../../tests/chance.ts'
import { useHouse } from '../../../tests/world.ts'
import { sql } from '../../base/db.ts'
import { wallSql } from '../../base/walls.ts'
import { checkPredicate, compilePredicate, type Predicate, predicateSql, type Subject } from './door.ts'

type Row = {
  id: number
  word: string | null
  code: string | null
  contractor: string | null
  title: string | null
  other: string | null
  level: number | null
  metres: number | null
  late: boolean | null
  start_at: string | null
  end_at: string | null
  due_on: string | null
  codes: string[] | null
  contractors: string[] | null
  levels: number[] | null
}

const WORDS = ['open', 'closed', 'lost']
const CODES = ['HW', 'hw', 'WAH', '']
const CONTRACTORS = [1, 2, 3].map(n => `01929f3e-7c1a-7b60-9d5e-00000000000${n}`)
const TITLES = [
  'Acme',
  ' acme ',
  'ACME',
  'Café',
  'Cafe\u0301',
  'ΟΔΟΣ',
  'οδος',
  'Straße',
  'İzmir',
  'ɐIZMIR',
  '',
  ' \u00a0',
  '100%_\\',
  'Ａｃｍｅ',
  '\u{10400}',
  'ΆΝΩ acme',
]
const INSTANTS = [
  '2026-03-28T22:00:00.000Z',
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-03-29T05:30:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2026-12-31T23:59:00.000Z',
]
const DAYS = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25']
const CLOCKS = ['00:00', '01:00', '02:30', '06:00', '22:00', '23:59']
const NUMBERS = [-1, 0, 0.1, 0.30000000000000004, 1, 2.5, 3, 1e9]
const LEVELS = [-1, 0, 1, 3]
const ZONES = ['Europe/London', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe']

const column = <K extends keyof Row>(path: K) => ({
  path,
  get: (row: Row) => row[path],
  sql: () => sql.ref(`t.${path}`),
  column: true as const,
})
const begin = (row: Row, at: Moment) => (row.start_at === null ? null : wallOf(at.timezone, row.start_at))

const thing: Subject<Row> = {
  name: 'generated',
  label: 'things',
  fields: [
    { ...column('word'), type: 'enum', values: WORDS, label: 'the word' },
    { ...column('code'), type: 'code', label: 'the code' },
    { ...column('contractor'), type: 'id', label: 'the contractor' },
    { ...column('title'), type: 'text', label: 'the title' },
    { ...column('other'), type: 'text', label: 'the other title' },
    { ...column('level'), type: 'integer', label: 'the level' },
    { ...column('metres'), type: 'metres', label: 'the distance' },
    { ...column('late'), type: 'boolean', label: 'it is late' },
    { ...column('start_at'), type: 'instant', label: 'the start' },
    { ...column('end_at'), type: 'instant', label: 'the end' },
    { ...column('due_on'), type: 'work_date', label: 'the due day' },
    { ...column('codes'), type: 'set of code', label: 'the codes' },
    { ...column('contractors'), type: 'set of id', label: 'the contractors' },
    { ...column('levels'), type: 'set of integer', label: 'the levels' },
    {
      path: 'weekday',
      type: 'weekday',
      label: 'the weekday',
      get: (row, at) => {
        const wall = begin(row, at)
        return wall === null ? null : weekdayOf(wall.date)
      },
      sql: at => sql`extract(isodow from ${wallSql(at.timezone, sql`t.start_at`)})::integer`,
    },
    {
      path: 'starts_local',
      type: 'local_time',
      label: 'the time of day',
      get: (row, at) => begin(row, at)?.time ?? null,
      sql: at => sql`to_char(${wallSql(at.timezone, sql`t.start_at`)}, 'HH24:MI')`,
    },
  ],
  named: [{ name: 'within_m', takes: 'metres', expand: n => (typeof n === 'number' ? { field: 'metres', op: 'lte', value: n } : null) }],
}

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const POOLS: Record<string, fc.Arbitrary<unknown>> = {
  enum: some(...WORDS),
  code: some(...CODES, 'X'),
  id: some(...CONTRACTORS, CONTRACTORS[0]?.toUpperCase(), '01929f3e-7c1a-7b60-9d5e-0000000000ff'),
  text: fc.oneof(some(...TITLES), some('a', 'É', 'σ', 'ss', '%', 'ı', 'k'), fc.string({ unit: 'binary', maxLength: 3 })),
  integer: some(...LEVELS, 2),
  metres: some(...NUMBERS, 0.2),
  boolean: fc.boolean(),
  instant: fc.oneof(
    some(...INSTANTS),
    some('2026-03-29T01:00:00+00:30', '2026-03-29T01:00:00.0004Z'),
    some('PT0S', '-PT2H', 'P1D', '-P30W', 'PT59M59S').map(now => ({ now })),
  ),
  work_date: fc.oneof(
    some(...DAYS),
    some(-1, 0, 1, 200).map(today => ({ today })),
  ),
  local_time: some(...CLOCKS),
  weekday: some(1, 2, 3, 4, 5, 6, 7),
}

const leaves: fc.Arbitrary<Predicate> = fc.oneof(
  ...thing.fields.flatMap(field =>
    operatorsOf(field).map(op => {
      const base = { field: field.path, op }
      if (op === 'is_set' || op === 'is_not_set') return fc.constant(base)
      const { form, type } = formOf(field, op)
      const one = POOLS[type] ?? fc.constant(null)
      const value =
        form === 'truth' ? fc.boolean() : form === 'one' ? one : form === 'range' ? fc.tuple(one, one) : fc.array(one, { maxLength: 4 })
      return value.map(v => ({ ...base, value: v }))
    }),
  ),
  fc.record({ field: some('title', 'other'), op: some('eq' as const, 'ne' as const), ref: some('title', 'other') }),
  fc.record({ field: some('start_at', 'end_at'), op: some('before' as const, 'after' as const), ref: some('end_at', 'start_at') }),
  fc.record({ within_m: some(...NUMBERS) }),
)
const { predicate: predicates } = fc.letrec<{ predicate: Predicate }>(tie => ({
  predicate: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    { arbitrary: leaves, weight: 5 },
    { arbitrary: fc.boolean(), weight: 1 },
    { arbitrary: fc.array(tie('predicate'), { maxLength: 3 }).map(all => ({ all })), weight: 2 },
    { arbitrary: fc.array(tie('predicate'), { maxLength: 3 }).map(any => ({ any })), weight: 2 },
    { arbitrary: tie('predicate').map(not => ({ not })), weight: 2 },
  ),
}))

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 })
const rowsOf = fc.record({
  word: maybe(some(...WORDS)),
  code: maybe(some(...CODES)),
  contractor: maybe(some(...CONTRACTORS)),
  title: maybe(some(...TITLES)),
  other: maybe(some(...TITLES)),
  level: maybe(some(...LEVELS)),
  metres: maybe(some(...NUMBERS)),
  late: maybe(fc.boolean()),
  start_at: maybe(some(...INSTANTS)),
  end_at: maybe(some(...INSTANTS)),
  due_on: maybe(some(...DAYS)),
  codes: maybe(fc.uniqueArray(some(...CODES))),
  contractors: maybe(fc.uniqueArray(some(...CONTRACTORS))),
  levels: maybe(fc.uniqueArray(some(...LEVELS))),
})
const moments = fc.record({ now: some(...INSTANTS), timezone: some(...ZONES) })

describe('kernel/predicates in SQL', () => {
  const house = useHouse()
  let rows: Row[] = []

  before(async () => {
    await house.rows(`create table generated_thing (id integer primary key, word text, code text, contractor uuid, title text, other text, level integer, metres double precision,
      late boolean, start_at timestamptz(3), end_at timestamptz(3), due_on date, codes text[], contractors uuid[], levels integer[])`)
    rows = fc.sample(rowsOf, { numRuns: 150, seed: 7 }).map((row, i) => ({ id: i + 1, ...row }))
    await house.rows(
      `insert into generated_thing select (r).* from (select jsonb_populate_record(null::generated_thing, j) as r from jsonb_array_elements($1::jsonb) j) x`,
      [JSON.stringify(rows)],
    )
    assert.equal((await house.rows('select count(*) as n from generated_thing'))[0].n, 150)
  })

  test('conflict-and-planning.md §0.4 CR-7: every condition gives the same result for every row in memory and in SQL, absent fields included, and never NULL', async () => {
    let met = 0
    await fc.assert(
      fc.asyncProperty(predicates, moments, async (predicate, at) => {
        const { faults } = checkPredicate(thing, predicate)
        fc.pre(faults.length === 0)
        const judge = compilePredicate<Row>(thing, predicate)
        const { rows: answers } = await sql<{ id: number; holds: boolean | null }>`
          select t.id, ${predicateSql(thing, predicate, at)} as holds from generated_thing t order by t.id`.execute(house.house.database.db)
        for (const answer of answers) {
          const row = rows[answer.id - 1]
          assert.ok(row !== undefined)
          assert.equal(answer.holds, judge(row, at), JSON.stringify(row))
          met += answer.holds ? 1 : 0
        }
        assert.equal(answers.length, rows.length)
      }),
      { numRuns: times('PREDICATE_RUNS', 800) },
    )
    assert.ok(met > 1000, 'the conditions match something')
  })

  test('every operator of every type is compared on its own', async () => {
    for (const field of thing.fields) {
      for (const op of operatorsOf(field)) {
        const type = memberOf(field.type) ?? field.type
        const samples =
          op === 'is_set' || op === 'is_not_set'
            ? [{ field: field.path, op }]
            : fc
                .sample(leaves, { numRuns: 4000, seed: 11 })
                .filter(one => typeof one === 'object' && 'op' in one && one.field === field.path && one.op === op)
                .slice(0, 6)
        assert.ok(samples.length > 0, `${field.path} ${op}`)
        for (const predicate of samples) {
          const at = { now: INSTANTS[2] ?? '', timezone: 'Europe/London' }
          if (checkPredicate(thing, predicate).faults.length > 0) continue
          const judge = compilePredicate<Row>(thing, predicate)
          const { rows: ids } = await sql<{
            id: number
          }>`select t.id from generated_thing t where ${predicateSql(thing, predicate, at)} order by t.id`.execute(house.house.database.db)
          assert.deepEqual(
            ids.map(r => r.id),
            rows.filter(row => judge(row, at)).map(r => r.id),
            `${type}: ${JSON.stringify(predicate)}`,
          )
        }
      }
    }
  })

  test('the service and the database fold text in the same way, for every letter that has two forms', async () => {
    const changes = (letter: string) =>
      letter.toLowerCase() !== letter || letter.toUpperCase() !== letter || letter.normalize('NFC') !== letter
    const letters: string[] = []
    for (let c = 1; c < 0x110000; c++) {
      if (c >= 0xd800 && c <= 0xdfff) continue
      const letter = String.fromCodePoint(c)
      if (c < 0x2100 || c % 101 === 0 || changes(letter)) letters.push(letter)
    }
    assert.ok(letters.length > 10_000)
    const words = [...letters, ...letters.map(letter => ` x${letter}É\u0301 `)]
    const answers = await house.rows('select fold_text(w) as folded from unnest($1::text[]) with ordinality as u(w, n) order by n', [words])
    const wrong = words
      .filter((word, i) => answers[i].folded !== folded(word))
      .map(word => [...word].map(c => c.codePointAt(0)?.toString(16)).join(' '))
    assert.deepEqual(wrong, [])
  })

  test('no text of the caller is part of the statement, and a bare column can use its index', async () => {
    const nasty = "x'); drop table permit; --"
    const { sql: text, parameters } = sql`select 1 from generated_thing t where ${predicateSql(
      thing,
      {
        any: [
          { field: 'title', op: 'contains', value: nasty },
          { field: 'code', op: 'in', value: [nasty] },
        ],
      },
      { now: INSTANTS[0] ?? '', timezone: 'UTC' },
    )}`.compile(house.house.database.db)
    assert.ok(!text.includes('drop'), text)
    assert.ok(JSON.stringify(parameters).includes('drop'))
    await house.rows('create index on generated_thing (code)')
    const found = sql`explain select 1 from generated_thing t where ${predicateSql(thing, { field: 'code', op: 'eq', value: 'HW' }, { now: '', timezone: 'UTC' })}`
    const plan = await house.house.database.transaction({ actor_kind: 'job', actor_id: null, now: INSTANTS[0] ?? '' }, async db => {
      await sql`set local enable_seqscan = off`.execute(db)
      return { result: JSON.stringify((await found.execute(db)).rows), last: null }
    })
    assert.match(plan, /Index (Only )?Scan/)
  })
})
