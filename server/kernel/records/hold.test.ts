import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../tests/world.ts'
import type { Db } from '../../base/db.ts'
import { hold, share } from './door.ts'

describe('names that are locked', () => {
  const house = useHouse({}, { pool: 8 })

  /** Returns whether `next` has to wait until work that has done `first` ends. */
  async function waits(first: (db: Db) => Promise<void>, next: (db: Db) => Promise<void>): Promise<boolean> {
    const { db } = house.house.database.apart
    const order: string[] = []
    let later = Promise.resolve()
    await db.transaction().execute(async one => {
      await first(one)
      later = db.transaction().execute(async two => {
        await next(two)
        order.push('next')
      })
      const done = later.then(() => 'done')
      // A waiting lock is in the table of locks, next to those of the databases of other tests; work that doesn't wait has ended.
      const blocked = async () => {
        for (;;) {
          const [{ n }] = await house.rows(
            "select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and l.locktype = 'advisory' and not l.granted",
          )
          if (n > 0) return 'blocked'
          if (order.length > 0) return 'done'
        }
      }
      await Promise.race([done, blocked()])
      order.push('first')
    })
    await later
    return order[0] === 'first'
  }

  test('work that locks a name waits for the end of other work that has locked or shared it, and of no other work', async () => {
    const held =
      (...name: string[]) =>
      (db: Db) =>
        hold({ db }, ...name)
    const shared =
      (...name: string[]) =>
      (db: Db) =>
        share({ db }, ...name)
    assert.equal(await waits(held('shifts', 'a'), held('shifts', 'a')), true)
    assert.equal(await waits(held('shifts', 'a'), held('shifts', 'b')), false)
    assert.equal(await waits(held('shifts', 'a'), held('styles', 'a')), false)
    assert.equal(await waits(shared('frame', 'a'), held('frame', 'a')), true)
    assert.equal(await waits(held('frame', 'a'), shared('frame', 'a')), true)
    assert.equal(await waits(shared('frame', 'a'), shared('frame', 'a')), false)
  })
})
