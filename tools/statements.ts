// Tries every SQL statement of the last whole `npm test` on the server of DATABASE_URL: one that the embedded engine understands and the server doesn't is a fault.
// Another version of PostgreSQL knows other functions and other grammar, which tests of chosen rooms would find only in those rooms.
import pg from 'pg'
import { counted } from '../shared/text.ts'
import { openTestEngine, TEMPLATE } from '../tests/engine.ts'
import { keptStatements } from './testing/statements.ts'

/** A whole run sends some thousands. With fewer, something wasn't kept, and the answer would be worth nothing. */
const FEWEST = 1000

const { DATABASE_URL } = process.env
if (DATABASE_URL === undefined) fail('Set DATABASE_URL to the server on which the statements are tried.')
const statements = keptStatements()
if (statements.length < FEWEST) fail(`Only ${counted(statements.length, 'statement')} were kept. Run npm test first.`)

const here = await faultsOn(undefined)
const there = await faultsOn(DATABASE_URL)
const understood = statements.filter(text => !here.has(text))
const refused = understood.filter(text => there.has(text))
console.log(`${counted(understood.length, 'statement')} of the tests, ${refused.length} refused by the server of DATABASE_URL.`)
for (const text of refused) console.log(`✖ ${there.get(text)}\n  ${text.replace(/\s+/g, ' ').slice(0, 600)}`)
if (understood.length < FEWEST) fail('The embedded engine understands too few of them.')
process.exit(refused.length === 0 ? 0 : 1)

/** Returns what a server says against the statements that it doesn't understand. None of them is executed. */
async function faultsOn(database_url: string | undefined): Promise<Map<string, string>> {
  const { engine, stop } = await openTestEngine(database_url)
  const client = new pg.Client({ ...engine.connection, database: TEMPLATE })
  await client.connect()
  const faults = new Map<string, string>()
  for (const [n, text] of statements.entries()) {
    // A named query may not consist of two statements, so nothing after a semicolon is ever executed.
    await client.query({ name: `one${n}`, text: `prepare tried as ${text}` }).then(
      () => client.query('deallocate tried'),
      error => faults.set(text, String(error)),
    )
  }
  await client.end()
  await stop()
  return faults
}

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}
