import type { Areal } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, jsonb, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'

declare module '../../../../base/json-columns.ts' {
  interface JsonColumns {
    'geometry_cut.polygon': Areal
    'geometry_cut_step.polygon': Areal | null
  }
}

/** A cut. */
export type Cut = Row<'geometry_cut'>

/** The columns of a cut that a person doesn't stamp. */
export type NewCut = Omit<Cut, 'version' | 'created_at' | 'created_by' | 'updated_at' | 'updated_by'>

/** Inserts a cut. */
export async function insertCut(db: Db, { polygon, ...row }: NewCut): Promise<void> {
  await db
    .insertInto('geometry_cut')
    .values({ ...row, polygon: jsonb(polygon) })
    .execute()
}

/** Changes a cut. */
export async function saveCut(
  db: Db,
  site_id: Id,
  id: Id,
  { polygon, ...set }: Partial<Pick<Cut, 'state' | 'result' | 'area_before_m2' | 'area_after_m2' | 'at' | 'feature_version' | 'polygon'>>,
): Promise<void> {
  await db
    .updateTable('geometry_cut')
    .set({ ...set, ...(polygon === undefined ? {} : { polygon: jsonb(polygon) }) })
    .where('site_id', '=', site_id)
    .where('id', '=', id)
    .execute()
}

/** Returns a cut. */
export async function cutOf(db: Db, site_id: Id, id: Id): Promise<Cut | null> {
  return (await db.selectFrom('geometry_cut').selectAll().where('site_id', '=', site_id).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns the cuts of a feature, the oldest first. */
export async function cutsOf(db: Db, site_id: Id, feature_id: Id): Promise<Cut[]> {
  return db
    .selectFrom('geometry_cut')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('feature_id', '=', feature_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** A cut that is applied, as it takes part in the shape of its feature. */
export type Applied = { id: Id; polygon: Areal; min_part_m2: number; min_width_m: number }

/** Returns the cuts of a feature that are applied at an instant, each with the shape that it had then. The order never depends on the order of the steps. */
export async function appliedAt(db: Db, site_id: Id, feature_id: Id, at: Instant): Promise<Applied[]> {
  const { rows } = await sql<Applied>`
    select c.id, s.polygon, c.min_part_m2, c.min_width_m from geometry_cut c, lateral (
      select t.step, t.polygon from geometry_cut_step t
      where t.site_id = c.site_id and t.cut_id = c.id and t.at <= ${at}::timestamptz order by t.number desc limit 1) s
    where c.site_id = ${site_id} and c.feature_id = ${feature_id} and s.step <> 'undo' order by c.id`.execute(db)
  return rows
}

/** A step of a cut. */
export type CutStep = {
  cut_id: Id
  step: 'cut' | 'undo' | 'reapply'
  at: Instant
  written_at: Instant
  written_by: Id | null
  polygon: Areal | null
  area_before_m2: number
  area_after_m2: number
  feature_version: number
}

/** Records a step of a cut. */
export async function insertStep(db: Db, site_id: Id, { polygon, ...step }: CutStep): Promise<void> {
  const shape = polygon === null ? null : JSON.stringify(polygon)
  await sql`
    insert into geometry_cut_step (site_id, cut_id, number, step, at, written_at, written_by, polygon, area_before_m2, area_after_m2, feature_version)
    select ${site_id}, ${step.cut_id}, coalesce(max(t.number), 0) + 1, ${step.step}, ${step.at}, ${step.written_at}, ${step.written_by}, ${shape}::jsonb,
      ${step.area_before_m2}, ${step.area_after_m2}, ${step.feature_version}
    from geometry_cut_step t where t.site_id = ${site_id} and t.cut_id = ${step.cut_id}`.execute(db)
}

/** Returns the steps of all cuts of a feature, the newest first. */
export async function stepsOf(
  db: Db,
  site_id: Id,
  feature_id: Id,
): Promise<(Omit<CutStep, 'polygon'> & { number: number; written_by_name: string | null })[]> {
  const { rows } = await sql<Omit<CutStep, 'polygon'> & { number: number; written_by_name: string | null }>`
    select t.cut_id, t.number, t.step, t.at, t.written_at, t.written_by, u.name as written_by_name, t.area_before_m2, t.area_after_m2, t.feature_version
    from geometry_cut c join geometry_cut_step t on t.site_id = c.site_id and t.cut_id = c.id left join app_user u on u.id = t.written_by
    where c.site_id = ${site_id} and c.feature_id = ${feature_id} order by t.feature_version desc, t.written_at desc, t.number desc`.execute(
    db,
  )
  return rows
}
