// How long each test file took the last time, so that the runner begins with the longest. Kept with the installed packages; a clone starts with
// tools/durations.tsv, which `npm test -- --durations` writes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SHIPPED = `${root}tools/durations.tsv`
const KEPT = `${root}node_modules/.cache/walkdown/durations.tsv`
/** Assumed for a file that never ran. */
const UNKNOWN_S = 5

/** Seconds by file. */
export type Durations = Map<string, number>

const read = (path: string): [string, number][] =>
  !existsSync(path)
    ? []
    : readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => {
          const [file = '', seconds = ''] = line.split('\t')
          return [file, Number(seconds)]
        })

/** Returns what is known about earlier runs. */
export const lastDurations = (): Durations => new Map([...read(SHIPPED), ...read(KEPT)])

/** Returns the files, the longest first. */
export const longestFirst = (files: readonly string[], last: Durations): string[] => {
  const of = (file: string) => last.get(file) ?? UNKNOWN_S
  return [...files].sort((a, b) => of(b) - of(a) || a.localeCompare(b))
}

/** Stores how long the files of this run took; with `ship`, also in the file for new clones. */
export function keepDurations(taken: Durations, all: readonly string[], ship: boolean): void {
  const now = new Map([...lastDurations(), ...taken])
  const lines = all.flatMap(file => (now.has(file) ? [`${file}\t${(now.get(file) ?? 0).toFixed(1)}`] : [])).join('\n')
  mkdirSync(dirname(KEPT), { recursive: true })
  for (const path of ship ? [KEPT, SHIPPED] : [KEPT]) writeFileSync(path, `${lines}\n`)
}
