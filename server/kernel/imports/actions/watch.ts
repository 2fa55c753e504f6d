// Beside the reading process, in a thread: ends it when it takes too much memory or time, or when nobody waits for it any more. It never leaves a
// process behind that loops for ever, however the service itself ended.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 100
const GRACE_MS = 5000
const { reading, parent, memory_mb, milliseconds } = workerData as {
  /** 0 while the book is being read, 1 once it is handed over. */
  reading: Int32Array
  parent: number
  memory_mb: number
  milliseconds: number
}

const began = performance.now()
for (;;) {
  Atomics.wait(reading, 0, Atomics.load(reading, 0), LOOK_MS)
  if (process.memoryUsage.rss() > memory_mb * 1024 * 1024) end('memory')
  // The service's own clock comes first: this one is for when the service is gone.
  if (Atomics.load(reading, 0) === 0 && performance.now() - began > milliseconds + GRACE_MS) end('late')
  if (process.ppid !== parent) end('orphan')
}

function end(why: string): void {
  writeSync(2, `walkdown: ${why}\n`)
  process.kill(process.pid, 'SIGKILL')
}
