import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { counted, withoutStop } from '../../shared/text.ts'
import { openHouse } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { databaseGone } from '../base/db.ts'
import { directly, emptied, loadFrom, occupant } from '../base/dump.ts'
import type { Engine } from '../base/engine.ts'
import { isFull } from '../base/full.ts'
import type { Id } from '../base/ids.ts'
import { migrate, migrations } from '../base/migrate.ts'
import { readSettings } from '../base/settings.ts'
import { hashAt, upgradeOf, verifyChain } from '../kernel/audit/door.ts'
import { closeQueue, prepareQueue, requeue } from '../kernel/jobs/door.ts'
import { callOffMessages } from '../kernel/notices/door.ts'
import { filePlace, type Manifest, momentOf, provenWhole, readManifest } from './bundle.ts'
import { type Command, CommandError, openEngine, words } from './command.ts'

/** Options of a restore. */
export type Restoring = {
  /** Cancels the jobs that were waiting in the queue: for a drill, or for a copy that runs as well as the original. */
  drop_queue?: boolean
  /** A chain that was broken when the backup was made is reported, and the restored data is kept. */
  keep_broken?: boolean
}

/** The result of a restore. */
export type Restored = { manifest: Manifest; queued: number; broken: string[] }

/**
 * Restores a backup into an empty database and its storage. Every digest is compared before anything is written, the tables are loaded in one
 * transaction, and the chains are verified from their beginning to the heads in the backup.
 */
export async function restoreFrom(
  house: House,
  engine: Engine,
  database: string | undefined,
  folder: string,
  how: Restoring,
  say: (line: string) => void,
): Promise<Restored> {
  const manifest = await readManifest(folder)
  await fits(engine, database, manifest)
  await provenWhole(folder, manifest)
  say(
    `The backup of ${momentOf(manifest)} is complete: ${counted(manifest.dump.tables.length, 'table')}, ${counted(manifest.files.length, 'stored file')}.`,
  )
  const progress = { loaded: false }
  try {
    return await load(house, engine, database, folder, manifest, how, progress, say)
  } catch (error) {
    const full = await noSpaceFor(error, house)
    if (full === null) throw error
    // What was loaded was not checked, so it must not stay.
    if (progress.loaded) await directly(engine, database, emptied)
    throw new CommandError(
      `There is no space left for ${full}, so the database is still empty. Free some space, then run the command again.`,
      1,
    )
  }
}

/** Returns what a restore had no space for; null if it failed for another reason. */
async function noSpaceFor(error: unknown, { data_dir, settings }: House): Promise<string | null> {
  if (isFull(error)) return error instanceof pg.DatabaseError ? 'the database' : 'the stored files'
  // A database server that can't write its log stops, and only the disk still says why.
  if (settings.database_url !== null || !databaseGone(error)) return null
  const { bavail, bsize } = await statfs(data_dir)
  return bavail * bsize < LOG_FILE_BYTES ? 'the database' : null
}

/** The size of a file of the log of PostgreSQL. */
const LOG_FILE_BYTES = 16 * 1024 * 1024

async function load(
  house: House,
  engine: Engine,
  database: string | undefined,
  folder: string,
  manifest: Manifest,
  how: Restoring,
  progress: { loaded: boolean },
  say: (line: string) => void,
): Promise<Restored> {
  const upto = new Set(manifest.dump.migrations.map(m => m.name))
  await migrate(engine, { ...(database === undefined ? {} : { database }), upto })
  for (const { sha256, media_type } of manifest.files) await house.storage.keep(sha256, join(folder, filePlace(sha256)), media_type)
  await directly(engine, database, client => loadFrom(client, folder, manifest.dump))
  progress.loaded = true
  // A chain from before this version gets the entry that protects its older entries; the head in the backup is the entry just before it.
  await migrate(engine, { ...(database === undefined ? {} : { database }), say })
  const broken = await chainFaults(house, manifest)
  if (broken.length > 0 && how.keep_broken !== true) {
    await directly(engine, database, emptied)
    throw new CommandError(
      `Refused, and the tables are empty again: ${broken.join('; ')}. With --keep-broken the data is restored anyway, for an investigation.`,
      1,
    )
  }
  await prepareQueue(house.database.pool)
  const queued = await requeue(house, how.drop_queue === true)
  if (how.drop_queue === true) await callOffMessages(house.database.db, house.clock.now())
  return { manifest, queued, broken }
}

