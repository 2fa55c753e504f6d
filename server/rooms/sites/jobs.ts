import type { JobKind } from '../../kernel/jobs/door.ts'
import { eraseSite } from './actions/sites.ts'

export const jobs: JobKind[] = [
  {
    kind: 'site_nuke',
    says: 'Erases a site that was nuked, table by table; begun again, it goes on where it was.',
    run: job => eraseSite(job.house, String(job.input.site_id), String(job.input.reason), job.progress),
  },
]
