// Runs the tests in one process on one engine: `npm test [-- FILE …] [--only PATTERN]`; with `--database` those alone that use it, for a second
// kind of server proves nothing about pure functions. The engine, and a migrated template of the database that each
// test file clones, are made here, so that they are gone when the tests are, however those end. DATABASE_URL set: on that server.
import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openTestEngine } from '../tests/engine.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const databaseAlone = process.argv.includes('--database')
// Journeys in a browser take their own minutes: `npm run test:browser`, or by their names.
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
/** Whether a file opens a house on the engine of this run. */
const usesDatabase = (file: string) =>
  /useHouse\(|openTestHouse\(|testEngine\(/.test(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const inBrowser = (file: string) => file.startsWith('tests/browser/')
const wanted = (file: string) => (named.length === 0 ? inBrowser(file) === browserToo : named.some(part => file.includes(part)))
const files = all.filter(file => wanted(file) && (!databaseAlone || usesDatabase(file)))
if (files.length === 0) {
  console.error(`No test file is called ${named.join(', ')}.`)
  process.exit(1)
}

// What a browser is shown is the app as it is built.
if (files.some(file => file.startsWith('tests/browser/'))) {
  const built = spawnSync(process.execPath, ['tools/build-web.ts', '--if-needed'], { cwd: root, stdio: 'inherit' })
  if (built.status !== 0) process.exit(1)
}

const began = performance.now()
const { env, folder, stop } = await openTestEngine(process.env.DATABASE_URL)
console.log(`${files.length} files on ${env.WALKDOWN_TEST_KIND}, ready in ${((performance.now() - began) / 1000).toFixed(1)} s`)
const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-reporter=spec', ...patterns, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...env, NODE_ENV: 'test', TZ: 'UTC' },
})
const end = (signal: NodeJS.Signals) => child.kill(signal)
process.on('SIGINT', end).on('SIGTERM', end)
const code = await new Promise<number>(done => child.on('exit', (status, signal) => done(signal === null ? (status ?? 1) : 1)))
await stop()
if (folder !== null) await rm(folder, { recursive: true, force: true })
process.exit(code)
