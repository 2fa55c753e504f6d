import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { counted } from '../../shared/text.ts'
import { openHouse } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { directly, dumpTo, written } from '../base/dump.ts'
import type { Engine } from '../base/engine.ts'
import { isFull } from '../base/full.ts'
import { sha256 } from '../base/ids.ts'
import { readSettings } from '../base/settings.ts'
import { filePlace, MANIFEST, MANIFEST_DIGEST, type Manifest, momentOf } from './bundle.ts'
import { type Command, CommandError, openEngine, words } from './command.ts'

/** Backs up a running service into an empty directory. Returns what was written. If the disk becomes full, nothing is left. */
export async function backUp(
  house: House,
  engine: Engine,
  database: string | undefined,
  folder: string,
  say: (line: string) => void,
): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(error => {
    if (isFull(error)) throw new CommandError(`There is no space left for ${folder}. Free some space or choose another directory.`, 1)
    throw error
  })
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} isn’t empty. Choose an empty or new directory for the backup.`, 1)
  try {
    return await fillWith(house, engine, database, folder, say)
  } catch (error) {
    if (!isFull(error)) throw error
    // The space is needed, and part of a backup can’t be restored.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    throw new CommandError(
      `There is no space left in ${folder} for the backup. The part that was written has been deleted. Free some space or choose another directory, then run the command again.`,
      1,
    )
  }
}

async function fillWith(
  house: House,
  engine: Engine,
  database: string | undefined,
  folder: string,
  say: (line: string) => void,
): Promise<Manifest> {
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  const { moment, dump, beside } = await directly(engine, database, client =>
    dumpTo(client, folder, house.clock, async moment => {
      const { rows: files } = await moment.query<{ sha256: string; media_type: string }>(
        'select sha256, min(media_type) as media_type from stored_file group by sha256 order by sha256',
      )
      const { rows: chains } = await moment.query<{ site_id: string; seq: string; hash: string }>(
        'select site_id, seq, hash from site_head order by site_id',
      )
      return { files, chains: chains.map(({ site_id, seq, hash }) => ({ site_id, seq: Number(seq), hash })) }
    }),
  )
  say(
    `${counted(dump.tables.length, 'table')}, ${counted(
      dump.tables.reduce((sum, table) => sum + table.rows, 0),
      'row',
    )}.`,
  )
  // Files are stored before the rows that refer to them are written, and under their digest, so each file that a row in the backup refers to exists.
  const files: Manifest['files'] = []
  for (const { sha256: key, media_type } of beside.files) {
    const path = join(folder, filePlace(key))
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    const source = await house.storage.open(key).catch(() => null)
    if (source === null)
      throw new CommandError(
        `The stored file ${key} is missing from the storage, so the backup is incomplete. Run "walkdown verify" to see what else is missing.`,
        1,
      )
    const got = await written(source, path)
    if (got.sha256 !== key) {
      await rm(path)
      throw new CommandError(
        `The stored file ${key} has changed: its SHA-256 is now ${got.sha256}, so the backup is incomplete. Run "walkdown verify" to see what else has changed.`,
        1,
      )
    }
    files.push({ sha256: key, size: got.size, media_type })
  }
  say(
    `${counted(files.length, 'stored file')}, ${counted(
      files.reduce((sum, file) => sum + file.size, 0),
      'byte',
    )}.`,
  )
  const manifest: Manifest = {
    format: 'walkdown-backup',
    format_version: 1,
    made_at: moment.at,
    log_position: moment.log_position,
    walkdown: house.process.version,
    dump,
    files,
    chains: beside.chains,
  }
  const text = `${JSON.stringify(manifest, null, 1)}\n`
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true })
  await writeFile(join(folder, MANIFEST_DIGEST), `${sha256(text)}  ${MANIFEST}\n`, { mode: 0o600, flush: true })
  return manifest
}

export const backupCommand: Command = {
  name: 'backup',
  usage: 'backup DIR',
  says: 'Backs up the database and all stored files into a directory while the service runs.',
  details: `DIR is created if it doesn’t exist; otherwise it must be empty. A backup is a snapshot of one moment: every table, every file that the tables
refer to, the heads of the audit chains, and the digest of each part. It includes the keys for sign-in and Web Push: protect it like the
database itself. Waiting jobs are included as rows; "walkdown restore" queues them again.`,
  async run(args, env) {
    const [given, ...more] = words(args)
    if (given === undefined || more.length > 0) throw new CommandError('walkdown backup DIR')
    const folder = resolve(given)
    const settings = readSettings({ ...env, LOG_LEVEL: env.LOG_LEVEL ?? 'error' })
    // The command joins the running service and leaves its schema unchanged.
    const { engine, data_dir, database } = await openEngine(settings, false, line => console.error(line))
    const house = await openHouse(settings, engine, { data_dir, pool: 2, ...(database === undefined ? {} : { database }) })
    try {
      const manifest = await backUp(house, engine, database, folder, line => console.log(line))
      console.log(`${counted(manifest.chains.length, 'chain')}. The backup of ${momentOf(manifest)} is in ${folder}.`)
      return 0
    } finally {
      await house.database.close()
      await engine.stop()
    }
  },
}
