import { constants } from 'node:fs'
import { access, chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../server/base/db.ts'
import { type Engine, embeddedEngine, serverEngine } from '../server/base/engine.ts'
import { createDatabase, dropDatabase, migrate } from '../server/base/migrate.ts'
import { rooms } from '../server/groups.ts'
import { prepareQueue } from '../server/kernel/jobs/door.ts'

/** The template database that each test file clones. */
export const TEMPLATE = 'walkdown_test_template'

/** The template with a stock of sites (stock.ts), if the run has one. */
export const STOCKED = 'walkdown_test_stocked'

/** The template in which a site with one of everything was made (toured.ts), once a test has needed it. */
export const TOURED = 'walkdown_test_toured'

/** The environment variable with the directory of the files of that site. */
export const TOUR_FILES = 'WALKDOWN_TEST_TOUR'

/**
 * Settings of a database that is deleted after the tests. Tests that kill the engine, restore a backup or fill the disk start an engine of their own,
 * with the settings of the product.
 */
const FLEETING = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** A connection of a test is used too briefly for PostgreSQL to keep plans by itself: it would plan nearly every statement again for the values of each call. */
const PLAN_ONCE = { plan_cache_mode: 'force_generic_plan' }

/** Returns a directory in memory if the machine has one with more than 2 GB free, otherwise the usual one for temporary files. */
async function memoryDir(): Promise<string> {
  const shared = '/dev/shm'
  const space = await statfs(shared).catch(() => null)
  const free = space === null ? 0 : space.bavail * space.bsize
  const open = await access(shared, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return open && free > 2 * 1024 ** 3 ? shared : tmpdir()
}

/**
 * An engine for tests with its migrated template. `env` is how another process reaches it. `durable`: with the settings of the product, on a disk. `plan_once`: every plan
 * is kept (decision 1025); for tests, because a benchmark needs the plans of the product.
 */
export async function openTestEngine(
  database_url?: string,
  options: { durable?: boolean; plan_once?: boolean } = {},
): Promise<{ engine: Engine; env: Record<string, string>; folder: string | null; stop(): Promise<void> }> {
  if (rooms.length === 0) throw new Error('A house without rooms.')
  const durable = options.durable ?? false
  const folder = database_url === undefined ? await mkdtemp(join(durable ? tmpdir() : await memoryDir(), 'walkdown-test-')) : null
  if (folder !== null) await chmod(folder, 0o755)
  const engine =
    database_url === undefined
      ? await embeddedEngine({
          data_dir: folder ?? '',
          own: true,
          ...(durable ? {} : { server_settings: { ...FLEETING, ...(options.plan_once ? PLAN_ONCE : {}) } }),
        })
      : serverEngine(database_url)
  for (const template of [TEMPLATE, TOURED]) await dropDatabase(engine, template)
  await prepareDatabase(engine, TEMPLATE)
  const tour_files = await mkdtemp(join(folder ?? tmpdir(), 'walkdown-tour-'))
  const env = {
    [TOUR_FILES]: tour_files,
    WALKDOWN_TEST_KIND: engine.kind === 'embedded' ? 'the embedded engine' : 'the server of DATABASE_URL',
    WALKDOWN_TEST_ENGINE: JSON.stringify(engine.connection),
  }
  return {
    engine,
    env,
    folder,
    async stop() {
      await engine.stop()
      await rm(tour_files, { recursive: true, force: true })
      if (folder !== null) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a database with everything that the service needs in it. */
export async function prepareDatabase(engine: Engine, name: string): Promise<void> {
  await createDatabase(engine, name)
  await migrate(engine, { database: name })
  const { pool, close } = openDatabase(engine, { database: name, max: 2 })
  await prepareQueue(pool)
  await close()
}

const keepers = new WeakMap<Engine, Promise<{ pool: pg.Pool; strategy: string }>>()

/** Runs a statement on the connection on which this process copies and drops databases: a new connection costs the server as much as a copy. */
async function administer(engine: Engine, statement: (strategy: string) => string): Promise<void> {
  const keeper = keepers.get(engine) ?? keep(engine)
  keepers.set(engine, keeper)
  const { pool, strategy } = await keeper
  await pool.query(statement(strategy))
}

async function keep(engine: Engine): Promise<{ pool: pg.Pool; strategy: string }> {
  const pool = new pg.Pool({ ...engine.connection, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  pool.on('error', () => {}) // the engine has stopped; the next statement says so
  const { rows } = await pool.query("select current_setting('fsync') as fsync")
  // Copying the files takes a third of the time of logging every page, unless they have to be written to a disk.
  return { pool, strategy: rows[0]?.fsync === 'off' ? 'file_copy' : 'wal_log' }
}

/** Creates a database as a copy of a template. */
export const copyDatabase = (engine: Engine, name: string, template: string): Promise<void> =>
  administer(engine, how => `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy ${how}`)

/** Drops a copy, and disconnects everyone who uses it. */
export const dropCopy = (engine: Engine, name: string): Promise<void> =>
  administer(engine, () => `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)

/** What a lane is given instead of the engine while that is made. */
export const NO_ENGINE = ''

let shared: { given: string | undefined; engine: Promise<Engine> } | null = null

/** Returns the engine of this test run: the runner's, or a new one for a file that is run alone. */
export function testEngine(): Promise<Engine> {
  const given = process.env.WALKDOWN_TEST_ENGINE
  // Benchmarks have one engine after another.
  if (shared !== null && shared.given === given) return shared.engine
  const engine = (async () => {
    if (given === NO_ENGINE) throw new Error('tools/test.ts takes this file for one that needs no database: see usesDatabase there.')
    if (given !== undefined)
      return { kind: 'server', connection: JSON.parse(given), prepared: true, data_dir: null, stop: async () => {} } satisfies Engine
    const { engine, folder } = await openTestEngine(process.env.DATABASE_URL, { plan_once: true })
    process.on('exit', () => {
      if (folder !== null) process.stderr.write(`The engine of this run stays in ${folder}.\n`)
    })
    return engine
  })()
  shared = { given, engine }
  return engine
}
