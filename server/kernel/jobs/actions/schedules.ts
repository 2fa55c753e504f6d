// Scheduled work. Each schedule has a lane of its own, so that a long run of one never delays another.
import { codeIn } from '../../../../shared/narrow.ts'
import { type Instant, instant, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { databaseGone } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import { type Said, traced } from '../../../base/tracing.ts'
import { lastDue } from '../domain.ts'
import { beginScheduled, claimSchedule, endRun, endSchedule, releaseSchedule } from '../queries/runs.ts'
import { allSchedules, type Schedule } from './registry.ts'
import { reportFailure } from './run.ts'
import { HandedBack } from './stopping.ts'

/** A scheduled run in progress. */
export type UnderWay = { kind: string; run_id: Id; due_at: string; given_up: boolean }

const broken = new WeakMap<House, Set<UnderWay>>()

function brokenOff(house: House): Set<UnderWay> {
  const there = broken.get(house) ?? new Set()
  broken.set(house, there)
  return there
}

/** Gives up the runs that ended because the database stopped, so that they are due again immediately. Does nothing while the database is unavailable. */
export async function giveBackBroken(house: House): Promise<void> {
  for (const run of brokenOff(house)) {
    const done = await giveBackSchedule(house, run, 'The database stopped during this run; the run starts again.').then(
      () => true,
      () => false,
    )
    if (done) brokenOff(house).delete(run)
  }
}

/** Runs every schedule that is due, or one kind; only one process runs each due time. Returns the kinds that ran. */
export async function runSchedules(house: House, only?: string): Promise<string[]> {
  const wanted = allSchedules().filter(schedule => only === undefined || schedule.kind === only)
  const ran = await Promise.all(wanted.map(schedule => runSchedule(house, schedule)))
  return wanted.filter((_, i) => ran[i]).map(schedule => schedule.kind)
}

/** Runs a schedule if it is due and no other process runs it; `started` is called with the run. Returns whether it ran. */
export async function runSchedule(house: House, schedule: Schedule, started: (run: UnderWay) => void = () => {}): Promise<boolean> {
  const { db } = house.database
  const now = house.clock.now()
  const due_at = instant(lastDue(schedule.every_minutes, ms(now)))
  if (!(await claimSchedule(db, schedule.kind, due_at, now))) return false
  const run: UnderWay = { kind: schedule.kind, run_id: ids.next(), due_at, given_up: false }
  started(run)
  await traced(house.tracing, `schedule ${schedule.kind}`, { 'walkdown.run_id': run.run_id }, say => runDue(house, schedule, run, now, say))
  return true
}

async function runDue(house: House, schedule: Schedule, run: UnderWay, now: Instant, say: (said: Said) => void): Promise<void> {
  const { db } = house.database
  try {
    await beginScheduled(db, { id: run.run_id, kind: schedule.kind, due_at: run.due_at, now })
    const result = await schedule.run(house)
    if (run.given_up) return
    await endRun(db, run.run_id, { state: 'succeeded', finished_at: house.clock.now(), result })
    await endSchedule(db, schedule.kind, 'succeeded')
  } catch (error) {
    if (run.given_up) return
    if (error instanceof HandedBack) {
      await giveBackSchedule(house, run)
      return
    }
    if (databaseGone(error)) {
      // Its result can't be recorded now, and its due time has been claimed: the claim is released once the database is available again.
      house.log.warn({ schedule: schedule.kind, err: error }, 'scheduled run interrupted')
      brokenOff(house).add(run)
      return
    }
    say({ 'error.type': codeIn(error) || 'internal_error' })
    const error_detail = error instanceof Error ? error.message : String(error)
    await endRun(db, run.run_id, { state: 'failed', finished_at: house.clock.now(), error_code: 'internal_error', error_detail })
    await endSchedule(db, schedule.kind, 'failed')
    house.log.error({ schedule: schedule.kind, err: error }, 'scheduled run failed')
    reportFailure(house, schedule.kind, error)
  }
}

/** Gives up a scheduled run because the process is about to end: it is due again immediately, and any process can run it. */
export async function giveBackSchedule(
  house: House,
  run: UnderWay,
  error_detail = 'The process stopped; another process will continue the run.',
): Promise<void> {
  run.given_up = true
  const { db } = house.database
  await endRun(db, run.run_id, {
    state: 'cancelled',
    finished_at: house.clock.now(),
    error_code: 'handed_back',
    error_detail,
  })
  await releaseSchedule(db, run.kind, run.due_at)
}
