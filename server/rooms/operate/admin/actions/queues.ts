import { instant, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { backlog, consumerNames } from '../../../../kernel/events/door.ts'
import { allJobs, allSchedules, nextDue, scheduleRuns } from '../../../../kernel/jobs/door.ts'
import { type QueueRow, queueFigures } from '../queries.ts'

/** Workers check the schedules every second, so a run that is two minutes late means that no worker is running. */
const LATE_MS = 2 * 60_000

const NONE = { ready: 0, delayed: 0, running: 0, failed: 0, dead: 0, done_last_minute: 0, p95_ms: null, oldest_ready_at: null }

/** Returns what is queued, running and failing in the background. */
export async function queueStats(ctx: Ctx): Promise<Record<string, unknown>> {
  const now = ms(ctx.now)
  const age = (since: string | null) => (since === null ? null : Math.max(0, now - ms(since)) / 1000)
  const figures = new Map((await queueFigures(ctx.db, ctx.now)).map(row => [row.name, row]))
  const runs = new Map((await scheduleRuns(ctx.db)).map(run => [run.kind, run]))
  const waiting = await backlog(ctx.db, consumerNames())
  const queue = (name: string) => {
    const { oldest_ready_at, ...row }: QueueRow = figures.get(name) ?? { name, ...NONE }
    return { ...row, oldest_ready_seconds: age(oldest_ready_at) }
  }
  return {
    queues: allJobs()
      .map(job => job.kind)
      .sort()
      .map(queue),
    outbox: { pending: waiting.pending, oldest_seconds: age(waiting.oldest_at) },
    schedules: allSchedules()
      .map(schedule => {
        const run = runs.get(schedule.kind)
        const next = nextDue(schedule.every_minutes, run === undefined ? null : ms(run.last_due_at), now)
        return {
          kind: schedule.kind,
          last_run_at: run?.last_run_at ?? null,
          last_state: run?.last_state ?? null,
          next_run_at: instant(next),
          late: now - next > LATE_MS,
        }
      })
      .sort((a, b) => (a.kind < b.kind ? -1 : 1)),
  }
}
