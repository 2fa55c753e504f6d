// One reading process for one workbook: started without an environment, watched, and ended in every case, even if the service itself ends.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as real } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PROGRAMS, programOf } from '../../../base/built.ts'
import { LIMITS } from '../domain/cells.ts'
import type { Problem } from '../domain/refusals.ts'
import type { Line } from '../domain/wire.ts'

/** How a reading process is started; tests start different ones. */
export type Reading = {
  entry: string
  args: readonly string[]
  /** Files and folders that it can read, in addition to its own code. */
  may_read: readonly string[]
  /** It is stopped after this long without output. This uses real time, because it protects the machine, and `CLOCK=manual` must not stop it. */
  silence_ms: number
  heap_mb: number
}

/** Returns the process that reads this workbook. */
export const readingOf = (path: string, container: string, promised: string, silence_ms: number): Reading => ({
  entry: programOf(new URL('./child.ts', import.meta.url)),
  args: [path, container, promised],
  may_read: [realpathSync(path), path],
  silence_ms,
  heap_mb: LIMITS.heap_mb,
})

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../../..')

/** Lists the files that its code needs: the built programs, this kernel, the functions that create refusals, the package's manifest, and the two libraries wherever they are installed. */
function ownCode(): string[] {
  const { resolve } = createRequire(import.meta.url)
  const packages = ['@e965/xlsx', 'yauzl'].map(name => dirname(realpathSync(resolve(name))))
  // The packages may be installed elsewhere behind a link, so the process can read both paths.
  const installed = [join(root, 'node_modules')].flatMap(folder => (existsSync(folder) ? [folder, realpathSync(folder)] : []))
  const folders = [join(root, PROGRAMS), join(root, 'server/kernel/imports'), join(root, 'server/base'), ...installed, ...packages]
  return [join(root, 'package.json'), ...folders.map(folder => join(folder, '*'))]
}

/**
 * Yields the lines of a reading process as they arrive; the last one is a problem if it fails. The process is stopped when the caller stops early, when
 * `signal` aborts (then this throws its reason), when there is no output for too long, and when this process ends. `heard` receives its error output.
 */
export async function* linesFrom(reading: Reading, signal: AbortSignal | undefined, heard: (said: string) => void): AsyncGenerator<Line> {
  signal?.throwIfAborted()
  const allowed = [...ownCode(), ...reading.may_read].map(path => `--allow-fs-read=${path}`)
  const flags = ['--permission', '--allow-worker', ...allowed, `--max-old-space-size=${reading.heap_mb}`, '--no-warnings']
  const child = spawn(process.execPath, [...flags, reading.entry, ...reading.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // An environment without our addresses and secrets. The library reads ISO dates in the time zone of its process.
    env: { TZ: 'UTC' },
    windowsHide: true,
  })
  const kill = () => child.kill('SIGKILL')
  const ended = new Promise<{ code: number | null; failed: Error | null }>(done => {
    child.once('error', failed => done({ code: null, failed }))
    child.once('close', code => done({ code, failed: null }))
  })
  process.once('exit', kill)
  signal?.addEventListener('abort', kill, { once: true })
  let said = ''
  child.stderr.on('data', (data: Buffer) => {
    if (said.length < 4000) said += data.toString('latin1')
  })
  let finished = false
  try {
    const chunks = child.stdout[Symbol.asyncIterator]()
    const lines = splitting()
    for (;;) {
      const next = await within(reading.silence_ms, chunks.next())
      if (next === 'late') return yield { problem: { problem: 'too_slow' } }
      if (next.done) break
      for (const line of lines(next.value)) {
        yield line
        finished ||= 'end' in line || 'problem' in line
      }
      // A pipe is read up to 32 times in one turn of the event loop, and each chunk causes more work: let other work run in between.
      await nextTurn()
    }
    signal?.throwIfAborted()
    const { code, failed } = await ended
    if (failed !== null) throw failed
    if (!finished) yield { problem: whyItDied(said) }
    else if (code !== 0) heard(said)
  } finally {
    kill()
    process.off('exit', kill)
    signal?.removeEventListener('abort', kill)
    // Output that is still on its way would keep the pipe open.
    child.stdout.destroy()
    await ended
    if (!finished && said !== '') heard(said)
  }
}

/** Waits for a result until the time is up; then returns `late`. */
async function within<T>(milliseconds: number, wanted: Promise<T>): Promise<T | 'late'> {
  const stop = new AbortController()
  const late = real(milliseconds, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const)
  try {
    return await Promise.race([wanted, late])
  } finally {
    stop.abort()
  }
}

function splitting(): (chunk: Buffer) => Generator<Line> {
  let rest: Buffer[] = []
  return function* (chunk) {
    let from = 0
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, to)])
      rest = []
      from = to + 1
      yield JSON.parse(line.toString('utf8')) as Line // our own process writes nothing else to this pipe
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
}

/** Returns why a process ended early: stopped by its watch, out of memory, or an uncaught error. */
function whyItDied(said: string): Problem {
  if (/walkdown: memory|heap out of memory|Allocation failed/i.test(said)) return { problem: 'too_much_memory' }
  if (/walkdown: late/.test(said)) return { problem: 'too_slow' }
  return { problem: 'reader_died' }
}
