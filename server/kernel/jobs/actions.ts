import { PgBoss } from 'pg-boss'
import { instant, ms } from '../../../shared/time.ts'
import type { Ctx, Enqueued, House } from '../../base/ctx.ts'
import { outside, passThrough } from '../../base/db.ts'
import { Refused } from '../../base/errors.ts'
import { type Id, ids, PLATFORM } from '../../base/ids.ts'
import { backoffSeconds, lastDue } from './domain.ts'
import {
  beginRun,
  beginScheduled,
  claimSchedule,
  endRun,
  endSchedule,
  insertFailed,
  insertRun,
  noteProgress,
  putBack,
  runById,
  unendedRuns,
} from './queries.ts'

/** What a running job is given. It acts through `writingOn`, like a request; it is idempotent: a run may be repeated. */
export type Running = {
  house: House
  run_id: Id
  /** The platform's id where the job belongs to no site. */
  site_id: Id
  input: Record<string, unknown>
  requested_by: Id | null
  /** Says how far it is, 0 to 1, and where. */
  progress(fraction: number, message: string): Promise<void>
  /** True once somebody cancelled it; long work looks now and then. */
  cancelled(): Promise<boolean>
}

/** A kind of background work. */
export type JobKind = {
  kind: string
  /** One sentence for the person on call. */
  says: string
  run(job: Running): Promise<Record<string, unknown> | undefined>
  /** Tries beside the first; default 5, with growing pauses. */
  retries?: number
  /** How many of them run at once in a process; default 1. */
  concurrency?: number
  /** Longest time one run may take, seconds; default 900. */
  seconds?: number
}

/** Work that is due by the clock: claimed by one process, and made up for once when the service was down. */
export type Schedule = {
  kind: string
  says: string
  /** Every so many minutes, counted from midnight UTC. */
  every_minutes: number
  run(house: House): Promise<Record<string, unknown> | undefined>
}

const RETRIES = 5
const SECONDS = 900

const kinds = new Map<string, JobKind>()
const schedules = new Map<string, Schedule>()

/** Plugs the jobs and schedules of all rooms in, once at start. */
export function plugJobs(jobs: readonly JobKind[], planned: readonly Schedule[]): void {
  kinds.clear()
  schedules.clear()
  for (const job of jobs) {
    if (kinds.has(job.kind)) throw new Error(`Two rooms have a job ${job.kind}.`)
    kinds.set(job.kind, job)
  }
  for (const schedule of planned) schedules.set(schedule.kind, schedule)
}

/** Every kind of job there is. */
export const allJobs = (): JobKind[] => [...kinds.values()]
/** Every schedule there is. */
export const allSchedules = (): Schedule[] => [...schedules.values()]

const bosses = new WeakMap<House, Promise<PgBoss>>()

/** The queue of a house: every process can put jobs in; only a worker takes them out. */
function bossOf(house: House, options: { supervise: boolean } = { supervise: false }): Promise<PgBoss> {
  let boss = bosses.get(house)
  if (boss === undefined) {
    const { pool } = house.database.apart
    boss = outside(async () => {
      const made = new PgBoss({
        db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
        schema: 'pgboss',
        supervise: options.supervise,
        schedule: false,
        migrate: false,
        createSchema: false,
      })
      made.on('error', error => house.log.error({ err: error }, 'queue'))
      await made.start()
      return made
    })
    boss.catch(() => bosses.delete(house))
    bosses.set(house, boss)
  }
  return boss
}

/** Makes the queue's own schema and one queue a kind: part of migrating. */
export async function prepareQueue(pool: House['database']['pool']): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    schema: 'pgboss',
    supervise: false,
    schedule: false,
  })
  await boss.start()
  for (const job of allJobs()) if ((await boss.getQueue(job.kind)) === null) await boss.createQueue(job.kind)
  await boss.stop({ graceful: false })
}

const limitsOf = (job: JobKind) => ({
  retryLimit: job.retries ?? RETRIES,
  retryBackoff: true,
  retryDelay: 2,
  retryDelayMax: backoffSeconds(20),
  expireInSeconds: job.seconds ?? SECONDS,
})

/** Queues a job in the transaction of the caller: it vanishes with its rollback. */
export async function enqueue(ctx: Ctx, kind: string, input: Record<string, unknown>, options: Enqueued): Promise<Id> {
  const job = kinds.get(kind)
  if (job === undefined) throw new Error(`No room has a job ${kind}.`)
  const id = ids.next()
  const site_id = options.site_id ?? ctx.site?.id ?? PLATFORM
  const run_after = options.after ?? ctx.now
  const max_attempts = (job.retries ?? RETRIES) + 1
  const { request_id, now } = ctx
  await insertRun(ctx.db, {
    site_id,
    id,
    kind,
    max_attempts,
    queued_at: now,
    run_after,
    input,
    requested_by: ctx.actor.id,
    request_id,
    message: options.message ?? null,
  })
  const boss = await bossOf(ctx.house)
  await boss.send(
    kind,
    { run_id: id },
    {
      id,
      startAfter: new Date(ms(run_after)),
      ...limitsOf(job),
      ...(options.singleton === undefined ? {} : { singletonKey: options.singleton }),
      db: { executeSql: (text, values) => passThrough(ctx.db, text, values) },
    },
  )
  return id
}

/** Puts work that failed for good, and is no job of the queue, among the runs that people look at. */
export const noteFailure = (
  ctx: Ctx,
  failed: { kind: string; site_id: Id; attempts: number; message: string; detail: string; input: Record<string, unknown> },
): Promise<void> => {
  const { detail, ...rest } = failed
  const { request_id, now } = ctx
  return insertFailed(ctx.db, { ...rest, id: ids.next(), request_id, now, error_code: 'internal_error', error_detail: detail })
}

