import { position } from '../../../../../shared/geometry/plane.ts'
import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, invalid, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import type { NewRow } from '../../../../base/rows.ts'
import { keepFile } from '../../../../kernel/evidence/door.ts'
import { groundOf, outsideFault } from '../../../../kernel/geometry/door.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { hold } from '../../../../kernel/records/door.ts'
import type { BroughtPlan } from '../../kit/actions/upload.ts'
import { type GivenPlacement, middleOn, type Placement, place, placeableOf, positionsIn } from '../domain/placing.ts'
import {
  changeVerdict,
  layerFaults,
  type PlanVector,
  redrawVerdict,
  type Sheet,
  sameSheet,
  turnOf,
  USUAL_SETTINGS,
} from '../domain/plans.ts'
import { type FloorPlanRow, insertPlan, planRow, plansOfLevel, reportOf, savePlan } from '../queries.ts'
import type { ImportDrawing, PlacePlan, PlanUpload, PlanVisibility, ReprocessVector } from '../schema/plans.ts'
import { showOne } from './show.ts'
import { footprintOf, levelFaults } from './units.ts'

/** The jobs of the room. */
export const PROCESS = 'floor_plan_process'
export const VECTORISE = 'floor_plan_vectorise'
export const IMPORT = 'dxf_import'

/** Places a plan, or refuses with everything that is wrong. */
async function placedBy(
  ctx: Ctx,
  row: Pick<FloorPlanRow, 'site_id' | 'feature_id' | 'start_at' | 'width_px' | 'height_px' | 'sheet' | 'source_kind'>,
  given: GivenPlacement,
  path: (field: string) => string = field => field,
): Promise<Placement> {
  const ground = await groundOf(ctx.db, row.site_id)
  const outside = positionsIn(given).flatMap(({ path: field, at }): FieldFault[] => {
    const message = outsideFault(ground, { type: 'Point', coordinates: at })
    return message === null ? [] : [{ path: path(field), message }]
  })
  if (outside.length > 0) refuse(invalid(outside))
  const of = placeableOf(row)
  const footprint = given.mode === 'fit' ? await footprintOf(ctx, row.site_id, row.feature_id, row.start_at) : null
  const said = place(of, given, footprint)
  if ('faults' in said) return refuse(invalid(said.faults.map(fault => ({ ...fault, path: path(fault.path) }))))
  const away = outsideFault(ground, { type: 'Point', coordinates: position(middleOn(of, said.placement)) })
  if (away !== null) refuse(invalid([{ path: path('placement'), message: away }]))
  return said.placement
}

/** A plan as it arrives: its file, its sheet, and what a person says about it. */
type Arriving = Pick<
  NewRow<'floor_plan'>,
  'source_kind' | 'filename' | 'sha256' | 'size' | 'media_type' | 'page' | 'width_px' | 'height_px' | 'sheet' | 'vector'
> & { job: string }

type Described = Omit<PlanUpload, 'site_id' | 'page'>

type OfLevel = Pick<FloorPlanRow, 'site_id' | 'feature_id' | 'level_index'>

/** Returns the name of the lock of a level. */
export const levelLock = ({ feature_id, level_index }: OfLevel): string => `floor plans ${feature_id} ${level_index}`

/** Locks levels until the end of the transaction, before any of their plans: one plan of a level starts, ends or fails at a time. */
export async function holdLevels(ctx: Ctx, plans: readonly OfLevel[]): Promise<void> {
  const names = new Map(plans.map(plan => [levelLock(plan), plan.site_id]))
  for (const [name, site_id] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) await hold(ctx, name, site_id)
}

