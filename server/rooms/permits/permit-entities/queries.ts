import { type Db, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import type { LinkedPermit } from '../../../kernel/covers/door.ts'

/** A link, with its permit. */
export type LinkRow = LinkedPermit & { entity_id: Id; entity_type: string }

/** Returns the links of things with their permits, by the start of the permit; `seen` limits them to permits that the caller sees. */
export async function linksOf(
  db: Db,
  site_id: Id,
  entity_ids: readonly Id[],
  seen: ReturnType<typeof sql<boolean>>,
): Promise<(LinkRow & { seen: boolean })[]> {
  if (entity_ids.length === 0) return []
  const { rows } = await sql<LinkRow & { seen: boolean }>`
    select l.entity_id, l.entity_type, p.id, p.permit_number, p.status, p.categories, p.start_at, p.end_at, coalesce(${seen}, false) as seen
    from permit_entity l join permit p on p.site_id = l.site_id and p.id = l.permit_id
    where l.site_id = ${site_id} and l.entity_id = any(${entity_ids}::uuid[]) order by p.start_at, p.id`.execute(db)
  return rows
}

/** Returns what a permit is linked to. */
export async function linkedTo(db: Db, site_id: Id, permit_id: Id): Promise<{ entity_type: string; entity_id: Id }[]> {
  return db
    .selectFrom('permit_entity')
    .select(['entity_type', 'entity_id'])
    .where('site_id', '=', site_id)
    .where('permit_id', '=', permit_id)
    .orderBy('entity_type')
    .orderBy('id')
    .execute()
}

/** Links things to a permit and returns those that were not linked before. */
export async function insertLinks(db: Db, site_id: Id, permit_id: Id, entity_type: string, entity_ids: readonly Id[]): Promise<Id[]> {
  if (entity_ids.length === 0) return []
  const rows = await db
    .insertInto('permit_entity')
    .values(entity_ids.map(entity_id => ({ site_id, id: ids.next(), permit_id, entity_type, entity_id })))
    .onConflict(conflict => conflict.columns(['site_id', 'permit_id', 'entity_id']).doNothing())
    .returning('entity_id')
    .execute()
  return rows.map(row => row.entity_id)
}

/** Returns the links of a permit, or of every permit, with these things, locked. */
export async function linksAmong(
  db: Db,
  site_id: Id,
  permit_id: Id | null,
  entity_ids: readonly Id[],
): Promise<{ id: Id; permit_id: Id; entity_id: Id }[]> {
  if (entity_ids.length === 0) return []
  const { rows } = await sql<{ id: Id; permit_id: Id; entity_id: Id }>`
    select id, permit_id, entity_id from permit_entity
    where site_id = ${site_id} ${permit_id === null ? sql`` : sql`and permit_id = ${permit_id}`} and entity_id = any(${entity_ids}::uuid[])
    order by id for update`.execute(db)
  return rows
}

/** Deletes links. */
export async function deleteLinks(db: Db, site_id: Id, link_ids: readonly Id[]): Promise<void> {
  if (link_ids.length === 0) return
  await db
    .deleteFrom('permit_entity')
    .where('site_id', '=', site_id)
    .where('id', 'in', [...link_ids])
    .execute()
}
