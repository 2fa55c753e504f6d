// The service as a process of its own, on its own engine, for tests that need a real process: for example, because they kill it at any moment.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHouse } from '../server/app.ts'
import type { House } from '../server/base/ctx.ts'
import { embeddedEngine } from '../server/base/engine.ts'
import { readSettings } from '../server/base/settings.ts'
import { DATABASE } from '../server/commands/command.ts'
import { mintToken } from '../server/kernel/identity/door.ts'
import { closeQueue } from '../server/kernel/jobs/door.ts'
import { freePort } from './port.ts'
import { openProcess, type Process } from './process.ts'

/** A service with its own data directory. */
export type Served = Process & {
  url: string
  data_dir: string
  /** Kills every process of the database at once. */
  killEngine(): Promise<void>
  token(who: { subject: string; name: string; email: string }): Promise<string>
  /** Queries the database directly, without the service. */
  looking<T>(work: (house: House) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Prepares such a service without starting it. */
export async function openServed(more: Record<string, string> = {}): Promise<Served> {
  const data_dir = await mkdtemp(join(tmpdir(), 'walkdown-served-'))
  await chmod(data_dir, 0o755)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATA_DIR: data_dir,
    PORT: String(port),
    PUBLIC_URL: url,
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    SUPERADMIN_EMAILS: 'root@walkdown.test',
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...more,
  }
  const own = openProcess(url, env)
  const looking: Served['looking'] = async work => {
    const engine = await embeddedEngine({ data_dir, own: false })
    const house = await openHouse(readSettings(env), engine, { data_dir, database: DATABASE, pool: 2 })
    try {
      return await work(house)
    } finally {
      await closeQueue(house)
      await house.database.close()
      await engine.stop()
    }
  }
  return {
    url,
    data_dir,
    get pid() {
      return own.pid
    },
    start: own.start,
    stop: own.stop,
    kill: own.kill,
    gone: own.gone,
    looking,
    async killEngine() {
      const [pid] = (await readFile(join(data_dir, 'pg', 'postmaster.pid'), 'utf8')).split('\n')
      // The children are killed first, because they would otherwise clean up after the postmaster.
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
        .filter(Boolean)
      for (const one of [String(pid), ...children]) {
        try {
          process.kill(Number(one), 'SIGKILL')
        } catch {
          // the process has already ended
        }
      }
    },
    token: who => looking(house => mintToken(house, { ...who, email_verified: true }, { seconds: 24 * 3600 })),
    async close() {
      await own.kill()
      // The next process takes over the engine and stops it cleanly.
      const engine = await embeddedEngine({ data_dir, own: true })
      await engine.stop()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}
