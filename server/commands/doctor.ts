import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { codeIn, fieldsIn } from '../../shared/narrow.ts'
import { counted, withoutStop } from '../../shared/text.ts'
import { ms } from '../../shared/time.ts'
import { openHouse } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { openness } from '../base/data-dir.ts'
import { defaultDataDir, hasDatabase } from '../base/engine.ts'
import { ids, sha256 } from '../base/ids.ts'
import { migrationState } from '../base/migrate.ts'
import { secretFiles } from '../base/secrets.ts'
import { readSettings, type Settings, SettingsError } from '../base/settings.ts'
import { demoState } from '../demo/state.ts'
import { closeQueue } from '../kernel/jobs/door.ts'
import { checksOf } from '../rooms/operate/health/door.ts'
import { type Command, CommandError, openEngine } from './command.ts'
import { DEMO_INTERRUPTED } from './demo.ts'
import { portFault } from './port.ts'

/** The result of one check: fine, needs attention, or wrong. */
export type Finding = { of: string; how: 'well' | 'look' | 'wrong'; says: string }

const well = (of: string, says: string): Finding => ({ of, how: 'well', says })
const look = (of: string, says: string): Finding => ({ of, how: 'look', says })
const wrong = (of: string, says: string): Finding => ({ of, how: 'wrong', says })

