// Finds what a process runs: the service, or the program of a child process, as it was built, if it was built from exactly the files that are here; otherwise the
// sources (decisions 1001, 1075).
import { readFileSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fieldsIn } from '../../shared/narrow.ts'
import { remembered } from './memo.ts'

const here = new URL('../..', import.meta.url)

/** The folder of the built service, in the package. */
export const BUILT = 'dist/server/'
/** The folder of the built programs of child processes. */
export const PROGRAMS = 'dist/programs/'
/** The file of such a folder that lists what it was built from, and is written last. */
export const MADE_OF = '.made-of'

/** Returns what tells one version of a file of the package from another: its size in bytes, and when it was changed, in milliseconds. */
export function factsOf(file: string, root = here): string {
  const { size, mtimeMs } = statSync(fileURLToPath(new URL(file, root)))
  return `${size} ${mtimeMs}`
}

/** Returns whether a folder of a package was built, and every file that it was built from is as it was. */
export function isAsBuilt(folder: string, root = here): boolean {
  try {
    const made_of = Object.entries(fieldsIn(JSON.parse(readFileSync(new URL(`${folder}${MADE_OF}`, root), 'utf8'))))
    return made_of.length > 0 && made_of.every(([file, facts]) => factsOf(file, root) === facts)
  } catch {
    return false
  }
}

/** Returns where the built service of a package is; null if there is none, or if a file that it was built from has changed since or is missing. */
export const builtService = (root = here): URL | null => (isAsBuilt(BUILT, root) ? new URL(`${BUILT}main.js`, root) : null)

/** Returns the name of the built file of a program without its ending: `kernel-imports` for `server/kernel/imports/actions/child.ts`. */
export const programName = (file: string): string => file.replace(/^server\/|\/actions\/child\.ts$/g, '').replaceAll('/', '-')

// Looked at once for each package: a process goes on with what it began with.
const built = new Map<string, boolean>()

/** Returns the path of the file that a child process runs for this source: to read TypeScript takes longer than most of what such a process does. */
export function programOf(source: URL, root = here): string {
  const path = fileURLToPath(source)
  if (!remembered(built, root.href, () => isAsBuilt(PROGRAMS, root))) return path
  return fileURLToPath(new URL(`${PROGRAMS}${programName(relative(fileURLToPath(root), path))}.js`, root))
}
