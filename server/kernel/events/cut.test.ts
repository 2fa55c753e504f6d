// The part of 10.5 that applies to any server, embedded or external: connections that the server ends, idle and during writes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openTestHouse } from '../../../tests/world.ts'
import { jobActor } from '../../base/actor.ts'
import { writing } from '../../base/ctx.ts'
import { CommitInDoubt, databaseGone, loneClient, sql } from '../../base/db.ts'
import { ids } from '../../base/ids.ts'
import { verifyChain } from '../audit/door.ts'
import { startWorker } from '../jobs/door.ts'
import { startRelay } from './door.ts'

const until = async (what: string, holds: () => Promise<boolean>) => {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds().catch(() => false)) return
    await wait(25)
  }
  assert.fail(what)
}

describe('connections that the database ends', () => {
  for (const busy of [false, true]) {
    test(`10.5 if every connection ends ${busy ? 'during writes' : 'while idle'}, calls get 503 or succeed, listeners and queue reconnect, and no write is lost or doubled`, async () => {
      const house = await openTestHouse({ LOG_LEVEL: 'silent' }, { pool: 8 })
      const { pool, db, apart } = house.house.database
      const { rows: found } = await pool.query('select current_database() as name')
      const other = await loneClient({ ...pool.options, database: 'postgres' } as Parameters<typeof loneClient>[0]) // the options of a pool include those of its clients
      const worker = await startWorker(house.house)
      const relay = await startRelay(house.house)
      try {
        const w = await house.world()
        const who = w.as('coordinator')
        const acked = new Map<string, string>()
        const stop = { now: false }
        const write = async () => {
          while (!stop.now) {
            const key = ids.next()
            for (;;) {
              const said = await who.post(
                '/contractors/',
                { site_id: w.site_id, name: `Contractor ${key}`, confirm_similar: true },
                { 'idempotency-key': key },
              )
              if (said.status === 201) {
                acked.set(`Contractor ${key}`, said.body.id)
                break
              }
              assert.equal(said.status, 503, said.text)
              assert.ok(Number(said.headers['retry-after']) > 0)
              await wait(10)
            }
          }
        }
        const writers = busy ? Array.from({ length: 6 }, write) : []
        const cut = () =>
          other.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`, [
            found[0].name,
          ])
        for (let round = 0; round < 3; round++) {
          const so_far = acked.size
          if (busy) await until('Nothing was written.', async () => acked.size > so_far + 5)
          assert.ok(((await cut()).rowCount ?? 0) > 0)
          await until('It did not come back.', async () => (await who.get(`/contractors/?site_id=${w.site_id}&limit=1`)).status === 200)
        }
        stop.now = true
        await Promise.all(writers)
        const { rows: names } = await pool.query('select name, id from contractor where site_id = $1 and name like $2', [
          w.site_id,
          'Contractor %',
        ])
        assert.equal(names.length, new Set(names.map(row => row.name)).size)
        assert.deepEqual(new Map(names.map(row => [row.name, row.id])), acked)
        assert.equal((await verifyChain(db, w.site_id)).fault, null)
        // The relay and the socket hub listen again, and the queue takes jobs out over its own connections.
        await until('Nobody listens.', async () => {
          const { rows } = await pool.query(`select 1 from pg_stat_activity where datname = current_database() and query like 'listen %'`)
          return rows.length === 2
        })
        const job = ids.next()
        await apart.pool.query(`insert into pgboss.job (id, name, data) values ($1, 'mail', $2)`, [job, JSON.stringify({ run_id: job })])
        await until('No job is taken out.', async () => {
          const { rows } = await pool.query('select state from pgboss.job where id = $1', [job])
          return rows[0]?.state === 'completed'
        })
      } finally {
        await relay.stop()
        await worker.stop(100)
        await other.end()
        await house.close()
      }
    })
  }

  test('10.5 if a connection breaks during a commit, its outcome is unknown, and the response says so', async () => {
    const house = await openTestHouse({}, { pool: 8 })
    try {
      const work = { actor: jobActor('test'), cause: 'test.doubt' }
      // The last statement ends its own connection, so the commit after it never gets a response.
      const cut = house.house.database.transaction({ actor_kind: 'job', actor_id: null, now: house.house.clock.now() }, async () => ({
        result: null,
        last: { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] },
      }))
      await assert.rejects(cut, error => error instanceof CommitInDoubt && databaseGone(error))
      // Before the commit, the outcome is known.
      const early = writing(house.house, work, async ctx => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(ctx.db)
      })
      await assert.rejects(early, error => !(error instanceof CommitInDoubt) && databaseGone(error))
    } finally {
      await house.close()
    }
  })
})
