// The only file that knows whether the database server is embedded or external. The embedded one is PostgreSQL as a child process: on a private unix
// socket, without a port, with an unprivileged account, checksums and fsync. Decision 710 says what happens when it stops.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, join, parse, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { codeIn } from '../../shared/narrow.ts'
import { type Account, accountFor, binariesFor, closedParent, EngineError, socketDir } from './engine-files.ts'
import { keepEngine } from './keeper.ts'

/** How to reach a database server, and how to disconnect from it. */
export type Engine = {
  kind: 'embedded' | 'server'
  /** For `pg`: where the server is. */
  connection: pg.ClientConfig
  /** False for a transaction pooler (`?prepared=false`): statements then have no names. */
  prepared: boolean
  /** Directory of the embedded engine; null for an external server. */
  data_dir: string | null
  /** Stops an embedded engine that this process owns; does nothing else. */
  stop(): Promise<void>
}

/** How long a start waits for the lock of a process that was killed: its connection ends a moment after it, later on a busy machine. */
const TAKE_OVER_MS = 3000
/** A lock that the process that owns a data directory has on a connection of its own, for as long as it runs. */
const OWNER_LOCK = 724_001

/** Connects to the server of `DATABASE_URL`. */
export function serverEngine(database_url: string): Engine {
  const url = new URL(database_url)
  const prepared = url.searchParams.get('prepared') !== 'false'
  url.searchParams.delete('prepared')
  // The URL is split, because as text it would override every field next to it, and another database could not be chosen. The client itself is never connected.
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url.href })
  const connection: pg.ClientConfig = {
    host,
    port,
    ...(user === undefined ? {} : { user }),
    ...(database === undefined ? {} : { database }),
    ssl,
  }
  if (typeof password === 'string') connection.password = password
  return { kind: 'server', connection, prepared, data_dir: null, stop: async () => {} }
}

/** Returns the data directory if none is set: `./data`, or a public directory if root works under a closed parent. */
export async function defaultDataDir(say: (line: string) => void): Promise<string> {
  const here = resolve('data')
  const account = await accountFor()
  if (account === null || (await closedParent(here, account)) === null) return here
  say(`The data directory is /var/lib/walkdown, because the account ${account.name}, which runs the database, can’t open ${dirname(here)}.`)
  return '/var/lib/walkdown'
}

async function run(command: string, args: string[], account: Account | null): Promise<void> {
  const child = spawn(command, args, {
    ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (said += data))
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done))
  if (code !== 0) throw new EngineError(`${parse(command).base} failed: ${said.trim()}`)
}

async function makeCluster(native: string, pgdata: string, account: Account | null, own: (path: string) => Promise<void>) {
  const half = `${pgdata}.half`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  await own(half)
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await run(join(native, 'bin', 'initdb'), ['-D', half, '-U', 'walkdown', '--auth=trust', '-E', 'UTF8', ...locale], account)
  await rename(half, pgdata)
}

/** Returns a client connected to the running engine of this directory; null if none is running. */
async function reach(connection: pg.ClientConfig, pgdata: string): Promise<pg.Client | null> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('show data_directory')
    if (rows[0]?.data_directory === pgdata) return client
    await client.end()
    throw new EngineError(`The socket of ${pgdata} belongs to another database.`)
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof EngineError) throw error
    return null
  }
}

/**
 * Starts the embedded engine of a data directory, or takes over one that a killed process left running. With `own` this process takes over the
 * directory, and it is an `EngineError` if another one has it; otherwise it joins the running engine (as commands do).
 */
