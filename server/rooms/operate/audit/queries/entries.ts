import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { andAmong } from '../../../../base/plans.ts'
import { mentions } from '../../../../kernel/listing/door.ts'

/** An entry of the audit log as it is stored. */
export type EntryRow = {
  site_id: Id
  seq: number
  id: Id
  at: Instant
  work_date: string
  actor_kind: string
  actor_id: Id | null
  actor_name: string
  acting_for: Id | null
  action: string
  cause: string
  entity_type: string
  entity_id: Id
  entity_label: string
  parent_type: string | null
  parent_id: Id | null
  changes: { path: string; before: unknown; after: unknown }[] | null
  salt: string | null
  reason: string | null
  request_id: string
  batch_id: Id
  reverts_entry_id: Id | null
  changes_digest: string
  prev_hash: string
  hash: string
  /** Version of the hash. */
  v: number
  quiet: boolean
  words_salt: string | null
  words_digest: string | null
  state_digest: string | null
  events: string | null
}

/** Returns the people who have asked to join a site, but never became a member. */
export async function strangersOn(db: Db, site_id: Id): Promise<Id[]> {
  const { rows } = await sql<{ user_id: Id }>`
    select m.user_id from membership m where m.site_id = ${site_id} group by m.user_id
    having bool_and(m.status <> 'active' and m.approved_at is null)`.execute(db)
  return rows.map(row => row.user_id)
}

/** The filters of a site's audit log. */
export type Narrowed = {
  entity_type?: readonly string[] | undefined
  id?: readonly Id[] | undefined
  entity_id?: readonly Id[] | undefined
  actor_id?: readonly Id[] | undefined
  action?: readonly string[] | undefined
  batch_id?: readonly Id[] | undefined
  request_id?: readonly string[] | undefined
  q?: string | undefined
  /** Whether to include entries that show no change, as an export of the whole chain does. */
  quiet?: boolean | undefined
  /** The entry numbers to search between. The from and to times become numbers, because times in a chain never go back. */
  above?: number | undefined
  below?: number | undefined
}

function narrowed(filter: Narrowed) {
  return sql`
    ${filter.quiet === true ? sql`` : sql`and not e.quiet`}
    ${filter.entity_type === undefined ? sql`` : sql`and e.entity_type = any(${filter.entity_type}::text[])`}
    ${andAmong('e.id', filter.id, 'uuid')} ${andAmong('e.entity_id', filter.entity_id, 'uuid')} ${andAmong('e.actor_id', filter.actor_id, 'uuid')}
    ${filter.action === undefined ? sql`` : sql`and e.action = any(${filter.action}::text[])`}
    ${andAmong('e.batch_id', filter.batch_id, 'uuid')} ${andAmong('e.request_id', filter.request_id, 'text')}
    ${filter.q === undefined ? sql`` : sql`and ${mentions([sql`e.entity_label`], filter.q)}`}
    ${filter.above === undefined ? sql`` : sql`and e.seq > ${filter.above}`}`
}

const below = (seq: number | undefined) => (seq === undefined ? sql`` : sql`and e.seq < ${seq}`)

/** Lists entries of a site, newest first. */
export async function entriesOn(db: Db, site_id: Id, filter: Narrowed, limit: number): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select * from audit_entry e where e.site_id = ${site_id} ${narrowed(filter)} ${below(filter.below)} order by e.seq desc limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Returns an entry by its id alone. */
export async function entryById(db: Db, id: Id): Promise<EntryRow | null> {
  const { rows } = await sql<EntryRow>`select * from audit_entry where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Returns which of these entries were reverted, and by which entry; the last one if there are several. */
export async function revertsOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, Id>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; reverts_entry_id: Id }>`
    select id, reverts_entry_id from audit_entry where site_id = ${site_id} and reverts_entry_id = any(${ids}::uuid[]) order by seq`.execute(
    db,
  )
  return new Map(rows.map(row => [row.reverts_entry_id, row.id]))
}

/** Returns the newest entry that changed this field of a record after the given entry. */
export async function changerOf(db: Db, site_id: Id, entity_id: Id, path: string, after_seq: number): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select id from audit_entry where site_id = ${site_id} and entity_id = ${entity_id} and seq > ${after_seq}
      and changes @> ${JSON.stringify([{ path }])}::jsonb order by seq desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns the last entry number before an instant. Times in a chain never go back, so a time is a position in it. */
export async function lastBefore(db: Db, site_id: Id, at: Instant): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from audit_entry where site_id = ${site_id} and at < ${at} order by at desc, seq desc limit 1`.execute(db)
  return rows[0]?.seq ?? 0
}

