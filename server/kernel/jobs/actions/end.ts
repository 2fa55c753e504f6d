// The end of a job: the one place where a run of the queue becomes succeeded, failed or cancelled.
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import { Refused } from '../../../base/errors.ts'
import { PLATFORM } from '../../../base/ids.ts'
import { writingOn } from '../../site/door.ts'
import { endRun, type RunRow } from '../queries/runs.ts'
import { type Asked, jobKind } from './registry.ts'

/** How a run ended, and why if it failed or was cancelled. */
export type End = {
  state: 'succeeded' | 'failed' | 'cancelled'
  error_code?: string
  error_detail?: string
  result?: Record<string, unknown> | undefined
}

/** Records the end of a run. If a person asked for the job, an event says so in the same transaction, and their notification follows from it (`messages.md` §0.5). Returns false if the run had already ended. */
export async function endJob(house: House, run: RunRow, end: End): Promise<boolean> {
  const ended = { ...end, finished_at: house.clock.now() }
  const asked = jobKind(run.kind)?.asked
  const silently = () => endRun(house.database.db, run.id, ended)
  if (asked === undefined || run.site_id === PLATFORM) {
    return silently()
  }
  const work = { actor: jobActor(run.kind), cause: 'job.end', ...(run.request_id === null ? {} : { request_id: run.request_id }) }
  try {
    return await writingOn(
      house,
      work,
      run.site_id,
      async ctx => {
        const first = await endRun(ctx.db, run.id, ended)
        if (first) await report(ctx, run, asked, end)
        return first
      },
      // A job that found its site locked has failed, and its person is to know.
      { passes_lock: true },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return silently() // the site was deleted in the meantime
  }
}

const OURS = 'Something went wrong on our side. Try again. If it fails again, contact your administrator.'

/** Returns why a job didn’t succeed, for the person who asked for it. */
const reasonOf = ({ error_code, error_detail }: End): string | null => (error_code === 'internal_error' ? OURS : (error_detail ?? null))

async function report(ctx: Ctx, run: RunRow, asked: Asked, end: End): Promise<void> {
  const { site_id, input, requested_by } = run
  const name = typeof asked.name === 'string' ? asked.name : asked.name(input)
  const about = (await asked.about?.(ctx.db, site_id, input)) ?? null
  const announced = end.state === 'failed' && ((await asked.announced?.(ctx.db, site_id, input, requested_by)) ?? false)
  ctx.emit({
    kind: `job.${end.state}`,
    site_id,
    subject: { kind: 'job', id: run.id, label: about === null ? name : `${name} (${about})` },
    payload: {
      job_kind: run.kind,
      requested_by_id: requested_by,
      link: asked.link.replace('{site_id}', site_id),
      ...(end.state === 'succeeded' ? {} : { reason: reasonOf(end) }),
      ...(end.state === 'failed' ? { announced } : {}),
    },
  })
}
