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
})
