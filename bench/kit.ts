// What the benchmarks share: an instance of the service on its own database engine, run as in production, and the printing of the figures.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { OF_EACH_CONNECTION } from '../server/base/db.ts'
import { openTestEngine } from '../tests/engine.ts'
import { openTestHouse, type TestHouse } from '../tests/world.ts'

/** An instance of the service to measure, and how other processes reach its database. */
export type Bench = {
  house: TestHouse
  address: string
  database: string
  connection: { host: string; port?: number; user: string }
  close(): Promise<void>
}

/** Starts the service on a port of its own. As in production, responses are not checked against their schemas. */
export async function openBench(options: { pool?: number; patient?: boolean } = {}): Promise<Bench> {
  const { env, folder: _folder, stop, engine } = await openTestEngine(process.env.DATABASE_URL, { durable: true })
  Object.assign(process.env, env, { NODE_ENV: 'production' })
  const opened = await openTestHouse(
    { CLOCK: 'system', RATE_LIMIT_PER_MINUTE: '1000000' },
    { strict_replies: false, pool: options.pool ?? 16, patient: options.patient ?? true },
  )
  const address = await opened.edge.app.listen({ host: '127.0.0.1', port: 0 })
  const { rows } = await opened.house.database.pool.query('select current_database() as name')
  return {
    house: opened,
    address,
    database: rows[0].name,
    connection: engine.connection as Bench['connection'],
    async close() {
      await opened.close()
      await stop()
    },
  }
}

/** Returns the milliseconds that some work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The median. */
export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

/** Times several pieces of work in turn, after two turns that don’t count: medians in milliseconds. */
export async function inTurns(work: readonly (() => Promise<unknown>)[], runs: number): Promise<number[]> {
  const took: number[][] = work.map(() => [])
  for (let run = -2; run < runs; run++)
    for (const [i, one] of work.entries()) {
      const milliseconds = await timed(one)
      if (run >= 0) took[i]?.push(milliseconds)
    }
  return took.map(median)
}

/** Returns a percentile of a list: the value with this share of the list below it. */
export const percentile = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0

const PGBENCH = ['/usr/lib/postgresql/17/bin/pgbench', '/usr/lib/postgresql/16/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench']

/** Path of pgbench on this machine; null when it isn't installed, and then the ratios to the limit are left out. */
export function pgbench(): string | null {
  const found = PGBENCH.find(existsSync)
  if (found !== undefined) return found
  const which = spawnSync('which', ['pgbench'], { encoding: 'utf8' })
  return which.status === 0 ? which.stdout.trim() : null
}

/** Runs a pgbench script, for some seconds or a number of times for each client, and returns its transactions per second. */
export function runPgbench(
  bench: Bench,
  script: string,
  options: { clients: number; mode?: 'prepared' | 'simple' } & ({ seconds: number } | { each: number }),
): number {
  const program = pgbench()
  if (program === null) throw new Error('pgbench isn’t installed.')
  const { host, port, user } = bench.connection
  const connection = ['-h', host, '-p', String(port ?? 5432), '-U', user]
  const length = 'seconds' in options ? ['-T', String(options.seconds)] : ['-t', String(options.each)]
  const load = ['-n', '-M', options.mode ?? 'prepared', '-c', String(options.clients), '-j', '1', ...length, '-f', script]
  const said = execFileSync(program, [...load, ...connection, bench.database], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    // The same plans as the service has.
    env: { ...process.env, PGOPTIONS: OF_EACH_CONNECTION },
  })
  const found = /tps = ([\d.]+)/.exec(said)
  if (found === null) throw new Error(`pgbench didn’t report transactions per second:\n${said}`)
  return Number(found[1])
}

/** Formats a figure for printing. */
export const shown = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2))

const asked = process.argv.slice(2).map(arg => arg.toUpperCase())
/** Returns whether one of these figures was asked for on the command line. Without names there, all of them are. */
export const wanted = (...names: string[]): boolean => asked.length === 0 || names.some(name => asked.includes(name))

/** Prints a figure with its target. */
export const say = (name: string, what: string, goal: string): void => console.log(`${name.padEnd(4)} ${what}\n     goal: ${goal}\n`)
