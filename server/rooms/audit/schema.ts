import {
  anything,
  Flag,
  flag,
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
  ref,
  type Static,
  shape,
  text,
  workDate,
} from '../../base/schema.ts'

const ACTIONS = ['create', 'update', 'delete', 'restore', 'transition', 'sign', 'link', 'unlink', 'import', 'revert', 'read'] as const

export const AuditActor = shape('AuditActor', 'Who acted', {
  kind: oneOf(['user', 'job', 'import', 'link', 'system'], 'What acted'),
  id: orNull(id('User; null where no person acted')),
  name: text('Name as it was', { max: 300, example: 'Ana Ruiz' }),
})

const Change = object({
  path: text('Field', { max: 200, example: 'status' }),
  before: anything('Value before; of a geometry its digest, of a secret only that it was there'),
  after: anything('Value after'),
})

const Parent = object({ type: text('Kind', { max: 60, example: 'permit' }), id: id('The record that it is part of') })

const entry = {
  site_id: id('Site; the platform’s id for what belongs to none'),
  seq: integer('Number in the chain: 1, 2, 3 … without a hole', { min: 1, max: Number.MAX_SAFE_INTEGER }),
  id: id('Entry'),
  at: instant('When it was committed; never goes back within a chain'),
  work_date: workDate('Site day'),
  actor: ref(AuditActor, 'Who'),
  acting_for: orNull(id('Firm that an overseer acted for')),
  action: oneOf(ACTIONS, 'What was done'),
  cause: text('Operation that did it', { max: 100, example: 'contractor.change' }),
  entity_type: text('Kind of record', { max: 60, example: 'contractor' }),
  entity_id: id('Record'),
  entity_label: text('Its name as it was', { max: 300, example: 'PTW-000123' }),
  parent: orNull(Parent),
  changes: orNull(list(Change, 'Each field that changed; null once they were erased', { max: 500 })),
  redacted: flag('What was changed has been erased; the chain still holds'),
  reason: orNull(text('Reason that was given', { max: 2000 })),
  request_id: text('Request', { max: 200, example: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e' }),
  batch_id: id('One request, job run or import'),
  reverts_entry_id: orNull(id('Entry that this one put back')),
  reverted_by_entry_id: orNull(id('Entry that put this one back')),
  changes_digest: text('SHA-256 of salt and changes (RFC 8785)', {
    max: 64,
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  }),
  prev_hash: text('Hash of the entry before', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
  hash: text('Hash of this entry', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
}

export const AuditEntry = shape('AuditEntry', 'One entry of the trail', entry)

export const HistoryEntry = shape('HistoryEntry', 'One entry of a record’s history', {
  ...entry,
  revertible: ref(Flag, 'Whether the caller may put it back'),
})

export const EntityQuery = object({ ...paging })

const filter = {
  entity_type: optional(list(text('Kind of record', { max: 60, example: 'permit' }), 'Kinds of records', { max: 50 })),
  entity_id: optional(id('One record')),
  actor_id: optional(id('Who acted')),
  action: optional(list(oneOf(ACTIONS, 'What was done'), 'What was done', { max: 11 })),
  batch_id: optional(id('One transaction')),
  request_id: optional(text('One request', { max: 200 })),
  from: optional(instant('Not before')),
  to: optional(instant('Before')),
  q: optional(text('Text in the name of the record', { max: 200, example: 'PTW-0001' })),
}

export const SiteQuery = object({
  ...filter,
  format: optional(oneOf(['json', 'csv'], 'csv: a file of at most 50,000 entries; taking it out is an entry itself')),
  verify: optional(flag('Check the chain over the span of this page and its link to the entry before: X-Chain')),
  head: optional(
    text('seq;hash as X-Chain-Head once said it: X-Chain answers holds or differs', {
      max: 90,
      example: '12;b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    }),
  ),
  ...paging,
  limit: optional(integer('Entries; default 200, of a CSV 50,000', { min: 1, max: 50_000 })),
})

export const TimelineQuery = object({
  ...filter,
  group: optional(oneOf(['batch', 'day'], 'day: one row a site day, of the last 31 days unless from says otherwise')),
  ...paging,
})

export const TimelineRow = shape('TimelineRow', 'What one request, job or import did; or what was done on one day', {
  at: optional(instant('When')),
  work_date: workDate('Site day'),
  actor: optional(ref(AuditActor, 'Who')),
  sentence: optional(text('The same in words', { max: 1000, example: 'Ana Ruiz changed Steel fixers A' })),
  action: optional(oneOf(ACTIONS, 'The most telling of what was done')),
  counts: record(integer('How many entries'), 'Entries by kind of record'),
  batch_id: optional(id('One request, job run or import')),
  entity: optional(orNull(object({ type: text('Kind', { max: 60 }), id: id('Record'), label: text('Name as it was', { max: 300 }) }))),
  entry_id: optional(orNull(id('The entry, where there is only one'))),
  revertible: optional(ref(Flag, 'Whether the caller may put all of it back')),
  actors: optional(list(ref(AuditActor), 'Who acted on that day')),
})

export const Revert = shape('Revert', 'Put an entry back', {
  reason: text('Why', { min: 1, max: 2000, example: 'Renamed the wrong firm' }),
  fields: optional(
    list(text('Field', { max: 200, example: 'name' }), 'Only these fields of the entry', { min: 1, max: 200, unique: true }),
  ),
  scope: optional(oneOf(['entry', 'batch'], 'batch: everything that its request did, newest first, all or none')),
  dry_run: optional(flag('Only say what would change')),
})

export const Reverted = shape('Reverted', 'What was put back', {
  entries: list(
    object({
      id: id('The new entry'),
      entity_type: text('Kind', { max: 60 }),
      entity_id: id('Record'),
      entity_label: text('Its name as it was', { max: 300 }),
      reverts_entry_id: id('Entry that it puts back'),
    }),
    'New entries; their ids are not kept by a dry run',
  ),
  changed: list(
    object({
      entity_type: text('Kind', { max: 60 }),
      entity_id: id('Record'),
      path: text('Field', { max: 200 }),
      from: anything('Value until now'),
      to: anything('Value from now on'),
    }),
    'Every field that is different now',
    { max: 100_000 },
  ),
})

export type EntityQuery = Static<typeof EntityQuery>
export type SiteQuery = Static<typeof SiteQuery>
export type TimelineQuery = Static<typeof TimelineQuery>
export type Revert = Static<typeof Revert>
