import type { JobKind } from '../../../kernel/jobs/door.ts'
import { eraseSite } from './actions/life.ts'

export const jobs: JobKind[] = [
  {
    kind: 'site_nuke',
    says: 'Erases a site table by table; a restarted run continues where it stopped.',
    run: job => eraseSite(job.house, String(job.input.site_id), String(job.input.reason), job.progress),
  },
]
