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
  record,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

const urgency = oneOf(['info', 'attention', 'critical'], 'Urgency')
const RESOLUTIONS = ['done_by_step', 'done', 'not_needed', 'subject_left', 'superseded'] as const

export const Task = shape('Task', 'A task for a band or person', {
  id: id('Task'),
  site_id: id('Site'),
  kind: text('Kind', { max: 60, example: 'endorse_permit' }),
  title: text('Card title', { max: 200, example: 'Review & endorse' }),
  subject: object({
    kind: text('Kind of record', { max: 60, example: 'permit' }),
    id: id('Record'),
    label: text('Record name', { max: 300, example: 'PTW-000123' }),
  }),
  link: text('Deep link', { max: 500, example: '/sites/…/permits/…?review=endorse' }),
  bands: list(text('Band', { max: 20, example: 'stage1' }), 'Permission bands whose members can do it', { max: 10 }),
  user_ids: list(id('Person'), 'People who can do it', { max: 1000 }),
  contractor_id: orNull(id('Contractor whose people can do it')),
  status: oneOf(['open', 'resolved'], 'State'),
  raised_at: instant('Creation time'),
  attention_at: instant('Time from which the task needs attention'),
  due_at: orNull(instant('Due time')),
  overdue: flag('Whether the task is overdue'),
  urgency,
  acknowledged_by: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      at: instant('Time when they saw it'),
      taking: flag('Whether the person is working on it'),
    }),
    'People who have seen it',
    { max: 1000 },
  ),
  acknowledged_by_me: flag('Whether the caller has seen it'),
  resolved_at: orNull(instant('Time when it was resolved')),
  resolved_by: orNull(id('Person who resolved it')),
  resolution: orNull(oneOf(RESOLUTIONS, 'Resolution')),
  note: orNull(text('Reason why the task wasn’t needed')),
  permissions: flags(['resolve', 'act'], { act: 'take the step that the task asks for' }),
})

export const TaskFilter = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  status: optional(list(oneOf(['open', 'resolved'], 'State'), 'States; default open', { max: 2 })),
  id: optional(list(id('Task'), 'Ids', { max: 500 })),
  kind: optional(list(text('Kind', { max: 60 }), 'Kinds', { max: 100 })),
  subject_kind: optional(text('Record kind', { max: 60 })),
  subject_id: optional(id('Record')),
  acknowledged: optional(flag('true returns tasks that the caller has seen, false the others; default both')),
  overdue: optional(flag('true returns overdue tasks, false the others; default both')),
  attention: optional(flag('true returns tasks that already need attention, false the others; default both')),
  from: optional(instant('Due from')),
  to: optional(instant('Due before')),
  scope: optional(oneOf(['mine', 'site'], '`site` returns the tasks of the whole site, for people who coordinate')),
  limit: optional(integer('Rows per page, at most 1000', { min: 1, max: 1000, example: 200 })),
})

export const Waiting = shape('Waiting', 'Something that is waiting for the caller: a task, or a step that only they can take', {
  key: text('Key, unique in the list', { max: 120, example: 'countersign_permit 019…' }),
  task_id: orNull(id('Task; null when the row follows from the record itself')),
  site_id: id('Site'),
  kind: text('Kind', { max: 60, example: 'countersign_permit' }),
  title: text('Card title', { max: 200, example: 'Countersign' }),
  subject: object({
    kind: text('Kind of record', { max: 60, example: 'permit' }),
    id: id('Record'),
    label: text('Record name', { max: 300, example: 'PTW-000123' }),
  }),
  link: text('Path of the page where it is done', { max: 500, example: '/sites/…/permits/…?review=countersign' }),
  since: instant('Time from which it has been waiting'),
  attention_at: instant('Time from which it needs attention'),
  due_at: orNull(instant('Due time')),
  overdue: flag('Whether it is past its due time'),
  urgency,
  acknowledged_by: list(
    object({
      user_id: id('Person'),
      name: text('Name', { max: 200 }),
      at: instant('Time when they saw it'),
      taking: flag('Whether the person is working on it'),
    }),
    'People who have seen it',
    { max: 1000 },
  ),
  who_can: list(object({ id: id('Person'), name: text('Name', { max: 200 }) }), 'People who can do it, when the caller can’t', {
    max: 1000,
  }),
  otherwise: orNull(
    oneOf(
      ['nobody', 'superadmin'],
      'Who else can do what only the caller is asked for, when the caller can’t; null when the caller can, and for tasks of several people (see who_can)',
    ),
  ),
  permissions: flags(['act'], { act: 'take the step that the task asks for' }),
})
export const WaitingQuery = object({
  site_id: optional(id('Site; default: all sites of the caller')),
  limit: optional(integer('Rows per page, at most 1000', { min: 1, max: 1000, example: 500 })),
})

export const ActionKind = shape('ActionKind', 'A kind of task', {
  kind: text('Kind', { max: 60, example: 'endorse_permit' }),
  area: text('Area', { max: 60, example: 'permits' }),
  title: text('Card title', { max: 200, example: 'Review & endorse' }),
  action_label: text('Label of the next action', { max: 60, example: 'Endorsement of a permit' }),
  link_pattern: text('Deep link with {site_id} and {subject_id}', { max: 300 }),
  addressed_to: text('Description of the people who can do it', { max: 300 }),
  manual_resolve: flag('Whether a person can resolve it by hand'),
  urgency,
  resolves_when: text('Action that resolves it', { max: 300 }),
})

export const UnreadTasks = shape('UnreadTasks', 'Counts of what is waiting for the caller', {
  waiting: integer('Number of rows of GET /tasks/waiting that need attention, seen or not'),
  unread: integer('Number of open tasks that need attention and haven’t been seen'),
  overdue: integer('Number of overdue tasks'),
  due_today: integer('Number of tasks due on the current site day'),
  by_kind: record(integer('Number'), 'By kind'),
  by_site: list(
    object({ site_id: id('Site'), unread: integer('Number not seen'), waiting: integer('Number waiting now, seen or not') }),
    'By site',
    {
      max: 5000,
    },
  ),
})
export const UnreadQuery = object({ site_id: optional(id('Site')) })

export const Acknowledge = shape('AcknowledgeTask', 'Acknowledgement of a task', {
  taking: optional(flag('Whether the caller is working on it; shown to others')),
})
export const ResolveTask = shape('ResolveTask', 'Resolution of a task', {
  outcome: oneOf(['done', 'not_needed'], 'Resolution'),
  note: optional(text('Reason; required for not_needed', { max: 2000 })),
})

export type TaskFilter = Static<typeof TaskFilter>
