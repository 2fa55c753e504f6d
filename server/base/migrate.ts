// Forward-only migrations: plain SQL files, each in one transaction, under a lock, with a checksum that must not change.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { loneClient } from './db.ts'
import type { Engine } from './engine.ts'
import { sha256 } from './ids.ts'

const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
const LOCK = 724_002

/** One migration file. */
export type Migration = { name: string; sql: string; checksum: string }

let all: Migration[] | null = null

/**
 * Lists the migrations of this code, in order. Read once: while the files of a new version replace these, a process that is still running must not believe
 * that its own migrations are missing.
 */
export function migrations(): readonly Migration[] {
  all ??= readdirSync(FOLDER)
    .filter(file => file.endsWith('.sql'))
    .sort()
    .map(file => {
      const text = readFileSync(`${FOLDER}/${file}`, 'utf8')
      return { name: file.replace(/\.sql$/, ''), sql: text, checksum: sha256(text) }
    })
  return all
}

/** The migrations of a database: applied, waiting, and those that it has but this code doesn't know. */
export type MigrationState = { applied: string[]; waiting: string[]; unknown: string[] }

async function connected<T>(engine: Engine, database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await loneClient({
    ...engine.connection,
    ...(database === undefined ? {} : { database }),
    options: '-c timezone=UTC',
  })
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {}) // it may have broken; the failure was already reported
  }
}

async function known(client: { query: pg.Client['query'] }): Promise<Map<string, string>> {
  const { rows: there } = await client.query(`select to_regclass('public.schema_migration') as it`)
  if (there[0]?.it === null) return new Map()
  const { rows } = await client.query('select name, checksum from schema_migration')
  return new Map(rows.map(row => [row.name, row.checksum]))
}

/** Compares a database with this code. Throws if an applied file has been edited since. */
export async function migrationState(client: { query: pg.Client['query'] }): Promise<MigrationState> {
  const there = await known(client)
  const ours = migrations()
  for (const { name, checksum } of ours) {
    const applied = there.get(name)
    if (applied !== undefined && applied !== checksum)
      throw new Error(`Migration ${name} was edited after it was applied. Write a new one.`)
  }
  const names = new Set(ours.map(m => m.name))
  return {
    applied: ours.filter(m => there.has(m.name)).map(m => m.name),
    waiting: ours.filter(m => !there.has(m.name)).map(m => m.name),
    unknown: [...there.keys()].filter(name => !names.has(name)),
  }
}

/** Migrates a database to this code, or only to the migrations in `upto`; returns what was applied. Several processes can call it at the same time. */
export async function migrate(
  engine: Engine,
  options: { database?: string; say?: (line: string) => void; upto?: ReadonlySet<string> } = {},
): Promise<string[]> {
  return connected(engine, options.database, async client => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists schema_migration (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())',
    )
    const { waiting: all } = await migrationState(client)
    const waiting = all.filter(name => options.upto?.has(name) ?? true)
    for (const migration of migrations().filter(m => waiting.includes(m.name))) {
      options.say?.(`Migrating: ${migration.name}`)
      try {
        await client.query('begin')
        await client.query(migration.sql)
        await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [migration.name, migration.checksum])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`Migration ${migration.name}: ${error instanceof Error ? error.message : error}`)
      }
    }
    return waiting
  })
}

/** Creates a database in an embedded engine if it doesn't exist yet. */
export async function createDatabase(engine: Engine, name: string): Promise<void> {
  await connected(engine, undefined, async client => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  })
}

/** Drops a database, and disconnects everyone who uses it. */
export async function dropDatabase(engine: Engine, name: string): Promise<void> {
  await connected(engine, undefined, client => client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`))
}
