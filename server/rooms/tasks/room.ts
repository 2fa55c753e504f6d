import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { countUnread } from './actions.ts'
import { task } from './door.ts'
import { schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'tasks',
  routes,
  schedules,
  waits: { tasks: async ctx => (await countUnread(ctx, undefined)).waiting },
  kinds: [task],
  permissions: { task_view_all: held(BANDS.coordinate, 'See every task of the site, and resolve those that are done by hand') },
  events: eventsOf(
    'task',
    { task_id: 'Task', kind: 'Its kind', subject: field.json('What it is about'), due_at: 'When it is due' },
    { raised: 'Something is to be done', overdue: 'The due time of a task has passed' },
    { sample: { kind: 'endorse_permit' } },
  ).concat(
    eventsOf(
      'task',
      {
        task_id: 'Task',
        kind: 'Its kind',
        subject: field.json('What it is about'),
        resolution: field.text('How it ended', ['done_by_step', 'done', 'not_needed', 'subject_left', 'superseded']),
      },
      { resolved: 'A task is done or not needed any more' },
      { sample: { kind: 'endorse_permit' } },
    ),
    eventsOf(
      'task',
      { task_id: 'Task', kind: 'Its kind', taking: field.flag('Somebody is on it') },
      { acknowledged: 'Somebody has seen a task' },
      { unruled: true },
    ),
  ),
})
