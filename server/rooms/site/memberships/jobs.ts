import type { Schedule } from '../../../kernel/jobs/door.ts'
import { endStale } from './actions.ts'

export const schedules: Schedule[] = [
  { kind: 'memberships_due', says: 'Ends membership requests that have been pending for thirty days.', every_minutes: 60, run: endStale },
]
