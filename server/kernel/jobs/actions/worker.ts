// A worker takes jobs out of the queue and runs the schedules. It stops within the time it is given: unfinished work returns to the queue, so that
// another process takes it immediately.
import { budget } from '../../../base/budget.ts'
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { noteAlive, putBack } from '../queries/runs.ts'
import { bossOf, giveBackJob, takeUpInterrupted } from './queue.ts'
import { allJobs, allSchedules } from './registry.ts'
import { runJob, type Watched } from './run.ts'
import { giveBackBroken, giveBackSchedule, runSchedule, type UnderWay } from './schedules.ts'
import { askToStop, HandedBack } from './stopping.ts'

/** How long work can continue by default after the worker was asked to stop. */
const PATIENCE_MS = 5000

/** How often a worker looks for jobs that another process left behind. */
const TAKE_UP_MS = 5000

/**
 * Starts a worker. `stop` waits at most `patience_ms` for running work, then returns it to the queue. `alone`: no other process uses this database, so
 * every job that is running at the start was interrupted, and is queued again immediately.
 */
export async function startWorker(
  house: House,
  how: { alone: boolean } = { alone: false },
): Promise<{ stop(patience_ms?: number): Promise<void> }> {
  askToStop(house, false)
  const boss = await bossOf(house, { supervise: true })
  // Two attempts of one run can be among them, if the first has taken longer than allowed.
  const jobs = new Set<Watched & { kind: string; run_id: Id; ended: Promise<unknown> }>()
  const lanes = new Map<string, { run: UnderWay | null; ended: Promise<unknown> }>()

  const take = async (kind: string, run_id: Id) => {
    const watched: Watched = { given_up: false }
    const work = runJob(house, run_id, watched)
    const job = Object.assign(watched, { kind, run_id, ended: work.catch(() => undefined) })
    jobs.add(job)
    try {
      await work
    } catch (error) {
      if (!(error instanceof HandedBack)) throw error
      await giveBackJob(house, kind, run_id)
    } finally {
      jobs.delete(job)
    }
  }
  // Before this process claims jobs: with `alone`, all that are running now were interrupted, and its own would be among them.
  await takeUpInterrupted(house, how)
  for (const job of allJobs()) {
    await boss.work<{ run_id: Id }>(
      job.kind,
      { batchSize: 1, pollingIntervalSeconds: 0.5, localConcurrency: job.concurrency ?? 1 },
      async ([one]) => {
        if (one !== undefined) await take(job.kind, one.data.run_id)
      },
    )
  }
  const taking_up = house.timers.every(TAKE_UP_MS, () => {
    const lookAround = async () => {
      if (jobs.size > 0) await noteAlive(house.database.apart.db, [...jobs])
      await takeUpInterrupted(house, { alone: false })
    }
    lookAround().catch(error => house.log.error({ err: error }, 'interrupted jobs'))
  })
  const timer = house.timers.every(1000, () => {
    void giveBackBroken(house)
    for (const schedule of allSchedules()) {
      if (lanes.has(schedule.kind)) continue
      const lane: { run: UnderWay | null; ended: Promise<unknown> } = { run: null, ended: Promise.resolve() }
      lanes.set(schedule.kind, lane)
      lane.ended = runSchedule(house, schedule, run => {
        lane.run = run
      })
        .catch(error => house.log.error({ schedule: schedule.kind, err: error }, 'schedules'))
        .finally(() => lanes.delete(schedule.kind))
    }
  })

  return {
    async stop(patience_ms = PATIENCE_MS) {
      timer.stop()
      taking_up.stop()
      askToStop(house, true)
      for (const job of allJobs()) await boss.offWork(job.kind, { wait: false })
      const under_way = [...jobs.values(), ...lanes.values()].map(one => one.ended)
      await budget(patience_ms).within(Promise.all(under_way))
      for (const job of jobs) {
        const { kind, run_id } = job
        job.given_up = true
        await putBack(house.database.db, run_id)
        await giveBackJob(house, kind, run_id)
        house.log.warn({ job: kind, run_id }, 'job returned to the queue')
      }
      for (const { run } of lanes.values()) if (run !== null) await giveBackSchedule(house, run)
      await boss.stop({ graceful: false })
      askToStop(house, false)
    },
  }
}
