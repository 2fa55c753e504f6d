// A process that runs test files one after another, in the order that the runner (tools/test.ts) says. Starting a process and importing the service takes two seconds,
// which a lane spends once. Its files share the modules, so hooks have to be inside `describe`.
import { flushCompileCache } from 'node:module'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { END_OF_FILE } from './testing/reporter.ts'
import { KEEP, keepStatements } from './testing/statements.ts'

/** What a lane tells the runner: that it waits for a file, and what the last one took. */
export type LaneSays = {
  file: string | null
  ms: number
  /** How long this process was busy in that time. The rest was spent in the database, in other processes, and waiting. */
  busy_ms: number
}

if (process.env[KEEP] !== undefined) keepStatements()
// Properties try other cases at each commit, and the same ones whenever a commit is tested again.
if (process.env.RUN_SEED !== undefined) fc.configureGlobal({ seed: Number(process.env.RUN_SEED) })

const say = (said: LaneSays) => process.send?.(said)

async function run(file: string): Promise<void> {
  const began = performance.now()
  const used = process.cpuUsage()
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    void test(`${file} can be imported`, () => {
      throw error
    })
  }
  await test(`${END_OF_FILE}${file}`, () => {})
  const { user, system } = process.cpuUsage(used)
  flushCompileCache()
  say({ file, ms: performance.now() - began, busy_ms: (user + system) / 1000 })
}

/** Longest time that a lane waits, after its last file, for what tests left open: a process, a timer, a connection. */
const LEFT_OPEN_MS = Number(process.env.LEFT_OPEN_MS ?? 30_000)

process.on('message', (file: string) => {
  if (file !== '') return void run(file)
  process.disconnect()
  setTimeout(() => {
    console.error(`A test has left something open: ${process.getActiveResourcesInfo().join(', ')}.`)
    process.exit(1)
  }, LEFT_OPEN_MS).unref()
})
say({ file: null, ms: 0, busy_ms: 0 })
