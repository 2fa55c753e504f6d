// The process that starts the service can end or be killed in many ways. In every case, neither the service nor its database keeps running.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../port.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('a service started by another process', () => {
  let data_dir = ''
  let port = 0
  before(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'walkdown-parents-'))
    await chmod(data_dir, 0o755)
    port = await freePort()
  })
  after(() => rm(data_dir, { recursive: true, force: true }))

  const settings = () => ({ DATA_DIR: data_dir, PORT: String(port), DEMO: '0', LOG_LEVEL: 'fatal' })
  const isThere = (pid: number) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }
  /** Lists every process below this one, except the database, which has its own process group. */
  const below = (pid: number): number[] => {
    const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(line => line.trim().split(/\s+/).map(Number))
    const direct = rows.filter(([, parent]) => parent === pid).map(([child = 0]) => child)
    return direct.flatMap(child => [child, ...below(child)])
  }
  const eventually = async (what: string, it: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 1200; tries++) {
      if (await it()) return
      await wait(50)
    }
    assert.fail(what)
  }
  const up = () =>
    fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      answer => answer.ok,
      () => false,
    )
  const start = async (command: string, args: string[], env: Record<string, string>) => {
    const { WALKDOWN_PARENT: _, npm_lifecycle_event: __, ...clean } = process.env
    const child = spawn(command, args, { cwd: root, env: { ...clean, ...settings(), ...env }, stdio: 'ignore', detached: true })
    await eventually('the service came up', async () => {
      assert.equal(child.exitCode, null, 'the service ended by itself')
      return up()
    })
    return child
  }
  const gone = async (child: ChildProcess, all: readonly number[]) => {
    await eventually('every process ended', () => !all.some(isThere))
    await eventually('what started it ended', () => child.exitCode !== null || child.signalCode !== null)
    assert.equal(existsSync(join(data_dir, 'pg', 'postmaster.pid')), false, 'the database was stopped in order')
    assert.equal(await up(), false)
  }

  const beside = [
    '--input-type=module',
    '--eval',
    `import { runBeside } from '${join(root, 'tools/run.js')}'; runBeside(process.execPath, ['${join(root, 'bin/walkdown.js')}', 'serve'])`,
  ]

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
    test(`10.8 ${signal} to npm start ends the service and its database`, async () => {
      // The app doesn’t have to be built for this test.
      const child = await start('npm', ['start', '--ignore-scripts'], {})
      const all = below(child.pid ?? 0)
      assert.ok(all.length > 0)
      child.kill(signal)
      await gone(child, all)
    })

    test(`10.8 ${signal} to the process that starts the packaged Node ends the service, and both end in the same way`, async () => {
      const child = await start(process.execPath, beside, {})
      const all = below(child.pid ?? 0)
      assert.ok(all.length > 0)
      child.kill(signal)
      await gone(child, all)
      if (signal !== 'SIGKILL') assert.deepEqual([child.exitCode, child.signalCode], [0, null])
    })
  }

  test('10.8 Ctrl-C, which reaches both at the same time, ends the service cleanly', async () => {
    const child = await start(process.execPath, beside, {})
    const all = below(child.pid ?? 0)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await gone(child, all)
    assert.equal(child.exitCode, 0)
  })
})
