import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { andSince } from '../../../base/plans.ts'
import { mentions } from '../../../kernel/listing/door.ts'
import type { Named } from './domain.ts'

/** A contractor as the database has it. */
export type ContractorRow = {
  site_id: Id
  id: Id
  version: number
  created_at: Instant
  updated_at: Instant
  name: string
  name_key: string
  short_name: string
  aliases: string[]
  colour: string
  colour_source: 'derived' | 'chosen'
  trades: string[]
  registration_number: string | null
  email: string | null
  phone: string | null
  address: string | null
  logo_sha256: string | null
  logo_type: string | null
  logo_version: number
  status: 'active' | 'left'
  source: 'manual' | 'import' | 'invite'
}

type Columns = Omit<ContractorRow, 'version' | 'created_at' | 'updated_at'>

/** Lists a site's contractors by key and id. `ids` filters; `after` is the last row of the previous page. */
export async function contractorsOn(
  db: Db,
  site_id: Id,
  filter: {
    q?: string
    status?: readonly string[]
    trade?: readonly string[]
    ids?: readonly Id[]
    updated_since?: Instant | undefined
    limit: number
    after: readonly (string | number | null)[] | null
  },
): Promise<ContractorRow[]> {
  const { rows } = await sql<ContractorRow>`
    select c.* from contractor c
    where c.site_id = ${site_id}
      ${filter.status === undefined ? sql`` : sql`and c.status = any(${filter.status}::text[])`}
      ${filter.ids === undefined ? sql`` : sql`and c.id = any(${filter.ids}::uuid[])`} ${andSince('c.updated_at', filter.updated_since)}
      ${filter.trade === undefined ? sql`` : sql`and ${filter.trade}::text[] && c.trades`}
      ${filter.q === undefined ? sql`` : sql`and exists (select 1 from contractor_name n where n.site_id = c.site_id and n.contractor_id = c.id and ${mentions([sql`n.folded`], filter.q)})`}
      ${filter.after === null ? sql`` : sql`and (c.name_key, c.id) > (${filter.after[0]}, ${filter.after[1]}::uuid)`}
    order by c.name_key, c.id limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Returns the names and colours of every contractor of a site, which imports and the checks for duplicate names and similar colours use. */
export async function contractorsOf(db: Db, site_id: Id): Promise<(Named & { colour: string; status: string })[]> {
  const rows = await db
    .selectFrom('contractor')
    .select(['id', 'name', 'aliases', 'colour', 'status'])
    .where('site_id', '=', site_id)
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  return rows.map(({ aliases, ...contractor }) => ({ ...contractor, names: aliases }))
}

/** Inserts contractors, in one statement. */
export async function insertContractors(db: Db, contractors: readonly Columns[]): Promise<void> {
  if (contractors.length > 0)
    await db
      .insertInto('contractor')
      .values([...contractors])
      .execute()
}

/** Updates a contractor. */
export async function saveContractor(db: Db, site_id: Id, id: Id, set: Partial<Omit<Columns, 'site_id' | 'id'>>): Promise<void> {
  if (Object.keys(set).length > 0) await db.updateTable('contractor').set(set).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Deletes a contractor that nothing refers to. */
export async function deleteContractor(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('contractor').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Stores all names that contractors use; a name that another contractor has violates `contractor_name_means_one_firm`. */
export async function writeNames(db: Db, site_id: Id, names: readonly { contractor_id: Id; folded: string; key: string }[]): Promise<void> {
  const ids = [...new Set(names.map(n => n.contractor_id))]
  if (ids.length === 0) return
  await db.deleteFrom('contractor_name').where('site_id', '=', site_id).where('contractor_id', 'in', ids).execute()
  await db
    .insertInto('contractor_name')
    .values(names.map(n => ({ site_id, ...n })))
    .execute()
}

/** A pair with the names of both. */
export type PairRow = {
  id: Id
  overseer_id: Id
  subordinate_id: Id
  overseer_name: string
  subordinate_name: string
  created_at: Instant
  created_by: Id | null
}

/** Lists every direct pair of a site, by names. */
export async function pairsOf(db: Db, site_id: Id): Promise<PairRow[]> {
  const { rows } = await sql<PairRow>`
    select o.id, o.overseer_id, o.subordinate_id, a.name as overseer_name, b.name as subordinate_name, o.created_at, o.created_by
    from contractor_oversight o
    join contractor a on a.site_id = o.site_id and a.id = o.overseer_id
    join contractor b on b.site_id = o.site_id and b.id = o.subordinate_id
    where o.site_id = ${site_id} order by a.name_key, b.name_key, o.id`.execute(db)
  return rows
}

/** Adds a pair. */
export async function insertPair(db: Db, pair: { site_id: Id; id: Id; overseer_id: Id; subordinate_id: Id }): Promise<void> {
  await db.insertInto('contractor_oversight').values(pair).execute()
}

/** Deletes a pair. */
export async function deletePair(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('contractor_oversight').where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the current main contractor of the site. */
export async function mainContractorOf(db: Db, site_id: Id): Promise<Id | null> {
  const row = await db.selectFrom('site').select('main_contractor_id').where('site_id', '=', site_id).executeTakeFirst()
  return row?.main_contractor_id ?? null
}

/** Returns the main contractor of a listed, open site, as anonymous callers can see it. */
export async function listedMain(db: Db, site_id: Id): Promise<ContractorRow[]> {
  const { rows } = await sql<ContractorRow>`
    select c.* from site s join contractor c on c.site_id = s.site_id and c.id = s.main_contractor_id
    where s.site_id = ${site_id} and s.public_listing and s.deleted_at is null and s.nuked_at is null and s.locked_at is null`.execute(db)
  return rows
}

/** Counts the oversight pairs of each of these contractors, on either side. */
export async function countPairs(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, number>> {
  const { rows } = await sql<{ id: Id; n: number }>`
    select i.id, count(*) as n from unnest(${ids}::uuid[]) as i(id)
    join contractor_oversight o on o.site_id = ${site_id} and i.id in (o.overseer_id, o.subordinate_id) group by 1`.execute(db)
  return new Map(rows.map(row => [row.id, row.n]))
}

/** Returns the names of these contractors of the site. */
export async function namesOfContractors(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  const { rows } = await sql<{ id: Id; name: string }>`
    select id, name from contractor where site_id = ${site_id} and id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.name]))
}
