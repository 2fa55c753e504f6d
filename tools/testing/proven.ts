// Which test files have passed on another kind of server with the SQL that they send now (tools/proven.tsv, decision 1119). Only SQL and the driver depend on the kind
// of server, so a file runs there again when its own text, a statement that it can reach, a migration, the driver or the server has changed.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readSources, referencesIn, roomOf } from './imports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const RECORD = `${root}tools/proven.tsv`
/** The first line of the record is of the server. */
const SERVER = 'server'
/** Where a room and a kernel have their SQL (docs/HOUSE.md). */
const QUERIES = /(?:^|\/)queries(?:\/|\.ts$)/
/** Whatever else sends SQL uses the driver or the builder. */
const SENDS = /from '(?:pg|kysely)'/
const PACKAGES = ['pg', 'kysely', 'pg-boss']

/** What all files depend on: the migrations and the packages that send statements. */
export function commonGround(): string {
  const migrations = globSync('server/migrations/*.sql', { cwd: root }).sort()
  const installed = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) // npm wrote it
  const versions = PACKAGES.map(name => `${name} ${installed.packages[`node_modules/${name}`]?.version}`)
  return digest([...versions, ...migrations.map(file => file + readFileSync(`${root}${file}`, 'utf8'))])
}

/** Returns a digest of the SQL that a test file can reach: its own text, and what sends SQL among the files of its room and whatever these and the test import. */
export function sqlOf(test: string, sources: ReadonlyMap<string, string>, ground: string): string {
  const room = roomOf(test)
  // A test of a room calls its endpoints, so it imports none of them.
  const own = room === null ? [] : [...sources.keys()].filter(file => roomOf(file) === room && !file.endsWith('.test.ts'))
  const reached = new Set<string>()
  const reach = (file: string): void => {
    const text = sources.get(file)
    if (text === undefined || reached.has(file)) return
    reached.add(file)
    for (const used of referencesIn(file, text)) reach(used)
  }
  for (const file of [test, ...own]) reach(file)
  const sends = [...reached].filter(file => file === test || QUERIES.test(file) || SENDS.test(sources.get(file) ?? '')).sort()
  return digest([ground, ...sends.map(file => file + sources.get(file))])
}

const digest = (parts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** The proofs of a server. */
export type Proofs = {
  /** Returns whether a file has passed there with the SQL that it has now. */
  has(file: string): boolean
  /** Records files that have passed, and drops those that no longer exist. */
  keep(passed: readonly string[], all: readonly string[]): void
}

/** Reads what has passed on the server of this URL; nothing has if the record is of another server or of another version of it. */
export async function proofsOn(database_url: string): Promise<Proofs> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return readProofs(String(rows[0]?.server_version), readFileSync(RECORD, 'utf8'), text => writeFileSync(RECORD, text))
}

/** Reads a record; `write` stores its next text. */
export function readProofs(server: string, record: string, write: (text: string) => void): Proofs {
  const [first, ...lines] = record.split('\n').filter(line => line !== '')
  const known = new Map<string, string>()
  if (first === `${SERVER}\t${server}`) {
    for (const line of lines) {
      const [file = '', sql = ''] = line.split('\t')
      known.set(file, sql)
    }
  }
  const sources = readSources()
  const ground = commonGround()
  const digests = new Map<string, string>()
  const digestOf = (file: string): string => {
    const sql = digests.get(file) ?? sqlOf(file, sources, ground)
    digests.set(file, sql)
    return sql
  }
  return {
    has: file => known.get(file) === digestOf(file),
    keep(passed, all) {
      for (const file of passed) known.set(file, digestOf(file))
      const kept = [...known].filter(([file]) => all.includes(file)).sort(([a], [b]) => (a < b ? -1 : 1))
      write([`${SERVER}\t${server}`, ...kept.map(line => line.join('\t'))].map(line => `${line}\n`).join(''))
    },
  }
}
