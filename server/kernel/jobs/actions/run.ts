// Runs one job, as the worker does. Tests and commands use it too, because they have no worker.
import type { House } from '../../../base/ctx.ts'
import { isTemporary, Refused } from '../../../base/errors.ts'
import { fullRefusal } from '../../../base/full.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'
import { type Said, traced } from '../../../base/tracing.ts'
import { beginRun, endRun, noteProgress, putBack, type RunRow, runById } from '../queries/runs.ts'
import { endJob } from './end.ts'
import { type JobKind, jobKind, type Running } from './registry.ts'
import { HandedBack } from './stopping.ts'

/** A run that the worker watches. `given_up` is true once the run was returned to the queue; its result is then no longer recorded. */
export type Watched = { given_up: boolean }

/** Runs a job now. Throws if it failed and must be tried again, and throws `HandedBack` if it stopped so that another process can take it. */
export async function runJob(house: House, run_id: Id, watched: Watched = { given_up: false }): Promise<void> {
  const { db } = house.database
  const run = await runById(db, run_id)
  if (run === null) return
  const job = jobKind(run.kind)
  if (job === undefined) throw new Error(`No room has a job ${run.kind}.`)
  if (!(await beginRun(db, run_id, house.clock.now()))) return
  await traced(house.tracing, `job ${run.kind}`, saidOf(run), say => attempt(house, job, run, watched, say))
}

/** Returns what the span of a run says. */
const saidOf = (run: RunRow): Said => ({
  'walkdown.run_id': run.id,
  'walkdown.attempt': run.attempts + 1,
  ...(run.request_id === null ? {} : { 'walkdown.request_id': run.request_id }),
  ...(run.site_id === PLATFORM ? {} : { 'walkdown.site_id': run.site_id }),
})

async function attempt(house: House, job: JobKind, run: RunRow, watched: Watched, say: (said: Said) => void): Promise<void> {
  const { db } = house.database
  const run_id = run.id
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
    if (!watched.given_up) await endJob(house, run, { state: 'succeeded', result })
  } catch (error) {
    if (watched.given_up) return
    if (error instanceof HandedBack) {
      say({ 'walkdown.handed_back': 1 })
      await putBack(db, run_id)
      throw error
    }
    // A refusal is final, because another attempt would be refused too. A failure, a full disk, or something that is unavailable for now, such as the
    // file storage, is tried again.
    const refusal = fullRefusal(error) ?? (error instanceof Refused ? error.refusal : null)
    const final = refusal !== null && !isTemporary(refusal)
    const last = final || run.attempts + 1 >= run.max_attempts
    const said = refusal ?? { code: 'internal_error', detail: 'The job failed. Search the log for the id of this run.' }
    say({ 'error.type': said.code })
    // They sent one file, so no field has to be found.
    const why = { error_code: said.code, error_detail: said.detail.replace(/^file: /, '') }
    if (last) await endJob(house, run, { state: 'failed', ...why })
    else await endRun(db, run_id, { state: 'queued', finished_at: null, ...why })
    if (final) return
    house.log.error({ job: run.kind, run_id, attempt: run.attempts + 1, err: error }, 'job failed')
    reportFailure(house, run.kind, error, run)
    throw error
  }
}

/** Adds a failure to the log lines that operators read. */
export function reportFailure(house: House, kind: string, error: unknown, run?: { request_id: string | null; site_id: Id }): void {
  const [message, stack] = error instanceof Error ? [error.message, error.stack ?? null] : [String(error), null]
  const site_id = run === undefined || run.site_id === PLATFORM ? null : run.site_id
  house.lines.push({ source: 'job', level: 'error', kind, name: kind, message, stack, request_id: run?.request_id ?? null, site_id })
}
