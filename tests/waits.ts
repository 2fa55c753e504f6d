// Waiting for what other transactions do, in tests of two that meet.
import { setTimeout } from 'node:timers/promises'
import type { TestHouse } from './world.ts'

/** Waits until a statement on the database of this house waits for a lock, or several do. */
export async function someoneWaits(house: TestHouse, several = 1): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await house.rows(waiting)).length < several) await setTimeout(10)
}
