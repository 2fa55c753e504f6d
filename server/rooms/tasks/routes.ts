import { get, post } from '../../base/http.ts'
import { ref, Type } from '../../base/schema.ts'
import { acknowledgeTask, countUnread, listActionKinds, listTasks, resolveTask } from './actions.ts'
import { task } from './door.ts'
import { Acknowledge, ActionKind, ResolveTask, Task, TaskFilter, UnreadQuery, UnreadTasks } from './schema.ts'

export const routes = [
  get('/tasks/', {
    name: 'task.list',
    says: 'What waits for the caller, on one site or all of his: attention first, then overdue, urgency, due time.',
    access: { signed_in: true },
    query: TaskFilter,
    reply: Type.Array(ref(Task)),
    refuses: ['forbidden'],
    handle: ({ ctx, query }) => listTasks(ctx, query),
  }),
  get('/tasks/action-kinds', {
    name: 'task.list_kinds',
    says: 'Every kind of task there is, by area and kind.',
    access: { signed_in: true },
    reply: Type.Array(ref(ActionKind)),
    handle: () => listActionKinds(),
  }),
  get('/tasks/unread-count', {
    name: 'task.count_unread',
    says: 'How much waits for the caller and was not seen by him.',
    access: { signed_in: true },
    query: UnreadQuery,
    reply: ref(UnreadTasks),
    handle: ({ ctx, query }) => countUnread(ctx, query.site_id),
  }),
  post('/tasks/:task_id/acknowledge', {
    name: 'task.acknowledge',
    says: 'I have seen it: it leaves my count and stays everyone’s task.',
    access: { needs: 'site_view' },
    on: task,
    body: Acknowledge,
    reply: ref(Task),
    passes_lock: true,
    handle: ({ ctx, thing, body }) => acknowledgeTask(ctx, thing, body.taking === true),
  }),
  post('/tasks/:task_id/resolve', {
    name: 'task.resolve',
    says: 'It is done, for kinds that the platform cannot see for itself.',
    access: { needs: 'site_view' },
    on: task,
    body: ResolveTask,
    reply: ref(Task),
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing, body }) => resolveTask(ctx, thing, body),
  }),
]
