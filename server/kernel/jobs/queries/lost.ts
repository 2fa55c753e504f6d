// Work whose process was killed: how it is found, queued again and ended.
import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { isUnended, type RunRow, runIn } from './runs.ts'

/**
 * Lists unfinished runs that no process will run again: the queue has given up their jobs, or no longer has them. A process that goes on with such a job
 * says so (`noteAlive`), and its run is left out while its heartbeats continue; with `alone`, there is no such process.
 */
export async function lostRuns(db: Db, alone: boolean): Promise<RunRow[]> {
  const rows = await db
    .selectFrom('job_run')
    .selectAll()
    .where(isUnended)
    .where(
      sql<boolean>`not exists (
        select from pgboss.job j where j.name = job_run.kind and j.id = job_run.id and (j.state in ('created', 'retry', 'active') or (not ${alone}
          and coalesce(j.heartbeat_on, j.completed_on) + j.heartbeat_seconds * interval '1 second' >= pgboss.job_now())))`,
    )
    .orderBy('id')
    .limit(1000)
    .execute()
  return rows.map(runIn)
}

/** SQL: the process of a running job has sent no heartbeat for longer than this share of the time allowed. */
const isSilent = (share: number) =>
  sql<boolean>`coalesce(heartbeat_on, started_on) + heartbeat_seconds * ${share}::float8 * interval '1 second' < pgboss.job_now()`

/** Counts running jobs whose process has sent no heartbeat for three quarters of the time allowed. */
export async function countQuietJobs(db: Db): Promise<number> {
  const { rows: there } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (there[0]?.there !== true) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from pgboss.job where state = 'active' and ${isSilent(0.75)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** How often a run can lose its process before nothing runs it again. Too few would fail work that is sound after several power cuts; too many would stop the service as often, if the work itself is what ends it. */
export const MOST_INTERRUPTIONS = 5

/**
 * Queues the running jobs again whose process has sent no heartbeat for longer than allowed, or (`alone`) all running jobs; their attempts don't count
 * (see `putBack` and `queueAgain`). A run that has lost its process `MOST_INTERRUPTIONS` times is not queued again: the queue gives up its job, and
 * `lostRuns` finds it. Each is returned to one caller only: two processes can do this at the same time, and a third can claim the job meanwhile.
 */
export async function queueInterrupted(db: Db, alone: boolean): Promise<{ name: string; id: Id; again: boolean }[]> {
  const { rows } = await sql<{ name: string; id: Id; again: boolean }>`
    with interrupted as (
      select name, id from pgboss.job where state = 'active' and (${alone} or ${isSilent(1)}) order by name, id limit 1000 for update skip locked
    ), counted as (
      select i.name, i.id, coalesce(r.state not in ('queued', 'running') or r.interruptions + 1 < ${MOST_INTERRUPTIONS}, true) as again
      from interrupted i left join job_run r on r.id = i.id
    ), jobs as (
      update pgboss.job j set state = (case when c.again then 'retry' else 'failed' end)::pgboss.job_state, retry_limit = retry_limit + 1,
        start_after = pgboss.job_now(), completed_on = case when c.again then null else pgboss.job_now() end,
        heartbeat_on = case when c.again then null else j.heartbeat_on end
      from counted c where j.name = c.name and j.id = c.id returning j.name, j.id, c.again
    ), runs as (
      update job_run r set state = case when j.again then 'queued' else r.state end, interruptions = r.interruptions + 1,
        started_at = case when j.again then null else r.started_at end, progress = case when j.again then 0 else r.progress end,
        attempts = case when j.again and r.state = 'running' then greatest(0, r.attempts - 1) else r.attempts end
      from jobs j where r.id = j.id and r.state in ('queued', 'running')
    )
    select name, id, again from jobs order by name, id`.execute(db)
  return rows
}

/** Ends the scheduled runs that began before this time and never ended: their process was killed. Nothing waits for them; they become due again as usual. Returns how many there were. */
export async function endLostScheduled(db: Db, before: Instant, now: Instant): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('job_run')
    .set({
      state: 'failed',
      finished_at: now,
      error_code: 'interrupted',
      error_detail: 'The process ended during this run. The schedule runs again when it is due.',
    })
    .where('state', '=', 'running')
    .where('started_at', '<', before)
    .where(sql<boolean>`kind in (select s.kind from schedule_run s)`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
