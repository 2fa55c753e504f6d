// The inside of a process that `openChild` runs: takes one order after another and returns the results.
import { Worker } from 'node:worker_threads'
import type { Heard, Report, Sent } from './open.ts'

/**
 * Carries out orders until the service has ended. An error that `work` throws is sent to the caller as a problem. Work that takes long reports its progress,
 * so that it isn't taken for work that hangs.
 */
export function serveOrders<Order, Answer>(
  work: (order: Order, report: Report) => Answer | Promise<Answer>,
  afterwards: () => void = () => {},
): void {
  // Watches this process from a separate thread, because nothing else runs on the main thread while work never ends.
  const memory_mb = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
  new Worker(new URL('./watch.js', import.meta.url), { workerData: { parent: process.ppid, memory_mb } }).unref()
  const say = (said: Heard<Answer>) => process.send?.(said)
  process.on('message', async ({ nr, order }: Sent<Order>) => {
    let said: Heard<Answer>
    try {
      said = {
        nr,
        answer: await work(order, progress => say({ nr, progress })),
        memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
      }
    } catch (error) {
      said = { nr, problem: (error instanceof Error ? error.message : String(error)).slice(0, 2000) }
    }
    afterwards()
    say(said)
  })
  process.on('disconnect', () => process.exit(0))
  say({ ready: true })
}
