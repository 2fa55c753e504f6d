// Alters the database without the service, in a transaction that is always rolled back, to test whether the alteration is found.
import type { House } from '../server/base/ctx.ts'
import { type Database, type Db, openDatabase, passThrough } from '../server/base/db.ts'
import { remembered } from '../server/base/memo.ts'
import { testEngine } from './engine.ts'

const opened = new WeakMap<House, Promise<Database>>()

/**
 * Returns a connection of its own to the database of a house of the test engine, without triggers and foreign keys. They are off from its beginning, because PostgreSQL
 * drops every plan of a connection when that changes: it would plan the statements of a verification again for each alteration. The connection ends with its database.
 */
const unguarded = (house: House): Promise<Database> =>
  remembered(opened, house, async () =>
    openDatabase(await testEngine(), {
      database: house.database.pool.options.database ?? '',
      max: 1,
      settings: '-c session_replication_role=replica',
    }),
  )

/** Runs statements without triggers or foreign keys, verifies, and rolls back. Returns null if the database itself refuses one of them. */
export async function altered<T>(house: House, statements: readonly string[], look: (db: Db) => Promise<T>): Promise<T | null> {
  const forget = new Error('forget it')
  let seen: T | null = null
  const database = await unguarded(house)
  await database
    .transaction({ actor_kind: 'job', actor_id: null, now: '2026-03-16T09:00:00.000Z' }, async db => {
      let rows = 0
      for (const statement of statements) {
        const done = await passThrough(db, statement).catch(() => null)
        if (done === null) throw forget
        rows += done.rows.length
      }
      if (rows > 0) seen = await look(db)
      throw forget
    })
    .catch(error => {
      if (error !== forget) throw error
    })
  return seen
}

/**
 * Runs each statement without triggers or foreign keys, verifies once, and rolls back. `look` gets the rows that each statement returned, null for one that
 * the database itself refused; the others still count.
 */
export async function alteredTogether<T>(
  house: House,
  statements: readonly string[],
  look: (db: Db, rows: readonly (Record<string, unknown>[] | null)[]) => Promise<T>,
): Promise<T> {
  const seen = await altered(house, ['select 1'], async db => {
    const rows: (Record<string, unknown>[] | null)[] = []
    for (const statement of statements) {
      await passThrough(db, 'savepoint one')
      const done = await passThrough(db, statement).catch(() => null)
      if (done === null) await passThrough(db, 'rollback to savepoint one')
      rows.push(done === null ? null : done.rows)
    }
    return { result: await look(db, rows) }
  })
  if (seen === null) throw new Error('The alterations could not be tried.')
  return seen.result
}
