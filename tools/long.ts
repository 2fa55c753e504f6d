// `npm run long [-- PROOF …]`: the long proofs (`proofs.ts`) at full size, in batches. Each batch has a seed of its own, and its result is a line in the journal
// (LONG_DIR, by default data/long): a run that is stopped continues where it was. `--state` shows how far it is, `--fresh` starts again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Entry, nextBatch, progressOf, repeated, stateOf } from './batches.ts'
import { PROOFS, type Proof } from './proofs.ts'
import { allPassed } from './testing/summary.ts'

/** A batch that takes longer than this hangs, which is a failure. */
const BATCH_MS = 90 * 60_000

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = process.env.LONG_DIR ?? join(root, 'data', 'long')
const file = join(folder, 'journal.ndjson')
const args = process.argv.slice(2)
const asked = args.filter(arg => !arg.startsWith('-'))
const proofs = PROOFS.filter(({ name }) => asked.length === 0 || asked.some(part => name === part || name.startsWith(`${part}-`)))
if (proofs.length === 0) {
  console.error(`No proof has this name. Choose from ${PROOFS.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

function journal(): Entry[] {
  if (!existsSync(file)) return []
  // Every line was written by `record` below; after a power cut the last line may be incomplete.
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(line => {
      try {
        return [JSON.parse(line) as Entry] // as `record` wrote it
      } catch {
        return []
      }
    })
}
const record = (entry: Entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)
const commit = (): string => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`
}

if (args.includes('--state')) {
  console.log(stateOf(progressOf(proofs, journal(), commit())))
  process.exit(0)
}
mkdirSync(join(folder, 'output'), { recursive: true })
if (args.includes('--fresh') && existsSync(file)) {
  const old = `${file}.${new Date().toISOString().replace(/[:.]/g, '-')}`
  renameSync(file, old)
  console.log(`The old journal is now ${old}.`)
}

let child: ChildProcess | null = null
let stopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped = true
    child?.kill(signal)
  })

/** Runs one batch, and returns what it printed, and whether it passed. */
function run(proof: Proof, size: number, seed: number): Promise<{ passed: boolean; said: string }> {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'cache'),
    ...proof.env,
    [proof.count]: String(size),
    ...(proof.seed === null ? {} : { [proof.seed]: String(seed) }),
  }
  const own = spawn(process.execPath, ['tools/test.ts', proof.file, '--only', proof.only], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = own
  let said = ''
  for (const stream of [own.stdout, own.stderr]) stream.on('data', data => (said += data))
  const late = setTimeout(() => own.kill('SIGTERM'), BATCH_MS)
  return new Promise(done =>
    own.on('close', code => {
      clearTimeout(late)
      child = null
      done({ passed: code === 0 && allPassed(said), said })
    }),
  )
}

let failed = 0
for (;;) {
  const now = commit()
  const next = nextBatch(progressOf(proofs, journal(), now))
  if (next === null || stopped) break
  const { proof, size, batch } = next
  const seed = randomInt(1_000_000_000)
  const began = performance.now()
  console.log(`${proof.name}, batch ${batch}: ${repeated(proof, { size, seed })}`)
  const { passed, said } = await run(proof, size, seed)
  // A batch that was interrupted says nothing, and is run again.
  if (stopped) break
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const entry: Entry = {
    proof: proof.name,
    batch,
    size,
    seed,
    result: passed ? 'passed' : 'failed',
    seconds,
    commit: now,
    at: new Date().toISOString(),
  }
  if (passed) {
    record(entry)
    console.log(`  passed in ${seconds} s`)
    for (const line of said.split('\n')) if (/^\s*ℹ /.test(line)) console.log(`  ${line.trim()}`)
    continue
  }
  failed++
  const output = join(folder, 'output', `${proof.name}-${batch}.txt`)
  rmSync(output, { force: true })
  writeFileSync(output, said)
  record({ ...entry, output })
  console.log(`  FAILED after ${seconds} s; its output is in ${output}`)
}
console.log(stateOf(progressOf(proofs, journal(), commit())))
process.exit(failed > 0 ? 1 : 0)
