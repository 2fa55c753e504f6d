import type { Instant } from '../../../../shared/time.ts'
import { containing, type Db, sql } from '../../../base/db.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'

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

/** The filters of a site's audit log. */
export type Narrowed = {
  entity_type?: readonly string[] | undefined
  entity_id?: Id | undefined
  actor_id?: Id | undefined
  action?: readonly string[] | undefined
  batch_id?: Id | undefined
  request_id?: string | undefined
  q?: string | undefined
  /** Whether to include entries that show no change, as an export of the whole chain does. */
  quiet?: boolean | undefined
  /** The entry numbers to search between. The from and to times become numbers, because times in a chain never go back. */
  above?: number | undefined
  below?: number | undefined
}

function narrowed(filter: Narrowed) {
  const like = filter.q === undefined ? null : containing(filter.q)
  return sql`
    ${filter.quiet === true ? sql`` : sql`and not e.quiet`}
    ${filter.entity_type === undefined ? sql`` : sql`and e.entity_type = any(${filter.entity_type as string[]}::text[])`}
    ${filter.entity_id === undefined ? sql`` : sql`and e.entity_id = ${filter.entity_id}`}
    ${filter.actor_id === undefined ? sql`` : sql`and e.actor_id = ${filter.actor_id}`}
    ${filter.action === undefined ? sql`` : sql`and e.action = any(${filter.action as string[]}::text[])`}
    ${filter.batch_id === undefined ? sql`` : sql`and e.batch_id = ${filter.batch_id}`}
    ${filter.request_id === undefined ? sql`` : sql`and e.request_id = ${filter.request_id}`}
    ${like === null ? sql`` : sql`and e.entity_label ilike ${like}`}
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

/** Returns an entry by its bare id. */
export async function entryById(db: Db, id: Id): Promise<EntryRow | null> {
  const { rows } = await sql<EntryRow>`select * from audit_entry where id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Returns which of these entries were reverted, and by which entry; the last one if there are several. */
export async function revertsOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, Id>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; reverts_entry_id: Id }>`
    select id, reverts_entry_id from audit_entry where site_id = ${site_id} and reverts_entry_id = any(${ids as Id[]}::uuid[]) order by seq`.execute(
    db,
  )
  return new Map(rows.map(row => [row.reverts_entry_id, row.id]))
}

/** Returns the values of a deleted record: the last entry of its history is its deletion. */
export async function lastValues(db: Db, site_id: Id, entity_id: Id): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<Pick<EntryRow, 'changes'>>`
    select changes from audit_entry where site_id = ${site_id} and entity_id = ${entity_id} and action <> 'read' and not quiet order by seq desc limit 1`.execute(
    db,
  )
  const changes = rows[0]?.changes
  return changes == null ? null : Object.fromEntries(changes.map(change => [change.path, change.before]))
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
> & { matches: boolean }