/** Refuses a target with data, and a backup of a schema that this code doesn't know. */
async function fits(engine: Engine, database: string | undefined, manifest: Manifest): Promise<void> {
  const there = await directly(engine, database, (client: pg.Client) => occupant(client))
  if (there !== null) throw new CommandError(`The target isn’t empty: it has ${there}. Restore the backup into an empty database.`, 1)
  const ours = new Map(migrations().map(m => [m.name, m.checksum]))
  for (const { name, checksum } of manifest.dump.migrations) {
    if (!ours.has(name))
      throw new CommandError(
        `The backup is from a newer Walkdown (${manifest.walkdown}): this version doesn’t have the migration ${name}. Restore with the newer version.`,
        1,
      )
    if (ours.get(name) !== checksum)
      throw new CommandError(
        `The migration ${name} of the backup differs from the one in this version of Walkdown. Restore with the version that made the backup.`,
        1,
      )
  }
}

type Head = { seq: number; hash: string }

/** Lists the chains that don't verify, or don't end at the head in the backup. */
async function chainFaults(house: House, manifest: Manifest): Promise<string[]> {
  const faults: string[] = []
  for (const { site_id, seq, hash } of manifest.chains) {
    const { head, fault } = await verifyChain(house.database.db, site_id)
    if (fault !== null) faults.push(`the audit chain of ${site_id} is broken at ${fault.seq}: ${withoutStop(fault.detail)}`)
    else if (!(await endsAt(house, site_id, head, { seq, hash }))) faults.push(`the audit chain of ${site_id} doesn’t end at ${seq}`)
  }
  return faults
}

/** Returns whether a chain ends at the head in the backup, or one entry later: the one with which the migration began a new version of the hash. */
async function endsAt(house: House, site_id: Id, head: Head | null, named: Head): Promise<boolean> {
  if (head === null || head.seq === named.seq) return (head?.seq ?? 0) === named.seq && (head?.hash ?? named.hash) === named.hash
  const { db } = house.database
  return (
    (await upgradeOf(db, site_id))?.seq === head.seq && named.seq === head.seq - 1 && (await hashAt(db, site_id, named.seq)) === named.hash
  )
}

export const restoreCommand: Command = {
  name: 'restore',
  usage: 'restore DIR [--drop-queue] [--keep-broken]',
  says: 'Restores a backup into an empty installation and verifies every part of it.',
  details: `The target (DATA_DIR, or the database of DATABASE_URL) must be empty, with no service running on it. Every digest is compared before
anything is written, and the audit chains are verified. A backup that is incomplete or altered is refused, and the message says which file.
Each waiting job is queued again once. --drop-queue cancels them all: use it for a drill, or for a copy that runs as well as the original, which would
otherwise send the same emails again. --keep-broken restores the data even if an audit chain is broken.`,
  async run(args, env) {
    const [given, ...more] = words(args)
    if (given === undefined || more.length > 0) throw new CommandError('walkdown restore DIR [--drop-queue] [--keep-broken]')
    const folder = resolve(given)
    await readManifest(folder) // a directory without a backup is refused before a database is created for it
    const settings = readSettings({ ...env, LOG_LEVEL: env.LOG_LEVEL ?? 'error' })
    const { engine, data_dir, database } = await openEngine(settings, true, line => console.error(line))
    const house = await openHouse(settings, engine, { data_dir, pool: 4, ...(database === undefined ? {} : { database }) })
    try {
      const how = { drop_queue: args.includes('--drop-queue'), keep_broken: args.includes('--keep-broken') }
      const { manifest, queued, broken } = await restoreFrom(house, engine, database, folder, how, line => console.log(line))
      const rows = manifest.dump.tables.reduce((sum, table) => sum + table.rows, 0)
      console.log(
        `Restored ${counted(rows, 'row')} in ${counted(manifest.dump.tables.length, 'table')} and ${counted(manifest.files.length, 'stored file')}, as of ${momentOf(manifest)}.`,
      )
      console.log(`${counted(queued, 'waiting job')} ${queued === 1 ? 'was' : 'were'} ${how.drop_queue ? 'cancelled' : 'queued again'}.`)
      for (const fault of broken) console.error(fault)
      console.log(
        broken.length === 0
          ? `${manifest.chains.length === 1 ? 'The chain was' : `All ${manifest.chains.length} chains were`} verified.`
          : `${broken.length} of ${counted(manifest.chains.length, 'chain')} ${broken.length === 1 ? 'is' : 'are'} broken.`,
      )
      return broken.length === 0 ? 0 : 1
    } finally {
      await closeQueue(house)
      await house.database.close()
      await engine.stop()
    }
  },
}