/**
 * Queues what a restored database says was waiting or under way, each once: the queue itself is not part of a backup. With `drop` it is called off
 * instead. Answers how many there were.
 */
export async function requeue(house: House, drop: boolean): Promise<number> {
  const waiting = await unendedRuns(house.database.db)
  const boss = drop ? null : await bossOf(house)
  for (const run of waiting) {
    const job = kinds.get(run.kind)
    if (boss === null || job === undefined) {
      await endRun(house.database.db, run.id, {
        state: 'cancelled',
        finished_at: house.clock.now(),
        error_code: 'not_restored',
        error_detail: job === undefined ? 'This version has no such job.' : 'Called off when the backup was restored.',
      })
      continue
    }
    await putBack(house.database.db, run.id)
    await boss.send(run.kind, { run_id: run.id }, { id: run.id, startAfter: new Date(ms(run.run_after)), ...limitsOf(job) })
  }
  return waiting.length
}

/** Runs one job now, as the worker does; also for tests and commands, which have no worker. */
export async function runJob(house: House, run_id: Id): Promise<void> {
  const { db } = house.database
  const run = await runById(db, run_id)
  if (run === null) return
  const job = kinds.get(run.kind)
  if (job === undefined) throw new Error(`No room has a job ${run.kind}.`)
  if (!(await beginRun(db, run_id, house.clock.now()))) return
  const running: Running = {
    house,
    run_id,
    site_id: run.site_id,
    input: run.input,
    requested_by: run.requested_by,
    progress: (fraction, message) => noteProgress(db, run_id, Math.max(0, Math.min(1, fraction)), message),
    cancelled: async () => (await runById(db, run_id))?.state === 'cancelled',
  }
  try {
    const result = await job.run(running)
    await endRun(db, run_id, { state: 'succeeded', finished_at: house.clock.now(), result })
  } catch (error) {
    const refused = error instanceof Refused ? error.refusal : null
    // What a rule refuses will be refused again; only what broke is tried again.
    const last = refused !== null || run.attempts + 1 >= run.max_attempts
    const said = refused ?? { code: 'internal_error', detail: 'It broke; the log has the run id.' }
    await endRun(db, run_id, {
      state: last ? 'failed' : 'queued',
      finished_at: last ? house.clock.now() : null,
      error_code: said.code,
      error_detail: said.detail,
    })
    if (refused !== null) return
    house.log.error({ job: run.kind, run_id, attempt: run.attempts + 1, err: error }, 'job failed')
    tellFailure(house, run.kind, error, run)
    throw error
  }
}

function tellFailure(house: House, kind: string, error: unknown, run?: { request_id: string | null; site_id: Id }): void {
  const [message, stack] = error instanceof Error ? [error.message, error.stack ?? null] : [String(error), null]
  const site_id = run === undefined || run.site_id === PLATFORM ? null : run.site_id
  house.lines.push({ source: 'job', level: 'error', kind, name: kind, message, stack, request_id: run?.request_id ?? null, site_id })
}

/** Runs what is due by the clock; each due moment once among all processes. */
export async function runSchedules(house: House, only?: string): Promise<string[]> {
  const ran: string[] = []
  for (const schedule of schedules.values()) {
    if (only !== undefined && schedule.kind !== only) continue
    const now = house.clock.now()
    const due = instant(lastDue(schedule.every_minutes, ms(now)))
    if (!(await claimSchedule(house.database.db, schedule.kind, due, now))) continue
    ran.push(schedule.kind)
    const { db } = house.database
    const id = ids.next()
    await beginScheduled(db, { id, kind: schedule.kind, due_at: due, now })
    try {
      const result = await schedule.run(house)
      await endRun(db, id, { state: 'succeeded', finished_at: house.clock.now(), result })
      await endSchedule(db, schedule.kind, 'succeeded')
    } catch (error) {
      const error_detail = error instanceof Error ? error.message : String(error)
      await endRun(db, id, { state: 'failed', finished_at: house.clock.now(), error_code: 'internal_error', error_detail })
      await endSchedule(db, schedule.kind, 'failed')
      house.log.error({ schedule: schedule.kind, err: error }, 'scheduled run failed')
      tellFailure(house, schedule.kind, error)
    }
  }
  return ran
}

/** A worker that takes jobs out of the queue and keeps the schedules, until it is stopped. */
export async function startWorker(house: House): Promise<{ stop(): Promise<void> }> {
  const boss = await bossOf(house, { supervise: true })
  for (const job of allJobs()) {
    await boss.work<{ run_id: Id }>(
      job.kind,
      { batchSize: 1, pollingIntervalSeconds: 0.5, localConcurrency: job.concurrency ?? 1 },
      async ([one]) => {
        if (one !== undefined) await runJob(house, one.data.run_id)
      },
    )
  }
  let ticking: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = house.timers.every(1000, () => {
    if (busy) return
    busy = true
    ticking = runSchedules(house)
      .catch(error => house.log.error({ err: error }, 'schedules'))
      .finally(() => (busy = false))
  })
  return {
    async stop() {
      timer.stop()
      await ticking
      await boss.stop({ graceful: true, timeout: 20_000 })
    },
  }
}

/** Lets go of a house's queue. */
export async function closeQueue(house: House): Promise<void> {
  const boss = bosses.get(house)
  if (boss !== undefined) await (await boss.catch(() => null))?.stop({ graceful: false })
  bosses.delete(house)
}
