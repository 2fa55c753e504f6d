import { fieldsIn } from '../../../../shared/narrow.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'

/** A stored job run. */
export type RunRow = {
  site_id: Id
  id: Id
  kind: string
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  attempts: number
  /** How often its process was killed. */
  interruptions: number
  max_attempts: number
  progress: number
  message: string | null
  queued_at: Instant
  run_after: Instant
  started_at: Instant | null
  finished_at: Instant | null
  input: Record<string, unknown>
  error_code: string | null
  error_detail: string | null
  requested_by: Id | null
  request_id: string | null
  result: Record<string, unknown> | null
}

/** Records that a job is queued. */
export async function insertRun(
  db: Db,
  run: Pick<
    RunRow,
    'site_id' | 'id' | 'kind' | 'max_attempts' | 'queued_at' | 'run_after' | 'input' | 'requested_by' | 'request_id' | 'message'
  >,
): Promise<void> {
  await db
    .insertInto('job_run')
    .values({ ...run, state: 'queued', input: jsonb(run.input) })
    .execute()
}

/** Returns a row as a run: its input is an object, and so is a result. */
export const runIn = <Row extends { input: unknown; result: unknown }>(row: Row) => ({
  ...row,
  input: fieldsIn(row.input),
  result: row.result === null ? null : fieldsIn(row.result),
})

/** Returns a run by its id alone. */
export async function runById(db: Db, id: Id): Promise<RunRow | null> {
  const row = await db.selectFrom('job_run').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : runIn(row)
}

/** SQL: no job will do what a record waits for, and none has done it. Its run was cancelled, failed at every attempt, or is missing. `column` has the id of the run. */
export const hasNoJob = (column: string) => sql<boolean>`
  not exists (select from job_run r where r.id = ${sql.ref(column)} and r.state in ('queued', 'running', 'succeeded'))`

