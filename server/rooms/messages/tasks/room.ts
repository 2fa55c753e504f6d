import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { concernedByTasks, tasksBegun } from '../../../kernel/tasks/door.ts'
import { countAllWaiting } from './actions.ts'
import { task } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'tasks',
  says: 'Tasks that are waiting for a person.',
  routes,
  schedules,
  waits: { tasks: { thing: 'task', count: countAllWaiting, concerns: concernedByTasks, begins: tasksBegun } },
  kinds: [task],
  permissions: {
    task_view_all: held(BANDS.coordinate, 'See every task of the site, and resolve tasks that aren’t resolved automatically'),
  },
  events: eventsOf(
    'task',
    { task_id: 'Task', kind: 'Kind', subject: field.json('Subject'), due_at: 'Due time' },
    { raised: 'A task was created', overdue: 'A task is overdue' },
    { sample: { kind: 'endorse_permit' } },
  ).concat(
    eventsOf(
      'task',
      {
        task_id: 'Task',
        kind: 'Kind',
        subject: field.json('Subject'),
        resolution: field.text('Resolution', ['done_by_step', 'done', 'not_needed', 'subject_left', 'superseded']),
      },
      { resolved: 'A task was resolved' },
      { sample: { kind: 'endorse_permit' } },
    ),
    eventsOf(
      'task',
      { task_id: 'Task', kind: 'Kind', taking: field.flag('Someone is working on the task', 'No one is working on the task') },
      { acknowledged: 'A task was acknowledged' },
      { unruled: true },
    ),
  ),
})
