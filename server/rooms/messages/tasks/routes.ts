import { get, page, post } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { acknowledgeTask, countUnread, listActionKinds, listTasks, listWaiting, resolveTask } from './actions.ts'
import { task } from './door.ts'
import { Acknowledge, ActionKind, ResolveTask, Task, TaskFilter, UnreadQuery, UnreadTasks, Waiting, WaitingQuery } from './schema.ts'

export const routes = [
  get('/tasks/', {
    name: 'task.list',
    summary: 'List tasks',
    says: 'Returns the caller’s tasks, on one site or on all their sites. They are ordered by whether they need attention, whether they are overdue, urgency and due time. With scope=site, returns everyone’s tasks on the site.',
    access: { signed_in: true },
    query: TaskFilter,
    reply: Type.Array(ref(Task)),
    refuses: ['forbidden'],
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listTasks(ctx, query)
      return page(rows, { next })
    },
  }),
  get('/tasks/waiting', {
    name: 'task.list_waiting',
    summary: 'List tasks and steps waiting for you',
    says: 'Returns the caller’s open tasks and the permit steps that are waiting for the caller (a countersignature, corrections, a decision on an extension request), in the same order as GET /tasks/. Each row says whether the caller can act, and if not, why.',
    access: { signed_in: true },
    query: WaitingQuery,
    reply: Type.Array(ref(Waiting)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listWaiting(ctx, query)
      return page(rows, { next })
    },
  }),
  get('/tasks/action-kinds', {
    name: 'task.list_kinds',
    summary: 'List task kinds',
    says: 'Returns the kinds of task, by area and kind.',
    access: { signed_in: true },
    reply: Type.Array(ref(ActionKind)),
    handle: () => listActionKinds(),
  }),
  get('/tasks/unread-count', {
    name: 'task.count_unread',
    summary: 'Count waiting and unseen tasks',
    says: 'Returns how many tasks and steps are waiting for the caller, and how many of the tasks they haven’t seen.',
    access: { signed_in: true },
    query: UnreadQuery,
    reply: ref(UnreadTasks),
    handle: ({ ctx, query }) => countUnread(ctx, query.site_id),
  }),
  post('/tasks/:task_id/acknowledge', {
    name: 'task.acknowledge',
    summary: 'Acknowledge a task',
    says: 'Marks a task as seen by the caller. The task stays open for everyone.',
    access: { needs: 'site_view' },
    on: task,
    body: Acknowledge,
    reply: ref(Task),
    passes_lock: true,
    handle: ({ ctx, thing, body }) => acknowledgeTask(ctx, thing, body.taking === true),
  }),
  post('/tasks/:task_id/resolve', {
    name: 'task.resolve',
    summary: 'Resolve a task',
    says: 'Resolves a task of a kind that isn’t resolved automatically.',
    access: { needs: 'site_view' },
    on: task,
    body: ResolveTask,
    reply: ref(Task),
    refuses: ['invalid_transition'],
    handle: ({ ctx, thing, body }) => resolveTask(ctx, thing, body),
  }),
]
