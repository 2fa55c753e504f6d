// A site with one of everything (tour.ts), made once in a run of the tests. A file of tests that begins with such a site copies the database and the files in which it was made.
import { mkdir, rm } from 'node:fs/promises'
import pg from 'pg'
import type { Engine } from '../server/base/engine.ts'
import { copyDatabase, dropCopy, TEMPLATE, TOUR_FILES, TOURED } from './engine.ts'
import { keepTour, tour } from './tour.ts'
import { openNode, type Prepared } from './world.ts'

/** The lock of the process that makes it, while others wait. */
const LOCK = 724_901
const HALF = `${TOURED}_half`

/**
 * Returns where such a site is, for `useHouse({}, { prepared: toured })`; the first call of `tour` then returns it. Null without a runner that removes it afterwards: `tour`
 * makes the site.
 */
export async function toured(engine: Engine): Promise<Prepared | null> {
  const files = process.env[TOUR_FILES]
  if (files === undefined) return null
  const client = new pg.Client(engine.connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TOURED])
    if (rowCount === 0) {
      await make(engine, files)
      await client.query(`alter database ${HALF} rename to ${TOURED}`)
    }
  } finally {
    await client.end()
  }
  return { database: TOURED, files }
}

async function make(engine: Engine, files: string): Promise<void> {
  await dropCopy(engine, HALF)
  await copyDatabase(engine, HALF, TEMPLATE)
  await rm(files, { recursive: true, force: true })
  await mkdir(files, { recursive: true })
  const node = await openNode(engine, {}, HALF, files, {}, false)
  await keepTour(node, await tour(node))
  await node.close()
}