/** Lists every entry of these transactions, newest first. */
export async function partsOf(db: Db, site_id: Id, filter: Narrowed, batch_ids: readonly Id[]): Promise<BatchPart[]> {
  const { rows } = await sql<BatchPart>`
    select id, seq, at, batch_id, actor_kind, actor_id, actor_name, action, cause, entity_type, entity_id, entity_label, work_date, reverts_entry_id,
      (true ${narrowed(filter)}) as matches
    from audit_entry e where e.site_id = ${site_id} and e.batch_id = any(${batch_ids as Id[]}::uuid[]) and not e.quiet order by e.seq desc`.execute(
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
    select e.work_date, e.entity_type, case when e.entity_type = any(${one_by_one as string[]}::text[]) then e.entity_id end as entity_id,
      count(*) as n, jsonb_agg(distinct jsonb_build_object('kind', e.actor_kind, 'id', e.actor_id, 'name', e.actor_name)) as actors
    from audit_entry e where e.site_id = ${site_id} ${narrowed(filter)} ${below(filter.below)} group by 1, 2, 3`.execute(db)
  return rows
}

/** How far a chain has been checked. */
export type CheckRow = { site_id: Id; seq: number; hash: string; checked_at: Instant; whole_at: Instant | null; broken_seq: number | null }

/** Returns the last check of a chain. */
export async function checkOf(db: Db, site_id: Id): Promise<CheckRow | null> {
  return (await db.selectFrom('chain_check').selectAll().where('site_id', '=', site_id).executeTakeFirst()) ?? null
}

/** Saves how far a chain has been checked. */
export async function saveCheck(db: Db, check: CheckRow): Promise<void> {
  const { site_id: _site, ...set } = check
  await db
    .insertInto('chain_check')
    .values(check)
    .onConflict(c => c.column('site_id').doUpdateSet(set))
    .execute()
}

/** Returns the rows of a site in a table (of the platform, if `site_id` is null) after this id, as the audit log writes them. */
export async function rowsAfter(db: Db, table: string, site_id: Id | null, after: Id, limit: number): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where ${site_id === null ? sql`` : sql`site_id = ${site_id} and`} id > ${after} order by id limit ${limit}`.execute(
    db,
  )
  return rows.map(r => r.row)
}

/** The part of an entry that gives the state of its record. */
export type Said = Pick<EntryRow, 'entity_id' | 'seq' | 'v' | 'changes' | 'salt' | 'state_digest'>

/** Returns what the audit log says about these records, oldest first. */
export async function changesOf(db: Db, site_id: Id, entity_type: string, ids: readonly Id[]): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select entity_id, seq, v, changes, salt, state_digest from audit_entry
    where site_id = ${site_id} and entity_type = ${entity_type} and entity_id = any(${ids as Id[]}::uuid[]) order by seq`.execute(db)
  return rows
}

/** Returns the records in the audit log that no longer exist, each with its last entry. `at` is null for a table of the platform. */
export async function goneFrom(
  db: Db,
  table: string,
  at: Id | null,
  site_id: Id,
  entity_type: string,
): Promise<{ entity_id: Id; entity_label: string; seq: number; changes: EntryRow['changes'] }[]> {
  const { rows } = await sql<{ entity_id: Id; entity_label: string; seq: number; changes: EntryRow['changes'] }>`
    select distinct on (e.entity_id) e.entity_id, e.entity_label, e.seq, e.changes from audit_entry e
    where e.site_id = ${site_id} and e.entity_type = ${entity_type} and (e.changes is null or e.changes <> '[]')
      and not exists (select 1 from ${sql.table(table)} t where ${at === null ? sql`` : sql`t.site_id = e.site_id and`} t.id = e.entity_id)
    order by e.entity_id, e.seq desc`.execute(db)
  return rows
}

/** The columns of a tracked table that are never null: the values of those with a default, and the names of those without one. */
export type Columns = { defaults: Map<string, unknown>; required: string[] }

/** Returns the tables whose changes are recorded, with their columns: two queries, because a check of many sites asks for each. */
export async function trackedTables(db: Db): Promise<Map<string, Columns>> {
  const { rows } = await sql<{ table: string; name: string | null; expression: string | null }>`
    select c.relname as table, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as expression from pg_trigger t join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attgenerated = ''
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where t.tgname = 'record_draft'`.execute(db)
  const expressions = [...new Set(rows.flatMap(row => (row.expression === null ? [] : [row.expression])))]
  const { rows: values } = await sql<{ values: unknown[] }>`
    select to_jsonb(array[${sql.join(expressions.map(one => sql`to_jsonb(${sql.raw(one)})`))}]::jsonb[]) as values`.execute(db)
  const value = new Map(expressions.map((one, i) => [one, values[0]?.values[i] ?? null]))
  const tables = new Map<string, Columns>()
  for (const { table, name, expression } of rows) {
    const columns: Columns = tables.get(table) ?? { defaults: new Map(), required: [] }
    tables.set(table, columns)
    if (name !== null && expression !== null) columns.defaults.set(name, value.get(expression))
    else if (name !== null) columns.required.push(name)
  }
  return tables
}

/** Returns the records of a kind that the record directory doesn't find on their site (`site_id` null: a table of the platform). */
export async function notInDirectory(db: Db, table: string, site_id: Id | null, kind: string): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(table)} t left join record_directory d on d.id = t.id
    where ${site_id === null ? sql`` : sql`t.site_id = ${site_id} and`} (d.id is null or d.site_id <> ${site_id ?? PLATFORM} or d.kind <> ${kind}) order by t.id`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns the head of every log, including the platform's. */
export async function headsNow(db: Db): Promise<{ site_id: Id; seq: number; hash: string }[]> {
  return db.selectFrom('site_head').select(['site_id', 'seq', 'hash']).where('seq', '>', 0).orderBy('site_id').execute()
}

/** Returns the people who get the heads by email: superadmins those of all logs (`site_ids` null), administrators those of their sites. */
export async function peopleToTell(db: Db): Promise<{ user_id: Id; site_ids: Id[] | null }[]> {
  const { rows } = await sql<{ user_id: Id; site_ids: Id[] | null }>`
    select u.id as user_id, case when u.is_superadmin then null else array_agg(m.site_id::text order by m.site_id) end as site_ids
    from app_user u left join (membership m join site s on s.site_id = m.site_id and s.deleted_at is null) on m.user_id = u.id and m.status = 'active' and m.role = 'admin'
    where u.email is not null and u.email_verified and u.disabled_at is null and (u.is_superadmin or m.id is not null)
    group by u.id order by u.id`.execute(db)
  return rows
}

/** Returns the person that an email goes to; null if they have no address any more. */
export async function personTold(db: Db, user_id: Id): Promise<{ name: string; email: string; locale: string | null } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['name', 'email', 'locale'])
    .where('id', '=', user_id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row === undefined || row.email === null ? null : { ...row, email: row.email }
}

/** Returns the names of sites, by id. */
export async function namesOfSites(db: Db, site_ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await db
    .selectFrom('site')
    .select(['site_id', 'name'])
    .where('site_id', 'in', [PLATFORM, ...site_ids])
    .execute()
  return new Map(rows.map(row => [row.site_id, row.name]))
}
