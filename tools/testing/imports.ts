// The sources of the package and what they import, read from their texts: quicker than a compiler, and in doubt one import too many.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Imports every room, so following it would lead from each test to everything. */
export const HUB = 'server/groups.ts'

/** Returns the room of a file as `group/area`; null for a file of no room. */
export const roomOf = (file: string): string | null => /^server\/rooms\/([^/]+\/[^/]+)\//.exec(file)?.[1] ?? null

/** Reads all sources, by their paths in the package. */
export const readSources = (): Map<string, string> =>
  new Map(
    globSync(['{server,shared,web,tests,tools,bench,contract}/**/*.{ts,tsx,js}'], { cwd: root })
      .filter(file => !file.includes('node_modules'))
      .map(file => [file, readFileSync(join(root, file), 'utf8')]),
  )

/** Lists the paths that a source refers to: its imports, and the programs and files that it names. None for the hub. */
export const referencesIn = (file: string, text: string): string[] =>
  file === HUB ? [] : [...text.matchAll(/['"`](\.{1,2}\/[^'"`\s]+)['"`]/g)].map(([, path = '']) => join(dirname(file), path))
