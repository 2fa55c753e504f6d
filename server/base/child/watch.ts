// Runs in a thread of our child processes and ends the process when its service has ended, or when it uses too much memory, however busy it is.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { fieldsIn } from '../../../shared/narrow.ts'

const LOOK_MS = 100
const given = fieldsIn(workerData)
const [parent, memory_mb] = [Number(given.parent), Number(given.memory_mb)] // as `serveOrders` passes them
const still = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  Atomics.wait(still, 0, 0, LOOK_MS)
  if (process.memoryUsage.rss() > memory_mb * 1024 * 1024) {
    writeSync(2, 'walkdown: a child process used too much memory and was ended\n')
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}
