// Starts `worker.ts` as a process of its own, on the database of a test.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { testEngine } from '../engine.ts'
import type { TestHouse } from '../world.ts'

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))

/** Starts the process in this phase; it kills itself at statement `at`, or never if that is 0. */
export async function spawnWorker(
  { house }: TestHouse,
  phase: 'relay' | 'send' | 'job',
  at: number,
  env: Record<string, string> = {},
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const { connection } = await testEngine()
  const { database } = house.database.pool.options
  return spawn(process.execPath, [WORKER, phase, String(at), house.clock.now(), String(database), house.data_dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, WALKDOWN_TEST_ENGINE: JSON.stringify(connection) },
  })
}
