// Makes the stock of sites (stock.ts) for a run of many test files, through the API as a test would.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/base/db.ts'
import type { Engine } from '../server/base/engine.ts'
import { dropDatabase } from '../server/base/migrate.ts'
import { copyDatabase, STOCKED, TEMPLATE } from './engine.ts'
import { makePermitWorld } from './permits.ts'
import { putAside, type Stocked, type WorldFacts } from './stock.ts'
import { openNode } from './world.ts'

/** How many sites of each kind; a file that takes more makes them itself. */
const AMOUNT: Record<keyof Stocked, number> = { world: 20, permits: 20 }

/** Makes a database with a stock, as a copy of the template; returns what the tests have to know. */
export async function stockUp(engine: Engine): Promise<Record<string, string>> {
  await dropDatabase(engine, STOCKED)
  await copyDatabase(engine, STOCKED, TEMPLATE)
  const data_dir = await mkdtemp(join(tmpdir(), 'walkdown-stock-'))
  const node = await openNode(engine, {}, STOCKED, data_dir, {}, false)
  const sites: { kind: keyof Stocked; facts: WorldFacts }[] = []
  for (let n = 0; n < AMOUNT.world; n++) sites.push({ kind: 'world', facts: (await node.world()).facts })
  for (let n = 0; n < AMOUNT.permits; n++) sites.push({ kind: 'permits', facts: await makePermitWorld(node) })
  await node.close()
  await rm(data_dir, { recursive: true, force: true })
  const { pool, close } = openDatabase(engine, { database: STOCKED, max: 1 })
  const db = await pool.connect()
  await putAside(db, sites)
  db.release()
  await close()
  return { WALKDOWN_TEST_STOCK: STOCKED }
}
