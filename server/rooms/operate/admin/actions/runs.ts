import { ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { enforce } from '../../../../base/errors.ts'
import { PLATFORM } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { type RunRow, runsOf } from '../../../../kernel/jobs/door.ts'
import { placesOf } from '../../../../kernel/tasks/door.ts'
import type { JobRunFilter } from '../schema.ts'

const shown = ({ error_code, error_detail, run_after: _after, input: _input, site_id, ...run }: RunRow) => ({
  ...run,
  site_id: site_id === PLATFORM ? null : site_id,
  duration_ms: run.started_at === null || run.finished_at === null ? null : Math.max(0, ms(run.finished_at) - ms(run.started_at)),
  error: error_code === null ? null : { code: error_code, detail: error_detail ?? '' },
})

/** Lists background jobs, newest first: superadmins see all, site managers and administrators see their site's, and anyone can look up a job that they requested by its id, while they are a member of its site. */
export async function listJobRuns(ctx: Ctx, filter: JobRunFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const { id, kind, state, cursor, limit = PAGE, requested_by, ...rest } = filter
  const all = ctx.actor.can('platform_operate') || (rest.site_id !== undefined && ctx.actor.can('job_view'))
  if (!all && id === undefined) enforce([ctx.actor.lacks(rest.site_id === undefined ? 'platform_operate' : 'job_view')])
  const me = ctx.actor.id === null ? undefined : [ctx.actor.id]
  const own = all ? requested_by : me
  if (!all && requested_by?.every(id => id !== ctx.actor.id)) return { rows: [], next: null }
  const places = all || ctx.actor.id === null ? undefined : await placesOf(ctx, ctx.actor.id, null)
  const found = await runsOf(ctx.db, {
    ...rest,
    ...(places === undefined ? {} : { site_ids: [PLATFORM, ...places.map(({ site_id }) => site_id)] }),
    ...(id === undefined ? {} : { ids: id }),
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(state === undefined ? {} : { states: state }),
    ...(own === undefined ? {} : { requested_by: own }),
    limit,
    after: readCursor(cursor, 2),
  })
  const { rows, next } = cut(found, limit, row => [row.queued_at, row.id])
  return { rows: rows.map(shown), next }
}
