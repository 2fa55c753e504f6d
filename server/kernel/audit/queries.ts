import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Draft } from './domain.ts'

/** Takes what this transaction has drafted on these sites; the drafts are gone then. */
export async function takeDrafts(db: Db, sites: readonly Id[]): Promise<Draft[]> {
  const { rows } = await sql<Draft>`
    with opened as (delete from audit_open where site_id = any(${sites as Id[]}::uuid[]) and txid = pg_current_xact_id())
    delete from audit_draft where site_id = any(${sites as Id[]}::uuid[]) and txid = pg_current_xact_id()
    returning site_id, record_id, version, op, table_name, before, after`.execute(db)
  return rows
}

/** One site's part of a seal, as the SQL function takes it. */
export type SealPart = {
  site: Id
  genesis: string
  entries: Record<string, unknown>[]
  events: Record<string, unknown>[]
  created: { id: Id; kind: string }[]
  layers: string[]
}

/** The last statement of a writing transaction. */
export const sealStatement = (parts: readonly SealPart[], now: string) => ({
  text: 'select seal($1::jsonb, $2::timestamptz)',
  values: [JSON.stringify(parts), now],
})

/** A site's time zone, for work that did not enter the site. */
export async function zoneOf(db: Db, site_id: Id): Promise<string> {
  const row = await db.selectFrom('site').select('timezone').where('site_id', '=', site_id).executeTakeFirst()
  return row?.timezone ?? 'UTC'
}

/** An entry as verification reads it. */
export type ChainRow = {
  seq: number
  at: string
  actor_id: Id | null
  action: string
  entity_type: string
  entity_id: Id
  request_id: string
  changes_text: string | null
  salt: string | null
  changes_digest: string
  prev_hash: string
  hash: string
}

/** A stretch of a chain, in order, after `seq`. */
export async function chainAfter(db: Db, site_id: Id, seq: number, limit: number): Promise<ChainRow[]> {
  const { rows } = await sql<ChainRow>`
    select seq, at, actor_id, action, entity_type, entity_id, request_id, changes::text as changes_text, salt, changes_digest, prev_hash, hash
    from audit_entry where site_id = ${site_id} and seq > ${seq} order by seq limit ${limit}`.execute(db)
  return rows
}

/** The head of a chain; null when nothing was ever written there. */
export async function headOf(db: Db, site_id: Id): Promise<{ seq: number; hash: string } | null> {
  return (await db.selectFrom('site_head').select(['seq', 'hash']).where('site_id', '=', site_id).executeTakeFirst()) ?? null
}

/** The hash of one entry; null when there is none with this number. */
export async function hashAt(db: Db, site_id: Id, seq: number): Promise<string | null> {
  const row = await db.selectFrom('audit_entry').select('hash').where('site_id', '=', site_id).where('seq', '=', seq).executeTakeFirst()
  return row?.hash ?? null
}

/** Clears what entries about these records say: their hashes cover the digest, so that the chain still verifies (`site-and-people.md` §15). */
export async function redact(db: Db, site_id: Id, entity_ids: readonly Id[]): Promise<void> {
  await sql`
    update audit_entry set changes = null, salt = null
    where site_id = ${site_id} and entity_id = any(${entity_ids as Id[]}::uuid[]) and changes is not null`.execute(db)
}

/** Sites that have a chain, the platform's included. */
export async function chains(db: Db): Promise<Id[]> {
  const rows = await db.selectFrom('site_head').select('site_id').orderBy('site_id').execute()
  return rows.map(r => r.site_id)
}
