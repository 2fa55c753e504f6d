import type { Schedule } from '../../kernel/jobs/door.ts'
import { sweepPermits } from './actions/sweeps.ts'

export const schedules: Schedule[] = [
  {
    kind: 'permit_sweep',
    says: 'Expires permits whose window is over, and warns of those that are about to end.',
    every_minutes: 1,
    run: sweepPermits,
  },
]
