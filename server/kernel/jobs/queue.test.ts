import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import { jobActor } from '../../base/actor.ts'
import { writing } from '../../base/ctx.ts'
import { sql } from '../../base/db.ts'

describe('the queue', () => {
  const house = useHouse({}, { pool: 8 })

  test('the first job of a process is queued while every connection of the pool waits for a lock that the queueing transaction has', async () => {
    const work = { actor: jobActor('test'), cause: 'test.crowd' }
    const crowd = Array.from({ length: 30 }, () =>
      writing(house.house, work, async ctx => {
        await sql`select pg_advisory_xact_lock(7)`.execute(ctx.db)
        return ctx.enqueue('make_paper', {})
      }),
    )
    assert.equal(new Set(await Promise.all(crowd)).size, 30)
  })
})
