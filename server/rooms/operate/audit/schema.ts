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
} from '../../../base/schema.ts'

const ACTIONS = ['create', 'update', 'delete', 'restore', 'transition', 'sign', 'link', 'unlink', 'import', 'revert', 'read'] as const

export const AuditActor = shape('AuditActor', 'Person or system that acted', {
  kind: oneOf(['user', 'job', 'import', 'link', 'system', 'nobody'], 'Kind of actor; `nobody`: a caller without an account'),
  id: orNull(id('Person; null if no person acted')),
  name: text('Name at the time of the entry', { max: 300, example: 'Ana Ruiz' }),
})

const Change = object({
  path: text('Field', { max: 200, example: 'status' }),
  before: anything(
    'Value before; for a geometry its digest, for a secret only whether it was set. In place of a value: `[hidden]` if the caller can’t see it, `[erased]` if it was person data that has been erased, `[unreadable]` if its key is missing or damaged',
  ),
  after: anything('Value after, in the same form'),
})

const Parent = object(
  { type: text('Kind', { max: 60, example: 'permit' }), id: id('Record') },
  'Record that the entry’s record belongs to; null if there is none',
)

const entry = {
  site_id: id('Site; the platform’s id for entries without a site'),
  seq: integer('Number in the chain, without gaps', { min: 1, max: Number.MAX_SAFE_INTEGER }),
  id: id('Entry'),
  at: instant('Commit time; never decreases within a chain'),
  work_date: workDate('Site day'),
  actor: ref(AuditActor, 'Person or system that made the change'),
  acting_for: orNull(id('Contractor that an overseer acted for; null if no overseer acted')),
  action: oneOf(ACTIONS, 'Action'),
  cause: text('Operation', { max: 100, example: 'contractor.change' }),
  entity_type: text('Kind of record', { max: 60, example: 'contractor' }),
  entity_id: id('Record'),
  entity_label: text('Name at the time of the entry', { max: 300, example: 'PTW-000123' }),
  parent: orNull(Parent),
  changes: orNull(list(Change, 'Changed fields; null after they were erased', { max: 500 })),
  redacted: flag('Whether the changed values were erased; the chain can still be verified'),
  reason: orNull(text('Reason; null if no one gave one', { max: 2000 })),
  request_id: text('Request', { max: 200, example: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e' }),
  batch_id: id('Id shared by all entries of one request, job run or import'),
  reverts_entry_id: orNull(id('Entry that this one reverts; null if it isn’t a revert')),
  reverted_by_entry_id: orNull(id('Last entry that reverted this one; null if none has')),
  changes_digest: text('SHA-256 of a salt and the changes (RFC 8785)', {
    max: 64,
    example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  }),
  words_digest: orNull(
    text('SHA-256 of a salt and the names and reason of the entry; covered by the hash. Null in entries of hash version 1', { max: 64 }),
  ),
  state_digest: orNull(
    text(
      'SHA-256 of the same salt as changes_digest and the columns that the changes don’t show (version, stamps, secrets); null if the entry leaves no row, for example after a deletion',
      {
        max: 64,
      },
    ),
  ),
  events: orNull(text('Last event of the site at this entry, as number;hash; null in most entries', { max: 90 })),
  hash_version: integer(
    'Version of the hash: 2 (SHA-256) and 3 (the first half of SHA-512) cover every field of the entry, 1 covers eight of them',
    { min: 1, max: 3 },
  ),
  prev_hash: text('Hash of the previous entry', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
  hash: text('Hash of this entry', { max: 64, example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' }),
}

export const AuditEntry = shape('AuditEntry', 'An entry of the audit log', entry)

export const HistoryEntry = shape('HistoryEntry', 'An entry of a record’s history', {
  ...entry,
  revertible: ref(Flag, 'Whether the caller can revert the entry'),
})

const filter = {
  entity_type: optional(list(text('Kind of record', { max: 60, example: 'permit' }), 'Kinds of records', { max: 50 })),
  id: optional(list(id('Entry'), 'Ids of entries', { max: 500 })),
  entity_id: optional(list(id('Record'), 'Records', { max: 100 })),
  actor_id: optional(list(id('Actor'), 'Actors', { max: 100 })),
  action: optional(list(oneOf(ACTIONS, 'Action'), 'Action', { max: 11 })),
  batch_id: optional(list(id('Transaction'), 'Transactions', { max: 100 })),
  request_id: optional(list(text('Request', { max: 200 }), 'Requests', { max: 100 })),
  from: optional(instant('Earliest time of an entry')),
  to: optional(instant('Latest time of an entry (exclusive)')),
  q: optional(text('Text to search for in the record’s name', { max: 200, example: 'PTW-0001' })),
}

export const EntityQuery = object({ id: filter.id, ...paging })

export const SiteQuery = object({
  ...filter,
  format: optional(
    oneOf(['json', 'csv'], '`csv` returns a file of at most 50,000 entries, and the export is recorded in the audit log; default `json`'),
  ),
  verify: optional(flag('Whether to check the chain over this page and its link to the previous entry; the result is in X-Chain')),
  head: optional(
    text('X-Chain-Head of an earlier response (seq;hash); X-Chain then returns `holds` or `differs`', {
      max: 90,
      example: '12;b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    }),
  ),
  ...paging,
  limit: optional(
    integer('Entries per page, at most 1000 and by default 200; in a CSV file at most 50,000, which is its default', {
      min: 1,
      max: 50_000,
    }),
  ),
})

export const TimelineQuery = object({
  ...filter,
  group: optional(
    oneOf(
      ['batch', 'day'],
      'batch: one row for each request, job or import; day: one row for each site day, by default over the last 31 days; default batch',
    ),
  ),
  ...paging,
})

export const TimelineRow = shape('TimelineRow', 'Changes made by one request, job or import, or on one day', {
  at: optional(instant('Time of the changes; left out for a day')),
  work_date: workDate('Site day'),
  actor: optional(ref(AuditActor, 'Person or system that made the change')),
  sentence: optional(text('The changes in a sentence; left out for a day', { max: 1000, example: 'Ana Ruiz changed Steel fixers A' })),
  action: optional(oneOf(ACTIONS, 'Most significant action; left out for a day')),
  counts: record(integer('Number of entries'), 'Number of entries by kind of record'),
  batch_id: optional(id('Id shared by all entries of one request, job run or import')),
  entity: optional(
    orNull(
      object(
        { type: text('Kind', { max: 60 }), id: id('Record'), label: text('Name at the time of the entry', { max: 300 }) },
        'Changed record; null if there are several',
      ),
    ),
  ),
  entry_id: optional(orNull(id('Entry; null if there are several'))),
  revertible: optional(ref(Flag, 'Whether the caller can revert all the changes')),
  actors: optional(list(ref(AuditActor), 'People and systems that acted on that day, by name')),
})

export const Revert = shape('Revert', 'A request to revert an entry', {
  reason: text('Reason', { min: 1, max: 2000, example: 'Renamed the wrong contractor' }),
  fields: optional(
    list(text('Field', { max: 200, example: 'name' }), 'Fields to revert; default: every field that the entry changed', {
      min: 1,
      max: 200,
      unique: true,
    }),
  ),
  scope: optional(
    oneOf(
      ['entry', 'batch'],
      'What to revert: the `entry`, or the `batch` of everything that the entry’s request changed, all or nothing; default `entry`',
    ),
  ),
  dry_run: optional(flag('Whether to return the changes without making them')),
})

export const Reverted = shape('Reverted', 'The result of a revert', {
  entries: list(
    object({
      id: id('The new entry'),
      entity_type: text('Kind', { max: 60 }),
      entity_id: id('Record'),
      entity_label: text('Name at the time of the entry', { max: 300 }),
      reverts_entry_id: id('Entry that the new entry reverts'),
    }),
    'New entries; a dry run doesn’t store them',
  ),
  changed: list(
    object({
      entity_type: text('Kind', { max: 60 }),
      entity_id: id('Record'),
      path: text('Field', { max: 200 }),
      from: anything('Value before the revert'),
      to: anything('Value after the revert'),
    }),
    'Fields that changed',
    { max: 100_000 },
  ),
})

export type EntityQuery = Static<typeof EntityQuery>
export type SiteQuery = Static<typeof SiteQuery>
export type TimelineQuery = Static<typeof TimelineQuery>
export type Revert = Static<typeof Revert>
