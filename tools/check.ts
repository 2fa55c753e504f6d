// All automatic checks before a commit (`npm run check`): format and lint, types, dependency rules, unused code, terms, evidence of the ASVS, generated files,
// API document, house tests; then sizes, with a list to review. `--fast` leaves out generated files, API document and house tests; `--before-tests` leaves out
// the house tests, which `npm test` runs as well.
import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = process.execPath
const bin = (name: string) => `${root}node_modules/.bin/${name}`

type Step = [what: string, program: string, args: string[]]

const houseTests: Step = ['house tests', node, ['tools/test.ts', 'tests/house']]
const apiDocument: Step = ['API document', node, ['tools/lint-api.ts']]
const slow: Step[] = [
  ['generated files', node, ['tools/gen.ts', '--check']],
  ...(process.argv.includes('--before-tests') ? [] : [houseTests]),
]
/**
 * Checks the types of a project with the native compiler, version 7 (`.bin/tsc` is 5.9, which other tools need). It keeps what it found, so that the next
 * check only looks again at what has changed since. With one checker: several would each infer the same types, and the other processor has a step of its own.
 */
const typesOf = (what: string, project: string): Step => [
  what,
  node,
  [
    'node_modules/typescript-native/bin/tsc',
    ...['-p', `${project}tsconfig.json`, '--checkers', '1', '--incremental'],
    ...['--tsBuildInfoFile', `node_modules/.cache/walkdown/types/${project.replaceAll('/', '-')}kept.tsbuildinfo`],
  ],
]
const steps: Step[] = [
  // It takes longest of those that use one processor, so it begins first: as the last one, it had the machine to itself.
  ...(process.argv.includes('--fast') ? [] : [apiDocument]),
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  typesOf('types', ''),
  typesOf('types of the browser tests', 'tests/browser/'),
  typesOf('types of the app', 'web/'),
  [
    'imports between folders',
    bin('depcruise'),
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'server', 'shared', 'tests', 'web'],
  ],
  // Exports, files and dependencies that nothing uses.
  ['unused exports, files and dependencies', node, ['node_modules/knip/bin/knip.js', '--no-progress']],
  // Everything that people or developers read, except docs/decisions, which are records of their time.
  ['terms', node, ['tools/terms.ts', 'README.md', '.env.example', 'docs/', 'server/', 'shared/', 'tools/', 'bench/', 'tests/', 'web/']],
  ['evidence of the ASVS', node, ['tools/asvs.ts']],
  ...(process.argv.includes('--fast') ? [] : slow),
]

/** The longest that a file can be; a longer one is listed in tools/sizes.tsv with the lines that it can have, and can only become shorter. */
const LONGEST = 300

/** Steps at the same time: most of them use one processor. */
const AT_ONCE = 2

let failed = false
const waiting = [...steps]
const runAll = async (): Promise<void> => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const [name, command, args] = step
    const began = performance.now()
    const { code, said } = await run(command, args)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
    if (code !== 0) {
      failed = true
      console.log(said)
    }
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, runAll))
const faults = sizes()
console.log(`${faults.length === 0 ? '✔' : '✖'} sizes`)
for (const fault of faults) console.log(`  ${fault}`)
process.exit(failed || faults.length > 0 ? 1 : 0)

function run(command: string, args: string[]): Promise<{ code: number; said: string }> {
  return new Promise(done => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, FORCE_COLOR: '0' } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (said += data))
    child.on('close', code => done({ code: code ?? 1, said }))
  })
}

/**
 * Checks the sizes of files: none is longer than 300 lines, except those listed, which can only shrink. `--sizes` writes the list again after some have
 * become shorter; it never adds to it.
 */
function sizes(): string[] {
  const lines = (file: string) => readFileSync(`${root}${file}`, 'utf8').split('\n').length
  const files = globSync(['server/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}', 'tools/**/*.ts'], { cwd: root }).filter(
    f => !f.includes('.gen.') && !f.endsWith('.test.ts'),
  )
  const listed = new Map(
    readFileSync(`${root}tools/sizes.tsv`, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => {
        const [file = '', most = ''] = line.split('\t')
        return [file, Number(most)] as const
      }),
  )
  const long = files.map(file => ({ file, now: lines(file) })).filter(({ now }) => now > LONGEST)
  if (process.argv.includes('--sizes')) {
    const kept = long.flatMap(({ file, now }) => (listed.has(file) ? [`${file}\t${Math.min(now, listed.get(file) ?? 0)}`] : []))
    writeFileSync(`${root}tools/sizes.tsv`, `${kept.sort().join('\n')}\n`)
  }
  const faults = long.flatMap(({ file, now }) => {
    const most = listed.get(file) ?? LONGEST
    return now > most ? [`${file} has ${now} lines, but at most ${most} are allowed. Split it by subject.`] : []
  })
  const short = [...listed].filter(([file, most]) => !long.some(one => one.file === file && one.now >= most))
  for (const [file] of short) faults.push(`${file} has become shorter: run node tools/run.js tools/check.ts --fast --sizes.`)
  for (const [name, own] of Map.groupBy(files, ownerOf)) {
    const most = name.startsWith('server/rooms/') ? 1500 : name.startsWith('server/kernel/') ? 1000 : Number.POSITIVE_INFINITY
    const sum = own.reduce((total, f) => total + lines(f), 0)
    if (sum > most) console.log(`  ${name} has ${sum} lines: check whether it can be split`)
  }
  return faults
}

/** Returns the folder of the room or kernel that a file belongs to, or another folder of the service. */
function ownerOf(file: string): string {
  return file
    .split('/')
    .slice(0, file.startsWith('server/rooms/') ? 4 : 3)
    .join('/')
}
