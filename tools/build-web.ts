// Builds the web app into dist/web and compresses its files once, so that no request has to. `--if-needed`: only when one of its sources has changed
// since.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}dist/web`
const stamp = `${out}/.made-of`

/** Returns a hash over all sources of the app. */
function sources(): string {
  const hash = createHash('sha256')
  const files = globSync(['web/**/*', 'shared/**/*.ts', 'package-lock.json'], { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(entry => `${entry.parentPath}/${entry.name}`)
    .sort()
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

const made = sources()
const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null
if (!process.argv.includes('--if-needed') || present !== made) {
  const { build } = await import('vite')
  await build({ configFile: `${root}web/vite.config.ts`, logLevel: process.argv.includes('--if-needed') ? 'warn' : 'info' })
  for (const file of globSync(['**/*.js', '**/*.css', '**/*.html', '**/*.svg', '**/*.json', '**/*.webmanifest', '**/*.mjs'], {
    cwd: out,
  })) {
    const bytes = readFileSync(`${out}/${file}`)
    writeFileSync(`${out}/${file}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${out}/${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  }
  writeFileSync(stamp, made)
}
