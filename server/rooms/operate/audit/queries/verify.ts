import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import { type Id, PLATFORM } from '../../../../base/ids.ts'
import type { EntryRow } from './entries.ts'

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

/**
 * Returns which kinds a site (or the platform) has records of, and which its audit log has entries about. One statement asks for all of them: most sites have
 * records of few kinds.
 */
export async function kindsInUse(
  db: Db,
  site_id: Id,
  kinds: readonly { name: string; table: string; platform: boolean }[],
): Promise<{ filled: Set<string>; logged: Set<string> }> {
  const filled = kinds.map(
    ({ name, table, platform }) =>
      sql`case when exists (select 1 from ${sql.table(table)}${platform ? sql`` : sql` where site_id = ${site_id}`}) then ${name} end`,
  )
  const { rows } = await sql<{ filled: string[]; logged: string[] }>`
    select array_remove(array[${sql.join(filled)}]::text[], null) as filled,
      array(select kind from unnest(${kinds.map(({ name }) => name)}::text[]) kind
        where exists (select 1 from audit_entry e where e.site_id = ${site_id} and e.entity_type = kind)) as logged`.execute(db)
  return { filled: new Set(rows[0]?.filled), logged: new Set(rows[0]?.logged) }
}

/**
 * Returns the rows of a site in a table (of the platform, if `site_id` is null) after this id, as the audit log writes them. A stray one is missing from the record
 * directory, or listed there under another site or kind.
 */
export async function rowsAfter(
  db: Db,
  table: string,
  site_id: Id | null,
  kind: string,
  after: Id,
  limit: number,
): Promise<{ row: Record<string, unknown>; stray: boolean }[]> {
  const { rows } = await sql<{ row: Record<string, unknown>; stray: boolean }>`
    select to_jsonb(t) as row, (d.id is null or d.site_id <> ${site_id ?? PLATFORM} or d.kind <> ${kind}) as stray
    from ${sql.table(table)} t left join record_directory d on d.id = t.id
    where ${site_id === null ? sql`` : sql`t.site_id = ${site_id} and`} t.id > ${after} order by t.id limit ${limit}`.execute(db)
  return rows
}

/** The part of an entry that gives the state of its record. */
export type Said = Pick<EntryRow, 'entity_id' | 'seq' | 'v' | 'changes' | 'salt' | 'state_digest'>

/** Returns what the audit log says about these records, oldest first. */
export async function changesOf(db: Db, site_id: Id, entity_type: string, ids: readonly Id[]): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select entity_id, seq, v, changes, salt, state_digest from audit_entry
    where site_id = ${site_id} and entity_type = ${entity_type} and entity_id = any(${ids}::uuid[]) order by seq`.execute(db)
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
