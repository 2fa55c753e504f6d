import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { testEngine } from '../../tests/engine.ts'
import { useHouse } from '../../tests/world.ts'
import { openDatabase, sql } from './db.ts'

/** A socket that counts the pieces that it sends. */
class Counted extends Socket {
  pieces = 0
  override _write(...given: Parameters<Socket['_write']>): void {
    this.pieces++
    super._write(...given)
  }
  override _writev(...given: Parameters<NonNullable<Socket['_writev']>>): void {
    this.pieces++
    super._writev?.(...given)
  }
}

describe('11.4 what a connection sends', () => {
  const house = useHouse()

  test('11.4 statements of one turn leave in one piece: a transaction begins with its first reads, and ends with its last statement', async () => {
    const [{ name }] = await house.rows('select current_database() as name')
    const engine = await testEngine()
    const socket = new Counted()
    const counted = { ...engine, connection: { ...engine.connection, stream: () => socket } }
    const database = openDatabase(counted, { database: name, max: 1 })
    try {
      await sql`select 1`.execute(database.db)
      const sent: number[] = []
      const opening = { actor_kind: 'user', actor_id: null, now: house.house.clock.now() }
      let before = socket.pieces
      const found = await database.transaction(opening, async db => {
        const read = (n: number) => sql<{ n: number }>`select ${n}::int as n`.execute(db)
        const all = await Promise.all([read(1), read(2), read(3)])
        sent.push(socket.pieces - before)
        before = socket.pieces
        return { result: all.map(({ rows }) => rows[0]?.n), last: { text: 'select $1::int', values: [4] } }
      })
      assert.deepEqual(found, [1, 2, 3])
      assert.deepEqual([...sent, socket.pieces - before], [1, 1])
    } finally {
      await database.close()
    }
  })

  test('11.4 the oldest idle connection is used, so that what ran at the same time as something else isn’t planned again', async () => {
    const [{ name }] = await house.rows('select current_database() as name')
    const database = openDatabase(await testEngine(), { database: name, max: 3 })
    try {
      const { pool } = database
      const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)).rows[0]?.pid
      const first = await pidOf()
      const held = [await pool.connect(), await pool.connect(), await pool.connect()]
      for (const order of [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0],
      ]) {
        for (const n of order) held[n]?.release()
        assert.equal(await pidOf(), first)
        held.splice(0, 3, await pool.connect(), await pool.connect(), await pool.connect())
      }
      // A connection that has ended makes room for the next oldest.
      held[0]?.release(new Error('gone'))
      held[2]?.release()
      held[1]?.release()
      const second = await pidOf()
      assert.notEqual(second, first)
      assert.equal(await pidOf(), second)
      assert.equal(pool.totalCount, 2)
    } finally {
      await database.close()
    }
  })
})
