// A thread of the reading process, which stops it when it takes too much memory or time, or when the service has ended. It never leaves a looping
// process behind, however the service ended.
// Plain JavaScript on purpose: a thread prepares to read TypeScript by itself, which took a fifth of the processor time of a small import.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 100
const GRACE_MS = 5000
/**
 * `reading` is 0 while the workbook is being read, 1 while it is being sent. `milliseconds` are processor time: on a busy machine a sound workbook takes long, and
 * isn’t damaged.
 * @type {{ reading: Int32Array, parent: number, memory_mb: number, milliseconds: number, silence_ms: number }}
 */
const { reading, parent, memory_mb, milliseconds, silence_ms } = workerData

const began = performance.now()
for (;;) {
  Atomics.wait(reading, 0, Atomics.load(reading, 0), LOOK_MS)
  if (process.memoryUsage.rss() > memory_mb * 1024 * 1024) end('memory')
  const { user, system } = process.cpuUsage()
  // The service's own timeout comes before the second one, which is for when the service has ended.
  if (Atomics.load(reading, 0) === 0 && ((user + system) / 1000 > milliseconds || performance.now() - began > silence_ms + GRACE_MS))
    end('late')
  if (process.ppid !== parent) end('orphan')
}

/** @param {string} why */
function end(why) {
  writeSync(2, `walkdown: ${why}\n`)
  process.kill(process.pid, 'SIGKILL')
}
