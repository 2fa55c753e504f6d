import { kind } from '../../../kernel/records/door.ts'
import { type FloorPlanRow, type ImportRow, planRow } from './queries.ts'

/** A floor plan as a record. */
export const floorPlan = kind<FloorPlanRow>({
  name: 'floor_plan',
  label: row => row.name,
  find: (ctx, site_id, id, lock) => planRow(ctx.db, site_id, id, lock),
  derived: ['served', 'job_id', 'vector', 'content_version', 'placed_times', 'picture_sha256', 'sheet', 'ended_id', 'ended_end_at'],
  revert: 'transition',
})

/** An inspected drawing as a record. */
export const dxfImport = kind<ImportRow>({
  name: 'dxf_import',
  param: 'session_id',
  label: row => row.filename,
  derived: ['report'],
  revert: 'transition',
})

export type { FloorPlanRow } from './queries.ts'
