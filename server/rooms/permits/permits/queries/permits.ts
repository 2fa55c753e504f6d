// What is written of permits, and read for a write: only this room does it. The rows themselves are in the kit.
import { boundsOf } from '../../../../../shared/geometry/plane.ts'
import { newColumns, setColumns } from '../../../../base/columns.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'

/** The columns of a permit that a step or an edit can set. */
export type PermitSet = Partial<
  Omit<PermitRow, 'site_id' | 'id' | 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by' | 'place_bounds'>
>

/** The box follows from the geometry. */
const boundsFrom = ({ place_geometry: geometry }: PermitSet) =>
  geometry === undefined ? {} : { place_bounds: geometry === null ? null : boxed(boundsOf(geometry)) }

/** Inserts a new permit. */
export async function insertPermit(
  db: Db,
  row: PermitSet & Pick<PermitRow, 'site_id' | 'id' | 'status' | 'source' | 'workflow_definition_id' | 'workflow_version'>,
): Promise<void> {
  await db
    .insertInto('permit')
    .values({ ...newColumns('permit', row), ...boundsFrom(row) })
    .execute()
}

/** Updates a permit. */
export async function savePermit(db: Db, permit: Pick<PermitRow, 'site_id' | 'id'>, set: PermitSet): Promise<void> {
  if (Object.keys(set).length > 0)
    await db
      .updateTable('permit')
      .set({ ...setColumns('permit', set), ...boundsFrom(set) })
      .where('site_id', '=', permit.site_id)
      .where('id', '=', permit.id)
      .execute()
}

/** Deletes a draft that was never submitted. */
export async function dropPermit(db: Db, permit: Pick<PermitRow, 'site_id' | 'id'>): Promise<void> {
  await db.deleteFrom('permit_attachment').where('site_id', '=', permit.site_id).where('permit_id', '=', permit.id).execute()
  await db.deleteFrom('permit').where('site_id', '=', permit.site_id).where('id', '=', permit.id).execute()
}

/** Returns the ids of the work on the map that a permit covers. */
export async function coveredIds(db: Db, permit: Pick<PermitRow, 'site_id' | 'id'>): Promise<Id[]> {
  const rows = await db
    .selectFrom('permit_entity')
    .select('entity_id')
    .where('site_id', '=', permit.site_id)
    .where('permit_id', '=', permit.id)
    .orderBy('entity_id')
    .execute()
  return rows.map(row => row.entity_id)
}

/**
 * Returns several permits by id. Children are locked before parents: a copy or an edit of a child locks it first and then its parent, so there is no
 * deadlock.
 */
export async function permitsLocked(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`
    with recursive above(id, parent_id, depth) as (
      select id, parent_id, 0 from permit where site_id = ${site_id} and id = any(${ids}::uuid[])
      union all
      select a.id, q.parent_id, a.depth + 1 from above a join permit q on q.site_id = ${site_id} and q.id = a.parent_id where a.depth < 50
    ), deep as (select id, max(depth) as depth from above group by id)
    select p.* from permit p join deep d on d.id = p.id where p.site_id = ${site_id} order by d.depth desc, p.id for no key update of p`.execute(
    db,
  )
  return rows
}

/** Returns which of these numbers the site already has. */
export async function numbersTaken(db: Db, site_id: Id, numbers: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    permit_number: string
  }>`select permit_number from permit where site_id = ${site_id} and ${among('permit_number', numbers, 'text')}`.execute(db)
  return new Set(rows.map(r => r.permit_number))
}
