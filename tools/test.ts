// Runs the tests in a few processes on one engine: `npm test [-- FILE …] [--only PATTERN]`. The engine, and a migrated template of the database that each test
// file clones, are made here, so that they are removed at the end, however the tests end. When DATABASE_URL is set, the tests run on that server.
//
//   --changed      only what the changes since main concern (--base REVISION: since another one)
//   --database     only files that use the database, because a second kind of server proves nothing about pure functions
//   --proven       on the server of DATABASE_URL: leaves out the files that have passed there with the SQL that they send now (tools/proven.tsv)
//   --without PART leaves out files
//   --browser      all journeys in a browser, and nothing else
//   --slowest      lists where the time went
//   --durations    writes tools/durations.tsv, by which a new clone decides which files run first
import { spawn, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { counted } from '../shared/text.ts'
import { NO_ENGINE, openTestEngine } from '../tests/engine.ts'
import { stockUp } from '../tests/stocking.ts'
import { changedFiles, concernedBy } from './testing/changed.ts'
import { keepDurations, lastDurations, longestFirst } from './testing/durations.ts'
import { type LaneOptions, type Outcome, runLane, stopLanes } from './testing/lanes.ts'
import { type Proofs, proofsOn } from './testing/proven.ts'
import { forgetStatements, KEEP } from './testing/statements.ts'
import { slowest, summary } from './testing/summary.ts'

/** A second lane is worth its start only for this many files. */
const FILES_PER_LANE = 6
const LANES_AT_MOST = 4
/** With fewer files that use the database, making a stock of sites takes longer than it saves. */
const WORTH_A_STOCK = 12

const root = fileURLToPath(new URL('..', import.meta.url))
const OPTIONS = ['--changed', '--database', '--proven', '--browser', '--durations', '--slowest']
const options = new Set(process.argv.filter(arg => OPTIONS.includes(arg)))
const databaseAlone = options.has('--database')
// Journeys in a browser take minutes: those that follow a permit through its life are always included, all of them with
// `npm run test:browser`, others by their names.
const ALWAYS = /browser\/(?:permits|keyboard|live)\.test\.ts$/
const browserToo = options.has('--browser')
const asked = process.argv.slice(2).filter(arg => !options.has(arg))
/** Options with a value after them. */
const VALUED = ['--only', '--base', '--without']
const valuesOf = (option: string) => asked.filter((_, i) => asked[i - 1] === option)
const patterns = valuesOf('--only')
const named = asked.filter((arg, i) => !VALUED.includes(arg) && !VALUED.includes(asked[i - 1] ?? ''))
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
const textOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
/** Returns whether a test file starts the service on the engine of this run. */
const usesDatabase = (file: string) => /useHouse\(|openTestHouse\(|testEngine\(|withIssuer\(/.test(textOf(file))
const inBrowser = (file: string) => file.startsWith('tests/browser/')
/** Returns whether a test file needs the built app: a browser is served it, and so is a test that asks for it. */
const isServedTheApp = (file: string) => inBrowser(file) || textOf(file).includes('{ web: true }')
const wanted = (file: string) =>
  named.length === 0 ? (inBrowser(file) ? browserToo || ALWAYS.test(file) : !browserToo) : named.some(part => file.includes(part))
const left_out = valuesOf('--without')
const { DATABASE_URL } = process.env
const proofs: Proofs | null = options.has('--proven') && DATABASE_URL !== undefined ? await proofsOn(DATABASE_URL) : null
const chosen = all.filter(file => wanted(file) && !left_out.some(part => file.includes(part)) && (!databaseAlone || usesDatabase(file)))
const candidates = chosen.filter(file => !proofs?.has(file))
if (proofs !== null) {
  const passed = counted(chosen.length - candidates.length, 'file')
  console.log(`${passed} of ${chosen.length} passed on this server with the same SQL; ${counted(candidates.length, 'file')} left.`)
  if (chosen.length > 0 && candidates.length === 0) process.exit(0)
}
const concerned = options.has('--changed') ? concernedBy(changedFiles(valuesOf('--base')[0] ?? null), candidates) : null
const files = concerned?.files ?? candidates
if (concerned !== null) {
  const narrowed = concerned.rooms === null ? '' : `, the matrices only for ${concerned.rooms.join(', ')}`
  console.log(`${files.length} of ${counted(candidates.length, 'file')}: ${concerned.why}${narrowed}.`)
}
if (files.length === 0) {
  console.error(named.length === 0 ? 'No test file has to run.' : `No test file matches ${named.join(', ')}.`)
  process.exit(1)
}

// This process has the whole service in it: the lanes of a new clone read what it has compiled, instead of each compiling it at the same time.
flushCompileCache()

const unnamed = named.length === 0 && concerned === null
/**
 * Builds what the tests run: the app, if one of them needs it, and the service. Tests start more than two hundred services, and each takes less time from one file. A
 * run of a few files starts them from their sources.
 */
const building = Promise.all([files.some(isServedTheApp) ? build('tools/build-web.ts') : true, unnamed && build('tools/build-server.ts')])

/** Runs a build if it is needed; returns whether it succeeded. */
function build(part: string): Promise<boolean> {
  const child = spawn(process.execPath, [part, '--if-needed'], { cwd: root, stdio: 'inherit' })
  return new Promise(done => child.on('close', code => done(code === 0)))
}

const env: Record<string, string> = {
  RUN_SEED: process.env.RUN_SEED ?? String(Number.parseInt(commit(), 16)),
  // What was compiled is kept, for the lanes and for every process that a test starts.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/walkdown/code', import.meta.url)),
}
if (concerned?.rooms != null) env.WALKDOWN_TEST_ROOMS = concerned.rooms.join(' ')
// Only all files together send every statement; on another server they are tried, not kept.
const every = unnamed && !browserToo && left_out.length === 0 && patterns.length === 0
if (every && DATABASE_URL === undefined) {
  forgetStatements()
  env[KEEP] = 'yes'
}
console.log(`RUN_SEED=${env.RUN_SEED}`)

/** Returns the beginning of the hash of this commit; for a copy without a history always the same text. */
function commit(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim().slice(0, 7) : '7'
}

process.on('SIGINT', stopLanes).on('SIGTERM', stopLanes)

const last = lastDurations()
const outcomes: Outcome[] = []

/** Runs the files of a queue in this many lanes. A lane that is alone shows its output while it is written. */
async function runIn(lanes: number, queue: string[], given: Partial<LaneOptions> = {}): Promise<void> {
  const how = { env, patterns, at_once: lanes === 1, ...given }
  outcomes.push(...(await Promise.all(Array.from({ length: lanes }, () => runLane(queue, how)))).flat())
}

const started = performance.now()
const journeys = longestFirst(files.filter(inBrowser), last)
const others = longestFirst(
  files.filter(file => !inBrowser(file)),
  last,
)
// One lane more than there are processors, because a file often waits for the database or for a process that it started.
const lanes = Math.min(LANES_AT_MOST, availableParallelism() + 1, Math.ceil(others.length / FILES_PER_LANE))
// Files that need no database begin while it is made, in one lane more: those that wait for their own processes for most of the time are among them.
const lone = unnamed && lanes > 1 ? others.filter(file => !usesDatabase(file)) : []
// Those that only compute are left for the journeys, which use little more than one processor (decision 1122).
const fillers = journeys.length > 0 ? lone.filter(file => !file.startsWith('tests/') && !file.startsWith('server/commands/')) : []
const apart = lone.filter(file => !fillers.includes(file))
const queue = others.filter(file => !lone.includes(file))
env.WALKDOWN_TEST_ENGINE = NO_ENGINE
const early = { ...env }
const first = building.then(([app]) => (app ? runIn(1, apart, { env: early, at_once: false }) : undefined))
// The database is made while the app is built and the first files run.
const { engine, env: at, folder, stop } = await openTestEngine(DATABASE_URL, { plan_once: true })
Object.assign(env, at)
if (files.filter(usesDatabase).length >= WORTH_A_STOCK) Object.assign(env, await stockUp(engine))
const [app] = await building
if (!app) {
  await stop()
  process.exit(1)
}
console.log(
  `${counted(files.length, 'file')} on ${env.WALKDOWN_TEST_KIND}, ready in ${((performance.now() - started) / 1000).toFixed(1)} s`,
)
await Promise.all([first, runIn(lanes, queue)])
// A browser needs a machine to itself, so journeys run one after another, once the other files have ended. What runs at the same time yields to it.
const filling = { env: early, at_once: false, yields: true }
await Promise.all([
  runIn(1, journeys, { at_once: fillers.length === 0 }).then(() => runIn(1, fillers, filling)),
  runIn(1, fillers, filling),
])
await stop()
if (folder !== null) await rm(folder, { recursive: true, force: true })

const failed = outcomes.filter(one => one.failed.length > 0)
const unfinished = files.filter(file => !outcomes.some(one => one.file === file))
if (failed.length > 0) console.log('\n✖ failing tests:')
for (const { report } of failed) process.stdout.write(report)
console.log(`\n${summary(outcomes)} in ${((performance.now() - started) / 1000).toFixed(0)} s`)
for (const { file, failed: titles } of failed) console.log(`✖ ${file}: ${titles.join('; ')}`)
for (const file of unfinished) console.log(`✖ ${file} did not run`)
if (options.has('--slowest')) console.log(slowest(outcomes))
if (patterns.length === 0) {
  const passed = outcomes.filter(one => one.failed.length === 0 && one.passed > 0)
  proofs?.keep(
    passed.map(one => one.file),
    all,
  )
}
const whole = failed.length === 0 && unfinished.length === 0
if (whole && patterns.length === 0)
  keepDurations(new Map(outcomes.map(({ file, ms }) => [file, ms / 1000])), all, options.has('--durations'))
process.exit(whole ? 0 : 1)
