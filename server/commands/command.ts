import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openHouse } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { closeDataDir } from '../base/data-dir.ts'
import { directly } from '../base/dump.ts'
import { defaultDataDir, type Engine, embeddedEngine, serverEngine } from '../base/engine.ts'
import { createDatabase, migrate } from '../base/migrate.ts'
import { readSettings, type Settings } from '../base/settings.ts'
import { closeQueue, prepareQueue, queueIsReady } from '../kernel/jobs/door.ts'
import { withoutGisViews } from './gis.ts'

/** A command of the terminal. */
export type Command = {
  name: string
  usage: string
  /** One sentence. */
  says: string
  details?: string
  /** Runs the command and returns its exit code. */
  run(args: readonly string[], env: Record<string, string | undefined>): Promise<number>
}

export { CommandError } from './command-error.ts'

/** The database of the embedded engine. */
export const DATABASE = 'walkdown'

/** Opens an engine for these settings. `own` takes over the data directory; otherwise the command joins the running service. */
export async function openEngine(
  settings: Settings,
  own: boolean,
  say: (line: string) => void,
): Promise<{ engine: Engine; data_dir: string; database: string | undefined }> {
  const data_dir = settings.data_dir ?? (await defaultDataDir(say))
  const embedded = settings.database_url === null
  // The first command on a new directory creates its database, so it prepares the directory as the service does.
  if (own || (embedded && !existsSync(join(data_dir, 'pg')))) await closeDataDir(data_dir, embedded, say)
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  if (settings.database_url !== null) return { engine: serverEngine(settings.database_url), data_dir, database: undefined }
  const engine = await embeddedEngine({ data_dir, own, say })
  await createDatabase(engine, DATABASE)
  return { engine, data_dir, database: DATABASE }
}

/** Migrates the schema to the version of this code, including the queue's own schema. */
export async function upgrade(house: House, engine: Engine, database: string | undefined, say: (line: string) => void): Promise<void> {
  const done = await directly(engine, database, client =>
    withoutGisViews(client, say, () => migrate(engine, { ...(database === undefined ? {} : { database }), say })),
  )
  // An earlier start may have been killed between the two steps.
  if (done.length > 0 || !(await queueIsReady(house.database.pool))) await prepareQueue(house.database.pool)
}

/** Empties a database of the embedded engine, as if it were new, and migrates it again. */
export async function startOver(house: House, engine: Engine, database: string | undefined, say: (line: string) => void): Promise<void> {
  await closeQueue(house)
  await directly(engine, database, client =>
    client.query('begin; drop schema if exists pgboss cascade; drop schema public cascade; create schema public; commit'),
  )
  await upgrade(house, engine, database, say)
}

/** Runs a command's work on the migrated database, and closes everything afterwards. */
export async function inHouse<T>(env: Record<string, string | undefined>, work: (house: House) => Promise<T>): Promise<T> {
  const settings = readSettings({ ...env, LOG_LEVEL: env.LOG_LEVEL ?? 'error' })
  const { engine, data_dir, database } = await openEngine(settings, false, line => console.error(line))
  const house = await openHouse(settings, engine, { data_dir, ...(database === undefined ? {} : { database }) })
  try {
    await upgrade(house, engine, database, line => console.error(line))
    return await work(house)
  } finally {
    await closeQueue(house)
    await house.database.close()
    await engine.stop()
  }
}

/** Returns the value of `--name VALUE`; null if it isn't given. */
export function option(args: readonly string[], name: string): string | null {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? null : (args[at + 1] ?? null)
}

/** Lists the arguments that aren't options. */
export const words = (args: readonly string[], valued: readonly string[] = []): string[] =>
  args.filter((arg, i) => !arg.startsWith('--') && !(args[i - 1]?.startsWith('--') && valued.includes(args[i - 1]?.slice(2) ?? '')))
