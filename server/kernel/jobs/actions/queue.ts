// The queue of background work: jobs are added in the transaction that needs them, and workers take them out.
import { PgBoss } from 'pg-boss'
import { DAY, instant, ms } from '../../../../shared/time.ts'
import type { Ctx, Enqueued, House } from '../../../base/ctx.ts'
import { outside, passThrough } from '../../../base/db.ts'
import { type Id, ids, PLATFORM } from '../../../base/ids.ts'
import { backoffSeconds } from '../domain.ts'
import { endLostScheduled, lostRuns, MOST_INTERRUPTIONS, queueInterrupted } from '../queries/lost.ts'
import { insertFailed, insertRun, putBack, queueAgain, unendedRuns } from '../queries/runs.ts'
import { type End, endJob } from './end.ts'
import { allJobs, type JobKind, jobKind } from './registry.ts'

const RETRIES = 5
const SECONDS = 900
/** A process sends a heartbeat for each of its jobs twice in this time. If the heartbeats stop, the process was killed. */
const HEARTBEAT_SECONDS = 20

const bosses = new WeakMap<House, Promise<PgBoss>>()

/** Returns the queue: every process can add jobs; only a worker takes them out. */
export function bossOf(house: House, options: { supervise: boolean } = { supervise: false }): Promise<PgBoss> {
  let boss = bosses.get(house)
  if (boss === undefined) {
    const { pool } = house.database.apart
    boss = outside(async () => {
      const made = new PgBoss({
        db: { executeSql: (text, values) => pool.query(text, values) },
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

/** Creates the queue's own schema and one queue for each kind, as part of the migration. */
export async function prepareQueue(pool: House['database']['pool']): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'pgboss',
    supervise: false,
    schedule: false,
  })
  await boss.start()
  for (const job of allJobs()) if ((await boss.getQueue(job.kind)) === null) await boss.createQueue(job.kind)
  await boss.stop({ graceful: false })
}

/** Returns whether the queue has its schema, and a queue for each kind of job of this code. */
export async function queueIsReady(pool: House['database']['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ there: boolean }>(`select to_regclass('pgboss.queue') is not null as there`)
  if (rows[0]?.there !== true) return false
  const { rows: queues } = await pool.query<{ name: string }>('select name from pgboss.queue')
  const known = new Set(queues.map(queue => queue.name))
  return allJobs().every(job => known.has(job.kind))
}

const limitsOf = (job: JobKind) => ({
  retryLimit: job.retries ?? RETRIES,
  retryBackoff: true,
  retryDelay: 2,
  retryDelayMax: backoffSeconds(20),
  expireInSeconds: job.seconds ?? SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
})

/** Queues a job in the caller's transaction: a rollback removes it. */
export async function enqueue(ctx: Ctx, kind: string, input: Record<string, unknown>, options: Enqueued): Promise<Id> {
  const job = jobKind(kind)
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

/** Returns a job that this process claimed to the queue: another process can claim it immediately, and no attempt is lost. */
export const giveBackJob = (house: House, kind: string, run_id: Id): Promise<void> => queueAgain(house.database.apart.db, kind, run_id)

/** Why a run has failed that nothing will run again because its process was killed: at its last attempt, or too often. */
const INTERRUPTED: End = {
  state: 'failed',
  error_code: 'interrupted',
  error_detail: 'The work was interrupted at its last attempt. Try again. If it fails again, contact your administrator.',
}
const TOO_OFTEN: End = {
  ...INTERRUPTED,
  error_detail: `The work was interrupted ${MOST_INTERRUPTIONS} times, perhaps because it needs more memory than the server has. Contact your administrator.`,
}

/** Longer than any scheduled run takes, ms. It sends no heartbeat, so a shorter time could end one that another process is still doing. */
const LONGEST_SCHEDULED = DAY

/**
 * Returns jobs whose process was killed to the queue; no attempt is lost. A run has failed if that happened too often, or if the queue was quicker and gave
 * up its job at the last attempt. Scheduled runs that never ended are ended, too. `alone`: no other process can be at work, so every running job was interrupted. Returns how many there were.
 */
export async function takeUpInterrupted(house: House, how: { alone: boolean }): Promise<number> {
  const { db } = house.database.apart
  const now = house.clock.now()
  await endLostScheduled(db, how.alone ? now : instant(ms(now) - LONGEST_SCHEDULED), now)
  const jobs = await queueInterrupted(db, how.alone)
  const queued = jobs.filter(job => job.again)
  for (const { name, id } of queued) house.log.warn({ job: name, run_id: id }, 'interrupted job queued again')
  let failed = 0
  for (const run of await lostRuns(db, how.alone)) {
    const said = { job: run.kind, run_id: run.id }
    try {
      const often = run.interruptions >= MOST_INTERRUPTIONS
      if (!(await endJob(house, run, often ? TOO_OFTEN : INTERRUPTED))) continue // another process was quicker
      house.log.error(said, `interrupted job failed: ${often ? 'it was interrupted too often' : 'it was at its last attempt'}`)
      failed += 1
    } catch (error) {
      house.log.error({ ...said, err: error }, 'interrupted job could not be ended') // the others don't wait for it
    }
  }
  return queued.length + failed
}

/** Records permanently failed work that isn't a job of the queue, so that it is listed among the failed job runs. */
export const noteFailure = (
  ctx: Ctx,
  failed: { kind: string; site_id: Id; attempts: number; message: string; detail: string; input: Record<string, unknown> },
): Promise<void> => {
  const { detail, ...rest } = failed
  const { request_id, now } = ctx
  return insertFailed(ctx.db, { ...rest, id: ids.next(), request_id, now, error_code: 'internal_error', error_detail: detail })
}

/**
 * Queues each job that was waiting or running according to a restored database once, because a backup doesn't contain the queue itself. With
 * `drop` they are cancelled instead. Returns how many there were.
 */
export async function requeue(house: House, drop: boolean): Promise<number> {
  const waiting = await unendedRuns(house.database.db)
  const boss = drop ? null : await bossOf(house)
  for (const run of waiting) {
    const job = jobKind(run.kind)
    if (boss === null || job === undefined) {
      await endJob(house, run, {
        state: 'cancelled',
        error_code: 'not_restored',
        error_detail:
          job === undefined
            ? 'This version of Walkdown doesn’t have this kind of job.'
            : 'The job was cancelled when the backup was restored.',
      })
      continue
    }
    await putBack(house.database.db, run.id)
    await boss.send(run.kind, { run_id: run.id }, { id: run.id, startAfter: new Date(ms(run.run_after)), ...limitsOf(job) })
  }
  return waiting.length
}

/** Closes the queue. */
export async function closeQueue(house: House): Promise<void> {
  const boss = bosses.get(house)
  if (boss !== undefined) await (await boss.catch(() => null))?.stop({ graceful: false })
  bosses.delete(house)
}
