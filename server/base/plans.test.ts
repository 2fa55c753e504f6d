import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type pg from 'pg'
import { recording } from '../../bench/record.ts'
import { useHouse } from '../../tests/world.ts'
import { sql } from './db.ts'
import { among, amongFew, onePast } from './plans.ts'

type Part = ReturnType<typeof sql>

describe('11.4 statements whose plan is kept', () => {
  const house = useHouse()

  /** Runs `work` with a connection that has a table of 50,000 rows. */
  async function withTable<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await house.house.database.pool.connect()
    try {
      await client.query('create temporary table many as select n, n::text as word from generate_series(1, 50000) n')
      await client.query('create index on many (n)')
      await client.query('create index on many (word)')
      await client.query('analyze many')
      // As a site has it; the engine of the tests keeps every plan.
      await client.query('set plan_cache_mode = auto')
      return await work(client)
    } finally {
      client.release(true)
    }
  }

  /** Returns how often PostgreSQL made a plan for a statement that was sent twenty times, and the rows of the last time. */
  async function planned(statement: Part): Promise<{ times: number; rows: unknown[] }> {
    const { sql: text, parameters } = statement.compile(house.house.database.db)
    return plannedText(text, parameters)
  }

  async function plannedText(text: string, values: readonly unknown[]): Promise<{ times: number; rows: unknown[] }> {
    return withTable(async client => {
      let rows: unknown[] = []
      for (let n = 0; n < 20; n++) rows = (await client.query({ name: 'asked', text, values: [...values] })).rows
      const { rows: counts } = await client.query(`select custom_plans::int as times from pg_prepared_statements where name = 'asked'`)
      return { times: counts[0].times, rows }
    })
  }

  test('11.4 a page of a usual length is planned at the beginning only; a length that is a parameter is planned each time', async () => {
    const page = (limit: Part) => sql`select n from many where n > ${7}::int order by n limit ${limit}`
    const usual = await planned(page(onePast(50)))
    assert.equal(usual.times, 5)
    assert.equal(usual.rows.length, 51)
    assert.equal((await planned(page(sql`${51}`))).times, 20)
    const other = await planned(page(onePast(7)))
    assert.equal(other.rows.length, 8)
    assert.equal(onePast(7).compile(house.house.database.db).parameters.length, 1)
  })

  test('11.4 one value is planned at the beginning only, an array of it each time, and both find the same', async () => {
    const one = (condition: Part) => sql`select n from many where ${condition} order by n`
    for (const [column, value, type] of [
      ['n', 4000, 'int'],
      ['word', '4000', 'text'],
    ] as const) {
      const kept = await planned(one(among(column, [value], type)))
      const listed = await planned(one(sql`${sql.ref(column)} = any(${[value]}::${sql.raw(type)}[])`))
      assert.deepEqual([kept.times, listed.times], [5, 20], column)
      assert.deepEqual(kept.rows, [{ n: 4000 }])
      assert.deepEqual(listed.rows, kept.rows)
    }
    assert.deepEqual((await planned(one(among('n', [3, 5], 'int')))).rows, [{ n: 3 }, { n: 5 }])
    assert.deepEqual((await planned(one(among('n', [], 'int')))).rows, [])
  })

  test('11.4 a few values are planned at the beginning only, and more than a few find the same as an array', async () => {
    const few = (values: string[]) => sql`select n from many where ${amongFew('word', values, 'text')} order by n`
    const two = await planned(few(['4000', '5000']))
    assert.equal(two.times, 5)
    assert.deepEqual(two.rows, [{ n: 4000 }, { n: 5000 }])
    assert.deepEqual((await planned(few(['6', '7', '8', '9']))).rows, [{ n: 6 }, { n: 7 }, { n: 8 }, { n: 9 }])
    assert.equal(few(['6', '7', '8', '9']).compile(house.house.database.db).parameters.length, 1)
  })

  test('11.4 the drafts of a write and the uses of one record are planned at the beginning only', async () => {
    const w = await house.world()
    const sent = await recording(async () => {
      const made = await w.as('admin').post('/contractors/', { site_id: w.site_id, name: 'Brick Bros' })
      assert.equal(made.status, 201)
    })
    for (const begins of [/^\s*with opened as/, /^select i\.id from/]) {
      const one = sent.find(({ text }) => begins.test(text))
      assert.ok(one, `nothing that begins with ${begins} was sent`)
      assert.equal((await plannedText(one.text, one.values)).times, 5, one.text)
    }
  })
})