/** Adds a plan: it ends the one before it, and takes over its placement if the sheet has the same size. A job reads it. */
async function addPlan(ctx: Ctx, site_id: Id, body: Described, { job, ...file }: Arriving): Promise<FloorPlanRow> {
  const { feature_id, level_index = 0 } = body
  const start_at = body.start_at ?? ctx.now
  const faults = await levelFaults(ctx, site_id, feature_id, level_index, start_at)
  if (body.end_at != null && body.end_at <= start_at) faults.push({ path: 'end_at', message: 'must be later than start_at.' })
  if (faults.length > 0) refuse(invalid(faults))
  await holdLevels(ctx, [{ site_id, feature_id, level_index }])
  const all = await plansOfLevel(ctx.db, site_id, feature_id, level_index)
  const turn = turnOf(all, start_at, body.end_at ?? null)
  if (turn.overlaps.length > 0)
    refuse(
      conflict('overlap', 'Another plan of this level starts before this one would end. Leave out end_at, or choose an earlier one.', {
        overlapping: turn.overlaps.map(({ id }) => id),
      }),
    )
  const sheet = { width_px: file.width_px ?? null, height_px: file.height_px ?? null, sheet: file.sheet ?? null }
  const before = all.find(({ id }) => id === (turn.ends ?? turn.replaces)?.id) ?? null
  const inherited = before !== null && body.inherit_placement !== false && sameSheet(before, sheet) ? before.placement : null
  const placement =
    body.placement === undefined
      ? inherited
      : await placedBy(ctx, { site_id, feature_id, start_at, source_kind: file.source_kind, ...sheet }, body.placement)
  if (turn.ends !== null) await savePlan(ctx.db, site_id, turn.ends.id, { end_at: start_at })
  if (turn.replaces !== null) await savePlan(ctx.db, site_id, turn.replaces.id, { deleted_at: ctx.now })
  const id = ids.next()
  const job_id = await ctx.enqueue(job, { floor_plan_id: id }, { site_id, message: `Waiting to read ${file.filename}` })
  await insertPlan(ctx.db, {
    ...file,
    site_id,
    id,
    feature_id,
    level_index,
    name: body.name ?? file.filename.slice(0, 200),
    drawing_number: body.drawing_number ?? null,
    revision: body.revision ?? null,
    suitability: body.suitability ?? null,
    start_at,
    end_at: turn.end_at,
    status: 'processing',
    visible: body.visible ?? true,
    opacity: body.opacity ?? 0.7,
    min_zoom: body.min_zoom ?? 16,
    capture_visible: body.capture_visible ?? true,
    placement,
    placed_times: placement === null ? 0 : 1,
    ended_id: before?.id ?? null,
    ended_end_at: before?.end_at ?? null,
    job_id,
  })
  ctx.redraw(site_id, 'plans')
  const row = await planRow(ctx.db, site_id, id, false)
  if (row === null) throw new Error('A floor plan that was just added is missing.')
  return row
}

const pending = (source: PlanVector['source'], layers: string[] | null = null): PlanVector => ({
  status: 'pending',
  source,
  settings: { ...USUAL_SETTINGS, layers },
  features: 0,
  counts: {},
  sha256: null,
  size: 0,
})

/** Adds a plan from a picture or a page of a PDF. */
export async function uploadPlan(ctx: Ctx, site_id: Id, body: Described, brought: BroughtPlan) {
  const { measured, page, ...file } = brought
  await keepFile(ctx, site_id, file)
  const row = await addPlan(ctx, site_id, body, {
    job: PROCESS,
    source_kind: page === null ? 'image' : 'pdf',
    filename: file.filename,
    sha256: file.sha256,
    size: file.size,
    media_type: file.media_type,
    page,
    width_px: measured.width,
    height_px: measured.height,
    sheet: null,
    vector: pending(page === null ? 'picture' : 'pdf'),
  })
  return showOne(ctx, row)
}

/** Adds a plan from an inspected drawing. */
export const planFromDrawing = (
  ctx: Ctx,
  body: ImportDrawing,
  file: { filename: string; sha256: string; size: number },
  sheet: Sheet,
): Promise<FloorPlanRow> =>
  addPlan(ctx, body.site_id, body, {
    job: IMPORT,
    source_kind: 'dxf',
    ...file,
    media_type: 'image/vnd.dxf',
    page: null,
    width_px: null,
    height_px: null,
    sheet,
    vector: pending('dxf', sheet.layers),
  })

