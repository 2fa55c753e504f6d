import type { Schedule } from '../../kernel/jobs/door.ts'
import { tellOverdue } from '../../kernel/tasks/door.ts'

export const schedules: Schedule[] = [
  { kind: 'tasks_due', says: 'Says once of each task that its due time has passed.', every_minutes: 1, run: tellOverdue },
]
