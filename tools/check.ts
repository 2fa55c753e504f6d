// All automatic checks before a commit: format and lint, types, dependency rules, terms, house tests, generated files; then a list of sizes to review.
// Takes less than a minute: `npm run check`. With `--fast`, skips what needs a database.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = process.execPath
const bin = (name: string) => `${root}node_modules/.bin/${name}`

const steps: [string, string, string[]][] = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  // `.bin/tsc` is 5.9, which other tools need; the check runs the native version 7.
  ['types', node, ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json']],
  ['types of the browser tests', node, ['node_modules/typescript-native/bin/tsc', '-p', 'tests/browser/tsconfig.json']],
  ['types of the app', node, ['node_modules/typescript-native/bin/tsc', '-p', 'web/tsconfig.json']],
  [
    'imports between folders',
    bin('depcruise'),
    ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'server', 'shared', 'tests', 'web'],
  ],
  // Everything that people or developers read, except docs/decisions, which are records of their time.
  ['terms', node, ['tools/terms.ts', 'README.md', '.env.example', 'docs/', 'server/', 'shared/', 'tools/', 'bench/', 'tests/', 'web/']],
  ['evidence of the ASVS', node, ['tools/asvs.ts']],
  ...(process.argv.includes('--fast')
    ? []
    : ([
        ['generated files', node, ['tools/gen.ts', '--check']],
        ['API document', node, ['tools/lint-api.ts']],
        ['house tests', node, ['tools/test.ts', 'tests/house']],
      ] as [string, string, string[]][])),
]

let failed = false
for (const [name, command, args] of steps) {
  const began = performance.now()
  const { code, said } = await run(command, args)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`)
  if (code !== 0) {
    failed = true
    console.log(said)
  }
}
sizes()
process.exit(failed ? 1 : 0)

function run(command: string, args: string[]): Promise<{ code: number; said: string }> {
  return new Promise(done => {
    const child = spawn(command, args, { cwd: root, env: { ...process.env, FORCE_COLOR: '0' } })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (said += data))
    child.on('close', code => done({ code: code ?? 1, said }))
  })
}

/** Sizes to review (house.md §11): never a reason to split one thought in two. */
function sizes(): void {
  const lines = (file: string) => readFileSync(`${root}${file}`, 'utf8').split('\n').length
  const files = globSync(['server/**/*.ts', 'shared/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root }).filter(
    f => !f.includes('.gen.') && !f.endsWith('.test.ts'),
  )
  const long = files
    .map(f => [lines(f), f] as const)
    .filter(([n]) => n > 300)
    .sort((a, b) => b[0] - a[0])
  for (const [n, file] of long) console.log(`  look at: ${file} has ${n} lines`)
  const rooms = Map.groupBy(
    files.filter(f => f.startsWith('server/rooms/')),
    f => f.split('/')[2] ?? '',
  )
  for (const [room, own] of rooms) {
    const sum = own.reduce((total, f) => total + lines(f), 0)
    if (sum > 1500) console.log(`  look at: the room ${room} has ${sum} lines`)
  }
  const kernels = Map.groupBy(
    files.filter(f => f.startsWith('server/kernel/')),
    f => f.split('/')[2] ?? '',
  )
  for (const [kernel, own] of kernels) {
    const sum = own.reduce((total, f) => total + lines(f), 0)
    if (sum > 1000) console.log(`  look at: the kernel ${kernel} has ${sum} lines`)
  }
}
