import { flag, flags, id, instant, integer, list, object, oneOf, optional, orNull, type Static, shape, text } from '../../base/schema.ts'

const KINDS = ['initial', 'normal', 'live', 'terminal'] as const
const word = (description: string, example: string) => text(description, { min: 1, max: 60, pattern: '^[A-Za-z0-9_.-]+$', example })

const State = object({
  key: word('Key of the registry', 'endorsed'),
  label: text('Label', { min: 1, max: 100, example: 'Endorsed' }),
  kind: oneOf(KINDS, 'Kind of state'),
})
const Transition = object({
  key: word('Key, unique in the graph', 'requested.endorse'),
  action: word('Action of the registry', 'endorse'),
  from: word('State', 'requested'),
  to: word('State', 'endorsed'),
  actor: word('Actor of the registry', 'stage1_band'),
  guards: list(word('Guard of the registry', 'two_stage'), 'Guards', { max: 30 }),
  effects: list(
    word('Effect of the registry', 'sign_stage1'),
    'What the engine does on this step. It follows from the action: what is sent is checked against the registry and replaced',
    {
      max: 30,
    },
  ),
  requires: list(oneOf(['note', 'reason', 'checklist'], 'Requirement'), 'Required with the step', { max: 3 }),
})

const graph = {
  states: list(State, 'States', { min: 1, max: 50 }),
  transitions: list(Transition, 'Steps', { min: 1, max: 300 }),
}

const GraphWarning = object({
  code: text('Code', { max: 60, example: 'no_expiry' }),
  detail: text('In words', { max: 500 }),
  transition: optional(text('Step', { max: 60 })),
})

export const Definition = shape('PermitWorkflow', 'A workflow of permits', {
  id: id('Workflow; a shipped one has the same id on every site'),
  site_id: orNull(id('Site; null for a shipped workflow')),
  permit_type_code: orNull(text('Permit type it is for; null for the whole site', { max: 20, example: 'HW' })),
  version: integer('Published version; 0: a draft that is not in force'),
  revision: integer('Version of the record, which If-Match names'),
  name: text('Name', { max: 200, example: 'Shipped workflow' }),
  seeded: flag('Shipped, read-only'),
  in_force: flag('Whether new permits start on it'),
  ...graph,
  warnings: list(GraphWarning, 'Rules that the engine keeps although the graph leaves them out, and steps that can never happen', {
    max: 1000,
  }),
  permissions: flags(['edit', 'remove']),
  updated_at: orNull(instant('Time of the last change')),
})

export const RegistryShape = shape('PermitWorkflowRegistry', 'The primitives of workflows', {
  states: list(State, 'States', { max: 50 }),
  actions: list(
    object({ key: word('Key', 'endorse'), label: text('Label', { max: 100 }), says: text('Description', { max: 300 }) }),
    'Actions',
    { max: 100 },
  ),
  actors: list(
    object({ key: word('Key', 'stage1_band'), label: text('Label', { max: 100 }), says: text('Person', { max: 300 }) }),
    'Actors',
    { max: 100 },
  ),
  guards: list(
    object({
      key: word('Key', 'two_stage'),
      label: text('Label', { max: 100 }),
      says: text('Condition in words', { max: 300 }),
      opt_in: flag('Whether a site adds it: it isn’t in the standard workflow'),
    }),
    'Guards',
    { max: 100 },
  ),
  effects: list(object({ key: word('Key', 'tell'), label: text('Label', { max: 100 }), says: text('Effect', { max: 300 }) }), 'Effects', {
    max: 100,
  }),
})

export const WorkflowQuery = object({
  site_id: id('Site'),
  permit_type_code: optional(text('Permit type; the workflow for permits of this type', { max: 20, example: 'HW' })),
})
export const SiteQuery = object({ site_id: id('Site') })
export const MaybeSite = object({ site_id: optional(id('Site; required with the id of a shipped workflow')) })
export const CloneBody = shape('CloneWorkflow', 'A copy of a shipped workflow, as a draft or published at once', {
  site_id: id('Site'),
  permit_type_code: optional(orNull(text('Permit type; left out: for the whole site', { max: 20, example: 'HW' }))),
  name: optional(text('Name', { min: 1, max: 200, example: 'Our workflow' })),
  from: optional(oneOf(['standard', 'strict'], 'Shipped workflow to copy; default standard')),
  publish: optional(flag('Publish the copy at once; default false: it stays a draft')),
})
export const SaveWorkflow = shape('SaveWorkflow', 'The whole graph; it is published as a new version if it is valid', {
  site_id: optional(id('Site; must match the record’s')),
  name: optional(text('Name', { min: 1, max: 200 })),
  ...graph,
})
export const BackTest = shape('BackTest', 'A graph to test on past permits; default: the draft or newest version of the workflow', {
  site_id: optional(id('Site; required with the id of a shipped workflow')),
  states: optional(graph.states),
  transitions: optional(graph.transitions),
})
export const Queued = shape('Queued', 'A queued job', { job_id: id('Job run; see /admin/job-runs?id=…') })

export type SaveWorkflow = Static<typeof SaveWorkflow>
export type CloneBody = Static<typeof CloneBody>