/** Marks a run as started; false if it was cancelled or has already ended. */
export async function beginRun(db: Db, id: Id, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job_run')
    .set(eb => ({ state: 'running', started_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Records the progress of a run. */
export async function noteProgress(db: Db, id: Id, progress: number, message: string): Promise<void> {
  await db.updateTable('job_run').set({ progress, message }).where('id', '=', id).where('state', '=', 'running').execute()
}

/** Ends a run, or queues it again for another attempt; false if it has already ended. */
export async function endRun(
  db: Db,
  id: Id,
  end: {
    state: RunRow['state']
    finished_at: Instant | null
    error_code?: string
    error_detail?: string
    result?: Record<string, unknown> | undefined
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job_run')
    .set({
      state: end.state,
      finished_at: end.finished_at,
      ...(end.state === 'succeeded' ? { progress: 1 } : {}),
      error_code: end.error_code ?? null,
      error_detail: end.error_detail ?? null,
      ...(end.result === undefined ? {} : { result: jsonb(end.result) }),
    })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Deletes runs that ended before this time; returns how many. */
export async function dropOldRuns(db: Db, before: Instant): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('job_run').where('finished_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Records that a scheduled run has started. */
export async function beginScheduled(db: Db, run: { id: Id; kind: string; due_at: Instant; now: Instant }): Promise<void> {
  const { id, kind, due_at, now } = run
  await db
    .insertInto('job_run')
    .values({
      site_id: PLATFORM,
      id,
      kind,
      state: 'running',
      attempts: 1,
      max_attempts: 1,
      queued_at: due_at,
      run_after: due_at,
      started_at: now,
      input: jsonb({}),
    })
    .execute()
}

/** Records permanently failed work that isn't a job of the queue, so that the people who run the installation see it. */
export async function insertFailed(
  db: Db,
  run: Pick<RunRow, 'site_id' | 'id' | 'kind' | 'attempts' | 'input' | 'message' | 'error_code' | 'error_detail' | 'request_id'> & {
    now: Instant
  },
): Promise<void> {
  const { now, input, ...rest } = run
  await db
    .insertInto('job_run')
    .values({
      ...rest,
      state: 'failed',
      max_attempts: run.attempts,
      queued_at: now,
      run_after: now,
      started_at: now,
      finished_at: now,
      input: jsonb(input),
    })
    .execute()
}

/** Claims a schedule for the time at which it was due; false if another process was quicker. */
export async function claimSchedule(db: Db, kind: string, due_at: Instant, now: Instant): Promise<boolean> {
  const { rows } = await sql`
    insert into schedule_run (kind, last_due_at, last_run_at, last_state) values (${kind}, ${due_at}, ${now}, 'running')
    on conflict (kind) do update set last_due_at = excluded.last_due_at, last_run_at = excluded.last_run_at, last_state = 'running'
    where schedule_run.last_due_at < excluded.last_due_at returning kind`.execute(db)
  return rows.length > 0
}

/** Records how a scheduled run ended. */
export async function endSchedule(db: Db, kind: string, state: string): Promise<void> {
  await db.updateTable('schedule_run').set({ last_state: state }).where('kind', '=', kind).execute()
}

/** Returns when each schedule last ran. */
export function scheduleRuns(
  db: Db,
): Promise<{ kind: string; last_due_at: Instant; last_run_at: Instant | null; last_state: string | null }[]> {
  return db.selectFrom('schedule_run').select(['kind', 'last_due_at', 'last_run_at', 'last_state']).execute()
}

/** Lists runs, newest first. */
export async function runsOf(
  db: Db,
  filter: {
    ids?: readonly Id[]
    kinds?: readonly string[]
    states?: readonly RunRow['state'][]
    site_id?: Id
    /** Only runs on these sites. */
    site_ids?: readonly Id[]
    requested_by?: readonly Id[]
    from?: Instant
    to?: Instant
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<RunRow[]> {
  let query = db.selectFrom('job_run').selectAll()
  if (filter.ids !== undefined) query = query.where('id', 'in', [...filter.ids])
  if (filter.kinds !== undefined) query = query.where('kind', 'in', [...filter.kinds])
  if (filter.states !== undefined) query = query.where('state', 'in', [...filter.states])
  if (filter.site_id !== undefined) query = query.where('site_id', '=', filter.site_id)
  if (filter.site_ids !== undefined) query = query.where('site_id', 'in', [...filter.site_ids])
  if (filter.requested_by !== undefined) query = query.where('requested_by', 'in', [...filter.requested_by])
  if (filter.from !== undefined) query = query.where('queued_at', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('queued_at', '<', filter.to)
  if (filter.after !== null)
    query = query.where(sql<boolean>`(queued_at, id) < (${filter.after[0]}::timestamptz, ${filter.after[1]}::uuid)`)
  const rows = await query
    .orderBy('queued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute()
  return rows.map(runIn)
}

/** SQL: the run hasn't ended, and isn't a scheduled run. Those are left out, because they become due again anyway. */
export const isUnended = sql<boolean>`job_run.state in ('queued', 'running')
  and not exists (select from schedule_run s where s.kind = job_run.kind)`

/** Lists unfinished runs of jobs in the queue, oldest first. */
export async function unendedRuns(db: Db): Promise<RunRow[]> {
  const rows = await db.selectFrom('job_run').selectAll().where(isUnended).orderBy('queued_at').orderBy('id').execute()
  return rows.map(runIn)
}

/** Records that this process is still running these jobs, although the queue has given them up: they have taken longer than allowed. */
export async function noteAlive(db: Db, jobs: readonly { kind: string; run_id: Id }[]): Promise<void> {
  const [names, ids] = [jobs.map(job => job.kind), jobs.map(job => job.run_id)]
  await sql`
    update pgboss.job set heartbeat_on = pgboss.job_now()
    where name = any(${names}::text[]) and id = any(${ids}::uuid[]) and state = 'failed'`.execute(db)
}

/** Queues a running job again; the interrupted attempt doesn't count. */
export async function putBack(db: Db, id: Id): Promise<void> {
  await sql`
    update job_run set state = 'queued', started_at = null, progress = 0, attempts = case when state = 'running' then greatest(0, attempts - 1) else attempts end
    where id = ${id} and state in ('queued', 'running')`.execute(db)
}

/**
 * Makes a claimed job available again. It keeps its start time, so that the next claim counts as another attempt and anything that the process still
 * reports about the old one is ignored; one more attempt is allowed to make up for it.
 */
export async function queueAgain(db: Db, kind: string, id: Id): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', retry_limit = retry_limit + 1, start_after = pgboss.job_now(), heartbeat_on = null
    where name = ${kind} and id = ${id} and state = 'active'`.execute(db)
}

/** Releases the claim on a due time, so that the next process that looks runs the schedule again. */
export async function releaseSchedule(db: Db, kind: string, due_at: Instant): Promise<void> {
  await sql`
    update schedule_run set last_due_at = last_due_at - interval '1 millisecond', last_state = 'handed_back'
    where kind = ${kind} and last_due_at = ${due_at}`.execute(db)
}