const queueTiles = (ctx: Ctx, { id, site_id, name }: FloorPlanRow): Promise<Id> =>
  ctx.enqueue(PROCESS, { floor_plan_id: id }, { site_id, message: `Waiting to make tiles of ${name}` })

/** Places a plan; its tiles are then made by a job. Neither the file nor the lines are touched. */
export async function placePlan(ctx: Ctx, row: FloorPlanRow, { dry_run: _dry, ...given }: PlacePlan) {
  enforce([changeVerdict(row.status, 'place')])
  const placement = await placedBy(ctx, row, given, field => field.replace(/^placement\.?/, '') || 'mode')
  if (row.status === 'ready' && canonicalJson(placement) === canonicalJson(row.placement)) return again(ctx, row)
  const job_id = await queueTiles(ctx, row)
  if (row.status !== 'ready') {
    ctx.note(row.id, { action: 'transition' })
    told(ctx, row, 'floor_plan.ready')
  }
  await savePlan(ctx.db, row.site_id, row.id, {
    placement,
    placed_times: row.placed_times + 1,
    status: 'ready',
    status_reason: null,
    job_id,
  })
  ctx.redraw(row.site_id, 'plans')
  return again(ctx, row)
}

const again = async (ctx: Ctx, row: FloorPlanRow) => showOne(ctx, (await planRow(ctx.db, row.site_id, row.id, false)) ?? row)

/** Publishes what became of a plan. */
export function told(ctx: Ctx, row: FloorPlanRow, kind: 'floor_plan.ready' | 'floor_plan.failed', reason?: string): void {
  ctx.emit({
    kind,
    site_id: row.site_id,
    subject: { kind: 'floor_plan', id: row.id, label: row.name },
    payload: {
      floor_plan_id: row.id,
      feature_id: row.feature_id,
      level_index: row.level_index,
      uploader_id: row.created_by,
      ...(reason === undefined ? {} : { reason }),
    },
  })
}

/** Changes how a plan is shown. */
export async function changeVisibility(ctx: Ctx, row: FloorPlanRow, body: PlanVisibility) {
  const set = changesOf(row, body)
  if (Object.keys(set).length > 0) {
    await savePlan(ctx.db, row.site_id, row.id, set)
    ctx.redraw(row.site_id, 'plans')
  }
  return again(ctx, row)
}

/** Queues a job that finds the lines again; the old ones are served until then. */
export async function reprocess(ctx: Ctx, row: FloorPlanRow, body: ReprocessVector): Promise<Id> {
  enforce([changeVerdict(row.status, 'trace')])
  const report = row.sheet === null ? null : await reportOf(ctx.db, row.site_id, row.id)
  const faults = layerFaults(report, body.layers)
  if (faults.length > 0) refuse(invalid(faults))
  const settings = { ...row.vector.settings, ...body }
  return ctx.enqueue(
    VECTORISE,
    { floor_plan_id: row.id, settings },
    { site_id: row.site_id, message: `Waiting to find the lines of ${row.name}` },
  )
}

/** Makes the tiles of a plan again where it was placed, after the work on them was stopped. */
export async function redrawPlan(ctx: Ctx, row: FloorPlanRow) {
  enforce([redrawVerdict(row)])
  const job_id = await queueTiles(ctx, row)
  ctx.note(row.id, { action: 'transition' })
  await savePlan(ctx.db, row.site_id, row.id, { status: 'ready', status_reason: null, job_id })
  ctx.redraw(row.site_id, 'plans')
  return again(ctx, row)
}

/** Ends a plan that is active, or removes one that isn't. The one before it doesn't return. */
export async function removePlan(ctx: Ctx, row: FloorPlanRow): Promise<void> {
  const live = row.status !== 'failed' && row.start_at < ctx.now && (row.end_at === null || row.end_at > ctx.now)
  if (!live) ctx.note(row.id, { action: 'delete' })
  // A person ended it, so the one before stays ended even if this one turns out to be damaged.
  await savePlan(ctx.db, row.site_id, row.id, live ? { end_at: ctx.now, ended_id: null, ended_end_at: null } : { deleted_at: ctx.now })
  ctx.redraw(row.site_id, 'plans')
}
