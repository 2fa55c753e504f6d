import type { Instant } from '../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'

/** A record, with a key that it gets if it has none. `keeps`: it has values that are kept, and not only such that were there before. */
export type Wanting = { site_id: Id; kind: string; record_id: Id; key: unknown; keeps: boolean }

/** A key as it is stored; null once it was destroyed. */
export type KeyRow = { record_id: Id; no: number; key: unknown }

/**
 * Returns the keys with which records encrypt now, and makes those that are missing. A record whose key was destroyed gets another one only for values that are kept.
 * `another`: each record gets another key, because its last key is unreadable. The caller has locked the records, so that their keys stay as they are until the end of the transaction.
 */
export async function keysFor(
  db: Db,
  wanting: readonly Wanting[],
  { now, wrapped_by, another }: { now: Instant; wrapped_by: string; another: boolean },
): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(wanting)}::jsonb) as g(site_id uuid, kind text, record_id uuid, key jsonb, keeps boolean)),
    last as (
      select distinct on (k.site_id, k.record_id) k.site_id, k.record_id, k.no, k.key from person_key k join given g using (site_id, record_id)
      order by k.site_id, k.record_id, k.no desc),
    made as (
      insert into person_key (site_id, record_id, no, kind, key, wrapped_by, created_at)
      select g.site_id, g.record_id, coalesce(l.no, 0) + 1, g.kind, g.key, ${wrapped_by}, ${now}::timestamptz
      from given g left join last l using (site_id, record_id) where l.no is null or (l.key is null and g.keeps) or ${another}
      returning record_id, no, key)
    select record_id, no, key from made
    union all select record_id, no, key from last where key is not null and not ${another}`.execute(db)
  return rows
}

/** Returns every key of these records. */
export async function keysOf(db: Db, site_id: Id, ids: readonly Id[]): Promise<KeyRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('person_key')
    .select(['record_id', 'no', 'key'])
    .where('site_id', '=', site_id)
    .where('record_id', 'in', [...ids])
    .execute()
}

/** Destroys the keys of records. One that never had a key gets a destroyed one, so that what is written about its values from now on is erased as well. */
export async function destroyKeys(db: Db, kind: string, site_id: Id, ids: readonly Id[], now: Instant): Promise<void> {
  await sql`
    with destroyed as (
      update person_key set key = null, wrapped_by = '', erased_at = ${now}::timestamptz
      where site_id = ${site_id} and record_id = any(${ids}::uuid[]) and key is not null)
    insert into person_key (site_id, record_id, no, kind, wrapped_by, created_at, erased_at)
    select ${site_id}, id, 1, ${kind}, '', ${now}::timestamptz, ${now}::timestamptz from unnest(${ids}::uuid[]) as id
    where not exists (select 1 from person_key k where k.site_id = ${site_id} and k.record_id = id)`.execute(db)
}

/** Where a reading of all keys has come to. */
export type After = { kind: string; site_id: Id; record_id: Id; no: number }

/** Lists keys that are stored otherwise than the settings say now, in order. */
export async function keysWrappedOtherwise(db: Db, wrapped_by: string, after: After, limit: number): Promise<(After & { key: unknown })[]> {
  const { kind, site_id, record_id, no } = after
  const { rows } = await sql<After & { key: unknown }>`
    select kind, site_id, record_id, no, key from person_key
    where key is not null and wrapped_by <> ${wrapped_by} and (kind, site_id, record_id, no) > (${kind}, ${site_id}::uuid, ${record_id}::uuid, ${no}::integer)
    order by kind, site_id, record_id, no limit ${limit}`.execute(db)
  return rows
}

/** Stores a key in another form, unless it was destroyed or another process did so. */
export async function replaceKey(
  db: Db,
  { site_id, record_id, no, key: was }: After & { key: unknown },
  key: unknown,
  wrapped_by: string,
): Promise<void> {
  await db
    .updateTable('person_key')
    .set({ key: jsonb(key), wrapped_by })
    .where('site_id', '=', site_id)
    .where('record_id', '=', record_id)
    .where('no', '=', no)
    .where('key', '=', jsonb(was))
    .execute()
}
