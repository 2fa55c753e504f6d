// Every kind of background work in the service: the rooms plug theirs in once at start.
import type { House } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'

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
  /** True once a person has cancelled it; long work checks it now and then. */
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

/** The job of this kind, if there is one. */
export const jobKind = (kind: string): JobKind | undefined => kinds.get(kind)
/** Every kind of job there is. */
export const allJobs = (): JobKind[] => [...kinds.values()]
/** Every schedule there is. */
export const allSchedules = (): Schedule[] => [...schedules.values()]
