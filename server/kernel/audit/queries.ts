import type { HashVersion } from '../../../shared/proof/algorithms.ts'
import type { EntryFacts, EntryWords } from '../../../shared/proof/entry.ts'
import type { Role } from '../../base/actor.ts'
import { type Db, sql } from '../../base/db.ts'
import { type Id, PLATFORM } from '../../base/ids.ts'
import { amongFew } from '../../base/plans.ts'
import type { Change, Draft, eventText, NewEntry } from './domain.ts'

/** Returns and deletes the drafts of this transaction on these sites. */
export async function takeDrafts(db: Db, sites: readonly Id[]): Promise<Draft[]> {
  const mine = sql`${amongFew('site_id', sites, 'uuid')} and txid = pg_current_xact_id()`
  const { rows } = await sql<Draft>`
    with opened as (delete from audit_open where ${mine})
    delete from audit_draft where ${mine}
    returning site_id, record_id, version, op, table_name, before, after`.execute(db)
  return rows
}

/** Lists drafts of this transaction on these sites that follow `after`, in the order of their sites and records; nothing is deleted. */
export async function draftsAfter(db: Db, sites: readonly Id[], after: Draft | null, limit: number): Promise<Draft[]> {
  const { site_id, record_id, version, op } = after ?? { site_id: PLATFORM, record_id: PLATFORM, version: 0, op: 'D' }
  const { rows } = await sql<Draft>`
    select site_id, record_id, version, op, table_name, before, after from audit_draft
    where site_id = any(${sites}::uuid[]) and txid = pg_current_xact_id()
      and (site_id, record_id, version, op) > (${site_id}::uuid, ${record_id}::uuid, ${version}::integer, ${op}::"char")
    order by site_id, record_id, version, op limit ${limit}`.execute(db)
  return rows
}

/** Deletes the drafts of this transaction on these sites. */
export async function dropDrafts(db: Db, sites: readonly Id[]): Promise<void> {
  await sql`
    with opened as (delete from audit_open where site_id = any(${sites}::uuid[]) and txid = pg_current_xact_id())
    delete from audit_draft where site_id = any(${sites}::uuid[]) and txid = pg_current_xact_id()`.execute(db)
}

/** One site's part of a seal, in the form that the SQL function expects. */
export type SealPart = {
  site: Id
  /** Version of the hash of these entries and events. */
  v: HashVersion
  genesis: string
  entries: NewEntry[]
  events: Record<string, unknown>[]
  created: { id: Id; kind: string }[]
  layers: string[]
  /** On the last part: whose write it is, and what their access was when it was decided. If that has changed, the seal refuses the write. */
  person?: { id: Id; site_id: Id; role: Role | null; contractor_id: Id | null; is_superadmin: boolean }
}

/** Returns the last statement of a writing transaction. */
export const sealStatement = (parts: readonly SealPart[], now: string) => ({
  text: 'select seal($1::jsonb, $2::timestamptz)',
  values: [JSON.stringify(parts), now],
})

/** Returns a site's time zone, for work that did not enter the site. */
export async function zoneOf(db: Db, site_id: Id): Promise<string> {
  const row = await db.selectFrom('site').select('timezone').where('site_id', '=', site_id).executeTakeFirst()
  return row?.timezone ?? 'UTC'
}

/** An entry with the columns that verification needs. */
export type ChainRow = Omit<EntryFacts, 'site_id' | 'words_digest'> &
  EntryWords & {
    seq: number
    at: string
    v: number
    changes_text: string | null
    salt: string | null
    words_salt: string | null
    words_digest: string | null
    events: string | null
    prev_hash: string
    hash: string
  }

