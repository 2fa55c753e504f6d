import type { Instant } from '../../../../shared/time.ts'
import { newColumns, setColumns } from '../../../base/columns.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { andAmong, andSince } from '../../../base/plans.ts'
import type { NewRow, Row } from '../../../base/rows.ts'
import { hasNoJob } from '../../../kernel/jobs/door.ts'
import type { Placement } from './domain/placing.ts'
import type { PlanVector, Report, Served, Sheet } from './domain/plans.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'floor_plan.sheet': Sheet | null
    'floor_plan.placement': Placement | null
    'floor_plan.served': Served | null
    'floor_plan.vector': PlanVector
    'dxf_import.report': Report
  }
}

/** A floor plan as the database has it. */
export type FloorPlanRow = Row<'floor_plan'>
/** An inspected drawing as the database has it. */
export type ImportRow = Row<'dxf_import'>

/** Adds a floor plan. */
export async function insertPlan(db: Db, row: NewRow<'floor_plan'>): Promise<void> {
  await db.insertInto('floor_plan').values(newColumns('floor_plan', row)).execute()
}

/** Updates a floor plan. */
export async function savePlan(db: Db, site_id: Id, id: Id, set: Partial<NewRow<'floor_plan'>>): Promise<void> {
  await db.updateTable('floor_plan').set(setColumns('floor_plan', set)).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Returns a floor plan that wasn't deleted, locked until the end of the transaction if `lock` is set. */
export async function planRow(db: Db, site_id: Id, id: Id, lock: boolean): Promise<FloorPlanRow | null> {
  const row = db.selectFrom('floor_plan').selectAll().where('site_id', '=', site_id).where('id', '=', id).where('deleted_at', 'is', null)
  return (await (lock ? row.forUpdate() : row).executeTakeFirst()) ?? null
}

/** Returns a plan that another one has ended or replaced, deleted or not, locked until the end of the transaction. */
export async function endedPlan(db: Db, site_id: Id, id: Id): Promise<FloorPlanRow | null> {
  const row = db.selectFrom('floor_plan').selectAll().where('site_id', '=', site_id).where('id', '=', id)
  return (await row.forUpdate().executeTakeFirst()) ?? null
}

/** Records for the plans that have ended this one that they have ended another one. */
export async function passOn(db: Db, site_id: Id, from: Id, to: Pick<FloorPlanRow, 'ended_id' | 'ended_end_at'>): Promise<void> {
  await db.updateTable('floor_plan').set(to).where('site_id', '=', site_id).where('ended_id', '=', from).execute()
}

/** What selects the plans that a job has to read or to draw, while no job will. */
const isLost = sql<boolean>`(p.status = 'processing' or (p.status = 'ready' and (p.content_version = 0
    or (p.status_reason is null and (p.served ->> 'placed_times')::integer is distinct from p.placed_times)))) and p.deleted_at is null
  and ${hasNoJob('p.job_id')}`

/** Lists the sites with plans that no job will finish. */
export async function sitesWithLostPlans(db: Db): Promise<Id[]> {
  const { rows } = await sql<{ site_id: Id }>`select distinct p.site_id from floor_plan p where ${isLost} order by p.site_id`.execute(db)
  return rows.map(row => row.site_id)
}

/** Returns the plans of a site that no job will finish. `lock`: until the end of the transaction. */
export async function lostPlans(db: Db, site_id: Id, limit: number, lock: boolean): Promise<FloorPlanRow[]> {
  const { rows } = await sql<FloorPlanRow>`
    select p.* from floor_plan p where p.site_id = ${site_id} and ${isLost} order by p.id limit ${limit} ${lock ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows
}

/** Lists the plans of a level that are, were or will be active, by their start. */
export const plansOfLevel = (db: Db, site_id: Id, feature_id: Id, level_index: number): Promise<FloorPlanRow[]> =>
  db
    .selectFrom('floor_plan')
    .selectAll()
    .where('site_id', '=', site_id)
    .where('feature_id', '=', feature_id)
    .where('level_index', '=', level_index)
    .where('deleted_at', 'is', null)
    .where('status', '<>', 'failed')
    .orderBy('start_at')
    .execute()

/** Lists the plans of a site that are active at an instant (all with null), by feature, level and start. */
export async function plansAt(
  db: Db,
  site_id: Id,
  at: Instant | null,
  which: {
    id?: readonly Id[]
    feature_id?: readonly Id[]
    level_index?: readonly number[]
    status?: readonly string[]
    source_kind?: readonly string[]
    updated_since?: Instant
  },
): Promise<FloorPlanRow[]> {
  const { id, feature_id, level_index, status, source_kind, updated_since } = which
  const { rows } = await sql<FloorPlanRow>`
    select p.* from floor_plan p where p.site_id = ${site_id} and p.deleted_at is null
      ${at === null ? sql`` : sql`and p.status <> 'failed' and tstzrange(p.start_at, p.end_at) @> ${at}::timestamptz`}
      ${andAmong('p.id', id, 'uuid')} ${andAmong('p.feature_id', feature_id, 'uuid')} ${andAmong('p.level_index', level_index, 'int')}
      ${andAmong('p.status', status, 'text')} ${andAmong('p.source_kind', source_kind, 'text')} ${andSince('p.updated_at', updated_since)}
    order by p.feature_id, p.level_index, p.start_at, p.id`.execute(db)
  return rows
}

/** Lists plans that are active at an instant, or with an end at some time of a period, by id. */
export async function plansDuring(
  db: Db,
  site_id: Id,
  [from, to]: readonly [Instant, Instant | null],
  { level_index, after, limit }: { level_index?: readonly number[] | undefined; after: Id | null; limit: number },
): Promise<FloorPlanRow[]> {
  const span = to === null ? sql`@> ${from}::timestamptz` : sql`&& tstzrange(${from}::timestamptz, ${to}::timestamptz)`
  const { rows } = await sql<FloorPlanRow>`
    select p.* from floor_plan p where p.site_id = ${site_id} and p.deleted_at is null and p.status <> 'failed' and tstzrange(p.start_at, p.end_at) ${span}
      ${andAmong('p.level_index', level_index, 'int')} ${after === null ? sql`` : sql`and p.id > ${after}::uuid`}
    order by p.id limit ${limit}`.execute(db)
  return rows
}

/** Returns the query of when plans are active during a period. */
export const planSpans = (
  site_id: Id,
  from: Instant,
  to: Instant,
  { feature_id, level_index }: { feature_id?: readonly Id[]; level_index?: readonly number[] },
) => sql`
  select p.id, p.start_at as from_at, p.end_at as to_at, 0 as people, 0 as uncovered from floor_plan p
  where p.site_id = ${site_id} and p.deleted_at is null and p.status <> 'failed' and tstzrange(p.start_at, p.end_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz)
    ${andAmong('p.feature_id', feature_id, 'uuid')} ${andAmong('p.level_index', level_index, 'int')}`

/** Adds an inspected drawing. */
export async function insertImport(db: Db, row: NewRow<'dxf_import'>): Promise<void> {
  await db.insertInto('dxf_import').values(newColumns('dxf_import', row)).execute()
}

/** Returns an inspected drawing, locked until the end of the transaction. */
export const importRow = async (db: Db, site_id: Id, id: Id): Promise<ImportRow | null> =>
  (await db.selectFrom('dxf_import').selectAll().where('site_id', '=', site_id).where('id', '=', id).forUpdate().executeTakeFirst()) ?? null

/** Returns what was found in the drawing of a plan; null if it isn't made of one. */
export const reportOf = async (db: Db, site_id: Id, floor_plan_id: Id): Promise<Report | null> =>
  (
    await db
      .selectFrom('dxf_import')
      .select('report')
      .where('site_id', '=', site_id)
      .where('floor_plan_id', '=', floor_plan_id)
      .executeTakeFirst()
  )?.report ?? null

/** Records which floor plan a drawing became. */
export async function spendImport(db: Db, site_id: Id, id: Id, floor_plan_id: Id): Promise<void> {
  await db.updateTable('dxf_import').set({ floor_plan_id }).where('site_id', '=', site_id).where('id', '=', id).execute()
}

/** Lists the drawings of a site that can still be imported or whose plans are being made, the newest of a person first. */
export async function openImports(db: Db, site_id: Id, now: Instant, first_by: Id | null): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select i.* from dxf_import i left join floor_plan p on p.site_id = i.site_id and p.id = i.floor_plan_id
    where i.site_id = ${site_id} and case when i.floor_plan_id is null then i.expires_at > ${now}::timestamptz
      else p.status = 'processing' and p.deleted_at is null end
    order by (i.created_by = ${first_by}::uuid) desc nulls last, i.created_at desc, i.id desc limit 200`.execute(db)
  return rows
}
