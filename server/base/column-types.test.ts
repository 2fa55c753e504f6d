import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { chance, seedOf } from '../../tests/chance.ts'
import { types } from './column-types.ts'

const { builtins } = pg.types
const TEXTS: number = 1009
const UUIDS = 2951
const read = (oid: number, text: string): unknown => types.getTypeParser(oid, 'text')(text)

describe('values of the database', () => {
  test('instants have milliseconds and Z, the first time and again', () => {
    const cases = [
      ['2026-03-29 00:30:00+00', '2026-03-29T00:30:00.000Z'],
      ['2026-03-29 00:30:00.5+00', '2026-03-29T00:30:00.500Z'],
      ['2026-03-29 00:30:00.123456+00', '2026-03-29T00:30:00.123Z'],
      ['2026-03-29 02:30:00.25+02', '2026-03-29T00:30:00.250Z'],
      ['infinity', 'infinity'],
    ] as const
    for (const [written, instant] of [...cases, ...cases]) assert.equal(read(builtins.TIMESTAMPTZ, written), instant)
  })

  test('more instants than are kept are read as well', () => {
    for (let n = 0; n < 45_000; n++) {
      const time = `${String(Math.floor(n / 3600) % 24).padStart(2, '0')}:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`
      assert.equal(read(builtins.TIMESTAMPTZ, `2026-03-17 ${time}+00`), `2026-03-17T${time}.000Z`)
    }
  })

  test('lists of texts are those that the general parser finds, with quotes, escapes, commas, empty texts and nulls', () => {
    const at = chance(seedOf(77))
    const general = pg.types.getTypeParser(TEXTS)
    const item = () => at.of(['HW', 'CSE', 'NULL', '"NULL"', '""', '"a,b"', '"say \\"go\\""', '"{x}"', '"C:\\\\"', 'é', 'a b', '0192-4f'])
    for (let n = 0; n < 5000; n++) {
      const written = `{${Array.from({ length: at.below(5) }, item).join(',')}}`
      for (const oid of [TEXTS, UUIDS]) assert.deepEqual(read(oid, written), general(written), written)
    }
    assert.deepEqual(read(TEXTS, '[2:3]={a,b}'), ['a', 'b'])
    assert.deepEqual(read(TEXTS, '{{a,b},{c,d}}'), [
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  test('each reader has a list of its own', () => {
    const first = read(TEXTS, '{a,b}')
    assert.ok(Array.isArray(first))
    first.push('c')
    assert.deepEqual(read(TEXTS, '{a,b}'), ['a', 'b'])
  })

  test('lists of instants and of days are read with their nulls', () => {
    assert.deepEqual(read(1185, '{"2026-03-29 00:30:00+00",NULL}'), ['2026-03-29T00:30:00.000Z', null])
    assert.deepEqual(read(1182, '{2026-03-29,2026-03-30}'), ['2026-03-29', '2026-03-30'])
    assert.deepEqual([read(1185, '{}'), read(1182, '{}')], [[], []])
  })

  test('a whole number beyond 2^53 is refused instead of rounded', () => {
    assert.equal(read(builtins.INT8, '9007199254740991'), 9007199254740991)
    assert.throws(() => read(builtins.INT8, '9007199254740993'), RangeError)
  })
})
