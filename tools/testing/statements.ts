// Keeps the SQL that the tests send, so that it can be tried on another kind of server (tools/statements.ts).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchStatements } from '../../bench/record.ts'
import { textsIn } from '../../shared/narrow.ts'

/** The environment variable with which a lane keeps what it sends. */
export const KEEP = 'WALKDOWN_TEST_STATEMENTS'

/** The folder with the statements of the last run of all tests: a file for each process. */
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/walkdown/statements', import.meta.url))

/** Only these can be prepared. Longer ones are inserts of very many rows, which their short siblings stand for. */
const PREPARABLE = /^\s*(?:\/\*.*?\*\/\s*)*(?:select|with|insert|update|delete|merge)\b/is
const LONGEST = 50_000

/** Forgets the statements of the last run. */
export function forgetStatements(): void {
  rmSync(KEPT, { recursive: true, force: true })
  mkdirSync(KEPT, { recursive: true })
}

/** Keeps every distinct statement that this process sends from now on, and writes them to a file of their own at its end. */
export function keepStatements(): void {
  const texts = new Set<string>()
  watchStatements(({ text }) => {
    if (text.length <= LONGEST && PREPARABLE.test(text)) texts.add(text)
  })
  process.on('exit', () => writeFileSync(join(KEPT, `${process.pid}.json`), JSON.stringify([...texts])))
}

/** Returns the distinct statements of the last run of all tests; none before the first one. */
export function keptStatements(): string[] {
  const files = (existsSync(KEPT) ? readdirSync(KEPT) : []).map(name => readFileSync(join(KEPT, name), 'utf8'))
  return [...new Set(files.flatMap(file => textsIn(JSON.parse(file))))].sort()
}
