// Entry of the reading process, which reads one workbook and ends. Its environment contains only the time zone; it can read its own code and the workbook, and write
//   nothing.
// child.ts PATH CONTAINER EXTENSION
import { readFileSync, writeSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { LIMITS } from '../domain/cells.ts'
import type { Container, Extension } from '../domain/refusals.ts'
import type { Line } from '../domain/wire.ts'

const [path = '', container = 'zip', promised = 'xlsx'] = process.argv.slice(2)

// Watches this process from a separate thread, because nothing else runs on the main thread while the library loops.
const reading = new Int32Array(new SharedArrayBuffer(4))
new Worker(new URL('./watch.js', import.meta.url), {
  workerData: {
    reading,
    parent: process.ppid,
    memory_mb: LIMITS.memory_mb,
    milliseconds: LIMITS.milliseconds,
    silence_ms: LIMITS.silence_ms,
  },
}).unref()

const { parsed } = await import('./parse.ts')
const { linesOf } = await import('./walk.ts')
const { SSF } = await import('@e965/xlsx')

const book = await parsed(readFileSync(path), container as Container, promised as Extension) // as `readingOf` passes them; this process can't read shared code
Atomics.store(reading, 0, 1)
if ('problem' in book) say({ problem: book })
else for (const line of linesOf(book, (code, value) => String(SSF.format(code, value)))) say(line)
process.exit(0)

/** Writes a whole line; waits while the reader at the other end is slower. */
function say(line: Line): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) process.exit(1)
      Atomics.wait(reading, 0, 1, 5)
    }
  }
}
