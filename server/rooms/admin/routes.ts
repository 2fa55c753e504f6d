import { get, page } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { listJobRuns } from './actions.ts'
import { JobRun, JobRunFilter } from './schema.ts'

export const routes = [
  get('/admin/job-runs', {
    name: 'job_run.list',
    says: 'Background work and runs by the clock, newest first; by its id for whoever asked for it.',
    access: { signed_in: true },
    query: JobRunFilter,
    reply: Type.Array(ref(JobRun)),
    refuses: ['forbidden'],
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listJobRuns(ctx, query)
      return page(rows, { next })
    },
  }),
]
