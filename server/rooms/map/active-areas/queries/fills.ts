import type { Areal, Box } from '../../../../../shared/geometry/plane.ts'
import { newColumns, setColumns } from '../../../../base/columns.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { NewRow, Row } from '../../../../base/rows.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import type { Bay } from '../domain/fill.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'area_fill.container': { feature_id?: Id; polygon?: Areal }
    'area_fill.template': Record<string, unknown>
    'area_fill.subtract': { area_kinds: string[]; zone_types: string[] }
    'area_fill.bay': Bay | null
  }
}

/** A fill as it is stored. */
export type FillRow = Row<'area_fill'>

/** Writes a new fill. */
export async function insertFill(db: Db, row: Omit<NewRow<'area_fill'>, 'bounds'>, box: Box): Promise<void> {
  await db
    .insertInto('area_fill')
    .values({ ...newColumns('area_fill', { ...row, bounds: '' }), bounds: boxed(box) })
    .execute()
}

/** Changes a fill, and with `box` what counts as its ground. */
export async function saveFill(db: Db, site_id: Id, id: Id, set: Partial<NewRow<'area_fill'>>, box?: Box): Promise<void> {
  const ground = box === undefined ? {} : { bounds: boxed(box) }
  await db
    .updateTable('area_fill')
    .set({ ...setColumns('area_fill', set), ...ground })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Returns a fill, locked when it is about to be written; null if it doesn’t exist. */
export async function fillRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<FillRow | null> {
  const { rows } = await sql<FillRow>`
    select * from area_fill where site_id = ${site_id} and id = ${id} and deleted_at is null ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Returns the ids of the members of a fill. */
export async function memberIds(db: Db, site_id: Id, fill_group_id: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from active_area t where t.site_id = ${site_id} and t.fill_group_id = ${fill_group_id} and t.deleted_at is null order by t.id`.execute(
    db,
  )
  return rows.map(row => row.id)
}

/** Returns which of these fills are out of date: something on their ground has changed since they were computed. */
export async function staleAmong(db: Db, site_id: Id, ids: readonly Id[]): Promise<Set<Id>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: Id }>`
    select f.id from area_fill f where f.site_id = ${site_id} and f.id = any(${ids}::uuid[]) and (
      exists (select 1 from active_area t where t.site_id = f.site_id and t.fill_group_id is distinct from f.id and t.updated_at > f.generated_at
        and t.bounds && f.bounds)
      or exists (select 1 from active_area_version v where v.site_id = f.site_id and v.created_at > f.generated_at
        and v.content ->> 'fill_group_id' is distinct from f.id::text and (v.content ->> 'bounds')::box && f.bounds)
      or exists (select 1 from reference_feature_version r where r.site_id = f.site_id and r.updated_at > f.generated_at and r.bounds && f.bounds))`.execute(
    db,
  )
  return new Set(rows.map(row => row.id))
}
