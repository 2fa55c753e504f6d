// `npm run long [-- FILE …]`: the tests whose length is a setting, with values for a whole night instead of for one change. Each can be set:
// `FUZZ_REQUESTS=1000000 npm run long -- tests/fuzz`. Everything else runs as in `npm test`.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each number counts, and its value for a night. */
const COUNTS: [string, string, string][] = [
  ['FUZZ_REQUESTS', '200000', 'hostile requests over every endpoint'],
  ['FUZZ_TIMES', '100', 'rounds of damaged spreadsheets'],
  ['MODEL_COMMANDS', '1000000', 'commands of the lifecycle, compared with its model'],
  ['RACE_ROUNDS', '200', 'races of each step, key and lock'],
  ['R9_TIMES', '200', 'rounds of tampering with rows, signatures, files and exports'],
  ['KILLS_OUTBOX', '200', 'kills of the process that delivers events'],
  ['OFFLINE_STEPS', '200', 'steps of three days on a phone without a connection'],
  ['KILLS', '100', 'kills of the server and its database under load'],
]

const tests = globSync(['server/**/*.test.ts', 'shared/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root })
const asked = process.argv.slice(2).filter(file => !file.startsWith('-'))
const env: Record<string, string> = {}
const files = new Set<string>()
for (const [name, count, says] of COUNTS) {
  const heeding = tests.filter(file => readFileSync(`${root}${file}`, 'utf8').includes(`process.env.${name}`))
  const chosen = heeding.filter(file => asked.length === 0 || asked.some(part => file.includes(part)))
  if (chosen.length === 0) continue
  env[name] = process.env[name] ?? count
  // A night with the same seed every time would find nothing new; a failing test prints its seed.
  if (name === 'FUZZ_REQUESTS') env.FUZZ_SEED = process.env.FUZZ_SEED ?? String(Date.now() % 1e9)
  for (const file of chosen) files.add(file)
  console.log(`${env[name]} ${says}: ${chosen.join(', ')}`)
}
if (files.size === 0) {
  console.error('No long test matches these names.')
  process.exit(1)
}
const child = spawn(process.execPath, ['tools/test.ts', ...files], { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
