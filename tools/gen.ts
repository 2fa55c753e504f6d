// Writes what is generated and checked in: table types from the migrated database, the API document and its types. `--check` writes nothing and fails on a difference.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateAll } from './gen/all.ts'

const check = process.argv.includes('--check')
const root = fileURLToPath(new URL('..', import.meta.url))
const stale: string[] = []
for (const { path, content } of await generateAll()) {
  const file = `${root}${path}`
  let present: string | null = null
  try {
    present = readFileSync(file, 'utf8')
  } catch {
    present = null
  }
  if (present === content) continue
  if (check) stale.push(path)
  else {
    writeFileSync(file, content)
    console.log(`wrote ${path}`)
  }
}
if (stale.length > 0) {
  console.error(`Generated files are stale: ${stale.join(', ')}. Run npm run gen.`)
  process.exit(1)
}
