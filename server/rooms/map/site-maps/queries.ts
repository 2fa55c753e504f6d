import type { Matrix } from '../../../../shared/calibration/algebra.ts'
import type { MeasuredPoint } from '../../../../shared/calibration/calibrate.ts'
import type { Instant } from '../../../../shared/time.ts'
import { newColumns, setColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import type { NewRow, Row } from '../../../base/rows.ts'
import { hasNoJob } from '../../../kernel/jobs/door.ts'
import type { Activation, Served } from './domain.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'site_map.served': Served | null
    'site_map_calibration.points': MeasuredPoint[]
    'site_map_calibration.matrix': Matrix
  }
}

/** A site map as the database has it. */
export type SiteMapRow = Row<'site_map'>
/** A calibration as the database has it. */
export type CalibrationRow = Row<'site_map_calibration'>
/** An activation as the database has it. */
export type ActivationRow = Row<'site_map_activation'>

/** Adds a site map. */
export async function insertSiteMap(db: Db, row: NewRow<'site_map'>): Promise<void> {
  await db.insertInto('site_map').values(newColumns('site_map', row)).execute()
}

/** Updates a site map. */
export async function saveSiteMap(db: Db, site_id: Id, id: Id, set: Partial<NewRow<'site_map'>>): Promise<void> {
  await db.updateTable('site_map').set(setColumns('site_map', set)).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns a site map, locked until the end of the transaction if `lock` is set. */
export async function siteMapRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<SiteMapRow | null> {
  const row = db.selectFrom('site_map').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  return (await (lock ? row.forUpdate() : row).executeTakeFirst()) ?? null
}

/** What selects the site maps that a job has to read or to draw, while no job will. */
const isLost = sql<boolean>`m.status in ('processing', 'tiling') and ${hasNoJob('m.job_id')}`

/** Lists the sites with site maps that no job will finish. */
export async function sitesWithLostMaps(db: Db): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`select distinct m.site_id from site_map m where ${isLost} order by m.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns the site maps of a site that no job will finish, locked until the end of the transaction. */
export async function lostMaps(db: Db, site_id: Id, limit: number): Promise<SiteMapRow[]> {
  const { rows } = await sql<SiteMapRow>`
    select m.* from site_map m where m.site_id = ${site_id} and ${isLost} order by m.id limit ${limit} for update`.execute(db)
  return rows
}

/** Adds a calibration. */
export async function insertCalibration(db: Db, row: NewRow<'site_map_calibration'>): Promise<void> {
  await db.insertInto('site_map_calibration').values(newColumns('site_map_calibration', row)).execute()
}

/** Lists the calibrations of a site map, newest first. */
export const calibrationsOf = (db: Db, site_id: Id, site_map_id: Id): Promise<CalibrationRow[]> =>
  db
    .selectFrom('site_map_calibration')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('site_map_id', '=', site_map_id)
    .orderBy('number', 'desc')
    .execute()

/** Returns calibrations by their ids. */
export async function calibrationsAmong(db: Db, site_id: Id, ids: readonly Id[]): Promise<Map<Id, CalibrationRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('site_map_calibration').selectAll().where('site_id', '=', site_id).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Lists the activations of a site, newest first. */
export const activationsOf = (db: Db, site_id: Id): Promise<ActivationRow[]> =>
  db.selectFrom('site_map_activation').selectAll().where('site_id', '=', site_id).orderBy('from_at', 'desc').execute()

/** Returns the activation at an instant; null if there is none. */
export async function activationAt(db: Db, site_id: Id, at: Instant): Promise<ActivationRow | null> {
  const { rows } = await sql<ActivationRow>`
    select a.* from site_map_activation a where a.site_id = ${site_id} and tstzrange(a.from_at, a.to_at) @> ${at}::timestamptz`.execute(db)
  return rows[0] ?? null
}

/** Returns the query of which site map is active when, during a period; going from one to the next changes what is active. */
export const activationSpans = (site_id: Id, from: Instant, to: Instant) => sql`
  select ${site_id}::uuid as id, a.from_at, a.to_at, 0 as people, 0 as uncovered from site_map_activation a
  where a.site_id = ${site_id} and a.site_map_id is not null and tstzrange(a.from_at, a.to_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)`

/** Returns an activation by its id. */
export async function activationRow(db: Db, site_id: Id, id: Id): Promise<ActivationRow | null> {
  const row = await db.selectFrom('site_map_activation').selectAll().where('site_id', '=', site_id).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Adds an activation. */
export async function insertActivation(db: Db, row: Activation & { site_id: Id }): Promise<void> {
  await db.insertInto('site_map_activation').values(newColumns('site_map_activation', row)).execute()
}

/** Sets the end of an activation. */
export async function endActivation(db: Db, site_id: Id, id: Id, to_at: Instant | null): Promise<void> {
  await db.updateTable('site_map_activation').set({ to_at }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Removes an activation that another one replaces from its very start. */
export async function dropActivation(db: Db, site_id: Id, id: Id): Promise<void> {
  await db.deleteFrom('site_map_activation').where('site_id', '=', site_id).where('id', '=', id).execute()
}
