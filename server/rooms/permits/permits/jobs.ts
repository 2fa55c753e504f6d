import type { JobKind, Schedule } from '../../../kernel/jobs/door.ts'
import { expireOnSite, sweepExpiries, sweepWarnings } from './actions/sweeps.ts'

export const jobs: JobKind[] = [
  {
    kind: 'permit_expire',
    says: 'Expires permits whose window had already ended when they were imported.',
    run: expireOnSite,
  },
]

export const schedules: Schedule[] = [
  {
    kind: 'permit_sweep',
    says: 'Expires permits whose window has ended.',
    every_minutes: 1,
    run: async house => ({ expired: await sweepExpiries(house) }),
  },
  {
    kind: 'permit_warnings',
    says: 'Warns about permits that end soon.',
    every_minutes: 1,
    run: async house => ({ warned: await sweepWarnings(house) }),
  },
]
