import { flag, flags, id, instant, integer, list, object, oneOf, optional, orNull, type Static, shape, text } from '../../../base/schema.ts'

const KINDS = ['initial', 'normal', 'live', 'terminal'] as const
const word = (description: string, example: string) =>
  text(description, {
    min: 1,
    max: 60,
    pattern: ['^[A-Za-z0-9_.-]+$', 'can contain only letters from A to Z, digits, underscores, dots and hyphens.'],
    example,
  })

const State = object({
  key: word('Key, as in the list of primitives', 'endorsed'),
  label: text('Label', { min: 1, max: 100, example: 'Endorsed' }),
  kind: oneOf(KINDS, 'Kind of state'),
})
const Transition = object({
  key: word('Key, unique in the graph', 'requested.endorse'),
  action: word('Action, as in the list of primitives', 'endorse'),
  from: word('State before the step', 'requested'),
  to: word('State after the step', 'endorsed'),
  actor: word('Actor, as in the list of primitives', 'stage1_band'),
  guards: list(word('Guard, as in the list of primitives', 'two_stage'), 'Guards', { max: 30 }),
  effects: list(
    word('Effect, as in the list of primitives', 'sign_stage1'),
    'Effects of the step, which follow from its action; values that are sent are checked and then replaced',
    {
      max: 30,
    },
  ),
  requires: list(oneOf(['note', 'reason', 'checklist'], 'Requirement'), 'Input that the step requires', { max: 3 }),
})

const graph = {
  states: list(State, 'States', { min: 1, max: 50 }),
  transitions: list(Transition, 'Steps', { min: 1, max: 300 }),
}

const GraphWarning = object({
  code: text('Code', { max: 60, example: 'no_expiry' }),
  detail: text('Description of the warning', { max: 500 }),
  transition: optional(text('Step', { max: 60 })),
})

export const Definition = shape('PermitWorkflow', 'A permit workflow', {
  id: id('Workflow; a standard one has the same id on every site'),
  site_id: orNull(id('Site; null for a standard workflow')),
  permit_type_code: orNull(text('Permit type; null for the whole site', { max: 20, example: 'HW' })),
  version: integer('Published version; 0 for a draft'),
  revision: integer('Version of the record, for If-Match'),
  name: text('Name', { max: 200, example: 'Standard workflow' }),
  seeded: flag('Whether this is a standard workflow, which is read-only'),
  in_force: flag('Whether new permits use this workflow'),
  ...graph,
  warnings: list(GraphWarning, 'Warnings about the graph, for example rules that apply even if it leaves them out', {
    max: 1000,
  }),
  permissions: flags(['edit', 'remove']),
  updated_at: orNull(instant('Time of the last change; null for a standard workflow')),
})

export const RegistryShape = shape('PermitWorkflowRegistry', 'The primitives of workflows', {
  states: list(State, 'States', { max: 50 }),
  actions: list(
    object({ key: word('Key', 'endorse'), label: text('Label', { max: 100 }), says: text('Description', { max: 300 }) }),
    'Actions',
    { max: 100 },
  ),
  actors: list(
    object({
      key: word('Key', 'stage1_band'),
      label: text('Label', { max: 100 }),
      says: text('Description of who can take the step', { max: 300 }),
    }),
    'Actors',
    { max: 100 },
  ),
  guards: list(
    object({
      key: word('Key', 'two_stage'),
      label: text('Label', { max: 100 }),
      says: text('Condition in words', { max: 300 }),
      opt_in: flag('Whether the standard workflow leaves the guard out'),
    }),
    'Guards',
    { max: 100 },
  ),
  effects: list(
    object({ key: word('Key', 'tell'), label: text('Label', { max: 100 }), says: text('Effect description', { max: 300 }) }),
    'Effects',
    {
      max: 100,
    },
  ),
})

export const WorkflowQuery = object({
  site_id: id('Site'),
  permit_type_code: optional(text('Permit type; default: the whole site', { max: 20, example: 'HW' })),
})
export const SiteQuery = object({ site_id: id('Site') })
export const MaybeSite = object({ site_id: optional(id('Site; required with the id of a standard workflow')) })
export const CloneBody = shape('CloneWorkflow', 'A copy of a standard workflow, as a draft or published immediately', {
  site_id: id('Site'),
  permit_type_code: optional(orNull(text('Permit type; null or left out for the whole site', { max: 20, example: 'HW' }))),
  name: optional(text('Name', { min: 1, max: 200, example: 'Our workflow' })),
  from: optional(oneOf(['standard', 'strict'], 'Standard workflow to copy; default `standard`')),
  publish: optional(flag('Whether to publish the copy immediately; default false, so that the copy stays a draft')),
})
export const SaveWorkflow = shape('SaveWorkflow', 'The whole graph, published as a new version if it is valid', {
  site_id: optional(id('Site; must match the record’s')),
  name: optional(text('Name', { min: 1, max: 200 })),
  ...graph,
})
export const BackTest = shape('BackTest', 'A graph to test with past permits; default: the workflow’s draft, or its newest version', {
  site_id: optional(id('Site; required with the id of a standard workflow')),
  states: optional(graph.states),
  transitions: optional(graph.transitions),
})
export const Queued = shape('Queued', 'A queued job', { job_id: id('Job run; see /admin/job-runs?id=…') })

export type SaveWorkflow = Static<typeof SaveWorkflow>
export type CloneBody = Static<typeof CloneBody>
