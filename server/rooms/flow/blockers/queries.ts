import type { BlockerCategory, Effect } from '../../../../shared/blockers.ts'
import type { Instant } from '../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import type { Pointer } from './domain.ts'

/** A gang or machine, by what stays the same when it repeats or moves. */
export type Token = { kind: 'worker' | 'plant'; lineage_id: Id }

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'blocker.pointers': Pointer[]
    'blocker_entry.tokens': Token[]
  }
}

/** A blocker as it is stored. */
export type BlockerRow = Row<'blocker'> & {
  status: 'open' | 'resolved'
  category: BlockerCategory
  responsible_kind: 'contractor' | 'nobody' | null
}
/** An entry of a blocker as it is stored. */
export type EntryRow = Row<'blocker_entry'> & { effect: Effect; origin: 'declared' | 'claimed' | 'added' }

/** Returns a blocker that isn’t deleted; null if the site has none with this id. With `lock`, locks it for a write. */
export async function blockerOfSite(db: Db, site_id: Id, id: Id, lock: boolean): Promise<BlockerRow | null> {
  const { rows } = await sql<BlockerRow>`
    select b.* from blocker b where b.site_id = ${site_id} and b.id = ${id} and b.deleted_at is null ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Returns the open blockers of a site, the oldest first. */
export async function openOn(db: Db, site_id: Id): Promise<BlockerRow[]> {
  const { rows } = await sql<BlockerRow>`
    select b.* from blocker b where b.site_id = ${site_id} and b.status = 'open' and b.deleted_at is null order by b.started_at, b.id`.execute(
    db,
  )
  return rows
}

/** Returns the blockers that were declared from these records and aren’t deleted, the oldest first. */
export async function blockersFrom(db: Db, site_id: Id, kind: string, source_ids: readonly Id[]): Promise<BlockerRow[]> {
  if (source_ids.length === 0) return []
  const { rows } = await sql<BlockerRow>`
    select b.* from blocker b where b.site_id = ${site_id} and b.source_id = any(${source_ids}::uuid[]) and b.source_kind = ${kind} and b.deleted_at is null
    order by b.id`.execute(db)
  return rows
}

// In these states a blocker of the same source and contractor is the same blocker (§1.6).
const LIVE = ['open', 'resolved']

/** Returns the blockers of a source that are open or resolved, locked for a write. */
export async function lockLive(db: Db, site_id: Id, { kind, id }: Pointer): Promise<BlockerRow[]> {
  const { rows } = await sql<BlockerRow>`
    select b.* from blocker b where b.site_id = ${site_id} and b.source_id = ${id} and b.source_kind = ${kind} and b.deleted_at is null
      and b.status = any(${LIVE}::text[]) order by b.id for no key update`.execute(db)
  return rows
}

/** Returns the entries of blockers, in the order in which they were named. */
export async function entriesOf(db: Db, site_id: Id, blocker_ids: readonly Id[]): Promise<EntryRow[]> {
  if (blocker_ids.length === 0) return []
  const { rows } = await sql<EntryRow>`
    select e.* from blocker_entry e where e.site_id = ${site_id} and e.blocker_id = any(${blocker_ids}::uuid[]) order by e.id`.execute(db)
  return rows
}

/** A blocker to store. */
export type NewBlocker = Omit<
  BlockerRow,
  'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by' | 'deleted_at' | 'cleared_at' | 'cleared_how' | 'status'
>
/** An entry to store. */
export type NewEntry = Pick<
  EntryRow,
  'site_id' | 'blocker_id' | 'contractor_id' | 'tokens' | 'effect' | 'loss_share_percent' | 'from_at' | 'origin'
>

/** Stores a blocker. */
export async function insertBlocker(db: Db, row: NewBlocker): Promise<void> {
  await db
    .insertInto('blocker')
    .values({ ...row, pointers: jsonb(row.pointers), status: 'open' })
    .execute()
}

/** Stores an entry of a blocker. */
export async function insertEntry(db: Db, row: NewEntry): Promise<void> {
  await db
    .insertInto('blocker_entry')
    .values({ ...row, id: ids.next(), tokens: jsonb(row.tokens) })
    .execute()
}

/** Gives a blocker a new version, because work was added to it. */
export async function touchBlocker(db: Db, { site_id, id }: BlockerRow): Promise<void> {
  await sql`update blocker set id = id where site_id = ${site_id} and id = ${id}`.execute(db)
}

/** Stores that the cause of a blocker was cleared. */
export async function saveResolved(db: Db, { site_id, id }: BlockerRow, set: { cleared_at: Instant; cleared_how: string }): Promise<void> {
  await db
    .updateTable('blocker')
    .set({ ...set, status: 'resolved' })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Ends entries of a blocker. */
export async function endEntries(
  db: Db,
  site_id: Id,
  ends: readonly { id: Id; to_at: Instant; restart_reason: string | null }[],
): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update blocker_entry e set to_at = r.to_at, restart_reason = r.restart_reason
    from jsonb_to_recordset(${jsonb(ends)}::jsonb) r (id uuid, to_at timestamptz, restart_reason text)
    where e.site_id = ${site_id} and e.id = r.id`.execute(db)
}

/** Marks a blocker as deleted. */
export async function markDeleted(db: Db, { site_id, id }: BlockerRow, at: Instant): Promise<void> {
  await db.updateTable('blocker').set({ deleted_at: at }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns the names of a building and a zone. */
export async function placeNames(
  db: Db,
  site_id: Id,
  { building_id, zone_id }: { building_id: Id | null; zone_id: Id | null },
): Promise<{ building: string | null; zone: string | null }> {
  const { rows } = await sql<{ building: string | null; zone: string | null }>`
    select (select f.name from reference_feature f where f.site_id = ${site_id} and f.id = ${building_id}::uuid) as building,
      (select f.name from reference_feature f where f.site_id = ${site_id} and f.id = ${zone_id}::uuid) as zone`.execute(db)
  return rows[0] ?? { building: null, zone: null }
}

/**
 * The condition that a row has a blocker that was declared from it and that someone who acts for these contractors sees; null: who sees all. `row` is the
 * alias of its table.
 */
export const hasBlockerFrom = (kind: string, row: string, scope: readonly Id[] | null) => sql<boolean>`exists (
  select 1 from blocker b where b.site_id = ${sql.ref(row)}.site_id and b.source_id = ${sql.ref(row)}.id and b.source_kind = ${kind} and b.deleted_at is null
    ${
      scope === null
        ? sql``
        : sql`and (b.responsible_contractor_id = any(${scope}::uuid[]) or exists (
            select 1 from blocker_entry x where x.site_id = b.site_id and x.blocker_id = b.id and x.contractor_id = any(${scope}::uuid[])))`
    })`
