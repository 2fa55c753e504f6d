// Beside the printing process, in a thread: ends it when the service that it works for is gone, however busy it is.
import { workerData } from 'node:worker_threads'

const { parent } = workerData as { parent: number } // the one thing that child.ts gives
const still = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  Atomics.wait(still, 0, 0, 500)
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}
