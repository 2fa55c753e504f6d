// Every kind of background work in the service: the rooms register theirs once, at startup.
import type { House } from '../../../base/ctx.ts'
import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** What a running job is given. It writes through `writingOn`, like a request. It must be idempotent, because a run may be repeated. */
export type Running = {
  house: House
  run_id: Id
  /** The platform's id if the job doesn't belong to a site. */
  site_id: Id
  input: Record<string, unknown>
  requested_by: Id | null
  /** Reports the progress, from 0 to 1, and the present step. */
  progress(fraction: number, message: string): Promise<void>
  /** Returns true once a person has cancelled the job; long work checks this now and then. */
  cancelled(): Promise<boolean>
}

/** A job whose end its person is waiting for (`messages.md` §0.5, `your_job`). */
export type Asked = {
  /** What the job does, as its notification and its events say it: "Import of a register". A function if that depends on what was asked for. */
  name: string | ((input: Record<string, unknown>) => string)
  /** Page of the app that shows the result, with `{site_id}`. */
  link: string
  /** What the job is about, for example the name of a file; null if nothing more can be said. */
  about?(db: Db, site_id: Id, input: Record<string, unknown>): Promise<string | null>
  /** Whether its person is already notified of a failure in another way. */
  announced?(db: Db, site_id: Id, input: Record<string, unknown>, requested_by: Id | null): Promise<boolean>
}

/** A kind of background work. */
export type JobKind = {
  kind: string
  /** One sentence for the person on call. */
  says: string
  /** Set if people ask for the job itself, and not for something that needs it: its end is then an event, and its person is notified. */
  asked?: Asked
  run(job: Running): Promise<Record<string, unknown> | undefined>
  /** Retries after the first attempt; default 5, with growing pauses. */
  retries?: number
  /** How many of these jobs run at once in a process; default 1. */
  concurrency?: number
  /** Longest time that one run can take, in seconds; default 900. */
  seconds?: number
}

/** Work on a schedule: one process claims each run, and a run that was missed while the service was down is done once. */
export type Schedule = {
  kind: string
  says: string
  /** Interval in minutes, counted from midnight UTC. */
  every_minutes: number
  run(house: House): Promise<Record<string, unknown> | undefined>
}

const kinds = new Map<string, JobKind>()
const schedules = new Map<string, Schedule>()

/** Registers the jobs and schedules of all rooms, once, at startup. */
export function plugJobs(jobs: readonly JobKind[], planned: readonly Schedule[]): void {
  kinds.clear()
  schedules.clear()
  for (const job of jobs) {
    if (kinds.has(job.kind)) throw new Error(`Two rooms have a job called ${job.kind}.`)
    kinds.set(job.kind, job)
  }
  for (const schedule of planned) schedules.set(schedule.kind, schedule)
}

/** Returns the job of this kind, if there is one. */
export const jobKind = (kind: string): JobKind | undefined => kinds.get(kind)
/** Returns every kind of job. */
export const allJobs = (): JobKind[] => [...kinds.values()]
/** Returns every schedule. */
export const allSchedules = (): Schedule[] => [...schedules.values()]
