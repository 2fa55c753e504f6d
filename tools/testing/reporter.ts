// What a lane prints: the usual report of node:test, file by file. After each, a line for the runner says what was in the file and what failed.
import { spec } from 'node:test/reporters'

/** The title of the empty test that ends a file in a lane, before the name of the file: its turn comes once every test of the file has ended. */
export const END_OF_FILE = 'end of the file '
/** Precedes what a lane says about a file in its output; no text that a test prints begins with it. */
export const MARK = '\u0001walkdown '

/** What a lane says after each file. */
export type FileFacts = {
  file: string
  passed: number
  skipped: number
  suites: number
  failed: string[]
  /** The usual report of the failed tests, with their errors; empty if there are none. */
  report: string
  /** The tests that took longest, with their milliseconds. */
  slow: [title: string, ms: number][]
}

type Event = {
  type: string
  data: {
    name?: string
    message?: string
    nesting?: number
    skip?: unknown
    details?: { type?: string; duration_ms?: number; error?: { failureType?: string } }
  }
}

const TOTALS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/
/** Tests that take less aren't reported with their durations. */
const SLOW_MS = 200

const nothing = (): FileFacts => ({ file: '', passed: 0, skipped: 0, suites: 0, failed: [], report: '', slow: [] })

/** Adds the result of a test to what is known about its file. */
function count(facts: FileFacts, { type, data }: Event): void {
  const { details = {}, name = '' } = data
  // A suite fails by itself when a hook fails; otherwise because of its tests, which are counted.
  if (type === 'test:fail' && details.error?.failureType !== 'subtestsFailed') facts.failed.push(name)
  if (details.type === 'suite') {
    facts.suites++
    return
  }
  if (data.skip !== undefined) facts.skipped++
  else if (type === 'test:pass') facts.passed++
  const ms = Math.round(details.duration_ms ?? 0)
  if (ms > SLOW_MS) facts.slow.push([name, ms])
}

/** The reporter, as node:test takes it. */
export default async function* report(source: AsyncIterable<Event>): AsyncGenerator<string> {
  // Each file has its own reporter, because the reporter prints the failures at its end.
  let printer = new spec()
  let facts = nothing()
  for await (const event of source) {
    const { type, data } = event
    const ended = type === 'test:pass' || type === 'test:fail'
    if (data.name?.startsWith(END_OF_FILE)) {
      if (!ended) continue
      facts.file = data.name.slice(END_OF_FILE.length)
      printer.end()
      for await (const text of printer) facts.report += String(text).replace(/^\n✖ failing tests:\n/, '')
      yield `\n${MARK}${JSON.stringify(facts)}\n`
      facts = nothing()
      printer = new spec()
      continue
    }
    // The runner adds the totals of all lanes.
    if (type === 'test:diagnostic' && data.nesting === 0 && TOTALS.test(data.message ?? '')) continue
    if (ended) count(facts, event)
    printer.write(event)
    for (let text = printer.read(); text !== null; text = printer.read()) yield String(text)
  }
}
