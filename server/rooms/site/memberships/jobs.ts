import type { Schedule } from '../../../kernel/jobs/door.ts'
import { settleHandovers } from './actions/handover.ts'
import { endStale } from './actions/manage.ts'

export const schedules: Schedule[] = [
  { kind: 'memberships_due', says: 'Ends membership requests that have been pending for thirty days.', every_minutes: 60, run: endStale },
  {
    kind: 'handovers',
    says: 'Resolves the tasks for the duties of former members that others have taken over.',
    every_minutes: 1,
    run: settleHandovers,
  },
]
