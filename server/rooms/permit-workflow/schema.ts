import { flag, flags, id, instant, integer, list, object, oneOf, optional, orNull, type Static, shape, text } from '../../base/schema.ts'

const KINDS = ['initial', 'normal', 'live', 'terminal'] as const
const word = (description: string, example: string) => text(description, { min: 1, max: 60, pattern: '^[A-Za-z0-9_.-]+$', example })

const State = object({
  key: word('Key of the registry', 'endorsed'),
  label: text('Label', { min: 1, max: 100, example: 'Endorsed' }),
  kind: oneOf(KINDS, 'What it is in the life of a permit'),
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
  requires: list(oneOf(['note', 'reason', 'checklist'], 'What must be said'), 'What must be given with the step', { max: 3 }),
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

export const Definition = shape('PermitWorkflow', 'A lifecycle of permits', {
  id: id('Definition; the seeded one has one id everywhere'),
  site_id: orNull(id('Site; null: the seeded one')),
  permit_type_code: orNull(text('Rules permits whose set holds this type; null: the site’s', { max: 20, example: 'HW' })),
  version: integer('Published version; 0: a draft that is not in force'),
  revision: integer('Version of the record, which If-Match names'),
  name: text('Name', { max: 200, example: 'Shipped workflow' }),
  seeded: flag('Shipped, read-only'),
  in_force: flag('New permits are born under it'),
  ...graph,
  warnings: list(GraphWarning, 'What the engine keeps although the graph leaves it out, and what it can never come to', { max: 1000 }),
  permissions: flags(['edit', 'remove']),
  updated_at: orNull(instant('When it was last changed')),
})

export const RegistryShape = shape('PermitWorkflowRegistry', 'The primitives that graphs are made of', {
  states: list(State, 'States', { max: 50 }),
  actions: list(
    object({ key: word('Key', 'endorse'), label: text('Label', { max: 100 }), says: text('What it is', { max: 300 }) }),
    'Actions',
    { max: 100 },
  ),
  actors: list(
    object({ key: word('Key', 'stage1_band'), label: text('Label', { max: 100 }), says: text('Who it is', { max: 300 }) }),
    'Actors',
    { max: 100 },
  ),
  guards: list(
    object({
      key: word('Key', 'two_stage'),
      label: text('Label', { max: 100 }),
      says: text('When it holds', { max: 300 }),
      opt_in: flag('Not in the seeded graph: a site adds it'),
    }),
    'Guards',
    { max: 100 },
  ),
  effects: list(
    object({ key: word('Key', 'tell'), label: text('Label', { max: 100 }), says: text('What it does', { max: 300 }) }),
    'Effects',
    { max: 100 },
  ),
})

export const WorkflowQuery = object({
  site_id: id('Site'),
  permit_type_code: optional(text('For a set that holds this type', { max: 20, example: 'HW' })),
})
export const SiteQuery = object({ site_id: id('Site') })
export const MaybeSite = object({ site_id: optional(id('Site; needed with the id of the seeded definition')) })
export const CloneBody = shape('CloneWorkflow', 'A copy of a shipped workflow, as a draft or published at once', {
  site_id: id('Site'),
  permit_type_code: optional(orNull(text('For one type; left out: for the site', { max: 20, example: 'HW' }))),
  name: optional(text('Name', { min: 1, max: 200, example: 'Our workflow' })),
  from: optional(oneOf(['standard', 'strict'], 'Shipped workflow to copy; default standard')),
  publish: optional(flag('Publish the copy at once; default false: it stays a draft')),
})
export const SaveWorkflow = shape('SaveWorkflow', 'The whole graph; valid, it is published as a new version', {
  site_id: optional(id('Site; only checked to match')),
  name: optional(text('Name', { min: 1, max: 200 })),
  ...graph,
})
export const BackTest = shape('BackTest', 'A graph to try on past permits; left out: the draft or newest version of the definition', {
  site_id: optional(id('Site; needed with the id of the seeded definition')),
  states: optional(graph.states),
  transitions: optional(graph.transitions),
})
export const Queued = shape('Queued', 'Work that was queued', { job_id: id('Job run; see /admin/job-runs?id=…') })

export type SaveWorkflow = Static<typeof SaveWorkflow>
export type CloneBody = Static<typeof CloneBody>