const OLDEST_SERVER = 150_000
const GIGABYTE = 1024 ** 3
const LOOPBACK = /^(localhost|127\.|\[?::1)/

/** Checks the settings by themselves. */
export function settingsFindings(settings: Settings): Finding[] {
  const url = new URL(settings.public_url)
  const open = !LOOPBACK.test(settings.host) || !LOOPBACK.test(url.hostname)
  return [
    well('settings', `people use the service at ${settings.public_url}`),
    ...(open && url.protocol === 'http:'
      ? [look('settings', 'PUBLIC_URL is http: tokens are sent unencrypted. Put a TLS proxy in front and set PUBLIC_URL to https://….')]
      : []),
    ...(settings.clock === 'manual'
      ? [look('settings', 'CLOCK is manual, so time doesn’t move. Only tests need a manual clock: remove the setting.')]
      : []),
    ...(settings.smtp_url === null && open
      ? [look('mail', 'SMTP_URL isn’t set: emails are stored as files in the outbox of DATA_DIR and aren’t sent.')]
      : []),
  ]
}

/** Checks that only some accounts can read the files with secrets. */
export const secretFindings = (env: Record<string, string | undefined>): Finding[] =>
  secretFiles(env).map(({ name, path, mode, open }) =>
    open
      ? look(
          'secrets',
          `${name}_FILE: every account of this machine can read ${path} (mode ${mode}). Let only the account of the service read the file, with chmod 400 or in the settings of what delivers the file.`,
        )
      : well('secrets', `${name} is read from ${path}`),
  )

/** Checks that the port is free, or used by the service itself. */
async function portFindings({ host, port, roles }: Settings): Promise<Finding[]> {
  if (!roles.web) return []
  const fault = await portFault(host, port)
  if (fault === null) return [well('port', `${port} on ${host} is free`)]
  const own = await fetch(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/api/health`, { signal: AbortSignal.timeout(2000) })
    .then(async answer => fieldsIn(await answer.json()).version !== undefined)
    .catch(() => false)
  return [own ? well('port', `${port} on ${host}: Walkdown is already running there`) : wrong('port', fault)]
}

/** Checks the data directory: it exists, is writable, and has space. */
export async function diskFindings(data_dir: string): Promise<Finding[]> {
  let at = data_dir
  while (!existsSync(at)) at = dirname(at)
  const writable = await access(at, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!writable) return [wrong('disk', `This account can’t write to ${at}. Give it access, or set DATA_DIR to another directory.`)]
  const open = await openness(data_dir)
  if (open !== null)
    return [
      look(
        'disk',
        `${open} At its next start, the service closes the directory, unless other files are in the directory. To close the directory now, run: chmod 700 ${data_dir}`,
      ),
    ]
  const { bavail, blocks, bsize } = await statfs(at)
  const free = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB free for ${data_dir}`
  if (bavail * bsize < GIGABYTE / 4)
    return [wrong('disk', `${free}. Free up some space: nothing more can be stored when the disk is full.`)]
  return [bavail / blocks < 0.1 ? look('disk', `${free}: less than a tenth of the disk. Free up some space.`) : well('disk', free)]
}

export async function databaseFindings(house: House): Promise<Finding[]> {
  const { pool } = house.database
  const asked = house.clock.now()
  const { rows } = await pool.query<{ number: string; version: string; at: string; postgis: boolean }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version, clock_timestamp() as at,
            exists (select 1 from pg_available_extensions where name = 'postgis') as postgis`,
  )
  const [row] = rows
  if (row === undefined) return [wrong('database', 'The database returned an empty response.')]
  const apart = Math.abs(ms(row.at) - (ms(asked) + ms(house.clock.now())) / 2) / 1000
  const { applied, waiting, unknown } = await migrationState(pool)
  return [
    Number(row.number) < OLDEST_SERVER
      ? wrong('database', `PostgreSQL ${row.version} is too old: 15 or newer is required.`)
      : well('database', `PostgreSQL ${row.version} responds${row.postgis ? ', PostGIS is available' : ''}`),
    waiting.length > 0
      ? wrong('migrations', `${waiting.length} pending: run walkdown migrate, or start the service.`)
      : unknown.length > 0
        ? look(
            'migrations',
            `The database has ${counted(unknown.length, 'migration')} that this version doesn’t know, because a newer version of Walkdown upgraded it. Use the newer version.`,
          )
        : well('migrations', `all ${applied.length} are applied`),
    apart > 2 && house.settings.clock === 'system'
      ? wrong(
          'clock',
          `The clocks of this machine and the database differ by ${apart.toFixed(1)} s. Synchronise both with a time server (NTP).`,
        )
      : well('clock', `${house.clock.now()}, and the database agrees`),
  ]
}

/** Writes something to the storage, reads it again and deletes it. */
export async function storageFinding(house: House): Promise<Finding> {
  const bytes = randomBytes(32)
  const key = sha256(bytes.toString('hex'))
  const path = join(house.data_dir, 'tmp', `doctor-${key.slice(0, 12)}`)
  const where = house.settings.storage_url ?? 'DATA_DIR'
  try {
    await writeFile(path, bytes)
    await house.storage.keep(key, path, 'application/octet-stream')
    const back: Buffer[] = []
    for await (const chunk of await house.storage.open(key)) back.push(Buffer.from(chunk))
    if (!Buffer.concat(back).equals(bytes)) return wrong('storage', `A file written to ${where} reads back differently.`)
    return well('storage', `${where.replace(/\?.*$/, '')}: written and read again`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return wrong(
      'storage',
      `Nothing can be stored in ${where.replace(/\?.*$/, '')}: ${withoutStop(why)}. Check ${house.settings.storage_url === null ? 'DATA_DIR' : 'STORAGE_URL and its keys'}.`,
    )
  } finally {
    await house.storage.drop(key).catch(() => {})
    await rm(path, { force: true })
  }
}

/** The harmless text that every scanner finds (eicar.org), in two parts so that no scanner finds it in the program. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*']

/** Checks that the malware scanner finds what it should. */
export async function scannerFinding(house: House): Promise<Finding> {
  if (house.scanner === null) return well('scanner', 'no malware scanner: uploaded files aren’t scanned (SCAN_URL)')
  const path = join(house.data_dir, 'tmp', `doctor-${ids.next()}`)
  try {
    await writeFile(path, EICAR.join(''))
    const scan = await house.scanner.scan(path)
    if (scan.result === 'found') return well('scanner', 'the malware scanner finds the test file of EICAR')
    return scan.result === 'away'
      ? wrong(
          'scanner',
          `The malware scanner can’t be used, so every uploaded file is refused: ${withoutStop(scan.why)}. Check SCAN_URL and the scanner.`,
        )
      : look('scanner', 'The malware scanner doesn’t find the test file of EICAR. Update its signatures and check its settings.')
  } finally {
    await rm(path, { force: true })
  }
}

/** Checks that the OpenTelemetry collector accepts traces. */
export async function tracesFindings({ traces }: Settings): Promise<Finding[]> {
  if (traces === null) return []
  const { origin } = new URL(traces.url)
  const fault = await (await import('../base/spans.ts')).collectorFault(traces)
  return [
    fault === null
      ? well('traces', `the collector at ${origin} accepts traces`)
      : look(
          'traces',
          `The collector at ${origin} doesn’t accept traces (${fault}), so they are lost. Check OTEL_EXPORTER_OTLP_ENDPOINT, its headers and the collector.`,
        ),
  ]
}

/** Returns the health checks of the service that aren't made here. */
export async function healthFindings(house: House): Promise<Finding[]> {
  const checks = await checksOf(house)
  const external = house.settings.oidc_issuer !== null
  const words: Record<string, string> = {
    queue: 'no job has waited too long',
    outbox: 'no email has waited too long',
    identity: external ? 'the provider of OIDC_ISSUER responds' : 'the built-in provider has its keys',
    mail: house.settings.smtp_url === null ? 'no mail relay: emails are stored as files' : 'the mail relay responds',
    superadmin: 'this installation has a superadmin',
  }
  return Object.entries(words).map(([of, says]) => {
    const check = checks[of]
    if (check === undefined || check.status === 'ok') return well(of, says)
    const hint = of === 'queue' || of === 'outbox' ? ' Check that a process whose ROLES include worker is running.' : ''
    return check.status === 'down' ? wrong(of, check.message) : look(of, `${check.message}${hint}`)
  })
}

export async function demoFindings(house: House): Promise<Finding[]> {
  const { demo } = await demoState(house)
  if (demo === 'absent') return []
  if (demo === 'interrupted') return [look('demo', DEMO_INTERRUPTED)]
  // With an external provider, no one can sign in as one of the demo people.
  return house.settings.oidc_issuer !== null || LOOPBACK.test(house.settings.host)
    ? [well('demo', 'the demo site exists')]
    : [
        look(
          'demo',
          'The demo site exists, and its people can sign in from other machines. For real work, start with DEMO=0 and an empty database.',
        ),
      ]
}

/** Makes every check that these settings allow. */
export async function examine(env: Record<string, string | undefined>): Promise<Finding[]> {
  let settings: Settings
  try {
    settings = readSettings({ ...env, LOG_LEVEL: 'silent' })
  } catch (error) {
    if (error instanceof SettingsError) return error.faults.map(fault => wrong('settings', fault))
    throw error
  }
  const found = [
    ...settingsFindings(settings),
    ...secretFindings(env),
    ...(await portFindings(settings)),
    ...(await tracesFindings(settings)),
  ]
  const data_dir = settings.data_dir ?? (await defaultDataDir(() => {}))
  found.push(...(await diskFindings(resolve(data_dir))))
  if (found.some(finding => finding.of === 'disk' && finding.how === 'wrong')) return found
  if (settings.database_url === null && !hasDatabase(data_dir))
    return [...found, look('database', `There is no database yet: walkdown serve creates it in ${data_dir}.`)]
  try {
    return [...found, ...(await inside(settings))]
  } catch (error) {
    return [...found, wrong('database', `${plain(error)} Check ${settings.database_url === null ? 'DATA_DIR' : 'DATABASE_URL'}.`)]
  }
}

async function inside(settings: Settings): Promise<Finding[]> {
  const { engine, data_dir, database } = await openEngine(settings, false, () => {})
  const house = await openHouse(settings, engine, { data_dir, pool: 4, ...(database === undefined ? {} : { database }) })
  try {
    const found = [...(await databaseFindings(house)), await storageFinding(house), await scannerFinding(house)]
    if (found.some(finding => finding.of === 'migrations' && finding.how === 'wrong')) return found
    return [...found, ...(await healthFindings(house)), ...(await demoFindings(house))]
  } finally {
    await closeQueue(house)
    await house.database.close()
    await engine.stop()
  }
}

/** Returns the message of an error, without the address or password of a server. */
function plain(error: unknown): string {
  const code = codeIn(error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') return 'The database server isn’t responding.'
  if (code === '28P01' || code === '28000') return 'The database server refuses this user or password.'
  if (code === '3D000') return 'The database server has no database with this name.'
  const message =
    error instanceof AggregateError ? 'The database server isn’t responding.' : error instanceof Error ? error.message : String(error)
  return message.endsWith('.') ? message : `${message}.`
}

const MARKS: Record<Finding['how'], string> = { well: 'ok   ', look: 'look ', wrong: 'WRONG' }

/** Writes the results as lines for the terminal. */
export const written = (found: readonly Finding[]): string[] => found.map(({ of, how, says }) => `${MARKS[how]}  ${of.padEnd(11)} ${says}`)

export const doctorCommand: Command = {
  name: 'doctor',
  usage: 'doctor',
  says: 'Checks settings, port, disk, database, migrations, clock, storage, malware scanner, queue, sign-in and email; says what is wrong and how to fix it.',
  details: 'The command changes no data. The exit code is 1 if there is a problem; warnings don’t count.',
  async run(args, env) {
    if (args.length > 0) throw new CommandError('doctor has no options.')
    const found = await examine(env)
    for (const line of written(found)) console.log(line)
    const faults = found.filter(finding => finding.how === 'wrong').length
    console.log(faults === 0 ? 'No problems found.' : faults === 1 ? '1 problem found.' : `${faults} problems found.`)
    return faults === 0 ? 0 : 1
  },
}
