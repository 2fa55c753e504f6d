// The only file that talks to PostgreSQL: it converts values to our formats, and refuses nested and late use of transactions. What must
// happen at the end of each writing transaction (the seal) is passed in by app.ts.
import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, Kysely, type LogEvent, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { NamingClient, oldestFirst } from './client.ts'
import { types } from './column-types.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.gen.ts'
import type { Tracing } from './tracing.ts'
import { countedRows } from './written.ts'

/** The typed query builder: on the pool for reads, inside a transaction for writes. */
export type Db = Kysely<Tables>

/** A connection pool of one database. */
export type Database = {
  /** For reads outside a transaction. */
  db: Db
  /** Runs `work` in one transaction; `opening` are settings for it (`SET LOCAL`). Nested transactions and use of the pool within one are refused. */
  transaction<T>(opening: Opening, work: (db: Db) => Promise<Ended<T>>): Promise<T>
  /** Runs several reads that agree with each other. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** For what only pg can do: LISTEN, COPY. */
  pool: pg.Pool
  /**
   * Two connections outside the pool, opened when first needed, for queries that run while a transaction is open (the queue, keys). If these used the
   * pool, transactions that wait for one row could occupy every connection, and the one that has the row lock would wait for a connection.
   */
  apart: { db: Db; pool: pg.Pool }
  /** One more connection, only for the health checks: whether the database responds must not depend on what else is waiting for it. */
  probe: { db: Db; pool: pg.Pool }
  stats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** The result of a transaction, and its last statement, which is sent together with the commit so that its locks last only briefly. */
export type Ended<T> = { result: T; last: { text: string; values: unknown[] } | null }

/** Settings of the database for a writing transaction. The record trigger writes them to the rows. */
export type Opening = {
  actor_kind: string
  actor_id: string | null
  now: string
}

const inside = new AsyncLocalStorage<boolean>()

/** Runs `work` as if outside any transaction: for work that lasts longer than the request that started it. */
export const outside = <T>(work: () => T): T => inside.exit(work)

/** After this time without a response the connection is closed, and its work is refused as unavailable. */
const SILENCE_MS = 45_000

/**
 * What every connection sets, whatever the settings of its server. Starting parallel workers takes 30 ms, longer than almost every list, and they take processors that
 * other requests need. The default cost of a random page (4) is that of a turning disk: with it, the map of a site with ten versions of each zone was read by scanning
 * the versions of all sites.
 */
export const OF_EACH_CONNECTION =
  '-c timezone=UTC -c datestyle=ISO -c intervalstyle=iso_8601 -c default_transaction_isolation=read\\ committed -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1'

/** Opens a pool on a database of the engine. `max`: two to four connections for each processor core are enough. */
export function openDatabase(
  engine: Engine,
  options: {
    database?: string
    max?: number
    statement_timeout_ms?: number
    silence_ms?: number
    /** How long work waits for a connection before it is refused as unavailable; ten seconds if left out. */
    connect_ms?: number
    application_name?: string
    /** Further settings of each connection, for tests: `-c NAME=VALUE`. */
    settings?: string
    tracing?: Tracing | null
  },
): Database {
  const { tracing = null } = options
  const how: pg.PoolConfig = {
    ...engine.connection,
    ...(options.database === undefined ? {} : { database: options.database }),
    options: `${OF_EACH_CONNECTION} ${options.settings ?? ''}`,
    application_name: options.application_name ?? 'walkdown',
    statement_timeout: options.statement_timeout_ms ?? 30_000,
    // The server ends its own slow statements. If nothing comes back long after that, it has stopped, or the network to it has failed without an
    // error.
    query_timeout: options.silence_ms ?? SILENCE_MS,
    connectionTimeoutMillis: options.connect_ms ?? 10_000,
    types,
    pipeline: true,
    ...(engine.prepared ? { Client: NamingClient } : {}),
  }
  const pool = new pg.Pool({ ...how, max: options.max ?? 10 })
  oldestFirst(pool)
  const apart = new pg.Pool({ ...how, max: 2 })
  const probe = new pg.Pool({ ...how, max: 1 })
  for (const one of [pool, apart, probe]) {
    one.on('error', () => {}) // an idle connection broke: the next query gets a new one, or reports what is wrong
    one.on('connect', client => client.on('error', () => {})) // a connection in use broke: its query is rejected, and the process continues
  }
  const over = (of: Connecting) => builder(of, tracing)
  const db = over({
    options: pool.options,
    Client: pg.Client,
    connect() {
      if (inside.getStore())
        throw new Error('The pool was used inside a transaction. Use ctx.db, or the query runs outside the transaction.')
      return pool.connect()
    },
  })

  const held = <T>(name: string, begin: string, writes: boolean, work: (db: Db) => Promise<Ended<T>>): Promise<T> =>
    tracing === null ? hold(begin, writes, work) : tracing.part(name, () => hold(begin, writes, work))

  async function hold<T>(begin: string, writes: boolean, work: (db: Db) => Promise<Ended<T>>): Promise<T> {
    if (inside.getStore()) throw new Error('A transaction was opened inside a transaction.')
    const client = await pool.connect()
    let ended = false
    const trx: Db = over({ options: pool.options, Client: pg.Client, connect: async () => borrowed(client) }).withPlugin({
      transformQuery({ node }) {
        if (ended) throw new Error('A query was made after the end of its transaction.')
        return node
      },
      transformResult: async ({ result }) => countedRows(trx, result),
    })
    let broken: Error | undefined
    let committing = false
    try {
      // In pipeline mode each statement is sent as soon as it is queued: begin goes with the first statement, and the last statement with the commit.
      const begun = client.query(begin)
      begun.catch(() => {})
      const { result, last } = await inside.run(true, () => work(trx))
      ended = true
      committing = writes
      const final = last === null ? null : client.query(last.text, last.values)
      final?.catch(() => {})
      const committed = client.query('commit')
      committed.catch(() => {})
      await begun
      await final
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back because one of its statements failed.')
      return result
    } catch (error) {
      ended = true
      await client.query('rollback').catch(e => {
        broken = e
      })
      throw committing && databaseGone(error) ? new CommitInDoubt(error) : error
    } finally {
      client.release(broken)
    }
  }

  return {
    db,
    pool,
    apart: { db: over({ options: apart.options, Client: pg.Client, connect: () => apart.connect() }), pool: apart },
    probe: { db: over({ options: probe.options, Client: pg.Client, connect: () => probe.connect() }), pool: probe },
    transaction: (opening, work) =>
      held(
        'transaction',
        `begin; set local walkdown.actor_kind = ${quoted(opening.actor_kind)}; set local walkdown.actor_id = ${quoted(opening.actor_id ?? '')}; set local walkdown.now = ${quoted(opening.now)}`,
        true,
        work,
      ),
    snapshot: work =>
      held('snapshot', 'begin isolation level repeatable read read only', false, async db => ({ result: await work(db), last: null })),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), apart.end(), probe.end()])
    },
  }
}

