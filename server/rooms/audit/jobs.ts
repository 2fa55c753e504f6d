import type { Schedule } from '../../kernel/jobs/door.ts'
import { checkChains } from './actions/check.ts'

export const schedules: Schedule[] = [
  {
    kind: 'chain_check',
    says: 'Verifies every audit chain from where the last check ended, and once a week from its first entry.',
    every_minutes: 24 * 60,
    run: checkChains,
  },
]
