// Finds what a start runs: the service as one file, if it was built from exactly the files that are here; otherwise the sources (decision 1001).
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fieldsIn } from '../shared/narrow.ts'

const here = new URL('..', import.meta.url)

/** The folder of the built service, in the package. */
export const BUILT = 'dist/server/'
/** The file that lists what it was built from, and is written last. */
export const MADE_OF = `${BUILT}.made-of`

/** Returns what tells one version of a file of the package from another: its size in bytes, and when it was changed, in milliseconds. */
export function factsOf(file: string, root = here): string {
  const { size, mtimeMs } = statSync(fileURLToPath(new URL(file, root)))
  return `${size} ${mtimeMs}`
}

/** Returns the built service of a package; null if there is none, or if a file that it was built from has changed since or is missing. */
export function builtService(root = here): URL | null {
  try {
    const made_of = Object.entries(fieldsIn(JSON.parse(readFileSync(new URL(MADE_OF, root), 'utf8'))))
    const same = made_of.length > 0 && made_of.every(([file, facts]) => factsOf(file, root) === facts)
    return same ? new URL(`${BUILT}main.js`, root) : null
  } catch {
    return null
  }
}
