// A thread of the reading process, which stops it when it takes too much memory or time, or when the service has ended. It never leaves a looping
// process behind, however the service ended.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 100
const GRACE_MS = 5000
const { reading, parent, memory_mb, milliseconds, silence_ms } = workerData as {
  /** 0 while the workbook is being read, 1 while it is being sent. */
  reading: Int32Array
  parent: number
  memory_mb: number
  /** Processor time: on a busy machine a sound workbook takes long, and isn't damaged. */
  milliseconds: number
  silence_ms: number
}

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

function end(why: string): void {
  writeSync(2, `walkdown: ${why}\n`)
  process.kill(process.pid, 'SIGKILL')
}