export async function embeddedEngine(options: {
  data_dir: string
  own: boolean
  say?: (line: string) => void
  /** Further settings of the server, for tests. */
  server_settings?: Record<string, string>
}): Promise<Engine> {
  const { data_dir, own, say = () => {} } = options
  const account = await accountFor()
  if (account !== null) {
    const closed = await closedParent(join(data_dir, 'pg'), account)
    if (closed !== null)
      throw new EngineError(
        `The account ${account.name}, which runs the database, can’t open ${closed}. Give the account access (chmod o+x), or choose another DATA_DIR.`,
      )
  }
  await mkdir(data_dir, { recursive: true })
  const give = async (path: string) => {
    if (account !== null) await chown(path, account.uid, account.gid)
  }
  const pgdata = join(data_dir, 'pg')
  const run_dir = await socketDir(data_dir)
  await give(run_dir)
  await chmod(run_dir, 0o700)
  const connection: pg.ClientConfig = { host: run_dir, user: 'walkdown', database: 'postgres' }

  let client = existsSync(pgdata) ? await reach(connection, pgdata) : null
  let started = false
  if (client === null) {
    const native = await binariesFor(data_dir, account)
    if (!existsSync(pgdata)) {
      say('Creating the database…')
      await makeCluster(native, pgdata, account, give)
    }
    const begun = await start(native, pgdata, run_dir, connection, account, options.server_settings ?? {})
    client = begun.client
    started = begun.started
  }

  // The process with this lock owns the directory. The lock belongs to a connection, so it ends with the process, however that ends.
  const mine = own || started
  const take = async (one: pg.Client): Promise<boolean> => {
    const { rows } = await one.query('select pg_try_advisory_lock($1) as mine', [OWNER_LOCK])
    return rows[0]?.mine === true
  }
  let taken = !mine || (await take(client))
  for (const until = Date.now() + TAKE_OVER_MS; !taken && Date.now() < until; taken = await take(client)) await wait(50)
  if (!taken) {
    await client.end()
    throw new EngineError(`DATA_DIR ${data_dir} is in use by another Walkdown process. Stop that process, or choose another DATA_DIR.`)
  }
  const held = client
  const kept = mine
    ? keepEngine(held, {
        reach: () => reach(connection, pgdata),
        lives: async () => isAlive(await mainProcess(pgdata)),
        start: async () =>
          (await start(await binariesFor(data_dir, account), pgdata, run_dir, connection, account, options.server_settings ?? {})).client,
        take,
        say,
      })
    : { stop: () => held.end().catch(() => {}) }
  return {
    kind: 'embedded',
    connection,
    prepared: true,
    data_dir,
    async stop() {
      await kept.stop()
      if (mine) await halt(pgdata)
    },
  }
}

/**
 * Starts the engine, and returns a connection. `started` is false if another process runs it: an engine that restarts after a crash of one of its processes
 * can't be reached for a moment, and a command that begins just then joins it.
 */
async function start(
  native: string,
  pgdata: string,
  run_dir: string,
  connection: pg.ClientConfig,
  account: Account | null,
  extra: Record<string, string>,
): Promise<{ client: pg.Client; started: boolean }> {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: run_dir,
    fsync: 'on',
    max_connections: '200',
    // A quarter of a small machine; the default of 128 MB is outdated. Checkpoints caused by size are then rare, and spread out.
    shared_buffers: `${Math.max(128, Math.min(1024, Math.floor(totalmem() / 4 / 1024 / 1024)))}MB`,
    max_wal_size: '4GB',
    jit: 'off',
    // After a crash every file is written to the disk before the database accepts connections: one call for the disk is quicker than one for each of the
    // thousands of files of our schema.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...extra,
  }
  const args = ['-D', pgdata, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const log = await open(`${pgdata}.log`, 'a')
  const deadline = Date.now() + 10_000
  let said = ''
  try {
    while (Date.now() < deadline) {
      const child = spawn(join(native, 'bin', 'postgres'), args, {
        ...(account === null ? {} : { uid: account.uid, gid: account.gid }),
        cwd: '/',
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      })
      child.unref()
      let ended = false
      child.on('error', error => {
        said = error.message
        ended = true
      })
      child.on('exit', () => {
        ended = true
      })
      while (!ended && Date.now() < deadline) {
        const client = await reach(connection, pgdata)
        if (client !== null) return { client, started: (await mainProcess(pgdata)) === child.pid }
        await wait(20)
      }
      // Just after a kill, the dead postmaster's lock file stays until it is reaped, so try again before trusting it.
      await wait(200)
    }
  } finally {
    await log.close()
  }
  const tail = (await readFile(`${pgdata}.log`, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('\n')
  throw new EngineError(`The embedded database didn’t start. ${said}\n${tail}`)
}

/** Returns the main process of the engine, as named in its lock file; null if there is none. */
async function mainProcess(pgdata: string): Promise<number | null> {
  const pid = Number((await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : null
}

function isAlive(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeIn(error) === 'EPERM'
  }
}

/** Stops the engine immediately but cleanly, and waits until it has ended. */
async function halt(pgdata: string): Promise<void> {
  const pid = await mainProcess(pgdata)
  if (pid === null) return
  try {
    process.kill(pid, 'SIGINT')
    for (let tries = 0; tries < 1000 && existsSync(join(pgdata, 'postmaster.pid')); tries++) await wait(10)
  } catch (error) {
    if (codeIn(error) !== 'ESRCH') throw error
  }
}

/** Returns whether a data directory already contains a database. */
export const hasDatabase = (data_dir: string): boolean => existsSync(join(data_dir, 'pg')) && readdirSync(join(data_dir, 'pg')).length > 0
