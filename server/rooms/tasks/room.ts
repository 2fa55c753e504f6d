import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { task } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'tasks',
  routes,
  schedules,
  kinds: [task],
  permissions: { task_view_all: held(BANDS.coordinate, 'See every task of the site, and resolve those that are done by hand') },
  events: eventsOf(
    'task',
    { task_id: 'Task', kind: 'Its kind', subject: 'What it is about', due_at: 'When it is due' },
    {
      raised: 'Something is to be done',
      acknowledged: 'Somebody has seen a task',
      resolved: 'A task is done or not needed any more',
      overdue: 'The due time of a task has passed',
    },
  ),
})