/** Lists a site's transactions, newest first. Each is an unbroken run of numbers, so the query steps from run to run. */
export async function batchesOn(db: Db, site_id: Id, filter: Narrowed, limit: number): Promise<{ batch_id: Id; top: number }[]> {
  const { rows } = await sql<{ batch_id: Id; top: number }>`
    with recursive step as (
      (select e.batch_id, e.seq as top, (select min(x.seq) from audit_entry x where x.site_id = e.site_id and x.batch_id = e.batch_id) as bottom
       from audit_entry e where e.site_id = ${site_id} ${narrowed(filter)} ${below(filter.below)} order by e.seq desc limit 1)
      union all
      select n.* from step cross join lateral (
        select e.batch_id, e.seq as top, (select min(x.seq) from audit_entry x where x.site_id = e.site_id and x.batch_id = e.batch_id) as bottom
        from audit_entry e where e.site_id = ${site_id} and e.seq < step.bottom ${narrowed(filter)} order by e.seq desc limit 1) n
    )
    select batch_id, top from step limit ${limit}`.execute(db)
  return rows
}

/**
 * An entry of one of several transactions, and whether it matches the filters: enough to count it, and to decide who can see it and whether it can be
 * reverted.
 */
export type BatchPart = Pick<
  EntryRow,
  | 'id'
  | 'seq'
  | 'at'
  | 'batch_id'
  | 'actor_kind'
  | 'actor_id'
  | 'actor_name'
  | 'action'
  | 'cause'
  | 'entity_type'
  | 'entity_id'
  | 'entity_label'
  | 'work_date'
  | 'reverts_entry_id'
> & {
  matches: boolean
  /** The changed fields; null after they were erased. */
  paths: string[] | null
}

/** Lists every entry of these transactions, newest first. */
export async function partsOf(db: Db, site_id: Id, filter: Narrowed, batch_ids: readonly Id[]): Promise<BatchPart[]> {
  const { rows } = await sql<BatchPart>`
    select id, seq, at, batch_id, actor_kind, actor_id, actor_name, action, cause, entity_type, entity_id, entity_label, work_date, reverts_entry_id,
      (true ${narrowed(filter)}) as matches, case when e.changes is not null then jsonb_path_query_array(e.changes, '$[*].path') end as paths
    from audit_entry e where e.site_id = ${site_id} and e.batch_id = any(${batch_ids}::uuid[]) and not e.quiet order by e.seq desc`.execute(
    db,
  )
  return rows
}

/** The person who acted, as shown in a feed. */
export type Acting = { kind: string; id: Id | null; name: string }

/** Returns the counts of each day by kind; for kinds whose visibility is decided record by record, also by record. */
export async function countsOfDays(
  db: Db,
  site_id: Id,
  filter: Narrowed,
  one_by_one: readonly string[],
): Promise<{ work_date: string; entity_type: string; entity_id: Id | null; n: number; actors: Acting[] }[]> {
  const { rows } = await sql<{ work_date: string; entity_type: string; entity_id: Id | null; n: number; actors: Acting[] }>`
    select e.work_date, e.entity_type, case when e.entity_type = any(${one_by_one}::text[]) then e.entity_id end as entity_id,
      count(*) as n, jsonb_agg(distinct jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id, 'name', e.actor_name)) as actors
    from audit_entry e where e.site_id = ${site_id} ${narrowed(filter)} ${below(filter.below)} group by 1, 2, 3`.execute(db)
  return rows
}
