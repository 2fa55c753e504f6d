// Scheduled runs that end because the database did: they are due again as soon as it is back, and not before.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openTestHouse } from '../../../tests/world.ts'
import { jobActor } from '../../base/actor.ts'
import { writing } from '../../base/ctx.ts'
import { databaseGone, loneClient, sql } from '../../base/db.ts'
import { giveBackBroken, runSchedule } from './actions/schedules.ts'
import type { Schedule } from './door.ts'

/** Opens a house with a connection to another database of its engine, from which its own can be closed to everyone. */
async function withGate(pool: number) {
  const house = await openTestHouse({ LOG_LEVEL: 'silent' }, { pool })
  const options = house.house.database.pool.options
  const outside = await loneClient({ ...options, database: 'postgres' } as Parameters<typeof loneClient>[0]) // the options of a pool include those of its clients
  const name = String(options.database)
  const end = () => outside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  return {
    house,
    outside,
    end,
    async shut() {
      await outside.query(`alter database ${name} allow_connections false`)
      await end()
    },
    async open() {
      await outside.query(`alter database ${name} allow_connections true`)
      const answers = () =>
        house.house.database.pool.query('select 1').then(
          () => true,
          () => false,
        )
      while (!(await answers())) await wait(10) // until the pool has noticed that its connections are closed
    },
    async close() {
      await outside.end()
      await house.close()
    },
  }
}

describe('scheduled runs that the database breaks off', () => {
  test('10.5 a run that ends because the database stopped is due again as soon as the database is back, and runs once more', async () => {
    const gate = await withGate(4)
    const { house } = gate
    try {
      let runs = 0
      const sweep: Schedule = {
        kind: 'test_sweep',
        says: 'Breaks off the first time',
        every_minutes: 60,
        async run(on) {
          runs++
          if (runs === 1) await gate.shut()
          await on.database.db.selectFrom('schedule_run').select('kind').execute()
          return { swept: runs }
        },
      }
      const states = () => house.rows('select state, result from job_run where kind = $1 order by id', [sweep.kind])

      assert.equal(await runSchedule(house.house, sweep), true)
      await giveBackBroken(house.house) // the database is still unavailable: nothing happens, and nothing is forgotten
      await gate.open()
      assert.deepEqual(await states(), [{ state: 'running', result: null }])
      assert.equal(await runSchedule(house.house, sweep), false, 'its due time is still claimed')

      await giveBackBroken(house.house)
      const [{ error_code, error_detail }] = await house.rows('select error_code, error_detail from job_run where kind = $1', [sweep.kind])
      assert.equal(error_code, 'handed_back')
      assert.match(error_detail, /database/)
      assert.equal(await runSchedule(house.house, sweep), true)
      assert.deepEqual(await states(), [
        { state: 'cancelled', result: null },
        { state: 'succeeded', result: { swept: 2 } },
      ])
      await giveBackBroken(house.house)
      assert.equal(await runSchedule(house.house, sweep), false, 'a run that succeeded is not given up')
      assert.equal(runs, 2)
    } finally {
      await gate.close()
    }
  })

  test('10.5 a connection that is killed between two queries of a transaction is not handed out again', async () => {
    const gate = await withGate(2) // one for the listener, and one that the next caller gets
    const { house } = gate
    try {
      const { db } = house.house.database
      const pid = async (on: typeof db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid
      const work = { actor: jobActor('test'), cause: 'test.cut' }
      const known = await pid(db)
      const cut = writing(house.house, work, async ctx => {
        assert.equal(await pid(ctx.db), known)
        await gate.end()
        await pid(ctx.db)
      })
      await assert.rejects(cut, databaseGone)
      const fresh = await pid(db)
      assert.notEqual(fresh, known)
      assert.equal(await writing(house.house, work, ctx => pid(ctx.db)), fresh, 'and it works')

      // A statement that fails doesn't break the connection: it is rolled back and used again.
      await assert.rejects(writing(house.house, work, ctx => sql`select 1 / 0`.execute(ctx.db)))
      assert.equal(await pid(db), fresh)
      assert.deepEqual(await house.rows(`select state from pg_stat_activity where pid = $1 and state like 'idle in%'`, [fresh]), [])
    } finally {
      await gate.close()
    }
  })
})
