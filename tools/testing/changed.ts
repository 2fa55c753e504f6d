// Which test files a change concerns: those that import a changed file, directly or through others, and those that name a changed fixture or document.
// Nearly every test starts the whole service, so the imports of `server/groups.ts` don't count: a room concerns its own tests, those of the rooms that use its
// door, and the matrices, which then run over the endpoints of these rooms alone. In doubt, everything runs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HUB, readSources, referencesIn, roomOf } from './imports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What has to run, and why. */
export type Concerned = {
  /** Null: everything. */
  files: string[] | null
  /** Rooms whose endpoints the matrices run over; null: all of them. */
  rooms: string[] | null
  why: string
}

/** What every test depends on. */
const GROUND =
  /^(?:server\/(?:base|kernel|migrations)\/|server\/[^/]+\.ts$|tests\/(?:world|engine|stock|stocking)\.ts$|tools\/(?:test|lane)\.ts$|tools\/testing\/|package(?:-lock)?\.json$|tsconfig|\.ci\/)/
/** Run over the endpoints of all rooms, or of those that changed. */
export const MATRICES = ['tests/access.test.ts', 'tests/fuzz.test.ts', 'tests/references.test.ts', 'tests/writes.test.ts']
const JOURNEYS = 'tests/browser/'
/** Look at all files. */
const HOUSE = 'tests/house/'

/** Lists the files that differ from a revision; by default from where this branch left main. */
export function changedFiles(base: string | null): string[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const from = base ?? ['main', 'origin/main'].map(name => tried(() => git('merge-base', name, 'HEAD'))).find(rev => rev !== null) ?? 'HEAD'
  const names = [git('diff', '--name-only', '--no-renames', from), git('ls-files', '--others', '--exclude-standard')]
  const before = (name: string) => tried(() => git('show', `${from}:${name}`))
  const after = (name: string) => tried(() => readFileSync(join(root, name), 'utf8'))
  return names.flatMap(text => text.split('\n')).filter(name => name !== '' && !addsOnly(name, before(name), after(name)))
}

/**
 * Returns whether a change of a file on which everything depends only adds something that nothing uses yet, as `npm run new-room` does: generated types, a
 * migration that makes nothing but new tables, or another room in the list of rooms.
 */
export function addsOnly(name: string, before: string | null, after: string | null): boolean {
  if (after === null) return false
  if (name === 'server/base/tables.gen.ts') return true // types only: `npm run check` compiles them
  if (name === HUB) {
    const rooms = (text: string) => [...text.matchAll(/from '(.+?)'/g)].map(([, path]) => path)
    const now = new Set(rooms(after))
    return before !== null && rooms(before).every(path => now.has(path))
  }
  if (!name.startsWith('server/migrations/') || before !== null) return false
  const statements = after
    .replace(/--.*$/gm, '')
    .split(';')
    .map(text => text.trim().toLowerCase())
    .filter(text => text !== '')
  const made = new Set(statements.flatMap(text => /^create table (\w+)/.exec(text)?.[1] ?? []))
  return statements.every(text => {
    const table =
      /^create table (\w+)/.exec(text) ??
      /^create (?:unique )?index \w+ on (\w+)/.exec(text) ??
      /^select make_record\('(\w+)'\)$/.exec(text)
    return made.has(table?.[1] ?? '')
  })
}

function tried<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

/** Returns which of these tests the changed files concern. */
export function concernedBy(changed: readonly string[], tests: readonly string[]): Concerned {
  const ground = changed.filter(file => GROUND.test(file))
  if (ground.length > 0) return { files: null, rooms: null, why: `everything depends on ${ground.slice(0, 3).join(', ')}` }

  const users = new Map<string, string[]>()
  const texts = readSources()
  for (const [file, text] of texts) for (const used of referencesIn(file, text)) users.set(used, [...(users.get(used) ?? []), file])
  const reached = new Set<string>()
  const reach = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const user of users.get(file) ?? []) reach(user)
  }
  for (const file of changed) {
    reach(file)
    if (texts.has(file)) continue
    // A fixture, a document or a generated file: the modules that mention it read it.
    const name = basename(file)
    for (const [source, text] of texts) if (text.includes(name)) reach(source)
  }
  const rooms = [...new Set([...reached].flatMap(file => (file.endsWith('.test.ts') ? [] : (roomOf(file) ?? []))))].sort()
  const own = (file: string) => rooms.includes(roomOf(file) ?? '')
  // A journey in a browser sees all of the app.
  const app = changed.some(file => file.startsWith('web/') && !file.endsWith('.test.ts'))
  const files = tests.filter(
    file =>
      reached.has(file) ||
      own(file) ||
      file.startsWith(HOUSE) ||
      (rooms.length > 0 && MATRICES.includes(file)) ||
      (app && file.startsWith(JOURNEYS)),
  )
  const narrowed = !changed.some(file => MATRICES.includes(file)) && rooms.length > 0
  return {
    files,
    rooms: narrowed ? rooms : null,
    why: `${changed.length} changed ${changed.length === 1 ? 'file concerns' : 'files concern'} them`,
  }
}