/** The client of a transaction, which can't be returned to the pool. */
const borrowed = (client: pg.PoolClient): PostgresPoolClient => ({ query: client.query.bind(client), release: () => {} })

type Connecting = { options: pg.PoolOptions; Client: typeof pg.Client; connect(): Promise<PostgresPoolClient> }

/** Makes a query builder over anything that provides connections like a pool. */
function builder(pool: Connecting, tracing: Tracing | null): Db {
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { ...pool, end: async () => {} } }),
    ...(tracing === null
      ? {}
      : {
          log: ({ level, query, queryDurationMillis }: LogEvent) => tracing.statement(query.sql, queryDurationMillis, level === 'error'),
        }),
  })
}

const quoted = (text: string) => pg.escapeLiteral(text)

/** Returns a value for a `jsonb` column, as text without a type, so that PostgreSQL reads it as JSON whatever it contains. */
export const jsonb = (value: unknown): string => JSON.stringify(value)

/** Returns the pattern of `like` for text that contains these words; `%`, `_` and `\\` in them stand for themselves. */
export const containing = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

/** Runs SQL as it is written, with its parameters: what another library wrote, or a statement of each request, which isn't put together again each time. */
export async function passThrough<R = Record<string, unknown>>(
  db: Db,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: R[] }> {
  const { rows } = await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))
  return { rows }
}

/**
 * Returns the constraint in a database error, by its class, with its columns and expressions as PostgreSQL writes them: `site_id, fold_text(name)`; null for
 * other errors.
 */
export function violated(error: unknown): { what: 'unique' | 'exclusion' | 'reference' | 'check'; key: string } | null {
  if (!(error instanceof pg.DatabaseError)) return null
  const what = ({ '23505': 'unique', '23P01': 'exclusion', '23503': 'reference', '23514': 'check' } as const)[error.code ?? '']
  // In every language the detail has the form `Key (columns)=(values) already exists.`
  return what === undefined ? null : { what, key: /\((.*?)\)=\(/s.exec(error.detail ?? '')?.[1] ?? '' }
}

/** Returns whether a database error says that the same transaction may succeed if it is run again. */
export const worthAnotherTry = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01'))

/** Another transaction has changed what this one had decided on. Everything is tried again. */
export class Overtaken extends Error {
  constructor(what: string) {
    super(`${what} changed while it was decided on.`)
    this.name = 'Overtaken'
  }
}

/** Returns whether the seal refused a write because the access of its person had changed since it was decided: it must be decided again. */
export const accessChanged = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === 'WD005'

/** The connection broke after the commit was sent and before its response, so the write may have succeeded or not. */
export class CommitInDoubt extends Error {
  constructor(cause: unknown) {
    super('The connection broke during the commit.', { cause })
    this.name = 'CommitInDoubt'
  }
}

/** Opens a separate connection, outside the pools. If it breaks, the waiting query fails, and the process continues. */
export async function loneClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Returns whether the error says that the database is unavailable, rather than that a statement was wrong. */
export function databaseGone(error: unknown): boolean {
  if (error instanceof CommitInDoubt) return true
  if (error instanceof pg.DatabaseError) {
    // 55000 when connecting: the database doesn’t accept connections at present.
    return /^(08|57P0|53)/.test(error.code ?? '') || (error.code === '55000' && error.severity === 'FATAL')
  }
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) ||
    // The socket of the embedded engine is missing; a missing file is another fault.
    (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') ||
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

/** Returns whether a value from outside did not fit its column: the last safeguard after validation. */
export const unfit = (error: unknown): boolean => error instanceof pg.DatabaseError && (error.code ?? '').startsWith('22')

export { sql }
