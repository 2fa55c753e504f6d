// Runs the tests in a few processes on one engine: `npm test [-- FILE …] [--only PATTERN]`. With `--database`, only those that use the database, because a
// second kind of server proves nothing about pure functions. The engine, and a migrated template of the database that each
// test file clones, are made here, so that they are removed at the end, however the tests end. When DATABASE_URL is set, the tests run on that server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { openTestEngine } from '../tests/engine.ts'

/** Files per process: starting one takes about two seconds. */
const PIECE = 12
const LANES_AT_MOST = 4

const root = fileURLToPath(new URL('..', import.meta.url))
const databaseAlone = process.argv.includes('--database')
// Journeys in a browser take minutes: those that follow a permit through its life are always included, all of them with
// `npm run test:browser`, others by their names.
const ALWAYS = /browser\/(?:permits|keyboard|live)\.test\.ts$/
const browserToo = process.argv.includes('--browser')
const asked = process.argv.slice(2).filter(arg => arg !== '--database' && arg !== '--browser')
const patterns = asked.flatMap((arg, i) => (asked[i - 1] === '--only' ? [`--test-name-pattern=${arg}`] : []))
const named = asked.filter((arg, i) => arg !== '--only' && asked[i - 1] !== '--only')
const all = globSync(
  [
    'server/**/*.test.ts',
    'shared/**/*.test.ts',
    'web/**/*.test.ts',
    'tests/*.test.ts',
    'tests/house/**/*.test.ts',
    'tests/race/**/*.test.ts',
    'tests/browser/**/*.test.ts',
  ],
  { cwd: root },
).sort()
/** Returns whether a file starts the service on the engine of this run. */
const usesDatabase = (file: string) =>
  /useHouse\(|openTestHouse\(|testEngine\(/.test(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const inBrowser = (file: string) => file.startsWith('tests/browser/')
const wanted = (file: string) =>
  named.length === 0 ? (inBrowser(file) ? browserToo || ALWAYS.test(file) : !browserToo) : named.some(part => file.includes(part))
const files = all.filter(file => wanted(file) && (!databaseAlone || usesDatabase(file)))
if (files.length === 0) {
  console.error(`No test file matches ${named.join(', ')}.`)
  process.exit(1)
}

// The browser is served the built app.
if (files.some(file => file.startsWith('tests/browser/'))) {
  const built = spawnSync(process.execPath, ['tools/build-web.ts', '--if-needed'], { cwd: root, stdio: 'inherit' })
  if (built.status !== 0) process.exit(1)
}

const began = performance.now()
const { env, folder, stop } = await openTestEngine(process.env.DATABASE_URL)
console.log(`${files.length} files on ${env.WALKDOWN_TEST_KIND}, ready in ${((performance.now() - began) / 1000).toFixed(1)} s`)
const children = new Set<ChildProcess>()
const end = (signal: NodeJS.Signals) => {
  for (const child of children) child.kill(signal)
}
process.on('SIGINT', end).on('SIGTERM', end)

/** Runs some files in a process of their own. Their output is shown immediately, or all together at the end. */
function runFiles(some: readonly string[], at_once: boolean): Promise<number> {
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-reporter=spec', ...patterns, ...some], {
    cwd: root,
    stdio: ['ignore', at_once ? 'inherit' : 'pipe', at_once ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env, NODE_ENV: 'test', TZ: 'UTC' },
  })
  children.add(child)
  const said: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => said.push(data))
  return new Promise(done =>
    child.on('close', (status, signal) => {
      children.delete(child)
      process.stdout.write(Buffer.concat(said))
      done(signal === null ? (status ?? 1) : 1)
    }),
  )
}

/**
 * Runs the files in batches, as many at once as there are lanes: a process has one thread, and a machine has more. A browser needs a machine to itself, so
 * journeys run one after the other.
 */
async function runAll(): Promise<number> {
  const journeys = files.filter(inBrowser)
  const plain = files.filter(file => !inBrowser(file))
  if (files.length < PIECE || plain.length === 0) return runFiles(files, true)
  const count = Math.ceil(plain.length / PIECE)
  const pieces = Array.from({ length: count }, (_, i) => plain.filter((_file, at) => at % count === i))
  const codes: number[] = []
  const lane = async () => {
    for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) codes.push(await runFiles(piece, false))
  }
  await Promise.all(Array.from({ length: Math.min(LANES_AT_MOST, availableParallelism()) }, lane))
  if (journeys.length > 0) codes.push(await runFiles(journeys, true))
  return Math.max(...codes)
}
const code = await runAll()
await stop()
if (folder !== null) await rm(folder, { recursive: true, force: true })
process.exit(code)
