// What else changes with what has changed: permits are where the things are that they cover.
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** Returns the permits that cover these things now, or covered them when clashes were computed last. */
export async function permitsAround(db: Db, site_id: Id, entity_ids: readonly Id[]): Promise<Id[]> {
  if (entity_ids.length === 0) return []
  const { rows } = await sql<{ permit_id: Id }>`
    select l.permit_id from permit_entity l where l.site_id = ${site_id} and l.entity_id = any(${entity_ids}::uuid[])
    union select k.permit_id from clash_permit_link k where k.site_id = ${site_id} and k.entity_id = any(${entity_ids}::uuid[])`.execute(db)
  return rows.map(row => row.permit_id)
}

/** Returns the things that these permits cover now, or covered when clashes were computed last: links go with a permit that is deleted. */
export async function thingsUnder(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<Id[]> {
  if (permit_ids.length === 0) return []
  const { rows } = await sql<{ entity_id: Id }>`
    select l.entity_id from permit_entity l where l.site_id = ${site_id} and l.permit_id = any(${permit_ids}::uuid[])
    union select k.entity_id from clash_permit_link k where k.site_id = ${site_id} and k.permit_id = any(${permit_ids}::uuid[])`.execute(db)
  return rows.map(row => row.entity_id)
}

/** Returns the permits below these: their children, the children of those, and so on. */
export async function permitsBelow(db: Db, site_id: Id, permit_ids: readonly Id[]): Promise<Id[]> {
  if (permit_ids.length === 0) return []
  const { rows } = await sql<{ id: Id }>`
    with recursive below as (
      select p.id, 1 as depth from permit p where p.site_id = ${site_id} and p.parent_id = any(${permit_ids}::uuid[])
      union all select p.id, below.depth + 1 from below join permit p on p.site_id = ${site_id} and p.parent_id = below.id where below.depth < 50)
    select distinct id from below`.execute(db)
  return rows.map(row => row.id)
}

/** Stores what these permits cover; with null, of every permit of the site. */
export async function keepLinks(
  db: Db,
  site_id: Id,
  permit_ids: readonly Id[] | null,
  links: readonly { permit_id: Id; entity_id: Id }[],
): Promise<void> {
  const of = permit_ids === null ? sql`` : sql`and k.permit_id = any(${permit_ids}::uuid[])`
  const source = sql`jsonb_to_recordset(${jsonb(links)}::jsonb) r (permit_id uuid, entity_id uuid)`
  await sql`
    delete from clash_permit_link k where k.site_id = ${site_id} ${of}
      and not exists (select 1 from ${source} where r.permit_id = k.permit_id and r.entity_id = k.entity_id)`.execute(db)
  if (links.length > 0)
    await sql`insert into clash_permit_link (site_id, permit_id, entity_id) select ${site_id}, r.permit_id, r.entity_id from ${source} on conflict do nothing`.execute(
      db,
    )
}

/** Returns those of these permits that were closed out. */
export async function closedOut(db: Db, site_id: Id, ids: readonly Id[]): Promise<Set<Id>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: Id
  }>`select id from permit where site_id = ${site_id} and id = any(${ids}::uuid[]) and status = 'closed'`.execute(db)
  return new Set(rows.map(row => row.id))
}

/** Returns the profile of each of these rules. */
export async function profilesOf(db: Db, site_id: Id, rule_ids: readonly Id[]): Promise<Map<Id, Id>> {
  if (rule_ids.length === 0) return new Map()
  const { rows } = await sql<{ id: Id; profile_id: Id }>`
    select id, profile_id from clash_rule where site_id = ${site_id} and id = any(${rule_ids}::uuid[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.profile_id]))
}

/** Returns the vehicles that are still here although their slot ended between two instants: from then on they have no end. */
export async function overrunBetween(db: Db, site_id: Id, after: Instant, until: Instant): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from delivery t where t.site_id = ${site_id} and t.deleted_at is null and t.status = 'arrived' and t.left_at is null
      and t.slot_end_at > ${after}::timestamptz and t.slot_end_at <= ${until}::timestamptz`.execute(db)
  return rows.map(row => row.id)
}
