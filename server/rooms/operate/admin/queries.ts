import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'

/** The figures of one kind of background job. */
export type QueueRow = {
  name: string
  ready: number
  delayed: number
  running: number
  failed: number
  dead: number
  oldest_ready_at: Instant | null
  done_last_minute: number
  p95_ms: number | null
}

/** Returns the figures of every kind of job that has any: what is open, and what ended in the last 24 hours. */
export async function queueFigures(db: Db, now: Instant): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    with run as (
      select kind, state, attempts, run_after, started_at, finished_at from job_run where state in ('queued', 'running')
      union all
      select kind, state, attempts, run_after, started_at, finished_at from job_run
      where finished_at > ${now}::timestamptz - interval '24 hours' and state not in ('queued', 'running')
    )
    select kind as name,
      count(*) filter (where state = 'queued' and run_after <= ${now}) as ready,
      count(*) filter (where state = 'queued' and run_after > ${now}) as delayed,
      count(*) filter (where state = 'running') as running,
      count(*) filter (where state = 'queued' and attempts > 0) as failed,
      count(*) filter (where state = 'failed') as dead,
      min(run_after) filter (where state = 'queued' and run_after <= ${now}) as oldest_ready_at,
      count(*) filter (where state = 'succeeded' and finished_at > ${now}::timestamptz - interval '1 minute') as done_last_minute,
      round(percentile_disc(0.95) within group (order by extract(epoch from finished_at - started_at) * 1000)
        filter (where finished_at > ${now}::timestamptz - interval '1 hour' and started_at is not null))::bigint as p95_ms
    from run group by kind order by kind`.execute(db)
  return rows
}
