import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  paging,
  record,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

const urgency = oneOf(['info', 'attention', 'critical'], 'Urgency')
const RESOLUTIONS = ['done_by_step', 'done', 'not_needed', 'subject_left', 'superseded'] as const

export const Task = shape('Task', 'A task for permission bands, people or a contractor', {
  id: id('Task'),
  site_id: id('Site'),
  kind: text('Kind', { max: 60, example: 'endorse_permit' }),
  title: text('Title of the task’s card', { max: 200, example: 'Review & endorse' }),
  subject: object({
    kind: text('Kind of record', { max: 60, example: 'permit' }),
    id: id('Record'),
    label: text('Record name', { max: 300, example: 'PTW-000123' }),
  }),
  link: text('Path of the page where the task is done', { max: 500, example: '/sites/…/permits/…?review=endorse' }),
  bands: list(text('Band', { max: 20, example: 'stage1' }), 'Permission bands whose members can do the task', { max: 10 }),
  user_ids: list(id('Person'), 'People who can do the task', { max: 1000 }),
  contractor_id: orNull(id('Contractor whose people can do the task; null if it isn’t for a contractor')),
  status: oneOf(['open', 'resolved'], 'State'),
  raised_at: instant('Creation time'),
  attention_at: instant('Time from which the task needs attention'),
  due_at: orNull(instant('Due time; null if there is none')),
  overdue: flag('Whether the task is overdue'),
  urgency,
  acknowledged_by: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      at: instant('Time when the person saw the task'),
      taking: flag('Whether the person is working on the task'),
    }),
    'People who have seen the task, in the order in which they saw it',
    { max: 1000 },
  ),
  acknowledged_by_me: flag('Whether the caller has seen the task'),
  resolved_at: orNull(instant('Time when the task was resolved; null while it is open')),
  resolved_by: orNull(id('Person who resolved the task; null while it is open, and if no person did')),
  resolution: orNull(oneOf(RESOLUTIONS, 'Resolution; null while the task is open')),
  note: orNull(text('Note by the person who resolved the task; null if there is none')),
  permissions: flags(['resolve', 'act'], { act: 'take the step that the task asks for' }),
})

export const TaskFilter = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  status: optional(list(oneOf(['open', 'resolved'], 'State'), 'States; default open', { max: 2 })),
  id: optional(list(id('Task'), 'Ids', { max: 500 })),
  kind: optional(list(text('Kind', { max: 60 }), 'Kinds', { max: 100 })),
  subject_kind: optional(list(text('Record kind', { max: 60 }), 'Record kinds', { max: 100 })),
  subject_id: optional(list(id('Record'), 'Records', { max: 100 })),
  acknowledged: optional(flag('State of the tasks to return: true for tasks that the caller has seen, false for the others; default both')),
  overdue: optional(flag('State of the tasks to return: true for overdue tasks, false for the others; default both')),
  attention: optional(flag('State of the tasks to return: true for tasks that already need attention, false for the others; default both')),
  from: optional(instant('Earliest due time')),
  to: optional(instant('Latest due time (exclusive)')),
  scope: optional(
    oneOf(
      ['mine', 'site'],
      '`mine` returns the caller’s tasks, `site` everyone’s tasks on the site (requires task_view_all); default `mine`',
    ),
  ),
  ...paging,
})

export const Waiting = shape('Waiting', 'Something that is waiting for the caller: a task, or a step of a permit', {
  key: text('Key, unique in the list', { max: 120, example: 'countersign_permit 019…' }),
  task_id: orNull(id('Task; null for a step that isn’t a task')),
  site_id: id('Site'),
  kind: text('Kind', { max: 60, example: 'countersign_permit' }),
  title: text('Title of the task’s card', { max: 200, example: 'Countersign' }),
  subject: object({
    kind: text('Kind of record', { max: 60, example: 'permit' }),
    id: id('Record'),
    label: text('Record name', { max: 300, example: 'PTW-000123' }),
  }),
  link: text('Path of the page where the task or step is done', { max: 500, example: '/sites/…/permits/…?review=countersign' }),
  since: instant('Time since which the task or step has been waiting'),
  attention_at: instant('Time from which the task or step needs attention'),
  due_at: orNull(instant('Due time; null if there is none')),
  overdue: flag('Whether the due time has passed'),
  urgency,
  acknowledged_by: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      at: instant('Time when the person saw the task'),
      taking: flag('Whether the person is working on the task'),
    }),
    'People who have seen the task, in the order in which they saw it',
    { max: 1000 },
  ),
  who_can: list(
    object({ id: id('Person'), name: text('Name', { max: 200 }) }),
    'Other people who are named for the task; empty if the caller can do it, and for steps',
    {
      max: 1000,
    },
  ),
  otherwise: orNull(
    oneOf(
      ['nobody', 'superadmin'],
      'Who can take the step instead if the caller can’t; null if the caller can, and for tasks (see `who_can`)',
    ),
  ),
  permissions: flags(['act'], { act: 'take the step that the task asks for' }),
})
export const WaitingQuery = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  limit: optional(integer('Rows per page, at most 1000; default 500', { min: 1, max: 1000, example: 500 })),
  cursor: paging.cursor,
})
export type WaitingQuery = Static<typeof WaitingQuery>

export const ActionKind = shape('ActionKind', 'A kind of task', {
  kind: text('Kind', { max: 60, example: 'endorse_permit' }),
  area: text('Area', { max: 60, example: 'permits' }),
  title: text('Title of the task’s card', { max: 200, example: 'Review & endorse' }),
  action_label: text('Label of the next action', { max: 60, example: 'Endorse' }),
  link_pattern: text('Path of the page where the task is done, with {site_id} and {subject_id}', { max: 300 }),
  addressed_to: text('Description of the people who can do the task', { max: 300 }),
  manual_resolve: flag('Whether a person can mark the task as resolved'),
  urgency,
  resolves_when: text('Action that resolves the task', { max: 300 }),
})

export const UnreadTasks = shape('UnreadTasks', 'Counts of the tasks and steps that are waiting for the caller', {
  waiting: integer('Number of rows of GET /tasks/waiting that need attention, seen or not'),
  unread: integer('Number of open tasks that need attention and haven’t been seen'),
  overdue: integer('Number of tasks counted in `unread` that are overdue'),
  due_today: integer('Number of tasks counted in `unread` that are due on the current site day'),
  by_kind: record(integer('Number of unseen tasks that need attention'), 'Number of unseen tasks that need attention, by kind of task'),
  by_site: list(
    object({
      site_id: id('Site'),
      unread: integer('Number of unseen tasks that need attention'),
      waiting: integer('Number of tasks and steps that need attention, seen or not'),
    }),
    'Counts for each site; sites without any are left out',
    {
      max: 5000,
    },
  ),
})
export const UnreadQuery = object({ site_id: optional(id('Site; default: all sites of the caller')) })

export const Acknowledge = shape('AcknowledgeTask', 'Acknowledgement of a task', {
  taking: optional(flag('Whether the caller is working on the task; shown to others')),
})
export const ResolveTask = shape('ResolveTask', 'Resolution of a task', {
  outcome: oneOf(['done', 'not_needed'], 'Resolution'),
  note: optional(text('Note; required for `not_needed`, to say why the task isn’t needed', { max: 2000 })),
})

export type TaskFilter = Static<typeof TaskFilter>
