import type { JobKind, Schedule } from '../../kernel/jobs/door.ts'
import { expireOnSite, sweepExpiries, sweepWarnings } from './actions/sweeps.ts'

export const jobs: JobKind[] = [
  {
    kind: 'permit_expire',
    says: 'Expires the permits of a site whose window was over when they were imported.',
    run: expireOnSite,
  },
]

export const schedules: Schedule[] = [
  {
    kind: 'permit_sweep',
    says: 'Expires permits whose window is over.',
    every_minutes: 1,
    run: async house => ({ expired: await sweepExpiries(house) }),
  },
  {
    kind: 'permit_warnings',
    says: 'Warns of permits that are about to end.',
    every_minutes: 1,
    run: async house => ({ warned: await sweepWarnings(house) }),
  },
]
