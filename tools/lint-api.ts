// Checks the API document with the recommended rules of Redocly and Spectral: no error, and no warning but those that are listed with their reason in
// `.redocly.lint-ignore.yaml` and `.spectral.yaml`. Both take a while, so a document that has passed isn't checked again until it or the rules change.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENT = 'contract/openapi.json'
const PASSED = `${root}node_modules/.cache/walkdown/api-document`
const LINTERS = [
  {
    name: 'Redocly',
    at: 'node_modules/@redocly/cli',
    main: 'bin/cli.js',
    args: ['lint', DOCUMENT, '--max-problems', '1000'],
    warns: /^You have \d+ warning|Warning was generated/m,
  },
  {
    name: 'Spectral',
    at: 'node_modules/@stoplight/spectral-cli',
    main: 'dist/index.js',
    args: ['lint', DOCUMENT, '--ruleset', '.spectral.yaml', '--fail-severity', 'warn'],
    warns: null,
  },
]

const read = (file: string) => readFileSync(`${root}${file}`)
const missing = LINTERS.filter(({ at }) => !existsSync(`${root}${at}/package.json`))
if (missing.length > 0) {
  console.error(`${missing.map(({ name }) => name).join(' and ')} must be installed first: npm ci`)
  process.exit(1)
}
const hash = createHash('sha256')
for (const file of [
  DOCUMENT,
  'redocly.yaml',
  '.redocly.lint-ignore.yaml',
  '.spectral.yaml',
  'tools/lint-api.ts',
  ...LINTERS.map(({ at }) => `${at}/package.json`),
])
  hash.update(file).update('\0').update(read(file))
const digest = hash.digest('hex')
if (existsSync(PASSED) && readFileSync(PASSED, 'utf8') === digest) process.exit(0)

let failed = false
for (const { name, at, main, args, warns } of LINTERS) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}${at}/${main}`, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', FORCE_COLOR: '0' },
  })
  const said = `${stdout}${stderr}`
  if (status === 0 && !(warns?.test(said) ?? false)) continue
  failed = true
  console.error(`${name}:\n${said}`)
}
if (failed) process.exit(1)
mkdirSync(dirname(PASSED), { recursive: true })
writeFileSync(PASSED, digest)
