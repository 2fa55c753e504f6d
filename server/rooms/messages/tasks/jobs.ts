import type { Schedule } from '../../../kernel/jobs/door.ts'
import { reportOverdue } from '../../../kernel/tasks/door.ts'

export const schedules: Schedule[] = [{ kind: 'tasks_due', says: 'Reports each overdue task once.', every_minutes: 1, run: reportOverdue }]
