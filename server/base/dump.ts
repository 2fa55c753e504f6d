// Writes every table of a database to files, and loads them. The embedded engine has no pg_dump, so each table is copied by COPY, all of them in one
// transaction that sees one moment. The service keeps running meanwhile.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { codeIn } from '../../shared/narrow.ts'
import { loneClient } from './db.ts'
import type { Engine } from './engine.ts'

/** A table in a dump. */
export type DumpedTable = {
  name: string
  columns: string[]
  rows: number
  /** File in the directory of the dump, and its size and digest as stored. */
  file: string
  size: number
  sha256: string
}

/** The part of a database that a dump contains. */
export type Dump = {
  postgres: string
  migrations: { name: string; checksum: string }[]
  tables: DumpedTable[]
  sequences: { name: string; value: string }[]
}

/** Opens a separate connection, without a time limit for statements and without the settings of the pool. */
export async function directly<T>(engine: Engine, database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await loneClient({
    ...engine.connection,
    ...(database === undefined ? {} : { database }),
    application_name: 'walkdown backup',
    options: '-c timezone=UTC -c datestyle=ISO -c statement_timeout=0 -c extra_float_digits=1',
  })
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {}) // it may have broken; the failure was already reported
  }
}

const named = (name: string) => `public.${pg.escapeIdentifier(name)}`

/**
 * Lists the tables with permanent content, and their columns that are not computed. Tables of extensions are created by the extensions; unlogged ones
 * are empty between transactions.
 */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> 'schema_migration'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.relname order by c.relname`)
  return rows
}

/** Counts and digests the bytes that pass through. */
function measured(): { through: PassThrough; size(): number; sha256(): string } {
  const hash = createHash('sha256')
  let size = 0
  const through = new PassThrough()
  through.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    size += chunk.length
  })
  return { through, size: () => size, sha256: () => hash.digest('hex') }
}

/** Writes a stream to a file that is durable when this returns, compressed if asked. Returns its size and digest. */
export async function written(
  source: Readable,
  path: string,
  how: { gzip: boolean } = { gzip: false },
): Promise<{ size: number; sha256: string }> {
  const { through, size, sha256 } = measured()
  const target = createWriteStream(path, { flush: true, mode: 0o600 })
  await (how.gzip ? pipeline(source, createGzip({ level: 1 }), through, target) : pipeline(source, through, target))
  return { size: size(), sha256: sha256() }
}

/** Returns size and digest of a file; null if it doesn't exist. */
export async function digestOf(path: string): Promise<{ size: number; sha256: string } | null> {
  const { through, size, sha256 } = measured()
  try {
    await pipeline(createReadStream(path), through, async source => {
      for await (const _chunk of source);
    })
  } catch (error) {
    if (codeIn(error) === 'ENOENT') return null
    throw error
  }
  return { size: size(), sha256: sha256() }
}

/** The moment of a dump: it contains every write that was acknowledged before. */
export type Moment = { at: string; log_position: string }

/**
 * Copies every table into `folder`, as of one moment. `beside` is called at the same moment, to copy what belongs to the tables. The clock is read
 * just before the snapshot is taken, and so is the position in the log of the server: a write that was acknowledged before them is visible in the
 * snapshot.
 */
export async function dumpTo<T>(
  client: pg.Client,
  folder: string,
  clock: { now(): string },
  beside: (client: pg.Client) => Promise<T>,
): Promise<{ moment: Moment; dump: Dump; beside: T }> {
  const { rows: log } = await client.query<{ position: string }>(
    'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as position',
  )
  const moment = { at: clock.now(), log_position: log[0]?.position ?? '' }
  await client.query('begin isolation level repeatable read read only')
  // The first statement takes the snapshot.
  const { rows: server } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
  )
  const tables: DumpedTable[] = []
  for (const { name, columns } of await tablesOf(client)) {
    const file = join('tables', `${name}.copy.gz`)
    const list = columns.map(column => pg.escapeIdentifier(column)).join(', ')
    const source = client.query(copyTo(`copy (select ${list} from ${named(name)}) to stdout`))
    const { size, sha256 } = await written(source, join(folder, file), { gzip: true })
    tables.push({ name, columns, rows: source.rowCount ?? 0, file, size, sha256 })
  }
  const dump = { postgres: server[0]?.version ?? '', migrations, tables, sequences }
  const found = await beside(client)
  // Not after a failure: a copy that is no longer read blocks its connection permanently, so the caller closes it.
  await client.query('rollback')
  return { moment, dump, beside: found }
}

/** Returns why a database is not empty; null if it is: it has no tables except those of migrations, and no people or records in them. */
export async function occupant(client: pg.Client): Promise<string | null> {
  const { rows: ours } = await client.query(`select to_regclass('public.schema_migration') is not null as it`)
  const tables = await tablesOf(client)
  if (ours[0]?.it !== true) return tables[0] === undefined ? null : `the table ${tables[0].name}`
  for (const { name } of tables) {
    // Rows that migrations insert are replaced. People, sites and their audit log are not.
    if (!['app_user', 'account', 'site', 'audit_entry', 'event', 'stored_file'].includes(name)) continue
    const { rows } = await client.query(`select exists (select 1 from ${named(name)}) as there`)
    if (rows[0]?.there === true) return `rows in ${name}`
  }
  return null
}

/**
 * Loads the tables of a dump into a database with the same schema, in one transaction: all or nothing. Foreign keys are dropped and created again,
 * which checks every one. Triggers are disabled, because the data has its history already.
 */
export async function loadFrom(client: pg.Client, folder: string, dump: Dump): Promise<void> {
  const present = new Map((await tablesOf(client)).map(table => [table.name, table]))
  const { rows: keys } = await client.query<{ name: string; table: string; definition: string }>(`
    select k.conname as name, c.relname as table, pg_get_constraintdef(k.oid) as definition from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace order by 2, 1`)
  await client.query('begin')
  try {
    for (const key of keys) await client.query(`alter table ${named(key.table)} drop constraint ${pg.escapeIdentifier(key.name)}`)
    for (const { name } of present.values()) {
      await client.query(`alter table ${named(name)} disable trigger user`)
      await client.query(`truncate ${named(name)}`)
    }
    for (const table of dump.tables) {
      const columns = table.columns.map(column => pg.escapeIdentifier(column)).join(', ')
      const target = client.query(copyFrom(`copy ${named(table.name)} (${columns}) from stdin`))
      await pipeline(createReadStream(join(folder, table.file)), createGunzip(), target)
      if (target.rowCount !== table.rows) throw new Error(`${table.file} has ${target.rowCount} rows, but the manifest says ${table.rows}.`)
    }
    for (const { name } of present.values()) await client.query(`alter table ${named(name)} enable trigger user`)
    for (const key of keys)
      await client.query(`alter table ${named(key.table)} add constraint ${pg.escapeIdentifier(key.name)} ${key.definition}`)
    for (const { name, value } of dump.sequences) await client.query('select setval($1::regclass, $2::bigint)', [named(name), value])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // without a connection there is nothing to roll back, and the first error says why
    throw error
  }
  await client.query('analyze')
}

/** Empties every table again, because the loaded data was not what it claimed to be. */
export async function emptied(client: pg.Client): Promise<void> {
  const tables = await tablesOf(client)
  if (tables.length > 0) await client.query(`truncate ${tables.map(table => named(table.name)).join(', ')} cascade`)
}
