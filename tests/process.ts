// The service as a process of its own, for tests that stop it, kill it or run several of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './port.ts'

const MAIN = fileURLToPath(new URL('../bin/walkdown.js', import.meta.url))

/** Compiled code is kept where the environment says, so that a thousand starts compile it once. */
const { NODE_COMPILE_CACHE } = process.env
const kept = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

/** A start takes a second, and much longer on a machine that is busy with other tests: two minutes and more mean that it never ends. */
const START_TRIES = 6000

/** A process of the service, which can be started again and again. */
export type Process = {
  readonly pid: number | null
  /** Starts the process; resolves once it is ready. `stdout`: a file descriptor for its standard output. */
  start(stdout?: number): Promise<void>
  /** Sends SIGTERM to the process and waits until it has ended; returns its exit code. */
  stop(): Promise<{ code: number | null; said: string }>
  /** Ends the process immediately (SIGKILL). */
  kill(): Promise<void>
  /** Resolves once the process that is running now has ended, however that happens. */
  gone(): Promise<void>
}

/** Prepares a process that listens at this URL, without starting it. */
export function openProcess(url: string, env: Record<string, string>): Process {
  let child: ChildProcess | null = null
  let said = ''
  const ended = (one: ChildProcess) =>
    new Promise<void>(done => (one.exitCode !== null || one.signalCode !== null ? done() : one.once('exit', () => done())))
  return {
    get pid() {
      return child?.pid ?? null
    },
    async start(stdout) {
      said = ''
      const one = spawn(process.execPath, [MAIN, 'serve'], { env: { ...kept, ...env }, stdio: ['ignore', stdout ?? 'pipe', 'pipe'] })
      one.stdout?.on('data', chunk => (said += chunk))
      one.stderr?.on('data', chunk => (said += chunk))
      child = one
      for (let tries = 0; tries < START_TRIES; tries++) {
        if (one.exitCode !== null) throw new Error(`The service ended by itself:\n${said}`)
        const up = await fetch(`${url}/api/health/ready`).catch(() => null)
        await up?.body?.cancel()
        if (up?.ok) return
        await wait(20)
      }
      throw new Error(`The service did not come up:\n${said}`)
    },
    async stop() {
      if (child === null) return { code: null, said }
      const one = child
      one.kill('SIGTERM')
      await ended(one)
      child = null
      return { code: one.exitCode, said }
    },
    gone: () => (child === null ? Promise.resolve() : ended(child)),
    async kill() {
      if (child === null) return
      const one = child
      child = null
      one.kill('SIGKILL')
      await ended(one)
    },
  }
}

/** The database and the files of a node. */
export type NodeOf = { connection: Connection; database: string | undefined; data_dir: string; public_url: string }
type Connection = { host?: string | undefined; port?: number | undefined; user?: string | undefined; password?: unknown }

/** Prepares a node on a database that others use too, without starting it. */
export async function openNode(of: NodeOf, more: Record<string, string> = {}): Promise<{ url: string; process: Process }> {
  const { host = '127.0.0.1', port = 5432, user = '', password } = of.connection
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  const at = await freePort()
  const url = `http://127.0.0.1:${at}`
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: `postgres://${encodeURIComponent(user)}${secret}@${encodeURIComponent(host)}:${port}/${of.database}`,
    DATA_DIR: of.data_dir,
    PORT: String(at),
    PUBLIC_URL: of.public_url,
    SUPERADMIN_EMAILS: 'root@walkdown.test',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...more,
  }
  return { url, process: openProcess(url, env) }
}