/** Lists part of a chain, in order, after `seq`. */
export async function chainAfter(db: Db, site_id: Id, seq: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select seq, at, v, acting_for, action, actor_id, actor_kind, actor_name, batch_id, cause, changes_digest, entity_id, entity_label, entity_type, id,
      parent_id, parent_type, quiet, reason, request_id, reverts_entry_id, state_digest, work_date, changes::text as changes_text, salt, words_salt,
      words_digest, events, prev_hash, hash
    from audit_entry where site_id = ${site_id} and seq > ${seq} order by seq limit ${limit}`.execute(db)
  return rows
}

/** Lists the entries that erased others or protect older ones, oldest first. */
export async function entriesOfType(
  db: Db,
  site_id: Id,
  entity_type: string,
): Promise<{ seq: number; v: number; changes: Change[] | null }[]> {
  const { rows } = await sql<{ seq: number; v: number; changes: Change[] | null }>`
    select seq, v, changes from audit_entry where site_id = ${site_id} and entity_type = ${entity_type} order by seq`.execute(db)
  return rows
}

/**
 * Returns digests of blocks of version 1 entries, over the columns that their hashes do not cover. The SQL is the same as in the migration that
 * protected them, and neither can ever change.
 */
export async function blocksOf(db: Db, site_id: Id, size: number, through: number): Promise<string[]> {
  const { rows } = await sql<{ digest: string }>`
    select (e.seq - 1) / ${size} as block, encode(sha256(convert_to(string_agg(jsonb_build_array(e.seq, e.id, e.work_date, e.actor_kind, e.actor_name,
      e.acting_for, e.cause, e.entity_label, e.parent_type, e.parent_id, e.reason, e.batch_id, e.reverts_entry_id)::text, E'\n' order by e.seq), 'UTF8')), 'hex') as digest
    from audit_entry e where e.site_id = ${site_id} and e.seq <= ${through} group by 1 order by 1`.execute(db)
  return rows.map(row => row.digest)
}

/** An event with the columns that verification needs. */
export type EventLink = Parameters<typeof eventText>[0] & {
  event_no: number
  at: string
  schema: number
  salt: string | null
  digest: string | null
  hash: string | null
}

/** Lists events after a number, in order. */
export async function eventsAfter(db: Db, site_id: Id, event_no: number, limit: number): Promise<EventLink[]> {
  const { rows } = await sql<EventLink>`
    select event_no, at, schema, actor_id, actor_kind, actor_name, actor_role, contractor_ids, id, kind, payload, place, request_id, subject_id,
      subject_kind, subject_label, work_date, salt, digest, hash
    from event where site_id = ${site_id} and event_no > ${event_no} order by event_no limit ${limit}`.execute(db)
  return rows
}

/** Returns the first entry that refers to an event that is missing or different. */
export async function strayReference(db: Db, site_id: Id): Promise<{ seq: number; event_no: number } | null> {
  const { rows } = await sql<{ seq: number; event_no: number }>`
    select a.seq, split_part(a.events, ';', 1)::bigint as event_no from audit_entry a
      left join event e on e.site_id = a.site_id and e.event_no = split_part(a.events, ';', 1)::bigint
    where a.site_id = ${site_id} and a.events is not null and e.hash is distinct from split_part(a.events, ';', 2) order by a.seq limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Returns the head of a chain; null if it has no entries. */
export async function headOf(db: Db, site_id: Id): Promise<{ seq: number; hash: string } | null> {
  return (await db.selectFrom('site_head').select(['seq', 'hash']).where('site_id', '=', site_id).executeTakeFirst()) ?? null
}

/** Returns the heads of a site's audit log and of its events. */
export async function wholeHead(
  db: Db,
  site_id: Id,
): Promise<{ seq: number; hash: string; last_at: string | null; event_no: number; event_hash: string | null } | null> {
  const columns = ['seq', 'hash', 'last_at', 'event_no', 'event_hash'] as const
  return (await db.selectFrom('site_head').select(columns).where('site_id', '=', site_id).executeTakeFirst()) ?? null
}

/** Returns the hash of one entry; null if there is no entry with this number. */
export async function hashAt(db: Db, site_id: Id, seq: number): Promise<string | null> {
  const row = await db.selectFrom('audit_entry').select('hash').where('site_id', '=', site_id).where('seq', '=', seq).executeTakeFirst()
  return row?.hash ?? null
}

/** Lists entries about these records, for an erasure. */
export async function entriesAbout(
  db: Db,
  site_id: Id,
  entity_ids: readonly Id[],
): Promise<(EntryWords & { seq: number; v: number; salt: string | null; words_salt: string | null })[]> {
  const { rows } = await sql<EntryWords & { seq: number; v: number; salt: string | null; words_salt: string | null }>`
    select seq, v, salt, words_salt, actor_name, entity_label, reason from audit_entry
    where site_id = ${site_id} and entity_id = any(${entity_ids}::uuid[]) order by seq`.execute(db)
  return rows
}

/** Clears the changes of an entry, and replaces the names in it: its hash covers the digests, so that the chain still verifies. */
export async function clearEntry(db: Db, site_id: Id, seq: number, words: EntryWords | null, words_digest: string | null): Promise<void> {
  await db
    .updateTable('audit_entry')
    .set({ changes: null, salt: null, ...(words === null ? {} : { ...words, words_salt: null, words_digest }) })
    .where('site_id', '=', site_id)
    .where('seq', '=', seq)
    .execute()
}

/** Returns a record's row in the form of the audit log, locked so that nothing changes it before the entry with its state is written. */
export async function presentRow(
  db: Db,
  kind: { table: string; platform: boolean },
  site_id: Id,
  id: Id,
): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(kind.table)} t where ${kind.platform ? sql`` : sql`site_id = ${site_id} and`} id = ${id} for update`.execute(
    db,
  )
  return rows[0]?.row ?? null
}

/** Returns the values of a deleted record: the last entry of its history is its deletion. */
export async function lastValues(db: Db, site_id: Id, entity_type: string, entity_id: Id): Promise<Record<string, unknown> | null> {
  const { rows } = await sql<{ changes: Change[] | null }>`
    select changes from audit_entry where site_id = ${site_id} and entity_id = ${entity_id} and entity_type = ${entity_type} and action <> 'read' and not quiet
    order by seq desc limit 1`.execute(db)
  const changes = rows[0]?.changes
  return changes == null ? null : Object.fromEntries(changes.map(change => [change.path, change.before]))
}

/** Lists the sites that have a chain, including the platform. */
export async function chains(db: Db): Promise<Id[]> {
  const rows = await db.selectFrom('site_head').select('site_id').orderBy('site_id').execute()
  return rows.map(r => r.site_id)
}

/** Returns the sites of which a table has rows, by table. The platform is left out. Each table is searched once for each of its sites, never read completely. */
export async function sitesInTables(db: Db, tables: readonly string[]): Promise<Map<Id, string[]>> {
  const found = new Map<Id, string[]>()
  for (const table of tables) {
    const { rows } = await sql<{ site_id: Id }>`
      with recursive step as (
        (select site_id from ${sql.table(table)} where site_id is not null order by site_id limit 1)
        union all
        select (select t.site_id from ${sql.table(table)} t where t.site_id > step.site_id order by t.site_id limit 1) from step where step.site_id is not null
      )
      select site_id from step where site_id is not null`.execute(db)
    for (const { site_id } of rows) if (site_id !== PLATFORM) found.set(site_id, [...(found.get(site_id) ?? []), table])
  }
  return found
}

/** Lists the tables whose rows refer to a site. */
export async function tablesOfSites(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind = 'r' and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped) order by 1`.execute(
    db,
  )
  return rows.map(row => row.name)
}

/** Returns the sites that are being erased and those that have been, according to the platform's audit log. */
export async function sitesErased(db: Db, only?: Id): Promise<Map<Id, 'erasing' | 'erased'>> {
  const { rows } = await sql<{ entity_id: Id; path: string }>`
    select entity_id, changes -> 0 ->> 'path' as path from audit_entry where site_id = ${PLATFORM} and entity_type = 'site' and action = 'delete'
      ${only === undefined ? sql`` : sql`and entity_id = ${only}`} order by seq`.execute(db)
  return new Map(rows.map(row => [row.entity_id, row.path === 'erased' ? 'erased' : 'erasing']))
}

/** Returns the records of at most `limit` entries that the history of a site has of these kinds after its first `entries`. Every change of a row has one. */
export async function changedSince(
  db: Db,
  site_id: Id,
  entries: number,
  kinds: readonly string[],
  limit: number,
): Promise<{ kind: string; id: Id }[]> {
  const { rows } = await sql<{ kind: string; id: Id }>`
    select entity_type as kind, entity_id as id from audit_entry
    where site_id = ${site_id} and entity_type = any(${kinds}::text[]) and seq > ${entries}::bigint limit ${limit}`.execute(db)
  return rows
}
