// Runs in a thread of our child processes and ends the process when its service has ended, or when it uses too much memory, however busy it is.
// Plain JavaScript on purpose: a thread prepares to read TypeScript by itself, which takes 45 ms of processor time.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const LOOK_MS = 100
/** @type {{ parent: number, memory_mb: number }} As `serveOrders` passes them. */
const { parent, memory_mb } = workerData
const still = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  Atomics.wait(still, 0, 0, LOOK_MS)
  if (process.memoryUsage.rss() > memory_mb * 1024 * 1024) {
    writeSync(2, 'walkdown: a child process used too much memory and was ended\n')
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}
