import { useQuery } from '@tanstack/react-query'
import { ask, client, type Schemas } from './api.ts'

const AGAIN_MS = 700

/** A run of background work. */
export type Job = Schemas['JobRun']

/** Returns whether a run has ended, successfully or not. */
export const isOver = (job: Pick<Job, 'state'> | undefined): boolean =>
  job !== undefined && job.state !== 'queued' && job.state !== 'running'

/** Follows a background job that was started here until it ends. */
export function useJob(job_id: string | null) {
  return useQuery({
    queryKey: ['job', job_id],
    queryFn: async () => {
      const [run] = await ask(client.GET('/admin/job-runs', { params: { query: { id: [job_id ?? ''] } } }))
      return run ?? null
    },
    enabled: job_id !== null,
    refetchInterval: query => (isOver(query.state.data ?? undefined) ? false : AGAIN_MS),
  })
}
