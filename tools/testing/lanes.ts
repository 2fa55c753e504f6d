// Runs test files in a few processes. Each takes the next file of a queue, so that no lane is idle while another has files left.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LaneSays } from '../lane.ts'
import { END_OF_FILE, type FileFacts, MARK } from './reporter.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The results of a file, and how long it took. */
export type Outcome = FileFacts & { ms: number; busy_ms: number }

/** The options of a run, which apply to every lane. */
export type LaneOptions = {
  env: Record<string, string>
  /** Patterns of the titles of the tests that run; all of them when there are none. */
  patterns: readonly string[]
  /** Shows the output while it is written, not file by file. */
  at_once: boolean
  /** Takes only the processor time that nothing else wants. */
  yields?: boolean
}

const children = new Set<ChildProcess>()
let stopped = false
/** Passes a signal to all lanes that are running, and starts no other file. */
export const stopLanes = (signal: NodeJS.Signals): void => {
  stopped = true
  for (const child of children) child.kill(signal)
}

/** Takes files from the queue until it is empty, in a process that is started again if a file ends it. Returns what each file did. */
export async function runLane(queue: string[], options: LaneOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  while (queue.length > 0 && !stopped) outcomes.push(...(await runProcess(queue, options)))
  return outcomes
}

function runProcess(queue: string[], { env, patterns, at_once, yields }: LaneOptions): Promise<Outcome[]> {
  const titles = patterns.length === 0 ? [] : [...patterns, `^${END_OF_FILE}`].map(pattern => `--test-name-pattern=${pattern}`)
  const report = ['--test-reporter=./tools/testing/reporter.ts', '--test-reporter-destination=stdout']
  const child = spawn(process.execPath, ['--import=./tools/testing/scopes.ts', ...report, ...titles, 'tools/lane.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...env, NODE_ENV: 'test', TZ: 'UTC' },
  })
  children.add(child)
  // Right after its start, so that its threads and its own child processes have it, too.
  if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const outcomes: Outcome[] = []
  const taken = new Map<string, LaneSays>()
  let running: string | null = null
  let said = ''
  const show = (text: string) => {
    if (text !== '') process.stdout.write(text)
  }
  /** Shows what belongs to files that have ended; the rest waits for the end of its file. */
  const tell = () => {
    for (let at = said.indexOf(MARK); at >= 0; at = said.indexOf(MARK)) {
      const end = said.indexOf('\n', at)
      if (end < 0) return
      const facts = JSON.parse(said.slice(at + MARK.length, end)) as FileFacts // written by our reporter
      show(said.slice(0, at).replace(/\n+$/, '\n'))
      said = said.slice(end + 1)
      outcomes.push({ ...facts, ms: 0, busy_ms: 0 })
    }
    if (!at_once || said.includes(MARK[0] ?? '')) return
    show(said)
    said = ''
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      tell()
    })
  }
  child.on('message', (message: LaneSays) => {
    if (message.file !== null) taken.set(message.file, message)
    running = queue.shift() ?? null
    child.send(running ?? '')
  })
  return new Promise(done =>
    child.on('close', (status, signal) => {
      children.delete(child)
      show(said)
      const all = outcomes.map(one => ({ ...one, ms: taken.get(one.file)?.ms ?? 0, busy_ms: taken.get(one.file)?.busy_ms ?? 0 }))
      if (running === null) {
        const quiet = all.every(one => one.failed.length === 0)
        const end = all.at(-1)
        if (end !== undefined && quiet && (status !== 0 || signal !== null)) {
          end.failed.push(`the process ended with ${signal ?? `exit code ${status}`} although none of the tests failed`)
          end.report += said
        }
        return done(all)
      }
      // A file that ends its process: the other files get a new one.
      const report = `✖ ${running}: a test ended the process (${signal ?? `exit code ${status}`})\n`
      done([
        ...all,
        {
          file: running,
          passed: 0,
          skipped: 0,
          suites: 0,
          failed: ['a test in this file ended the process'],
          report,
          slow: [],
          ms: 0,
          busy_ms: 0,
        },
      ])
    }),
  )
}
